//! Files that meshio 5.3.5 has written, and VTK 9.7.2 (`vtk_*`), from one of these. They have the cells and
//! data of `zoo`, and a line.

use std::path::Path;

use ribbonmesh_volume_io::{REGION, VolumeFormat, read};

use crate::common::zoo;

#[test]
fn files_of_meshio_and_vtk() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let mut names = vec![];
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let loaded = read(&path).unwrap_or_else(|error| panic!("{error}"));
        let (volume, zoo) = (loaded.volume, zoo());
        assert_eq!(volume.positions, zoo.positions, "{name}");
        assert_eq!(loaded.notes.elements_skipped, [("lines", 1)], "{name}");
        // their wedge is inverted by the documentation of each format
        assert_eq!(loaded.notes.wedges_turned, 1, "{name}");
        let turns = matches!(loaded.format, VolumeFormat::Msh | VolumeFormat::Mesh);
        for cell in 0..zoo.cells.len() {
            let (kind, own) = zoo.cells.cell(cell);
            assert_eq!(volume.cells.cell(cell), (kind, own), "{name}");
        }
        assert_eq!(volume.cells.faces(), 3, "{name}");
        for face in 0..3 {
            assert_eq!(volume.cells.face(face), zoo.cells.face(face), "{name}");
        }
        // meshio writes text that is not a number for data in MSH files as text
        if loaded.format != VolumeFormat::Mesh && !(turns && name.starts_with("ascii")) {
            let heat = volume.of_cells("heat").expect("data of cells");
            assert_eq!(
                (0..4).map(|i| heat.scalars.as_f64(i).unwrap()).collect::<Vec<_>>(),
                [0.0, 0.25, 0.5, 0.75]
            );
            let heat = volume.of_faces("heat").expect("data of faces");
            assert_eq!((0..3).map(|i| heat.scalars.as_f64(i).unwrap()).collect::<Vec<_>>(), [1.0, 1.25, 1.5]);
            let way = volume.points("way").expect("data of points");
            assert_eq!((way.width, way.scalars.as_f64(3 * 9)), (3, Some(1.0)), "{name}");
        }
        if turns {
            // in version 4.1, meshio writes the groups of entities that have nodes alone
            let regions = if name.ends_with("41.msh") { vec![7, 0, 0, 0] } else { vec![7; 4] };
            assert_eq!(volume.of_cells(REGION).and_then(|a| a.tags()), Some(regions), "{name}");
        }
        names.push(name);
    }
    assert_eq!(names.len(), 15, "{names:?}");
}

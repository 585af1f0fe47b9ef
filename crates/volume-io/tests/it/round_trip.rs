//! Volumes are read back as they were written, bit for bit, apart from the losses.

use ribbonmesh_mesh::{Precision, Scalar, Subject};
use ribbonmesh_volume_io::{
    DataArray, ENTITY, REGION, Region, VolumeData, VolumeFormat, VolumeLoss, VolumeWriteOptions,
    WriteErrorKind, read, read_from, read_stream, write, write_to,
};

use crate::common::{again, grid, ways, written, zoo, zoo_with_data};

#[test]
fn positions_and_cells_in_every_way() {
    for (format, options) in ways() {
        for precision in [Precision::Single, Precision::Double] {
            let mut zoo = zoo();
            zoo.precision = precision;
            if precision == Precision::Double {
                zoo.positions[3].x = 0.1;
            }
            let (mut back, losses) = again(&zoo, format, &options);
            if format == VolumeFormat::Msh {
                // the format knows double precision alone
                back.precision = precision;
            }
            assert_eq!(back, zoo, "{format} {options:?}");
            assert_eq!(losses, [], "{format} {options:?}");
        }
    }
}

#[test]
fn all_data_in_vtk_and_vtu() {
    for (format, options) in
        ways().into_iter().filter(|way| matches!(way.0, VolumeFormat::Vtk | VolumeFormat::Vtu))
    {
        for volume in [zoo_with_data(), grid()] {
            let (back, losses) = again(&volume, format, &options);
            assert_eq!(back, volume, "{format} {options:?}");
            assert_eq!(losses, [], "{format} {options:?}");
        }
    }
}

#[test]
fn vtk_keeps_titles_and_the_others_say_that_they_do_not() {
    let mut zoo = zoo();
    zoo.title = "a part".into();
    for (format, options) in ways() {
        let (back, losses) = again(&zoo, format, &options);
        let keeps = format == VolumeFormat::Vtk;
        assert_eq!(back.title == zoo.title, keeps);
        assert_eq!(losses, if keeps { vec![] } else { vec![VolumeLoss::Title] });
    }
}

#[test]
fn gmsh_keeps_regions_names_and_data_as_doubles() {
    let mut zoo = zoo_with_data();
    zoo.regions.push(Region { dimension: 3, tag: 7, name: "steel".into() });
    for (format, options) in ways().into_iter().filter(|way| way.0 == VolumeFormat::Msh) {
        let (back, losses) = again(&zoo, format, &options);
        assert_eq!((&back.cells, &back.regions), (&zoo.cells, &zoo.regions));
        for (one, other) in [(&back.cell_data, &zoo.cell_data), (&back.face_data, &zoo.face_data)] {
            assert_eq!(one.len(), other.len());
            for array in other.iter() {
                let found = one.iter().find(|known| known.name == array.name).expect("it is there");
                for i in 0..array.scalars.len() {
                    assert_eq!(found.scalars.as_f64(i), array.scalars.as_f64(i), "{}", array.name);
                }
            }
        }
        let way = back.points("way").expect("it is there");
        assert_eq!((way.width, way.scalars.scalar()), (3, Scalar::F64));
        let stored = |element, name: &str| VolumeLoss::Type { element, name: name.into(), stored: "f64" };
        assert_eq!(losses, [stored("point", "way"), stored("cell", "big"), stored("face", "big")]);
    }
}

#[test]
fn gmsh_keeps_entities_that_fit_regions() {
    let mut zoo = zoo();
    zoo.cell_data.push(DataArray::new(REGION, vec![7, 7, 9, 7]));
    zoo.cell_data.push(DataArray::new(ENTITY, vec![1, 2, 3, 1]));
    for (format, options) in ways().into_iter().filter(|way| way.0 == VolumeFormat::Msh) {
        let (back, losses) = again(&zoo, format, &options);
        assert_eq!((back.cell_data, losses), (zoo.cell_data.clone(), vec![]));
        let mut other = zoo.clone();
        // entity 1 has two regions now
        other.cell_data[0] = DataArray::new(REGION, vec![7, 7, 9, 9]);
        let (back, losses) = again(&other, format, &options);
        assert_eq!((&back.cell_data[..], losses), (&other.cell_data[..1], vec![VolumeLoss::Entities]));
    }
}

#[test]
fn medit_keeps_regions_and_lists_what_it_loses() {
    let mut zoo = zoo_with_data();
    zoo.point_data.push(DataArray::new(REGION, (0..12).collect::<Vec<i32>>()));
    let (back, losses) = again(&zoo, VolumeFormat::Mesh, &VolumeWriteOptions::default());
    assert_eq!(back.points(REGION), zoo.points(REGION));
    assert_eq!(back.of_cells(REGION), zoo.of_cells(REGION));
    assert_eq!(back.of_faces(REGION), zoo.of_faces(REGION));
    let array = |element, name: &str| VolumeLoss::Array { element, name: name.into() };
    let expected = [
        array("point", "heat of points"),
        array("point", "way"),
        array("cell", "stress"),
        array("cell", "big"),
        array("face", "stress"),
        array("face", "big"),
    ];
    assert_eq!(losses, expected);
}

#[test]
fn faces_without_data_are_filled_and_that_is_said() {
    let mut zoo = zoo();
    zoo.cell_data.push(DataArray::new("heat", vec![1.0_f32; 4]));
    zoo.face_data.push(DataArray::new("label", vec![1_u16; 3]));
    let (back, losses) = again(&zoo, VolumeFormat::Vtu, &VolumeWriteOptions::default());
    assert!((0..3).all(|i| back.of_faces("heat").and_then(|a| a.scalars.as_f64(i)).is_some_and(f64::is_nan)));
    assert_eq!(back.of_cells("label"), Some(&DataArray::new("label", vec![0_u16; 4])));
    let filled = |element, name: &str| VolumeLoss::Filled { element, name: name.into() };
    assert_eq!(losses, [filled("face", "heat"), filled("cell", "label")]);
}

#[test]
fn polyhedra_are_refused_where_there_are_none() {
    for format in [VolumeFormat::Msh, VolumeFormat::Mesh] {
        let error = write_to(&mut vec![], format, &grid(), &VolumeWriteOptions::default()).unwrap_err();
        assert!(matches!(error, WriteErrorKind::Kind { .. }), "{error}");
        assert!(error.to_string().contains("which is a polyhedron"), "{error}");
    }
}

#[test]
fn writers_refuse_what_readers_would() {
    type Change = fn(&mut VolumeData);
    let changes: [(Change, &str); 7] = [
        (|v| v.positions.clear(), "needs at least one of each"),
        (|v| v.positions[2].y = f64::NAN, "position of vertex 2 is not finite"),
        (|v| v.positions[2].y = 1e300, "position of vertex 2 is not finite"),
        (|v| v.positions.truncate(5), "out of range (of 5 vertices)"),
        (|v| v.cell_data.push(DataArray::new("a", vec![1.0])), "cell data \"a\" has 1 numbers, and needs 4"),
        (|v| v.face_data.extend(vec![DataArray::new("b", vec![1; 3]); 2]), "face data \"b\" occurs twice"),
        (|v| v.cell_data.push(DataArray::new("\0", vec![0; v.cells.len()])), "which XML cannot store"),
    ];
    for (change, expected) in changes {
        let mut zoo = zoo();
        change(&mut zoo);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("zoo.vtu");
        let error = write(&path, &zoo, &VolumeWriteOptions::default()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        assert!(!path.exists());
    }
}

#[test]
fn files_compressed_files_and_streams() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.vtk", "a.vtu.gz", "a.msh.zst", "a.mesh", "a.MESH"] {
        let path = folder.path().join(name);
        write(&path, &zoo(), &VolumeWriteOptions::default()).unwrap();
        let loaded = read(&path).unwrap();
        assert_eq!(loaded.volume.cells, zoo().cells);
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(read_stream(&mut &bytes[..], None, "a stream").unwrap(), loaded);
    }
    // what a file begins with counts more than its name
    let (bytes, _) = written(&zoo(), VolumeFormat::Vtu, &VolumeWriteOptions::default());
    let path = folder.path().join("b.vtk");
    std::fs::write(&path, bytes).unwrap();
    assert_eq!(read(&path).unwrap().format, VolumeFormat::Vtu);
    let error = read(folder.path().join("none.xyz")).unwrap_err();
    assert!(
        error.to_string().ends_with("none.xyz: no such file") && error.kind.subject() == Subject::Source,
        "{error}"
    );
    let error = read_stream(&mut &b"solid"[..], None, "a stream").unwrap_err();
    assert!(error.to_string().contains("a stream: the content does not show its format"), "{error}");
}

#[test]
fn names_of_any_characters_in_vtu() {
    let mut volume = grid();
    let name = "line\r\nend, tab\t, 'quotes\", <&amp;> ä";
    volume.cell_data = vec![DataArray::new(name, vec![1_u8; volume.cells.len()])];
    for (format, options) in ways().into_iter().filter(|(format, _)| *format == VolumeFormat::Vtu) {
        let (back, losses) = again(&volume, format, &options);
        assert!(losses.is_empty());
        assert_eq!(back, volume);
    }
}

#[test]
fn base64_in_lines_and_with_padding_between() {
    let mut volume = grid();
    volume.cell_data = vec![DataArray::new("bytes", vec![7_u8; volume.cells.len()])];
    for uncompressed in [false, true] {
        let options = VolumeWriteOptions { uncompressed, ..VolumeWriteOptions::default() };
        let mut bytes = vec![];
        write_to(&mut bytes, VolumeFormat::Vtu, &volume, &options).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let lines = |line: &str| match line.starts_with('<') {
            true => format!("{line}\n"),
            false => line.chars().map(|digit| format!("{digit} \n")).collect(),
        };
        let text: String = text.lines().map(lines).collect();
        assert_eq!(read_from(text.as_bytes(), VolumeFormat::Vtu, "a").unwrap().volume, volume);
    }
}

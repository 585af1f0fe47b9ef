//! Volumes to try, and every way to write them.

use ribbonmesh_mesh::Scalars;
use ribbonmesh_volume::{CellKind, CellList, shapes};
use ribbonmesh_volume_io::{
    DataArray, MshVersion, REGION, VolumeData, VolumeFormat, VolumeLoss, VolumeWriteOptions, VtkVersion,
    VtuData, read_from, write_to,
};

/// One cell of each kind but polyhedra, and three faces.
pub fn zoo() -> VolumeData {
    let corners = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [1.0, 0.0, 1.0],
        [1.0, 1.0, 1.0],
        [0.0, 1.0, 1.0],
        [0.5, 0.5, 2.0],
        [2.0, 0.0, 0.0],
        [2.0, 0.0, 1.0],
        [0.0, 0.0, 2.0],
    ];
    let mut cells = CellList::new();
    cells.push(CellKind::Tetrahedron, &[4, 5, 8, 11]);
    cells.push(CellKind::Pyramid, &[4, 5, 6, 7, 8]);
    // the first triangle runs clockwise seen from the second
    cells.push(CellKind::Wedge, &[1, 2, 9, 5, 6, 10]);
    cells.push(CellKind::Hexahedron, &[0, 1, 2, 3, 4, 5, 6, 7]);
    cells.push_face(&[4, 5, 8]);
    cells.push_face(&[5, 6, 8]);
    cells.push_face(&[0, 3, 2, 1]);
    VolumeData { positions: corners.map(Into::into).to_vec(), cells, ..VolumeData::default() }
}

/// The same, with data of each type.
pub fn zoo_with_data() -> VolumeData {
    let mut zoo = zoo();
    let heat: Vec<f64> = (0..12).map(|i| f64::from(i) / 7.0).collect();
    zoo.point_data.push(DataArray::new("heat of points", heat));
    zoo.point_data.push(DataArray::of_width("way", 3, (0..36).map(|i| i as f32 / 3.0).collect::<Vec<_>>()));
    zoo.cell_data.push(DataArray::new(REGION, vec![7, 7, 9, 7]));
    zoo.face_data.push(DataArray::new(REGION, vec![2, 2, 3]));
    let stress: Vec<f64> = (0..36).map(|i| f64::from(i) * 1e-300).collect();
    zoo.cell_data.push(DataArray::of_width("stress", 9, stress));
    zoo.face_data.push(DataArray::of_width("stress", 9, vec![f64::MAX; 27]));
    zoo.cell_data.push(DataArray::new("big", vec![i64::MAX, i64::MIN, 0, 1]));
    zoo.face_data.push(DataArray::new("big", vec![1_i64, 2, 3]));
    zoo
}

/// A grid with all kinds, polyhedra too.
pub fn grid() -> VolumeData {
    let (positions, cells) = shapes::mixed_grid([4, 2, 2]).expect("small");
    let mut grid = VolumeData::from_f32(&positions, cells);
    let bytes: Vec<u8> = (0..grid.cells.len()).map(|i| i as u8).collect();
    grid.cell_data.push(DataArray::new("a \"name\" with <marks> & 50 %", Scalars::U8(bytes)));
    grid
}

/// Every way to write, and its format.
pub fn ways() -> Vec<(VolumeFormat, VolumeWriteOptions)> {
    let usual = VolumeWriteOptions::default;
    let mut ways = vec![(VolumeFormat::Mesh, usual())];
    for ascii in [false, true] {
        for vtk_version in [VtkVersion::V3, VtkVersion::V5] {
            ways.push((VolumeFormat::Vtk, VolumeWriteOptions { ascii, vtk_version, ..usual() }));
        }
        for msh_version in [MshVersion::V2, MshVersion::V4] {
            ways.push((VolumeFormat::Msh, VolumeWriteOptions { ascii, msh_version, ..usual() }));
        }
        for vtu_data in [VtuData::Inline, VtuData::Appended] {
            for uncompressed in [false, true] {
                let options = VolumeWriteOptions { ascii, vtu_data, uncompressed, ..usual() };
                ways.push((VolumeFormat::Vtu, options));
            }
        }
    }
    ways
}

/// Writes and reads.
#[track_caller]
pub fn again(
    volume: &VolumeData,
    format: VolumeFormat,
    options: &VolumeWriteOptions,
) -> (VolumeData, Vec<VolumeLoss>) {
    let (bytes, losses) = written(volume, format, options);
    let loaded = read_from(&bytes, format, "again").unwrap_or_else(|error| panic!("{options:?}: {error}"));
    assert_eq!(loaded.notes.in_words(), [""; 0], "{format} {options:?}");
    (loaded.volume, losses)
}

#[track_caller]
pub fn written(
    volume: &VolumeData,
    format: VolumeFormat,
    options: &VolumeWriteOptions,
) -> (Vec<u8>, Vec<VolumeLoss>) {
    let mut bytes = vec![];
    let losses = write_to(&mut bytes, format, volume, options).expect("can be written");
    (bytes, losses)
}

//! Regions of several groups, their names, wedges of either order, tensors.

use ribbonmesh_volume::{CellKind, CellList};
use ribbonmesh_volume_io::{
    DataArray, ENTITY, MshVersion, REGION, Region, VolumeFormat, VolumeLoss, VolumeWriteOptions,
    further_region, is_region, read_from,
};

use crate::common::{again, ways, written, zoo};

#[test]
fn several_regions_and_their_names() {
    let mut zoo = zoo();
    zoo.cell_data.push(DataArray::new(REGION, vec![7, 7, 9, 7]));
    zoo.cell_data.push(DataArray::new(further_region(2), vec![0, 9, 0, 0]));
    zoo.cell_data.push(DataArray::new(further_region(3), vec![0, 4, 0, 0]));
    zoo.face_data.push(DataArray::new(REGION, vec![2, 2, 3]));
    zoo.face_data.push(DataArray::new(further_region(2), vec![3, 0, 0]));
    let region = |dimension, tag, name: &str| Region { dimension, tag, name: name.into() };
    zoo.regions = vec![region(3, 7, "steel"), region(2, 3, "außen & <innen>"), region(1, 5, "")];
    for (format, options) in ways() {
        if matches!(format, VolumeFormat::Mesh) {
            continue;
        }
        let (bytes, losses) = written(&zoo, format, &options);
        let loaded = read_from(&bytes, format, "again").expect("what was written");
        let (back, notes) = (loaded.volume, loaded.notes);
        assert_eq!(back.regions, zoo.regions, "{format} {options:?}");
        let regions = |arrays: &[DataArray]| -> Vec<Vec<i32>> {
            let all = arrays.iter().filter(|a| is_region(&a.name)).filter_map(DataArray::tags);
            // VTK has one table for cells and faces: columns of zeros
            all.filter(|tags| tags.iter().any(|tag| *tag != 0)).collect()
        };
        assert_eq!(regions(&back.cell_data), regions(&zoo.cell_data), "{format} {options:?}");
        assert_eq!(regions(&back.face_data), regions(&zoo.face_data), "{format} {options:?}");
        assert_eq!(back.cells, zoo.cells, "{format} {options:?}");
        let old = format == VolumeFormat::Msh && options.msh_version == MshVersion::V2;
        // a cell twice more, a face once more
        assert_eq!(notes.groups_joined, if old { 3 } else { 0 }, "{format} {options:?}");
        let filled = |loss: &VolumeLoss| matches!(loss, VolumeLoss::Filled { element: "face", name } if name == "region_3");
        assert!(losses.iter().all(filled), "{losses:?}");
    }
    let (_, losses) = written(&zoo, VolumeFormat::Mesh, &VolumeWriteOptions::default());
    assert!(losses.contains(&VolumeLoss::RegionNames { count: 3 }), "{losses:?}");
    assert!(losses.contains(&VolumeLoss::Array { element: "cell", name: "region_2".into() }), "{losses:?}");
}

#[test]
fn names_of_region_arrays() {
    assert!(is_region("region") && is_region("region_2") && is_region("region_13"));
    for name in ["region_1", "region_02", "region_", "region_x", "regions", "entity"] {
        assert!(!is_region(name), "{name}");
    }
}

#[test]
fn elements_again_in_another_group() {
    let head = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n";
    let read = |elements: &str, more: &str| {
        let count = elements.lines().count();
        let text = format!("{head}{count}\n{elements}\n$EndElements\n{more}");
        read_from(text.as_bytes(), VolumeFormat::Msh, "text").expect("a mesh")
    };
    let data = "$ElementData\n1\n\"heat\"\n1\n0\n3\n0\n1\n2\n1 5\n2 5\n$EndElementData\n";
    let loaded = read("1 4 2 7 1 1 2 3 4\n2 4 2 8 1 1 2 3 4", data);
    let volume = &loaded.volume;
    assert_eq!((volume.cells.len(), loaded.notes.groups_joined), (1, 1));
    assert_eq!(volume.of_cells(REGION), Some(&DataArray::new(REGION, vec![7])));
    assert_eq!(volume.of_cells("region_2"), Some(&DataArray::new("region_2", vec![8])));
    assert_eq!(volume.of_cells("heat"), Some(&DataArray::new("heat", vec![5.0])));
    // of another entity, without a group, or of the same group: elements of their own
    for other in ["2 4 2 8 2 1 2 3 4", "2 4 2 0 1 1 2 3 4", "2 4 2 7 1 1 2 3 4", "2 4 2 8 1 2 1 4 3"] {
        assert_eq!(read(&format!("1 4 2 7 1 1 2 3 4\n{other}"), "").volume.cells.len(), 2, "{other}");
    }
}

#[test]
fn wedges_of_either_order() {
    let mut zoo = zoo();
    let mut cells = CellList::new();
    // the same wedge, among wedges that are turned inside out
    for own in [[1, 9, 2, 5, 10, 6], [1, 9, 2, 5, 10, 6], [1, 2, 9, 5, 6, 10]] {
        cells.push(CellKind::Wedge, &own);
    }
    zoo.cells = cells;
    for (format, options) in ways() {
        let (bytes, _) = written(&zoo, format, &options);
        let loaded = read_from(&bytes, format, "again").expect("what was written");
        assert_eq!(loaded.notes.wedges_turned, 3, "{format}");
        let cells: Vec<&[u32]> = (0..3).map(|cell| loaded.volume.cells.cell(cell).1).collect();
        assert_eq!(cells, [[1, 2, 9, 5, 6, 10], [1, 2, 9, 5, 6, 10], [1, 9, 2, 5, 10, 6]], "{format}");
        // and now they stay
        let (back, _) = again(&loaded.volume, format, &options);
        assert_eq!(back.cells, loaded.volume.cells, "{format}");
    }
}

#[test]
fn tensors_in_gmsh_files() {
    let mut zoo = zoo();
    let six: Vec<f64> = (0..4).flat_map(|cell| (1..=6).map(move |k| f64::from(10 * cell + k))).collect();
    zoo.cell_data.push(DataArray::of_width("stress", 6, six));
    zoo.cell_data.push(DataArray::new(ENTITY, vec![1; 4]));
    for (format, options) in ways().into_iter().filter(|way| way.0 == VolumeFormat::Msh) {
        let (back, losses) = again(&zoo, format, &options);
        assert_eq!(losses, [VolumeLoss::Tensor { element: "cell", name: "stress".into() }]);
        let stress = back.of_cells("stress").expect("it is there");
        let first: Vec<f64> = (0..9).filter_map(|i| stress.scalars.as_f64(i)).collect();
        // xx xy xz, yx yy yz, zx zy zz of xx, yy, zz, xy, yz, zx
        assert_eq!((stress.width, first), (9, vec![1.0, 4.0, 6.0, 4.0, 2.0, 5.0, 6.0, 5.0, 3.0]));
    }
}

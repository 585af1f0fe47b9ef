//! A volume as a source, on both machines.

use crate::mesh::{query, view, words};
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh_render::Up;
use ribbonmesh_serve::stream::{Encoded, Slice, View};
use ribbonmesh_serve::{Source, VolumeSource};
use ribbonmesh_suite::suite;
use ribbonmesh_volume::{CellKind, CellList, VolumeOptions, shapes};
use ribbonmesh_volume_io::{DataArray, VolumeData};

/// The cube from -1 to 1 around a point, of cells of `shape`, with data of vertices and cells.
pub fn cube(middle: DVec3, shape: (Vec<Vec3>, CellList)) -> VolumeData {
    let (points, cells) = shape;
    let size = points.iter().fold(Vec3::ZERO, |high, p| high.max(*p));
    let mut volume = VolumeData::from_f32(&points, cells);
    volume.positions = points.iter().map(|p| middle + (2.0 * *p / size - Vec3::ONE).as_dvec3()).collect();
    let heat = volume.positions.iter().map(|p| (2.0 * (p.x - middle.x) + (p.z - middle.z)) as f32);
    volume.point_data.push(DataArray::new("heat", heat.collect::<Vec<_>>()));
    let numbers: Vec<u32> = (0..volume.cells.len() as u32).collect();
    volume.cell_data.push(DataArray::new("number", numbers));
    volume.cell_data.push(DataArray::new("heat", vec![5.0_f64; volume.cells.len()]));
    volume
}

fn source(device: &ribbonmesh::Device, volume: &VolumeData) -> VolumeSource {
    VolumeSource::new(device, volume, "cube", Up::Y, &VolumeOptions::default()).expect("a source")
}

/// The number of points, and the least and the greatest distance.
fn distances(frame: &Encoded) -> [f32; 2] {
    let at = (frame.parts[0] + frame.parts[1]) as usize;
    let number = |at: usize| f32::from_le_bytes(std::array::from_fn(|i| frame.body[at + i]));
    [number(at), number(at + 4)]
}

suite! {
/// The surface, and slices: what they cover, how far away they are, and their values.
fn surfaces_and_slices(device) {
    for shape in [shapes::kuhn_grid([4; 3]), shapes::hexahedral_grid([4; 3])] {
        let volume = cube(DVec3::ZERO, shape.expect("a size"));
        let mut source = source(device, &volume);
        let description = source.describe();
        let names: Vec<_> = description.fields.iter().map(|served| &served.field.name[..]).collect();
        assert_eq!(names, ["heat", "number", "cell_heat", "position", "x", "y", "z"]);
        assert!(description.slices && description.domain.0 == "volume");
        let heat = query(&source, "heat");
        source.frames().prepare(&heat).expect("an expression");
        // 4 units for 64 pixels, from z = 5
        let from_above = view(DVec3::ZERO, 64);
        let frame = source.frames().encode(&heat, &from_above).expect("a frame");
        assert_eq!((frame.count, distances(&frame)), (32 * 32, [4.0, 4.0]));
        assert!((frame.minimum + 1.0).abs() < 0.1 && (frame.maximum - 3.0).abs() < 0.1);
        // across z, not along faces: everywhere of the value 2 x + z
        let sliced = |normal, offset| View { slice: Some(Slice { normal, offset }), ..from_above.clone() };
        let across = sliced([0.0, 0.0, 2.0], -0.6);
        let frame = source.frames().encode(&heat, &across).expect("a frame");
        assert_eq!(frame.count, 32 * 32);
        assert!(distances(&frame).iter().all(|away| (away - 5.3).abs() < 1e-5), "{:?}", distances(&frame));
        let values = &words(&frame.body[frame.parts[0] as usize..])[..32 * 32];
        for (i, value) in values.iter().enumerate() {
            let x = ((i % 32) as f32 + 0.5) / 16.0 - 1.0;
            let value = frame.minimum + f32::from(*value) / 65534.0 * (frame.maximum - frame.minimum);
            assert!((value - (2.0 * x - 0.3)).abs() < 1e-3, "{i}: {value}");
        }
        // of cells: constant in each
        let number = query(&source, "number");
        let found = source.frames().probe(&number, &across, [20, 40]).expect("an answer").expect("the cube");
        assert_eq!(found.element, ("cell", found.value as u64));
        assert!((found.position[2] + 0.3).abs() < 1e-6, "{found:?}");
        let cell: Vec<DVec3> = volume.cells.faces_of(found.value as usize).iter().flatten()
            .map(|v| volume.positions[*v as usize]).collect();
        let [low, high] = [DVec3::min, DVec3::max]
            .map(|most| cell.iter().copied().reduce(most).expect("corners"));
        let place = DVec3::from(found.position);
        assert!((low - 1e-6).cmple(place).all() && (high + 1e-6).cmpge(place).all(), "{found:?}");
        let cell_heat = query(&source, "cell_heat");
        let frame = source.frames().encode(&cell_heat, &across).expect("a frame");
        assert_eq!((frame.count, [frame.minimum, frame.maximum]), (32 * 32, [5.0; 2]));
        // a plane that is not along an axis, then one beyond the cube
        let frame = source.frames().encode(&heat, &sliced([1.0, 0.0, 1.0], 0.5)).expect("a frame");
        // x from -0.5 to 1
        assert_eq!(frame.count, 24 * 32);
        assert_eq!(source.frames().encode(&heat, &sliced([1.0, 0.0, 0.0], 7.0)).expect("a frame").count, 0);
        // the surface again
        let frame = source.frames().encode(&heat, &from_above).expect("a frame");
        assert_eq!((frame.count, distances(&frame)), (32 * 32, [4.0, 4.0]));
        let on_surface = source.frames().probe(&number, &from_above, [20, 40]).expect("an answer").expect("the cube");
        assert!(on_surface.element.0 == "cell" && (on_surface.position[2] - 1.0).abs() < 1e-6);
    }
}

fn far_away(device) {
    let middle = DVec3::new(5e6, -4e5, 300.0);
    let volume = cube(middle, shapes::kuhn_grid([3; 3]).expect("a size"));
    let mut source = source(device, &volume);
    let heat = query(&source, "heat");
    let slice = Some(Slice { normal: [0.0, 3.0, 0.0], offset: 3.0 * middle.y + 1.0 });
    // from above the slice is a line; from the side it is seen whole
    let [x, y, z] = middle.to_array();
    let side = View {
        view: [1., 0., 0., 0., 0., 0., 1., 0., 0., -1., 0., 0., -x, z, -y - 5.0, 1.],
        slice,
        ..view(middle, 64)
    };
    let frame = source.frames().encode(&heat, &side).expect("a frame");
    assert!(frame.count.abs_diff(32 * 32) < 40, "{} points", frame.count);
}

/// Faces that the file lists by themselves, and that no cell has, are not shown.
fn loose_faces(device) {
    let x = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(9.0, 9.0, 9.0)];
    let mut cells = CellList::new();
    cells.push(CellKind::Tetrahedron, &[0, 1, 2, 3]);
    cells.push_face(&[0, 1, 4]);
    cells.push_face(&[0, 1, 2]);
    let source = source(device, &VolumeData::from_f32(&x, cells));
    assert_eq!(source.loose_triangles(), 2);
    // a file of points, or of faces alone
    let mut faces = CellList::new();
    faces.push_face(&[0, 1, 2]);
    for cells in [CellList::new(), faces] {
        let none = VolumeData::from_f32(&x, cells);
        let error = VolumeSource::new(device, &none, "none", Up::Y, &VolumeOptions::default()).err();
        assert!(error.expect("nothing to show").to_string().contains("no cells"));
    }
}
}

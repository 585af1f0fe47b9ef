//! A mesh as a source, on both machines.

use ribbonmesh::glam::DVec3;
use ribbonmesh_expression::Expression;
use ribbonmesh_mesh::{TriangleMesh, shapes};
use ribbonmesh_render::Up;
use ribbonmesh_serve::stream::{DepthBits, Query, View};
use ribbonmesh_serve::{MeshSource, Source};
use ribbonmesh_suite::suite;

/// A sphere of radius 1 around a point, with a column of vertices and one of faces.
fn sphere(middle: DVec3) -> TriangleMesh {
    let mut mesh = shapes::icosphere(4).expect("small");
    mesh.positions.iter_mut().for_each(|p| *p += middle);
    let heights: Vec<f32> = mesh.positions.iter().map(|p| (p.z - middle.z) as f32).collect();
    mesh.vertices_mut().insert("height", heights).expect("a row for each");
    let numbers: Vec<u32> = (0..mesh.faces.len() as u32).collect();
    mesh.faces_of_mut().insert("number", numbers).expect("a row for each");
    mesh
}

/// An expression over the fields of a source.
pub fn query(source: &dyn Source, text: &str) -> Query {
    let fields: Vec<_> = source.describe().fields.into_iter().map(|served| served.field).collect();
    Query { text: text.into(), expression: Expression::parse(text, &fields).expect("an expression") }
}

/// From above: 4 units of the world for the picture, x to the right, 5 units away from the middle.
pub fn view(middle: DVec3, side: u32) -> View {
    let [x, y, z] = (-middle - 5.0 * DVec3::Z).to_array();
    View {
        size: [side, side],
        view: [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., x, y, z, 1.],
        projection: [0.5, 0., 0., 0., 0., 0.5, 0., 0., 0., 0., -0.2, 0., 0., 0., -1., 1.],
        depth: DepthBits::Bits16,
        slice: None,
    }
}

pub fn words(bytes: &[u8]) -> Vec<u16> {
    bytes.as_chunks().0.iter().map(|two| u16::from_le_bytes(*two)).collect()
}

suite! {
fn a_mesh(device) {
    let mut source = MeshSource::new(device, &sphere(DVec3::ZERO), "ball", Up::Y).expect("a source");
    let height = query(&source, "height * 2");
    source.frames().prepare(&height).expect("an expression");
    let view = view(DVec3::ZERO, 128);
    let frame = source.frames().encode(&height, &view).expect("a frame");
    // a disc of half the side
    let disc = std::f64::consts::PI * 32.0 * 32.0;
    assert!((f64::from(frame.count) - disc).abs() < 0.02 * disc, "{} points", frame.count);
    assert!(frame.minimum >= 0.0 && frame.maximum <= 2.0 && frame.maximum > 1.99, "{}", frame.maximum);
    assert_eq!(frame.parts.iter().sum::<u32>() as usize, frame.body.len());
    // values are 2 z, distances 5 - z
    let [places, values, _] = frame.parts.map(|part| part as usize);
    let values = &words(&frame.body[places..places + values])[..frame.count as usize];
    let depths = &words(&frame.body[places + frame.parts[1] as usize + 8..])[..frame.count as usize];
    let ends: Vec<f32> = frame.body[places + frame.parts[1] as usize..][..8]
        .as_chunks()
        .0
        .iter()
        .map(|four| f32::from_le_bytes(*four))
        .collect();
    for (value, depth) in values.iter().zip(depths) {
        let value = frame.minimum + f32::from(*value) / 65534.0 * (frame.maximum - frame.minimum);
        let distance = ends[0] + f32::from(*depth) / 65535.0 * (ends[1] - ends[0]);
        // corners are on steps of a 256th of a pixel, and the rim is steep
        assert!((value / 2.0 - (5.0 - distance)).abs() < 1e-2, "{value} at {distance}");
    }
    // the exact value at a pixel: of the place between 64 and 65
    let found = source.frames().probe(&height, &view, [80, 64]).expect("an answer").expect("the ball");
    let place = [16.5 / 32.0, 0.5 / 32.0];
    assert!((found.position[0] - place[0]).abs() < 1e-5 && (found.position[1] - place[1]).abs() < 1e-5);
    assert!((f64::from(found.value) - 2.0 * found.position[2]).abs() < 2e-4, "{found:?}");
    let number = query(&source, "number");
    let of_face = source.frames().probe(&number, &view, [80, 64]).expect("an answer").expect("the ball");
    assert_eq!(of_face.element, found.element);
    assert_eq!(of_face.value, found.element.1 as f32);
    assert_eq!(source.frames().probe(&number, &view, [1, 1]), Ok(None));
}

fn far_from_the_origin(device) {
    let middle = DVec3::new(5e6, -4e5, 300.0);
    let mut near = MeshSource::new(device, &sphere(DVec3::ZERO), "ball", Up::Y).expect("a source");
    let mut far = MeshSource::new(device, &sphere(middle), "ball", Up::Y).expect("a source");
    let [a, b] = [(&mut near, DVec3::ZERO), (&mut far, middle)].map(|(source, middle)| {
        let query = query(&*source, "height");
        let frame = source.frames().encode(&query, &view(middle, 96)).expect("a frame");
        let found = source.frames().probe(&query, &view(middle, 96), [40, 50]).expect("an answer").expect("the ball");
        (frame.count, DVec3::from(found.position) - middle)
    });
    assert!(a.0.abs_diff(b.0) < 20, "{a:?} and {b:?}");
    assert!(a.1.distance(b.1) < 1e-5, "{a:?} and {b:?}");
}

fn fields_of_all_kinds(device) {
    let mut mesh = sphere(DVec3::ZERO);
        let vertices = mesh.positions.len();
    mesh.vertices_mut().insert("uv", vec![[1.0_f32, 2.0]; vertices]).expect("rows");
    let faces = mesh.faces.len();
    mesh.faces_of_mut().insert("height", vec![7_u8; faces]).expect("rows");
    mesh.vertices_mut().insert("x", vec![3.0_f64; vertices]).expect("rows");
    let mut source = MeshSource::new(device, &mesh, "ball", Up::Z).expect("a source");
    let description = source.describe();
    let names: Vec<&str> = description.fields.iter().map(|served| &served.field.name[..]).collect();
    assert_eq!(names, ["height", "uv_0", "uv_1", "x", "number", "face_height", "position", "y", "z"]);
    assert_eq!(description.axes, [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]);
    assert_eq!(description.fields[4].range, Some([0.0, faces as f32 - 1.0]));
    let view = view(DVec3::ZERO, 32);
    for (text, value) in [
        ("uv_0 * 10 + uv_1", 12.0),
        ("x", 3.0),
        ("face_height", 7.0),
        ("1 + 1", 2.0),
        ("position.y - y", 0.0),
    ] {
        let query = query(&source, text);
        source.frames().prepare(&query).expect("an expression");
        let frame = source.frames().encode(&query, &view).expect("a frame");
        assert_eq!([frame.minimum, frame.maximum], [value; 2], "{text}");
    }
    // more expressions than are kept
    for i in 0..20 {
        let query = query(&source, &format!("height + {i}"));
        assert!(source.frames().encode(&query, &view).is_ok());
    }
}
}

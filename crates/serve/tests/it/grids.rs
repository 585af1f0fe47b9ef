//! Grids of cells in space and maps of heights that change, on both machines.

use ribbonmesh::Device;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh_expression::Expression;
use ribbonmesh_render::Up;
use ribbonmesh_serve::stream::{Control, DepthBits, Lacking, Query, Slice, View};
use ribbonmesh_serve::{
    CellGrid, Formula, Grid, GridMoment, HeightMap, HeightMoment, Live, LiveError, Seen, Source,
};
use ribbonmesh_suite::suite;

/// From above, 8 lengths wide, around 3, 2.
const ABOVE: View = View {
    size: [80, 80],
    view: [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., -3., -2., -9., 1.],
    projection: [0.25, 0., 0., 0., 0., 0.25, 0., 0., 0., 0., -0.1, 0., 0., 0., -1., 1.],
    depth: DepthBits::Bits16,
    slice: None,
};

fn query<S: Seen>(of: &Live<S>, text: &str) -> Query {
    let fields: Vec<_> = of.describe().fields.into_iter().map(|served| served.field).collect();
    Query { text: text.into(), expression: Expression::parse(text, &fields).expect("an expression") }
}

/// A map of 6 by 4 cells whose heights and depths a step changes.
fn water(device: &Device, step: u32) -> HeightMoment {
    let heights: Vec<f32> = (0..24).map(|cell| 0.1 * (cell % 6) as f32).collect();
    let depths: Vec<f32> = (0..24).map(|cell| (cell * step) as f32).collect();
    let up = |values: &[f32]| device.upload(values).expect("memory");
    HeightMoment::new(0.5 * f64::from(step), up(&heights))
        .of_cells("depth", up(&depths))
        .of_cells("velocity", device.zeros::<Vec3>(24).expect("memory"))
}

/// A grid of 6 by 4 by 3 cells of 1, a corner of which is at 0, 0, 1.
fn grid(device: &Device) -> Live<Grid> {
    let begins = Slice { normal: [0., 0., 1.], offset: 2.5 };
    let cells = CellGrid { cells: [6, 4, 3], edge: 1.0 };
    Live::of(Grid::new(device, cells, DVec3::Z, Some(begins)), "a grid", Up::Z)
}
fn smoke(device: &Device, step: u32) -> GridMoment {
    let numbers: Vec<f32> = (0..72).map(|cell| (cell + 100 * step) as f32).collect();
    GridMoment::at(f64::from(step)).of_cells("smoke", device.upload(&numbers).expect("memory"))
}

suite! {
fn a_map_of_heights(device) {
    let map = HeightMap::new(device, [6, 4], 1.0, DVec3::new(0.0, 0.0, 2.0)).expect("memory");
    let mut live = Live::of(map, "water", Up::Z);
    live.update(water(device, 1)).expect("a moment");
    let described = live.describe();
    assert_eq!(described.domain, ("grid", vec![("cells", 24)]));
    assert_eq!((described.bounds, described.moves), ([[0.0, 0.0, 2.0], [6.0, 4.0, 2.5]], true));
    let names: Vec<_> = described.fields.iter().map(|served| served.field.name.as_str()).collect();
    assert_eq!(names, ["depth", "velocity"]);
    for text in ["depth * 2", "mag(velocity)", "7"] {
        let query = query(&live, text);
        live.frames().prepare(&query).expect("an expression");
        let frame = live.frames().encode(&query, &ABOVE).expect("a frame");
        // 6 by 4 of 8 by 8
        assert_eq!(frame.count, 60 * 40, "{text}");
    }
    let depth = query(&live, "depth");
    let found = |live: &mut Live<HeightMap>| {
        // the middle of the cell in column 4 and row 3
        live.frames().probe(&depth, &ABOVE, [55, 55]).expect("an answer").expect("water")
    };
    let first = found(&mut live);
    assert_eq!((first.value, first.element), (22.0, ("cell", 22)));
    assert!((first.position[2] - 2.405).abs() < 1e-3, "{:?}", first.position);
    let revision = live.revision();
    live.update(water(device, 3)).expect("a moment");
    assert_eq!(found(&mut live).value, 66.0);
    assert_eq!((live.revision(), live.step().time), (revision, 1.5), "the same fields");
    let few = HeightMoment::new(0.0, device.zeros(23).expect("memory"));
    assert!(matches!(live.update(few), Err(LiveError::Rows { elements: 24, numbers: 23, .. })));
    let few = water(device, 1).of_cells("speed", device.zeros::<f32>(3).expect("memory"));
    assert!(matches!(live.update(few), Err(LiveError::Rows { field, .. }) if field == "speed"));
    assert_eq!(found(&mut live).value, 66.0, "all is as before");
    live.control(Control::Pause).expect("it moves");
    assert!(live.is_paused() && !live.take_turn());
}

fn slices_and_a_surface(device) {
    let mut live = grid(device);
    live.update(smoke(device, 0)).expect("a moment");
    let value = query(&live, "smoke");
    // nothing is seen without a surface and without a slice
    assert_eq!(live.frames().encode(&value, &ABOVE).expect("a frame").count, 0);
    assert_eq!(live.frames().extent(&ABOVE), Ok(None));
    let slice = View { slice: Some(Slice { normal: [0., 0., 2.], offset: 5.0 }), ..ABOVE };
    let frame = live.frames().encode(&value, &slice).expect("a frame");
    // the second layer of cells
    assert_eq!((frame.count, frame.minimum, frame.maximum), (60 * 40, 24.0, 47.0));
    let found = live.frames().probe(&value, &slice, [55, 55]).expect("an answer").expect("a cell");
    assert_eq!((found.value, found.element), (46.0, ("cell", 46)));
    assert!((found.position[2] - 2.5).abs() < 1e-4);
    let described = live.describe();
    assert_eq!(described.begins.map(|slice| slice.offset), Some(2.5));
    assert_eq!((described.bounds, described.slices), ([[0.0, 0.0, 1.0], [6.0, 4.0, 4.0]], true));

    // a surface between the first two layers, and cells that are not open
    let corners = [[1., 1.], [3., 1.], [3., 3.], [1., 3.]].map(|[x, y]| Vec3::new(x, y, 1.0));
    let faces = device.upload(&[0_u32, 1, 2, 0, 2, 3]).expect("memory");
    let open: Vec<f32> = (0..72).map(|cell| if cell == 46 { 0.0 } else { 0.3 }).collect();
    let moment = smoke(device, 1)
        .surface(device.upload(&corners).expect("memory"), faces)
        .open(device.upload(&open).expect("memory"));
    live.update(moment).expect("a moment");
    let found = live.frames().probe(&value, &slice, [55, 55]).expect("an answer").expect("a cell");
    assert!(found.value.is_nan());
    let frame = live.frames().encode(&value, &ABOVE).expect("a frame");
    // from the mean of the eight cells around 1, 1, 1 to that around 3, 3, 1, half a pixel within
    let near = |found: [f32; 2], expected: [f32; 2]| (0..2).all(|k| (found[k] - expected[k]).abs() < 1e-3);
    assert_eq!(frame.count, 20 * 20);
    assert!(near([frame.minimum, frame.maximum], [115.85, 129.15]), "{} {}", frame.minimum, frame.maximum);
    // the slice as triangles: a value for each, and three corners of a square
    let lacking = Lacking { faces: true, places: true };
    let squares = live.frames().triangles(&value, &slice, lacking).expect("triangles");
    let (faces, places) = (squares.faces.expect("faces"), squares.places.expect("places"));
    assert_eq!((faces.len(), squares.values.len(), places.numbers.len()), (6 * 24, 2 * 24, 3 * 35));
    assert_eq!((faces[..6].to_vec(), squares.minimum, squares.maximum), (vec![0, 1, 8, 0, 8, 7], 124.0, 147.0));
    assert_eq!(places.bounds, [[0.0, 0.0, 2.5], [6.0, 4.0, 2.5]]);
    let again = Lacking { faces: false, places: false };
    let values = live.frames().triangles(&value, &slice, again).expect("triangles");
    assert!(values.faces.is_none() && values.places.is_none() && values.values == squares.values);
    let of_slice = live.frames().extent(&slice).expect("an extent").expect("triangles");
    assert_eq!((of_slice.vertices, of_slice.faces), (35, 48));
    let other = View { slice: Some(Slice { normal: [1., 1., 1.], offset: 5.0 }), ..slice.clone() };
    let oblique = live.frames().triangles(&value, &other, lacking).expect("triangles");
    let drawn = live.frames().encode(&value, &other).expect("a frame");
    let faces = oblique.faces.expect("faces");
    let inside = faces.chunks(3).filter(|face| face[0] != face[1]).count();
    assert!(drawn.count > 500 && inside > 8 && inside < oblique.values.len());
    let triangles = live.frames().extent(&ABOVE).expect("an extent").expect("triangles");
    assert_eq!((triangles.vertices, triangles.faces), (4, 2));
    let moved = corners.map(|p| p + Vec3::X);
    live.update(smoke(device, 2).moved(device.upload(&moved).expect("memory"))).expect("a moment");
    let frame = live.frames().encode(&value, &ABOVE).expect("a frame");
    // to the mean of the seven open cells around 4, 3, 1
    let most = 200.0 + (8.0 * 30.5 - 46.0) / 7.0;
    assert!((216.5..217.0).contains(&frame.minimum), "{}", frame.minimum);
    assert!((most - 0.4..most).contains(&frame.maximum), "{}", frame.maximum);
    let again = live.frames().extent(&ABOVE).expect("an extent").expect("triangles");
    assert!(again.topology == triangles.topology && again.placement != triangles.placement);

    let few = smoke(device, 1).open(device.zeros(3).expect("memory"));
    assert!(matches!(live.update(few), Err(LiveError::Rows { elements: 72, .. })));
    let few = smoke(device, 1).moved(device.zeros(3).expect("memory"));
    assert!(matches!(live.update(few), Err(LiveError::Rows { elements: 4, .. })));
}

fn formulas(device) {
    let vectors = device.upload(&[[3.0_f32, 4.0, 0.0], [0.0, 0.0, 2.0]]).expect("memory");
    let mut speed = Formula::new(device, "mag(v)", "v").expect("a formula");
    assert_eq!(speed.of(&vectors).expect("numbers").read().expect("numbers"), [5.0, 2.0]);
    assert!(matches!(Formula::<f32>::new(device, "mag(w)", "v"), Err(LiveError::Formula { .. })));
    assert!(matches!(Formula::<[f32; 2]>::new(device, "v", "v"), Err(LiveError::Formula { .. })));
}
}

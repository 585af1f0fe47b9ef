//! Bad input.
use crate::support::{WALLS, nodes, obstacle, options, sphere};
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::mesh::{Classified, ErrorKind, Subject};
use ribbonmesh::{Device, Error};
use ribbonmesh_flow::{Flow, FlowError, FlowOptions, Motion, Obstacle, PoissonOptions};

#[test]
fn options_are_checked() {
    let device = Device::cpu();
    let good = FlowOptions::default();
    let usual = PoissonOptions::default();
    let solved = |pressure| FlowOptions { pressure, ..FlowOptions::default() };
    let cases = [
        ("cells", FlowOptions { cells: [0, 8, 8], ..good.clone() }),
        ("cells", FlowOptions { cells: [2, 2, 1], ..good.clone() }),
        ("cells", FlowOptions { cells: [9000, 8, 8], ..good.clone() }),
        ("edge", FlowOptions { edge: f32::NAN, ..good.clone() }),
        ("edge", FlowOptions { edge: 0.0, ..good.clone() }),
        ("inflow", FlowOptions { inflow: [f32::NAN, 0.0, 0.0], ..good.clone() }),
        ("acceleration", FlowOptions { acceleration: [0.0, f32::INFINITY, 0.0], ..good.clone() }),
        ("lift", FlowOptions { lift: [0.0, 0.0, f32::NAN], ..good.clone() }),
        ("source", FlowOptions { source: Some([[0.0; 3], [f32::NAN; 3]]), ..good.clone() }),
        ("tolerance", solved(PoissonOptions { tolerance: 1e-9, ..usual })),
        ("tolerance", solved(PoissonOptions { tolerance: f64::NAN, ..usual })),
        ("iterations", solved(PoissonOptions { iterations: 0, ..usual })),
        ("look", solved(PoissonOptions { look: 0, ..usual })),
        ("sweeps", solved(PoissonOptions { sweeps: [1, 0], ..usual })),
        ("layers", FlowOptions { layers: 0, ..good.clone() }),
    ];
    for (name, options) in cases {
        let error = Flow::new(&device, &options, None).map(drop).expect_err("refused");
        assert!(
            matches!(&error, FlowError::Library(Error::Option { option, .. }) if *option == name),
            "{error}"
        );
    }
    let many = FlowOptions { cells: [8192; 3], ..good.clone() };
    let error = Flow::new(&device, &many, None).map(drop).expect_err("too many");
    assert!(matches!(error, FlowError::Library(Error::TooMany { .. })), "{error}");
    let mut flow = Flow::new(&device, &good, None).expect("a flow");
    for dt in [0.0, -0.1, f64::NAN, 1e300] {
        let error = flow.step(dt).map(drop).expect_err("refused");
        assert!(matches!(error, FlowError::Library(Error::Option { option: "time step", .. })), "{error}");
    }
    let error = flow.set_smoke(&[0.0]).expect_err("too few");
    assert!(matches!(error, FlowError::Library(Error::Length { found: 1, .. })), "{error}");
    let error = flow.set_faces(&[0.0]).map(drop).expect_err("too few");
    assert!(matches!(error, FlowError::Library(Error::Length { found: 1, .. })), "{error}");
    let mut velocities = vec![0.0; 3 * nodes(good.cells)];
    velocities[5] = f32::NAN;
    let error = flow.set_faces(&velocities).map(drop).expect_err("no number");
    assert!(matches!(error, FlowError::NotFinite { step: 1 }), "{error}");
    assert_eq!(error.class().kind, ErrorKind::Refused(Subject::Solution));
}

#[test]
fn obstacles_are_checked() {
    let device = Device::cpu();
    let mesh = sphere(DVec3::splat(0.5), 0.2);
    let new = |positions: &[Vec3], faces: &[[u32; 3]], motion| {
        Obstacle::new(&device, positions, faces, motion).map(drop).expect_err("refused")
    };
    let (positions, faces) = (mesh.points(), mesh.faces.clone());
    let error = new(&positions, &faces[1..], Motion::default());
    assert!(matches!(error, FlowError::Open), "{error}");
    assert_eq!(error.class().kind, ErrorKind::Refused(Subject::Mesh));
    let error = new(&positions, &[], Motion::default());
    assert!(matches!(error, FlowError::Library(Error::NoFaces { .. })), "{error}");
    let mut broken = positions.clone();
    broken[7] = Vec3::NAN;
    let error = new(&broken, &faces, Motion::default());
    assert!(matches!(error, FlowError::Library(Error::NotFinite { vertex: 7 })), "{error}");
    let motion = Motion { turn: [0.0, f64::NAN, 0.0], ..Motion::default() };
    let error = new(&positions, &faces, motion);
    assert!(matches!(error, FlowError::Library(Error::Option { option: "motion", .. })), "{error}");

    let large = obstacle(&device, &sphere(DVec3::splat(0.5), 5.0), Motion::default());
    let error = Flow::new(&device, &options([8; 3], WALLS), Some(large)).map(drop).expect_err("full");
    assert!(matches!(error, FlowError::Full), "{error}");
    let fractions = vec![1.5; 3 * nodes([8; 3])];
    let error =
        Flow::with_fractions(&device, &options([8; 3], WALLS), &fractions).map(drop).expect_err("1.5");
    assert!(matches!(error, FlowError::Library(Error::Option { option: "open fraction", .. })), "{error}");
    let error = Flow::with_fractions(&device, &options([8; 3], WALLS), &[1.0]).map(drop).expect_err("one");
    assert!(matches!(error, FlowError::Library(Error::Length { .. })), "{error}");
}

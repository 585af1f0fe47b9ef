//! Refusals.
use crate::{mesh, points, sheet};
use glam::DVec3;
use ribbonmesh::{Device, Error};
use ribbonmesh_mesh::shapes;
use ribbonmesh_unwrap::{ParameterizeError, ParameterizeOptions, UnwrapOptions, parameterize, unwrap};

#[test]
fn options() {
    let usual = UnwrapOptions::default();
    for (name, options) in [
        ("resolution", UnwrapOptions { resolution: 0, ..usual }),
        ("padding", UnwrapOptions { padding: 300, ..usual }),
        ("density", UnwrapOptions { density: Some(-1.0), ..usual }),
        ("density", UnwrapOptions { density: Some(1e9), ..usual }),
        ("cone", UnwrapOptions { cone: 90.0, ..usual }),
        ("max_stretch", UnwrapOptions { max_stretch: 1.0, ..usual }),
        ("resolution", UnwrapOptions { resolution: 4, padding: 8, ..usual }),
    ] {
        let mut sheet = sheet(2, |x, y| DVec3::new(x, y, 0.0));
        let before = sheet.clone();
        let error = unwrap(&Device::cpu(), &mut sheet, &options).expect_err("refused");
        assert!(matches!(error, Error::Option { option, .. } if option == name), "{error}");
        assert!(sheet.corners().is_empty() && sheet.faces == before.faces);
    }
}
#[test]
fn meshes() {
    let mut positions = points(3, 1);
    positions[2].y = f64::NAN;
    let error = unwrap(&Device::cpu(), &mut mesh(positions, vec![[0, 1, 2]]), &UnwrapOptions::default());
    assert!(matches!(error, Err(Error::NotFinite { vertex: 2 })), "{error:?}");
    let error = unwrap(&Device::cpu(), &mut mesh(points(3, 1), vec![[0, 1, 3]]), &UnwrapOptions::default());
    assert!(matches!(error, Err(Error::IndexOutOfRange { face: 0, vertex: 3, .. })), "{error:?}");
}
#[test]
fn not_disks() {
    let refusal = |mut mesh| {
        parameterize(&Device::cpu(), &mut mesh, &ParameterizeOptions::default()).expect_err("refused")
    };
    let closed = refusal(shapes::icosphere(1).expect("small"));
    assert!(matches!(closed, ParameterizeError::Closed), "{closed}");
    let mut pipe = shapes::icosphere(2).expect("small");
    let positions = pipe.positions.clone();
    pipe.faces.retain(|face| face.iter().all(|&v| positions[v as usize].z.abs() < 0.7));
    let pipe = refusal(pipe);
    assert!(matches!(pipe, ParameterizeError::Loops { loops: 2 }), "{pipe}");
    let mut ring = shapes::torus(8, 1).expect("small");
    ring.faces.pop();
    let ring = refusal(ring);
    assert!(matches!(ring, ParameterizeError::Handles { characteristic: -1 }), "{ring}");
    let two = refusal(mesh(points(6, 1), vec![[0, 1, 2], [3, 4, 5]]));
    assert!(matches!(two, ParameterizeError::Parts { face: 1 }), "{two}");
    let twice = refusal(mesh(points(3, 1), vec![[0, 1, 2], [0, 0, 1]]));
    assert!(matches!(twice, ParameterizeError::Degenerate { face: 1 }), "{twice}");
    let nothing = refusal(mesh(vec![], vec![]));
    assert!(matches!(nothing, ParameterizeError::Library(Error::NoFaces { .. })), "{nothing}");
}

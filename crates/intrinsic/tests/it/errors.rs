//! Refusals.
use crate::{mesh, points, surface};
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Device, Error};
use ribbonmesh_intrinsic::{LaplacianOptions, Triangulation, laplacian};

#[test]
fn options() {
    let surface = surface(&Device::cpu(), &mesh(points(3, 1), vec![[0, 1, 2]]));
    for mollify in [-1.0, f64::NAN, 2.0] {
        let options = LaplacianOptions { mollify, ..LaplacianOptions::default() };
        let error = laplacian(&surface, &options).err().expect("refused");
        assert!(matches!(error, Error::Option { option: "mollify", .. }), "{error}");
    }
}
#[test]
fn positions_that_are_not_finite() {
    let device = Device::cpu();
    let x = device.upload(&[DVec3::ZERO, DVec3::X, DVec3::new(0.0, f64::NAN, 0.0)]).expect("memory");
    let faces = device.upload(&[0, 1, 2]).expect("memory");
    let error = Triangulation::new(&x, faces, 0.0).err().expect("refused");
    assert!(matches!(error, Error::NotFinite { vertex: 2 }), "{error}");
}
#[test]
fn vertices_that_are_not_there() {
    let device = Device::cpu();
    let x = device.upload(&points(3, 1)).expect("memory");
    let faces = device.upload(&[0, 1, 3]).expect("memory");
    let error = Triangulation::new(&x, faces, 0.0).err().expect("refused");
    assert!(matches!(error, Error::IndexOutOfRange { face: 0, vertex: 3, .. }), "{error}");
}

//! Errors.
use crate::shapes::Mesh;
use ribbonmesh::Error;
use ribbonmesh::glam::Vec3;
use ribbonmesh_holes::{HoleOptions, HolesError, fill};
use ribbonmesh_solid::intersections::Triangles;
use ribbonmesh_suite::{Device, suite};

suite! {
    fn wrong_faces(device) {
        let options = HoleOptions::of_edges(1.0);
        let error = |faces: &[[u32; 3]]| {
            let mesh = Mesh { x: vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::ONE], faces: faces.to_vec() };
            mesh.filled(device, &options).expect_err("refused")
        };
        let found = error(&[[0, 1, 2], [3, 1, 3]]);
        assert!(matches!(found, HolesError::Degenerate { face: 1, vertex: 3 }), "{found}");
        let found = error(&[[0, 1, 2], [0, 5, 2]]);
        assert!(matches!(found, HolesError::Device(Error::IndexOutOfRange { face: 1, vertex: 5, vertices: 5 })), "{found}");
        let found = error(&[[3, 2, 4], [0, 1, 2], [1, 3, 0]]);
        assert!(found.to_string().starts_with("face 1, edge 0"), "{found}");
        let found = error(&[[0, 1, 2], [1, 0, 3], [4, 1, 0]]);
        assert!(matches!(found, HolesError::NotManifold { face: 0, edge: 0, vertices: [0, 1] }), "{found}");
    }
    fn wrong_options(device) {
        let usual = HoleOptions::of_edges(1.0);
        for (options, name) in [
            (HoleOptions { pair_distance: 0.0, ..usual }, "pair_distance"),
            (HoleOptions { pair_share: f32::NAN, ..usual }, "pair_share"),
            (HoleOptions { near_distance: f32::INFINITY, ..usual }, "near_distance"),
            (HoleOptions { candidates: 0, ..usual }, "candidates"),
        ] {
            let found = Mesh::cone(5).filled(device, &options).expect_err("refused");
            assert!(matches!(found, HolesError::Device(Error::Option { option, .. }) if option == name), "{found}");
        }
    }
    fn wrong_buffers(device) {
        let elsewhere = Device::cpu_with_threads(1).expect("a thread");
        let x = device.upload(&[Vec3::ZERO; 3]).expect("memory");
        let [there, odd] = [elsewhere.upload(&[0_u32, 1, 2]), device.upload(&[0_u32, 1])].map(|faces| faces.expect("memory"));
        let error = |faces| fill(Triangles { positions: &x, faces }, &HoleOptions::of_edges(1.0)).err().expect("refused");
        assert!(matches!(error(&there), HolesError::Device(Error::OtherDevice { .. })));
        assert!(matches!(error(&odd), HolesError::Device(Error::Length { .. })));
    }
    fn too_long(device) {
        let found = Mesh::cone(65_536).filled(device, &HoleOptions::of_edges(1e-4)).expect_err("refused");
        assert!(matches!(found, HolesError::Device(Error::TooMany { count: 65_536, .. })), "{found}");
    }
    fn positions_that_are_no_numbers(device) {
        let mut cone = Mesh::cone(40);
        cone.x[7] = Vec3::NAN;
        let found = cone.filled(device, &HoleOptions::of_edges(0.2)).expect("no error");
        assert_eq!((found.holes, found.open), (1, 1));
    }
}

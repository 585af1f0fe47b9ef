//! Points inside, against the rays of a tree.
use crate::shapes::{Uploaded, cube, icosphere, inverted, random_points, scaled, shuffle, together, torus};
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Device, Error};
use ribbonmesh_cells::PlaneTest;
use ribbonmesh_solid::inside::InsideTest;
use ribbonmesh_suite::suite;

suite! {
    fn rays_of_a_tree(device) {
        let ball = icosphere(3).expect("small");
        let mut knot = torus(40, 1).expect("small");
        shuffle(&mut knot, 3);
        let two = together(&[ball.clone(), inverted(&scaled(&ball, 0.5, DVec3::new(0.2, 0.1, 0.0)))]);
        let mut degenerate = cube(3);
        degenerate.faces.extend([[0, 0, 0], [0, 1, 0], [5, 5, 5]]);
        for mesh in [ball, knot, two, cube(2), degenerate, scaled(&cube(2), 1e-3, DVec3::splat(7.0))] {
            let uploaded = Uploaded::of(device, &mesh);
            let mut points: Vec<Vec3> = random_points(2000, 1.5, 5).iter().map(|p| p.as_vec3()).collect();
            // on vertices, edges and faces
            points.extend(mesh.points());
            points.extend(mesh.faces.iter().map(|face| 0.5 * (mesh.points()[face[0] as usize] + mesh.points()[face[1] as usize])));
            let points = device.upload(&points).expect("memory");
            let by_tree = InsideTest::new(uploaded.triangles()).and_then(|test| test.cast(&points)).expect("rays");
            let mut planes = PlaneTest::new(uploaded.triangles()).expect("a table");
            let found = planes.cast(&points).expect("rays");
            assert_eq!(found.odd.read().expect("memory"), by_tree.odd.read().expect("memory"));
            assert_eq!(found.winding.read().expect("memory"), by_tree.winding.read().expect("memory"));
            assert!(planes.bytes() > 0);
        }
    }
    fn refusals(device) {
        let ball = Uploaded::of(device, &icosphere(2).expect("small"));
        let mut planes = PlaneTest::new(ball.triangles()).expect("a table");
        let points = device.upload(&[Vec3::ZERO, Vec3::NAN, Vec3::INFINITY]).expect("memory");
        assert!(matches!(planes.cast(&points).err(), Some(Error::PointNotFinite { point: 1 })));
        let elsewhere = Device::cpu_with_threads(1).and_then(|device| device.upload(&[Vec3::ZERO])).expect("memory");
        assert!(matches!(planes.cast(&elsewhere).err(), Some(Error::OtherDevice { .. })));
        let mut mesh = icosphere(3).expect("small");
        mesh.positions[321] = DVec3::new(f64::NAN, 0.0, 0.0);
        let broken = Uploaded::of(device, &mesh);
        assert!(matches!(PlaneTest::new(broken.triangles()).err(), Some(Error::NotFinite { vertex: 321 })));
    }
}

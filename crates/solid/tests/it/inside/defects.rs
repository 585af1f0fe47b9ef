//! Tests of surfaces that have holes, wrong orientations or degenerate faces, and of invalid points.
use crate::inside::shapes::{
    by, cube, icosphere, inverted, oracle, random_points, scaled, surface, together,
};
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Device, Error, TriangleMesh};
use ribbonmesh_solid::inside::{InsideOptions, InsideTest, Method, Triangles, inside};
use ribbonmesh_suite::suite;

suite! {
    fn half_of_a_sphere(device) {
        // the faces above the plane z = 0, which level 3 has vertices on but for rounding
        let mut mesh = icosphere(4).expect("small");
        mesh.faces.retain(|face| face.iter().map(|&v| mesh.positions[v as usize].z).sum::<f64>() > 0.0);
        let half = surface(device, &mesh);
        // on the axis below, the number is the part of all directions in which the disk is seen, negative
        // from below
        let mut points = vec![DVec3::ZERO];
        points.extend(random_points(500, 1.5, 2));
        let near = by(&half, &points, Method::Winding, false);
        let exact = by(&half, &points, Method::Winding, true);
        assert!(!near.report.closed);
        assert!((exact.winding[0] - 0.5).abs() < 0.02, "{}", exact.winding[0]);
        for (i, p) in points.iter().enumerate() {
            let expected = oracle(&mesh, *p);
            assert!((f64::from(exact.winding[i]) - expected).abs() < 1e-6, "{p}");
            assert!((f64::from(near.winding[i]) - expected).abs() < 0.01, "{p}");
        }
        // rays through the hole would give arbitrary results
        let options = InsideOptions { method: Method::Rays, ..InsideOptions::default() };
        let error = inside(&half, &points, &options).expect_err("open");
        assert!(matches!(error, Error::Option { option: "method", .. }), "{error}");
    }

    fn orientation_that_is_inconsistent(device) {
        // two cubes, one of them inside out: both are inside
        let one = cube(2);
        let both = together(&[one.clone(), inverted(&scaled(&one, 1.0, DVec3::new(5.0, 0.0, 0.0)))]);
        let both = surface(device, &both);
        let points = [1.0, 6.0, 4.0].map(|x| DVec3::new(x, 0.9, 1.1));
        let found = by(&both, &points, Method::Winding, false);
        assert_eq!(found.inside, [true, true, false]);
        assert!((found.winding[1] + 1.0).abs() < 1e-3, "{:?}", found.winding);
        // single faces turned over: rays do not change, winding numbers hardly
        let mut mesh = icosphere(4).expect("small");
        mesh.faces.iter_mut().step_by(200).for_each(|face| face.swap(0, 1));
        let turned = surface(device, &mesh);
        let points: Vec<DVec3> =
            random_points(800, 1.3, 4).into_iter().filter(|p| (p.length() - 1.0).abs() > 0.2).collect();
        for method in Method::ALL {
            let found = by(&turned, &points, method, false);
            for (p, inside) in points.iter().zip(found.inside) {
                assert_eq!(inside, p.length() < 1.0, "{method} {p}");
            }
        }
    }

    fn degenerate_faces(device) {
        let mut mesh = cube(3);
        let n = mesh.positions.len() as u32;
        mesh.positions.extend([DVec3::new(1.0, 1.0, 1.0), DVec3::new(2.0, 1.0, 1.0), DVec3::new(1.5, 1.0, 1.0)]);
        // points, segments, a sliver on a line, and an edge and back
        mesh.faces.extend([[n, n, n], [n, n, n + 1], [0, 1, 0], [5, 5, 5]]);
        let plain = surface(device, &cube(3));
        let with = surface(device, &mesh);
        let points = random_points(800, 4.0, 6);
        for method in Method::ALL {
            let [a, b] = [&plain, &with].map(|surface| by(surface, &points, method, false));
            assert_eq!(a.inside, b.inside, "{method}");
            assert!(b.report.closed);
        }
        // only degenerate faces
        let nothing = TriangleMesh::new(mesh.positions.clone(), vec![[n, n, n]; 9]);
        let found = by(&surface(device, &nothing), &points, Method::Winding, false);
        assert!(found.winding.iter().all(|w| *w == 0.0));
        // faces on a line
        mesh.faces = vec![[n, n + 1, n + 2]; 7];
        let line = by(&surface(device, &mesh), &points, Method::Winding, false);
        assert!(line.winding.iter().all(|w| w.abs() < 1e-6) && !line.report.closed);
    }

    fn points_that_are_none(device) {
        let ball = surface(device, &icosphere(2).expect("small"));
        for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let points = [DVec3::ZERO, DVec3::X, DVec3::new(0.0, wrong, 0.0), DVec3::NAN];
            let error = inside(&ball, &points, &InsideOptions::default()).expect_err("no number");
            assert!(matches!(error, Error::PointNotFinite { point: 2 }), "{error}");
            assert_eq!(error.to_string(), "point 2 has a coordinate that is not finite");
        }
        // the same with points on the device
        let triangles = ball.triangles();
        let triangles = Triangles { positions: triangles.positions(), faces: triangles.faces() };
        let mut test = InsideTest::new(triangles).expect("a tree");
        let points = device.upload(&[Vec3::ZERO, Vec3::NAN, Vec3::INFINITY]).expect("memory");
        for error in [test.winding(&points, 2.0).err(), test.winding_of_all(&points).err(), test.cast(&points).err()] {
            assert!(matches!(error, Some(Error::PointNotFinite { point: 1 })), "{error:?}");
        }
        let elsewhere = Device::cpu_with_threads(1).expect("a thread").upload(&[Vec3::ZERO]).expect("memory");
        assert!(matches!(test.winding(&elsewhere, 2.0).err(), Some(Error::OtherDevice { .. })));
        // beyond the range of single precision
        let found = by(&ball, &[DVec3::splat(1e300), DVec3::splat(-1e300)], Method::Winding, false);
        assert_eq!(found.inside, [false, false]);
        let rays = by(&ball, &[DVec3::splat(1e300), DVec3::new(-1e300, 0.0, 0.1)], Method::Rays, false);
        assert_eq!(rays.inside, [false, false]);
        for beta in [0.5, f32::NAN, f32::INFINITY, -1.0] {
            let options = InsideOptions { beta, ..InsideOptions::default() };
            let error = inside(&ball, &[DVec3::ZERO], &options).expect_err("beta");
            assert!(matches!(error, Error::Option { option: "beta", .. }), "{error}");
        }
    }

    fn nothing_at_all(device) {
        let empty = surface(device, &TriangleMesh::new(vec![DVec3::ZERO], vec![]));
        for method in Method::ALL {
            let found = by(&empty, &[DVec3::ZERO, DVec3::X], method, false);
            assert_eq!((found.inside, found.winding), (vec![false; 2], vec![0.0; 2]));
            assert!(by(&surface(device, &cube(1)), &[], method, false).inside.is_empty());
        }
        // few faces: the root is a leaf
        let one = TriangleMesh::from_f32([[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]], vec![[0, 1, 2]]);
        let found = by(&surface(device, &one), &[DVec3::new(0.2, 0.2, 0.0)], Method::Winding, false);
        assert!((f64::from(found.winding[0]) - oracle(&one, DVec3::new(0.2, 0.2, 0.0))).abs() < 1e-6);
    }

    fn a_vertex_that_is_not_finite(device) {
        let mut mesh = icosphere(5).expect("small");
        mesh.positions[321] = DVec3::new(f64::NAN, 0.0, 0.0);
        for method in Method::ALL {
            let options = InsideOptions { method, ..InsideOptions::default() };
            let error = inside(&surface(device, &mesh), &[DVec3::ZERO], &options).err();
            assert!(matches!(error, Some(Error::NotFinite { vertex: 321 })), "{error:?}");
        }
    }
}

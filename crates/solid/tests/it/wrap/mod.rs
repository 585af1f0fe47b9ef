//! Tests that results are closed, manifold, outward, free of intersections, and near the triangles.
use glam::DVec3;
use ribbonmesh::{Device, Error, MeshOptions, Surface, TriangleMesh};
use ribbonmesh_mesh::shapes;
use ribbonmesh_solid::intersections::{Triangles, self_intersections};
use ribbonmesh_solid::repair::manifold_violations;
use ribbonmesh_solid::wrap::{WrapOptions, WrapReport, wrap};
use ribbonmesh_suite::{Random, suite};

/// Wraps, and makes the checks that hold for every result.
fn checked(device: &Device, mesh: &TriangleMesh, options: &WrapOptions) -> (TriangleMesh, WrapReport) {
    let mut surface = Surface::new(device, mesh, &MeshOptions::default()).expect("memory");
    let report = wrap(&mut surface, options).expect("wrapped");
    let wrapped = surface.download().expect("memory");
    assert_eq!((wrapped.positions.len() as u64, wrapped.faces.len() as u64), (report.vertices, report.faces));
    let found =
        manifold_violations(&Device::cpu(), wrapped.positions.len(), &wrapped.faces).expect("indices");
    assert!(found.is_empty(), "{found}");
    assert!(wrapped.is_closed() && wrapped.volume().expect("closed") > 0.0);
    let positions = device.upload(&wrapped.points_around(wrapped.local_origin())).expect("memory");
    let faces = device.upload(wrapped.faces.as_flattened()).expect("memory");
    let pairs = self_intersections(Triangles { positions: &positions, faces: &faces }).expect("pairs");
    assert!(pairs.pairs.is_empty(), "{} pairs, {report:?}", pairs.pairs.len());
    (wrapped, report)
}
fn at(resolution: u32) -> WrapOptions {
    WrapOptions { resolution, ..WrapOptions::default() }
}

suite! {
    fn a_ball(device) {
        let ball = shapes::icosphere(4).expect("small");
        let (wrapped, report) = checked(device, &ball, &at(40));
        let ratio = wrapped.volume().expect("closed") / ball.volume().expect("closed");
        assert!((ratio - 1.0).abs() < 0.02, "{ratio}");
        assert!(wrapped.positions.iter().all(|p| (p.length() - 1.0).abs() < 0.02));
        assert_eq!((report.projected, report.taken_back), (report.vertices, 0));
        // without drawing, the surface is a cube farther out
        let (far, report) = checked(device, &ball, &WrapOptions { project: false, ..at(40) });
        assert!(far.positions.iter().all(|p| (p.length() - 1.05).abs() < 0.04) && report.projected == 0);
    }

    fn holes_are_closed_by_winding_numbers(device) {
        let mut ball = shapes::icosphere(4).expect("small");
        let whole = ball.volume().expect("closed");
        // a cap of a fifth of the radius
        let (positions, faces) = (&ball.positions, &mut ball.faces);
        faces.retain(|face| face.iter().any(|&v| positions[v as usize].z < 0.8));
        let (wrapped, _) = checked(device, &ball, &at(40));
        let ratio = wrapped.volume().expect("closed") / whole;
        assert!((0.94..1.02).contains(&ratio), "{ratio}");
        // without winding numbers the hole stays open: a sheet with two sides
        let (sheet, _) = checked(device, &ball, &WrapOptions { winding: false, ..at(40) });
        assert!(sheet.volume().expect("closed") < 0.1 * whole);
        assert!(sheet.area() > 1.8 * ball.area());
        // a hole smaller than twice the offset is closed by distances, too
        let options = WrapOptions { winding: false, offset: 8.0, ..at(20) };
        let (closed, _) = checked(device, &ball, &options);
        assert!(closed.volume().expect("closed") > 0.8 * whole);
    }

    fn what_is_within_goes(device) {
        let ball = shapes::icosphere(3).expect("small");
        let mut all = ball.clone();
        for (scale, way, turned) in
            [(0.5, DVec3::ZERO, false), (0.2, DVec3::X * 0.1, true), (1.0, DVec3::X, false)]
        {
            let mut other = ball.clone();
            other.positions.iter_mut().for_each(|p| *p = *p * scale + way);
            if turned {
                other.faces.iter_mut().for_each(|face| face.swap(0, 1));
            }
            all.append(&other).expect("consistent");
        }
        let (wrapped, _) = checked(device, &all, &at(48));
        let lens = std::f64::consts::PI * 5.0 / 12.0;
        let expected = 2.0 * ball.volume().expect("closed") - lens;
        let ratio = wrapped.volume().expect("closed") / expected;
        assert!((ratio - 1.0).abs() < 0.04, "{ratio}");
    }

    fn any_triangles(device) {
        // one triangle; two that cross; a flat square twice; a line
        let corners = vec![
            DVec3::ZERO,
            DVec3::X,
            DVec3::Y,
            DVec3::new(0.2, 0.2, -0.5),
            DVec3::new(0.2, 0.3, 0.5),
            DVec3::ONE,
        ];
        for faces in [
            vec![[0, 1, 2]],
            vec![[0, 1, 2], [3, 4, 5], [0, 4, 5]],
            vec![[0, 1, 2], [0, 1, 2], [0, 2, 1]],
            vec![[0, 0, 1]],
        ] {
            let mesh = TriangleMesh::new(corners.clone(), faces);
            for winding in [true, false] {
                checked(device, &mesh, &WrapOptions { winding, ..at(24) });
            }
        }
        // random triangles
        let mut random = Random(3);
        let mut number = || f64::from(random.next()) / f64::from(1_u32 << 31);
        for _ in 0..3 {
            let positions: Vec<DVec3> = (0..60).map(|_| DVec3::new(number(), number(), number())).collect();
            let faces = (0..20).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect();
            checked(device, &TriangleMesh::new(positions, faces), &at(32));
        }
    }

    fn attributes_follow(device) {
        let mut ball = shapes::icosphere(3).expect("small");
        let heights: Vec<f32> = ball.positions.iter().map(|p| p.z as f32).collect();
        ball.vertices_mut().insert("height", heights).expect("a row each");
        let (wrapped, _) = checked(device, &ball, &at(30));
        let heights = wrapped.vertices().get::<f32>("height").expect("kept");
        assert!(wrapped.positions.iter().zip(heights).all(|(p, z)| (p.z as f32 - z).abs() < 0.02));
    }

    fn what_is_refused(device) {
        let ball = shapes::icosphere(1).expect("small");
        let surface = |mesh: &TriangleMesh| Surface::new(device, mesh, &MeshOptions::default());
        let refused = |options: WrapOptions| {
            let error = wrap(&mut surface(&ball).expect("memory"), &options).expect_err("out of range");
            matches!(error, Error::Option { .. })
        };
        assert!(refused(at(1)) && refused(at(1025)));
        assert!(
            refused(WrapOptions { offset: 0.1, ..at(8) }) && refused(WrapOptions { offset: f64::NAN, ..at(8) })
        );
        let none = TriangleMesh::new(vec![DVec3::ZERO], vec![]);
        assert!(matches!(wrap(&mut surface(&none).expect("memory"), &at(8)), Err(Error::NoFaces { .. })));
        let mut wrong = ball.clone();
        wrong.positions[3].y = f64::INFINITY;
        let error = surface(&wrong).and_then(|mut surface| wrap(&mut surface, &at(8))).expect_err("infinite");
        assert!(matches!(error, Error::NotFinite { vertex: 3 }), "{error}");
    }
}

//! Tests that bad inputs become closed manifolds without intersections.
use glam::DVec3;
use ribbonmesh::{Device, Error};
use ribbonmesh_clean::{Bytes, CleanError, CleanOptions, CleanReport, Weld, Wrapping, clean};
use ribbonmesh_mesh::{TriangleMesh, shapes};
use ribbonmesh_suite::{Random, suite};
use std::f64::consts::PI;

/// Cleans, and makes the checks that hold for every result.
fn checked(device: &Device, mesh: &TriangleMesh) -> (TriangleMesh, CleanReport) {
    let mut options = CleanOptions::default();
    options.wrap.resolution = 24;
    let mut cleaned = mesh.clone();
    let report = clean(device, &mut cleaned, &options).expect("cleaned");
    assert!(cleaned.is_closed() && cleaned.volume().expect("closed") > 0.0);
    assert_eq!(report.intersecting_pairs, 0);
    assert_eq!(report.after.faces, cleaned.faces.len());
    (cleaned, report)
}

/// A mesh at another position, with another size and direction.
fn placed(mesh: &TriangleMesh, scale: f64, offset: f64) -> TriangleMesh {
    let turn = glam::DMat3::from_euler(glam::EulerRot::XYZ, 0.4, -1.2, 2.0);
    let mut placed = mesh.clone();
    placed.precision = ribbonmesh_mesh::Precision::Double;
    placed.positions.iter_mut().for_each(|p| *p = turn * *p * scale + DVec3::splat(offset));
    placed
}
const PLACES: [(f64, f64); 4] = [(1.0, 0.0), (1e-3, 0.0), (1e3, 0.0), (1.0, 1e3)];

/// Triangles without common vertices, whose corners are off by up to `gap`.
fn cracked(mesh: &TriangleMesh, gap: f64) -> TriangleMesh {
    let mut bits = Random(1);
    let mut random = || (bits.state() >> 40) as f64 / f64::from(1 << 24) - 0.5;
    let corners = mesh.faces.iter().flatten().map(|&v| mesh.positions[v as usize]);
    let positions: Vec<DVec3> = corners.map(|p| p + gap * DVec3::new(random(), random(), random())).collect();
    let faces = (0..positions.len() as u32 / 3).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect();
    TriangleMesh::new(positions, faces)
}

/// A block whose top is cut into `n` by `n` squares, and whose sides are not.
fn plate(n: u32) -> TriangleMesh {
    let size = f64::from(n);
    let mut positions = vec![];
    let mut faces = vec![];
    let mut quad = |corners: [DVec3; 4]| {
        let first = positions.len() as u32;
        positions.extend(corners);
        faces.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    };
    let at = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
    for i in 0..n * n {
        let (x, y) = (f64::from(i % n), f64::from(i / n));
        quad([at(x, y, 1.0), at(x + 1.0, y, 1.0), at(x + 1.0, y + 1.0, 1.0), at(x, y + 1.0, 1.0)]);
    }
    quad([at(0.0, 0.0, 0.0), at(0.0, size, 0.0), at(size, size, 0.0), at(size, 0.0, 0.0)]);
    let ring = [[0.0, 0.0], [size, 0.0], [size, size], [0.0, size]];
    for k in 0..4 {
        let ([a, b], [c, d]) = (ring[k], ring[(k + 1) % 4]);
        quad([at(a, b, 0.0), at(c, d, 0.0), at(c, d, 1.0), at(a, b, 1.0)]);
    }
    TriangleMesh::new(positions, faces)
}

suite! {
    fn what_is_good_stays(device) {
        let ball = shapes::icosphere(3).expect("small");
        let (cleaned, report) = checked(device, &ball);
        assert_eq!(cleaned, ball);
        assert!(report.wrapped_because.is_none() && report.filling.is_none() && report.turned == 0);
    }
    fn what_is_bad_is_repaired(device) {
        let ball = shapes::icosphere(3).expect("small");
        let whole = ball.volume().expect("closed");
        let mut turned = ball.clone();
        turned.faces.iter_mut().for_each(|face| face.swap(0, 1));
        let (cleaned, report) = checked(device, &turned);
        assert!((cleaned.volume().expect("closed") - whole).abs() < 1e-9 && report.turned == 1);
        let mut open = ball.clone();
        open.faces.truncate(1200);
        let (cleaned, report) = checked(device, &open);
        assert!((cleaned.volume().expect("closed") / whole - 1.0).abs() < 0.1);
        assert!(report.filling.is_some());
    }
    fn what_is_flat_is_wrapped(device) {
        let one = TriangleMesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]]);
        let (_, report) = checked(device, &one);
        assert!(report.wrapped_because.is_some() && report.wrap.is_some());
        let options = CleanOptions { wrapping: Wrapping::Never, ..CleanOptions::default() };
        let mut same = one.clone();
        let error = clean(device, &mut same, &options).expect_err("flat");
        assert!(matches!(error, CleanError::NotResolved(_)), "{error}");
        assert_eq!(same, one);
    }
    fn what_is_refused(device) {
        let mut none = TriangleMesh::default();
        let options = CleanOptions::default();
        let error = clean(device, &mut none, &options).expect_err("no faces");
        assert!(matches!(error, CleanError::Library(Error::NoFaces { .. })), "{error}");
        let mut wrong = shapes::icosphere(1).expect("small");
        wrong.positions[5].z = f64::NAN;
        let error = clean(device, &mut wrong, &options).expect_err("no number");
        assert!(matches!(error, CleanError::Library(Error::NotFinite { vertex: 5 })), "{error}");
        let few = CleanOptions { faces: Some(3), ..options };
        let error = clean(device, &mut shapes::icosphere(1).expect("small"), &few).expect_err("too few");
        assert!(matches!(error, CleanError::Library(Error::Option { option: "faces", .. })), "{error}");
    }
    fn a_mesh_that_needs_more_memory_is_refused(device) {
        let ball = shapes::icosphere(3).expect("small");
        let cleaned = |bytes| {
            let options = CleanOptions { memory: Some(Bytes(bytes)), ..CleanOptions::default() };
            clean(device, &mut ball.clone(), &options)
        };
        let error = cleaned(1_000_000).expect_err("too little");
        let CleanError::Memory { vertices: 642, faces: 1280, needed, .. } = error else { panic!("{error}") };
        assert!(error.to_string().contains("above the bound of 1 MB"), "{error}");
        assert!(cleaned(needed.0 - 1).is_err() && cleaned(needed.0).is_ok());
    }
    fn what_is_far_too_fine_is_coarsened_before_it_is_resolved(device) {
        let mut two = shapes::icosphere(5).expect("small");
        let mut other = two.clone();
        let apart = 1.2;
        other.positions.iter_mut().for_each(|p| p.x += apart);
        two.append(&other).expect("no columns");
        let options = CleanOptions { faces: Some(1000), ..CleanOptions::default() };
        let mut cleaned = two.clone();
        let report = clean(device, &mut cleaned, &options).expect("cleaned");
        let coarsened = report.coarsened.expect("40,960 faces");
        let resolved = report.resolve.expect("two balls");
        assert!(coarsened.after.faces <= 8000 && resolved.faces_cut > 0, "{coarsened:?} {resolved:?}");
        assert!(cleaned.is_closed() && cleaned.faces.len() == 1000 && report.intersecting_pairs == 0);
        // two balls minus the lens that they share
        let (ball, height) = (4.0 / 3.0 * PI, 1.0 - apart / 2.0);
        let expected = 2.0 * ball - 2.0 * PI * height * height * (3.0 - height) / 3.0;
        let volume = cleaned.volume().expect("closed");
        assert!((volume / expected - 1.0).abs() < 0.02, "{volume} {expected}");
        // a mesh with less than 16 times the faces is resolved without simplification
        let options = CleanOptions { faces: Some(4000), ..CleanOptions::default() };
        let report = clean(device, &mut two, &options).expect("cleaned");
        assert!(report.coarsened.is_none() && two.faces.len() == 4000);
    }
    fn cracks_close(device) {
        let ball = shapes::icosphere(2).expect("small");
        let volume = ball.volume().expect("closed");
        for gap in [0.0, 1e-7, 1e-6, 1e-5] {
            for (scale, offset) in PLACES {
                let (cleaned, report) = checked(device, &placed(&cracked(&ball, gap), scale, offset));
                assert_eq!(cleaned.faces.len(), ball.faces.len(), "{gap}, {scale}: {report:?}");
                let found = cleaned.volume().expect("closed") / scale.powi(3);
                assert!((found / volume - 1.0).abs() < 1e-3 && report.wrapped_because.is_none(), "{found}");
            }
        }
        // wider ones on request
        let mut wide = cracked(&ball, 1e-3);
        let options = CleanOptions { weld: Weld::Within(3e-3), ..CleanOptions::default() };
        clean(device, &mut wide, &options).expect("cleaned");
        assert_eq!(wide.faces.len(), ball.faces.len());
    }
    fn edges_are_split_at_vertices_that_lie_on_them(device) {
        for n in [2, 3, 5, 17] {
            for (scale, offset) in PLACES {
                let (cleaned, report) = checked(device, &placed(&plate(n), scale, offset));
                assert!(report.wrapped_because.is_none(), "{n}: {report:?}");
                assert_eq!(report.stitched.edges_split, 4 * (n as usize - 1));
                assert_eq!(cleaned.faces.len(), (2 * n * n + 10 + 4 * (n - 1)) as usize);
                let volume = cleaned.volume().expect("closed") / scale.powi(3);
                assert!((volume / f64::from(n * n) - 1.0).abs() < 1e-6, "{volume}");
            }
        }
    }
    fn holes_that_touch_are_filled_one_by_one(device) {
        for every in [3, 5, 11] {
            let mut ball = shapes::icosphere(3).expect("small");
            let volume = ball.volume().expect("closed");
            let mut number = 0_u32;
            ball.faces.retain(|_| {
                number = number.wrapping_mul(1664525).wrapping_add(1013904223);
                !(number >> 16).is_multiple_of(every)
            });
            // other faults do not change the result
            ball.faces.push(ball.faces[9]);
            ball.faces[20].swap(0, 1);
            let (cleaned, report) = checked(device, &ball);
            assert!(report.wrapped_because.is_none(), "{every}: {report:?}");
            let found = cleaned.volume().expect("closed");
            assert!((found / volume - 1.0).abs() < 0.05, "{every}: {found} {volume}");
        }
    }
    fn a_wrap_of_few_faces_has_few(device) {
        let one = TriangleMesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]]);
        let mut crossing = one.clone();
        crossing.append(&placed(&one, 1.0, 0.1)).expect("no columns");
        for mesh in [one, crossing] {
            let mut cleaned = mesh.clone();
            let report = clean(device, &mut cleaned, &CleanOptions::default()).expect("cleaned");
            assert!(report.wrapped_because.is_some() && cleaned.is_closed());
            assert_eq!(report.intersecting_pairs, 0);
            assert!(cleaned.faces.len() <= 1000, "{}", cleaned.faces.len());
        }
    }
    fn scraps_are_left_out(device) {
        let mut mesh = shapes::icosphere(3).expect("small");
        let whole = mesh.clone();
        let mut scrap = shapes::icosphere(0).expect("small");
        scrap.positions.iter_mut().for_each(|p| *p = *p * 0.1 + DVec3::splat(3.0));
        mesh.append(&scrap).expect("no columns");
        let (both, _) = checked(device, &mesh);
        assert_eq!(both.faces.len(), mesh.faces.len());
        let options = CleanOptions { remove_components: 100, ..CleanOptions::default() };
        let report = clean(device, &mut mesh, &options).expect("cleaned");
        assert_eq!((mesh.faces.len(), mesh.positions.len()), (whole.faces.len(), whole.positions.len()));
        assert_eq!(report.repair.expect("repaired").components_removed.len(), 1);
    }
    fn a_sheet_that_is_there_twice_goes(device) {
        // a block, and a copy of its top: with the same diagonal, with the other one, and turned over
        for (diagonal, turned) in [(false, false), (true, false), (false, true), (true, true)] {
            for apart in [0.0, 1e-7] {
                let mut mesh = plate(1);
                let first = mesh.positions.len() as u32;
                let lift = DVec3::Z * apart;
                let top = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
                mesh.positions.extend(top.map(|[x, y]| DVec3::new(x, y, 1.0) + lift));
                let mut faces = if diagonal { [[0, 1, 3], [1, 2, 3]] } else { [[0, 1, 2], [0, 2, 3]] };
                for face in &mut faces {
                    *face = face.map(|v| first + v);
                    if turned {
                        face.swap(0, 1);
                    }
                }
                mesh.faces.extend(faces);
                let (cleaned, report) = checked(device, &mesh);
                assert!(report.wrapped_because.is_none(), "{diagonal}, {turned}, {apart}: {report:?}");
                assert!((cleaned.volume().expect("closed") - 1.0).abs() < 1e-5 && cleaned.faces.len() == 12);
            }
        }
    }
}

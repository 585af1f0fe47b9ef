//! Tests of Delaunay flips against a plain check of all edges in `f64`.
use crate::delaunay::flipped::delaunay_faces;
use ribbonmesh::dynamic::ExecutionMode;
use ribbonmesh::features::triangle::smallest_sine;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Defect, Device, DeviceKind, Error};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes;
use ribbonmesh_remeshing::delaunay::{DelaunayOptions, DelaunayReport, Order};
use ribbonmesh_suite::{size, suite};
use std::collections::{BTreeMap, BTreeSet};

fn points(shape: &TriangleMesh) -> Vec<Vec3> {
    shape.points()
}
/// The opposite vertices of each edge.
fn edges(faces: &[[u32; 3]]) -> BTreeMap<(u32, u32), Vec<u32>> {
    let mut edges = BTreeMap::<_, Vec<u32>>::new();
    for &[a, b, c] in faces {
        for (u, v, w) in [(a, b, c), (b, c, a), (c, a, b)] {
            edges.entry((u.min(v), u.max(v))).or_default().push(w);
        }
    }
    edges
}
/// Edges whose opposite angles add up to more than 180° and a little, and whose other diagonal is not an
/// edge.
fn flippable(points: &[Vec3], faces: &[[u32; 3]]) -> Vec<(u32, u32)> {
    let edges = edges(faces);
    let x = |v: u32| -> DVec3 { points[v as usize].as_dvec3() };
    let angle = |v: u32, a: u32, b: u32| (x(a) - x(v)).angle_between(x(b) - x(v));
    let bad = |(&(a, b), across): (&(u32, u32), &Vec<u32>)| {
        let &[c, d] = across.as_slice() else { return None };
        let sum = angle(c, a, b) + angle(d, a, b);
        (sum > std::f64::consts::PI + 1e-4 && !edges.contains_key(&(c.min(d), c.max(d)))).then_some((a, b))
    };
    edges.iter().filter_map(bad).collect()
}
fn run(device: &Device, shape: &TriangleMesh, options: &DelaunayOptions) -> (Vec<[u32; 3]>, DelaunayReport) {
    let options = DelaunayOptions { validate: true, ..*options };
    delaunay_faces(device, &points(shape), &shape.faces, &options).expect("a manifold")
}
/// Options for each order of flips that a device has.
fn orders(device: &Device) -> impl Iterator<Item = DelaunayOptions> {
    let orders = if device.kind() == DeviceKind::Cpu { 2 } else { 1 };
    let of = |order| DelaunayOptions { order, ..DelaunayOptions::default() };
    [Order::Rounds, Order::Sequence].into_iter().take(orders).map(of)
}
fn in_rounds() -> DelaunayOptions {
    DelaunayOptions { order: Order::Rounds, ..DelaunayOptions::default() }
}
/// Checks that there are as many edges as before, each with at most two faces, and the same boundary.
fn check_topology(name: &str, before: &[[u32; 3]], after: &[[u32; 3]]) {
    let (old, new) = (edges(before), edges(after));
    assert_eq!(old.len(), new.len(), "{name}: edges");
    let boundary = |e: &BTreeMap<(u32, u32), Vec<u32>>| -> BTreeSet<_> {
        e.iter().filter(|e| e.1.len() == 1).map(|e| *e.0).collect()
    };
    assert_eq!(boundary(&old), boundary(&new), "{name}: boundary");
    assert!(new.values().all(|across| across.len() <= 2), "{name}: an edge with more than two faces");
}
/// Shapes to flip; under a sanitizer one closed and one with a boundary.
fn shapes_to_flip() -> impl Iterator<Item = (&'static str, TriangleMesh)> {
    let mut stretched = shapes::torus(30, 2).expect("small");
    stretched.positions.iter_mut().for_each(|p| p[2] *= 8.0);
    let mut shuffled = shapes::torus(60, 1).expect("small");
    shapes::shuffle(&mut shuffled, 5);
    let all = vec![
        ("torus", shapes::torus(40, 1).expect("small")),
        ("shuffled torus", shuffled),
        ("stretched torus", stretched),
        ("grid", shapes::grid(40, 1).expect("small")),
        ("bumpy sphere", shapes::bumpy_sphere(4, 1).expect("small")),
        ("knot", shapes::torus_knot(2, 3, 9, 150).expect("small")),
    ];
    all.into_iter().step_by(size(1, 3))
}

suite! {
    fn nothing_is_left_to_flip(device) {
        for ((name, shape), options) in shapes_to_flip().flat_map(|all| orders(device).map(move |o| (all.clone(), o))) {
            let (faces, report) = run(device, &shape, &options);
            check_topology(name, &shape.faces, &faces);
            assert_eq!(flippable(&points(&shape), &faces), [], "{name}");
            assert!(report.finished, "{name}");
            assert_eq!(report.flips > 0, report.non_delaunay_before > report.non_delaunay_after, "{name}: {report:?}");
            let blocked = report.blocked;
            assert_eq!(report.non_delaunay_after, blocked.edge_exists + blocked.topology + blocked.normals + blocked.seams + blocked.worse, "{name}");
        }
    }
    fn no_face_gets_worse_than_the_worst(device) {
        // pairs of faces at a long edge: kites in a plane; the same folded, one face upon the other; and
        // nearly so
        let (mut places, mut faces) = (vec![], vec![]);
        for i in 0..60 {
            let (x, n) = (3.0 * i as f32, places.len() as u32);
            let across = [[-0.3, 0.0], [0.3, 0.0], [0.299, 0.001]][i % 3];
            places.extend([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.0, 0.3, 0.0], [1.0, across[0], across[1]]]);
            places[n as usize..].iter_mut().for_each(|p| p[0] += x);
            faces.extend([[n, n + 1, n + 2], [n + 1, n, n + 3]]);
        }
        let shape = TriangleMesh::from_f32(places, faces);
        let x = points(&shape);
        let least = |faces: &[[u32; 3]]| {
            faces.iter().map(|f| smallest_sine(f.map(|v| x[v as usize]))).fold(1.0, f32::min)
        };
        for options in orders(device) {
            let (after, report) = run(device, &shape, &options);
            assert_eq!((report.flips, report.blocked.worse, report.non_delaunay_after, report.finished), (20, 40, 40, true));
            assert!(least(&after) >= least(&shape.faces), "{} {}", least(&after), least(&shape.faces));
        }
        // the angles of a right triangle, of one whose longest side comes last, and of a triangle without
        // area
        let sine = smallest_sine([Vec3::ZERO, 4.0 * Vec3::X, 3.0 * Vec3::Y]);
        assert!((sine - 0.6).abs() < 1e-6, "{sine}");
        let sine = smallest_sine([Vec3::ZERO, Vec3::new(1.0, 0.1, 0.0), 2.0 * Vec3::X]);
        assert!((sine - 0.1 / 1.01_f32.sqrt()).abs() < 1e-6, "{sine}");
        assert_eq!(smallest_sine([Vec3::ONE; 3]), 0.0);
    }
    fn the_same_in_resident_blocks_and_in_launches(device) {
        for (name, shape) in shapes_to_flip() {
            let one = |mode| {
                let (faces, report) = run(device, &shape, &DelaunayOptions { mode, ..in_rounds() });
                (faces, DelaunayReport { seconds: 0.0, ..report })
            };
            assert_eq!(one(ExecutionMode::PerPhase), one(ExecutionMode::Persistent), "{name}");
        }
    }
    fn a_second_run_does_nothing(device) {
        for ((name, mut shape), options) in shapes_to_flip().flat_map(|all| orders(device).map(move |o| (all.clone(), o))) {
            shape.faces = run(device, &shape, &options).0;
            let (again, report) = run(device, &shape, &options);
            assert_eq!((again, report.flips), (shape.faces, 0), "{name}");
        }
    }
    fn points_of_a_lattice_do_not_cycle(device) {
        // every square has its corners on a circle
        let mut shape = shapes::grid(30, 3).expect("small");
        for (i, p) in shape.positions.iter_mut().enumerate() {
            *p = Vec3::new((i / 30) as f32 * 0.1, (i % 30) as f32 * 0.1, 0.0).as_dvec3();
        }
        for options in orders(device) {
            let (_, report) = run(device, &shape, &options);
            assert!(report.finished && report.passes <= 2, "{report:?}");
        }
    }
    fn normals_stay(device) {
        let shape = shapes::torus(40, 1).expect("small");
        for options in orders(device) {
            let all = run(device, &shape, &options).1;
            let few = run(device, &shape, &DelaunayOptions { max_normal_deviation: Some(2.0), ..options });
            assert!(few.1.flips < all.flips && few.1.blocked.normals > 0, "{:?}", few.1);
            check_topology("torus", &shape.faces, &few.0);
        }
        let none = DelaunayOptions { max_normal_deviation: Some(f32::NAN), ..DelaunayOptions::default() };
        assert!(matches!(delaunay_faces(device, &points(&shape), &shape.faces, &none), Err(Error::Option { .. })));
    }
    fn an_edge_is_not_made_twice(device) {
        // a flat tetrahedron: the diagonal across exists already
        let points = [[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [5.0, 1.0, 0.0], [5.0, -1.0, 0.1]].map(Vec3::from_array);
        let faces = [[0, 1, 2], [1, 0, 3], [0, 2, 3], [2, 1, 3]];
        for options in orders(device) {
            let (after, report) = delaunay_faces(device, &points, &faces, &options).expect("a manifold");
            assert_eq!(after, faces);
            assert!(report.blocked.edge_exists > 0 && report.flips == 0, "{report:?}");
        }
    }
    fn what_is_no_surface_is_an_error(device) {
        let x = [Vec3::ZERO; 5];
        for (faces, defect) in [
            (vec![[0, 1, 2], [0, 1, 3], [1, 0, 4]], Defect::Edge { ends: [0, 1] }),
            (vec![[0, 1, 2], [0, 1, 3]], Defect::Edge { ends: [0, 1] }),
            (vec![[0, 1, 2], [0, 3, 4]], Defect::Vertex { vertex: 0 }),
            (vec![[2, 3, 4], [0, 1, 1]], Defect::Face { face: 1 }),
        ] {
            for options in orders(device) {
                let result = delaunay_faces(device, &x, &faces, &options);
                let Err(Error::NotManifold(found)) = result else { panic!("{faces:?}: {result:?}") };
                assert_eq!(found, defect);
            }
        }
    }
    fn the_same_on_every_machine(device) {
        let shape = shapes::torus(size(80, 31), 4).expect("small");
        let thread = Device::cpu_with_threads(1).expect("a thread");
        let one = run(&thread, &shape, &in_rounds());
        let other = run(device, &shape, &in_rounds());
        // angles within rounding of 180° may be judged differently
        assert!(one.1.flips.abs_diff(other.1.flips) <= 2, "{:?} {:?}", one.1, other.1);
        assert_eq!(run(device, &shape, &in_rounds()).0, other.0);
        // in sequence other edges are flipped first, and about as many
        let in_sequence = DelaunayOptions { order: Order::Sequence, ..DelaunayOptions::default() };
        let one = run(&thread, &shape, &in_sequence);
        assert!(20 * one.1.flips.abs_diff(other.1.flips) < other.1.flips, "{:?} {:?}", one.1, other.1);
        match delaunay_faces(device, &points(&shape), &shape.faces, &in_sequence) {
            Ok(again) => assert_eq!((device.kind(), again.0), (DeviceKind::Cpu, one.0)),
            Err(error) => assert!(device.kind() == DeviceKind::Cuda && error.to_string().contains("rounds"), "{error}"),
        }
    }
}

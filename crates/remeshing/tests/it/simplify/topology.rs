//! Tests of simplification across topology: any number of faces is reached, and the result is an oriented
//! manifold.
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Device, Error, FlatTopology, MeshOptions, Surface};
use ribbonmesh_mesh::{ColourSpace, Column, Role, TriangleMesh, shapes};
use ribbonmesh_remeshing::simplify::{
    Bound, SimplifyOptions, SimplifyReport, Stopped, Target, Topology, simplify,
};
use ribbonmesh_suite::{
    Checked, cases,
    forms::{cube, joined, moved, sheet},
    suite,
};

fn free(n: u32) -> SimplifyOptions {
    let target = Some(Target::Faces(n));
    SimplifyOptions { target, topology: Topology::Free, ..SimplifyOptions::default() }
}

/// Simplifies, and makes the checks that hold for every result.
fn run(device: &Device, shape: &TriangleMesh, n: u32) -> (TriangleMesh, SimplifyReport, Checked) {
    let mut surface = Surface::new(device, shape, &MeshOptions::default()).expect("triangles");
    let report = simplify(&mut surface, &free(n)).expect("a manifold");
    let after = surface.download().expect("a mesh");
    // panics unless it is an oriented manifold
    let checked = Checked::of(&after);
    assert!((1..=n as usize).contains(&after.faces.len()), "{n}: {}", after.faces.len());
    assert_eq!(report.stopped, Stopped::Target);
    assert_eq!(report.target_faces, Some(n.into()));
    let sizes = [report.after.vertices, report.after.faces].map(|n| n as usize);
    assert_eq!(sizes, [after.positions.len(), after.faces.len()]);
    let done = report.contractions.as_ref().expect("topology is free");
    assert_eq!(done.pairs, done.rounds.iter().map(|round| round.contracted).sum::<u64>());
    let before = Checked::of(shape);
    for (counts, checked) in [(done.before, &before), (done.after, &checked)] {
        let found = [counts.components as usize, counts.boundary_loops as usize];
        assert_eq!(found, [checked.components, checked.loops]);
        assert_eq!(counts.euler_characteristic, checked.euler);
    }
    let flat = FlatTopology::new(&Device::cpu(), after.positions.len(), &after.faces).expect("triangles");
    let found = flat.topology().expect("a topology");
    assert_eq!((found.nonmanifold_edges, found.nonmanifold_vertices, found.inconsistent_edges), (0, 0, 0));
    assert_eq!((found.duplicate_faces, found.degenerate_faces), (0, 0));
    (after, report, checked)
}

/// A square plate of n × n cells with a square hole in every third one.
fn plate(n: u32) -> TriangleMesh {
    let mut shape = sheet(n, |x, y| [x, y, 0.0]);
    let mut kept = vec![];
    for (i, pair) in shape.faces.chunks(2).enumerate() {
        let (row, column) = (i as u32 / n, i as u32 % n);
        if row % 3 != 1 || column % 3 != 1 {
            kept.extend_from_slice(pair);
        }
    }
    shape.faces = kept;
    shape
}

suite! {
    fn holes_of_a_plate(device) {
        let shape = plate(30);
        assert_eq!(Checked::of(&shape).loops, 101);
        for n in cases([50, 300, 6]) {
            let (_, report, after) = run(device, &shape, n);
            assert!(after.loops < 101, "{n}: {}", after.loops);
            assert_eq!(after.components, 1, "{n}");
            // it still covers the square
            let least = if n < 50 { 0.4 } else { 0.85 };
            assert!(after.area() > least && after.area() < 1.05, "{n}: {}", after.area());
            assert!(report.contractions.expect("free").pairs > 0);
        }
    }
    fn small_components_vanish(device) {
        let ball = shapes::icosphere(1).expect("small");
        let large = moved(shapes::icosphere(3).expect("small"), 3.0, [0.0, 0.0, 0.0]);
        let place = |i: u32| [i % 6, i / 6 % 6, i / 36].map(|k| 5.0 + k as f32);
        let mut parts: Vec<TriangleMesh> = (0..200).map(|i| moved(ball.clone(), 0.1, place(i))).collect();
        let (_, _, after) = run(device, &joined(&parts), 300);
        assert!(after.components <= 75 && after.components > 20, "{}", after.components);
        assert_eq!(after.loops, 0);
        // of different sizes, the large one is left
        parts.push(large);
        let (_, report, after) = run(device, &joined(&parts), 60);
        let done = report.contractions.expect("free");
        assert_eq!(done.before.components, 201);
        assert!(done.cancelled > 0);
        let volume: f64 = after.triangles().map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum();
        let ball = 4.0 / 3.0 * std::f64::consts::PI * 27.0;
        assert!(volume > 0.7 * ball && volume < 1.1 * ball, "{volume}");
    }
    fn a_torus_to_few_faces(device) {
        let shape = shapes::torus(24, 1).expect("small");
        for n in cases([4, 8, 12, 5, 30]) {
            let (_, report, after) = run(device, &shape, n);
            assert_eq!(report.contractions.expect("free").before.genus, 1);
            assert!(after.faces.len() <= n as usize);
        }
    }
    fn one_face(device) {
        let closed = shapes::bumpy_sphere(3, 1).expect("small");
        let open = sheet(12, |x, y| [x, y, 0.1 * (5.0 * x).sin()]);
        let two = joined(&[closed.clone(), moved(closed.clone(), 0.5, [4.0, 0.0, 0.0])]);
        for (name, shape) in [("closed", closed), ("open", open), ("two", two), ("plate", plate(9))] {
            for n in [1, 2, 3] {
                let (_, _, after) = run(device, &shape, n);
                assert!(after.faces.len() <= n as usize, "{name} {n}");
                assert!(after.area() > 0.0, "{name} {n}");
            }
        }
        // a single face that is there already
        let mesh = TriangleMesh::from_f32([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2]]);
        let (after, ..) = run(device, &mesh, 1);
        assert_eq!(after.faces, mesh.faces);
    }
    fn sheets_close_together_are_joined(device) {
        // two sheets with a wave, a hundredth apart
        let one = sheet(24, |x, y| [x, y, 0.2 * (9.0 * x).sin() * (8.0 * y).cos()]);
        let shape = joined(&[one.clone(), moved(one, 1.0, [0.0, 0.0, 0.01])]);
        let (_, report, after) = run(device, &shape, 30);
        let done = report.contractions.expect("free");
        assert!(done.apart > 0, "{done:?}");
        assert_eq!((done.before.components, after.components), (2, 1), "{done:?}");
    }
    fn triangles_without_common_vertices(device) {
        // a sphere whose faces share nothing: contraction joins them
        let ball = shapes::icosphere(3).expect("small");
        let mut soup = TriangleMesh::new(vec![], vec![]);
        for (i, face) in (0..).zip(&ball.faces) {
            soup.positions.extend(face.map(|v| ball.positions[v as usize]));
            soup.faces.push([3 * i, 3 * i + 1, 3 * i + 2]);
        }
        let (_, report, after) = run(device, &soup, 200);
        assert_eq!(report.contractions.expect("free").before.components, 1280);
        assert!(after.components < 10, "{}", after.components);
        let area = 4.0 * std::f64::consts::PI;
        assert!(after.area() > 0.5 * area && after.area() < 1.1 * area, "{}", after.area());
    }
    fn what_topology_does_not_hinder_is_kept(device) {
        let shape = shapes::bumpy_sphere(4, 2).expect("small");
        let (mesh, report, after) = run(device, &shape, 500);
        let done = report.contractions.expect("free");
        assert_eq!((done.pairs, done.before), (0, done.after));
        assert_eq!((after.euler, after.components), (2, 1));
        // the same as with topology kept
        let mut surface = Surface::new(device, &shape, &MeshOptions::default()).expect("triangles");
        let options = SimplifyOptions { topology: Topology::Keep, ..free(500) };
        let report = simplify(&mut surface, &options).expect("a manifold");
        assert!(report.contractions.is_none());
        assert_eq!(surface.download().expect("a mesh"), mesh);
    }
    fn attributes_follow(device) {
        let mut shape = plate(30);
        let colours = shape.positions.iter().map(|p| [(255.0 * p.x) as u8, (255.0 * p.y) as u8, 7]).collect::<Vec<_>>();
        shape.vertices_mut().insert_column(Column::with_role("colour", Role::Colour(ColourSpace::Srgb), colours)).expect("a row each");
        // textures of the halves are apart: u jumps by 10 at x = 1/2
        let at = |v: u32| shape.positions[v as usize];
        let corners = shape.faces.iter().flat_map(|&face| {
            let middle = face.map(at).iter().sum::<DVec3>() / 3.0;
            face.map(|v| [at(v).x as f32 + if middle.x > 0.5 { 10.0 } else { 0.0 }, at(v).y as f32])
        });
        let corners: Vec<[f32; 2]> = corners.collect();
        let column = Column::with_role("texcoord", Role::TextureCoordinate(0), corners);
        shape.corners_mut().insert_column(column).expect("a row each");
        let labels = vec![3_i32; shape.faces.len()];
        shape.faces_of_mut().insert("label", labels).expect("a row each");
        let (after, _, _) = run(device, &shape, 60);
        let colours = after.vertices().get::<[u8; 3]>("colour").expect("colours");
        let mut far = 0.0_f64;
        for (p, colour) in after.positions.iter().zip(colours) {
            assert_eq!(colour[2], 7);
            far = far.max((f64::from(colour[0]) / 255.0 - p.x).abs()).max((f64::from(colour[1]) / 255.0 - p.y).abs());
        }
        // where a hole was, the nearest place of the plate is up to half its width away
        assert!(far < 0.05, "{far}");
        assert_eq!(after.faces_of().get::<i32>("label").expect("labels"), vec![3; after.faces.len()]);
        let corners = after.corners().get::<[f32; 2]>("texcoord").expect("corners");
        let (mut sides, mut torn) = ([0, 0], 0);
        for (face, of_face) in after.faces.iter().zip(corners.chunks(3)) {
            let beyond = of_face.iter().filter(|t| t[0] > 5.0).count();
            if beyond % 3 != 0 {
                torn += 1;
                continue;
            }
            sides[beyond / 3] += 1;
            for (&v, t) in face.iter().zip(of_face) {
                let u = if beyond == 3 { t[0] - 10.0 } else { t[0] };
                assert!((f64::from(u) - after.positions[v as usize].x).abs() < 0.06, "{t:?}");
            }
        }
        // few faces cross the seam
        assert!(sides[0] > 15 && sides[1] > 15 && torn <= 4, "{sides:?}, {torn}");
    }
    fn vertices_without_faces_stay(device) {
        let mut shape = joined(&[cube(4), moved(cube(4), 0.1, [3.0, 0.0, 0.0])]);
        shape.positions.push([7.0, 8.0, 9.0].into());
        let (after, ..) = run(device, &shape, 6);
        assert_eq!(after.positions.last(), Some(&DVec3::new(7.0, 8.0, 9.0)));
        assert!(after.faces.iter().flatten().all(|&v| v as usize + 1 < after.positions.len()));
    }
    fn the_same_with_any_number_of_threads(device) {
        let mut shape = joined(&[plate(30), moved(shapes::torus(20, 1).expect("small"), 0.2, [0.5, 0.5, 0.3])]);
        shapes::shuffle(&mut shape, 3);
        let (first, report, _) = run(device, &shape, 40);
        let (second, ..) = run(device, &shape, 40);
        assert_eq!(first, second);
        if device.kind() == ribbonmesh::DeviceKind::Cpu {
            for threads in [1, 3] {
                let device = Device::cpu_with_threads(threads).expect("threads");
                let (other, again, _) = run(&device, &shape, 40);
                assert_eq!(first, other, "{threads}");
                assert_eq!(report.contractions, again.contractions);
            }
        }
    }
    fn refusals(device) {
        let shape = shapes::icosphere(1).expect("small");
        let bad = [
            free(0),
            SimplifyOptions { target: None, max_error: Some(Bound::Absolute(0.1)), ..free(1) },
            SimplifyOptions { max_error: Some(Bound::Absolute(0.1)), ..free(5) },
            SimplifyOptions { fixed_boundary: true, ..free(5) },
        ];
        for options in bad {
            let mut surface = Surface::new(device, &shape, &MeshOptions::default()).expect("triangles");
            let error = simplify(&mut surface, &options).expect_err("no such choice");
            assert!(matches!(error, Error::Option { option: "topology", .. }), "{error}");
            assert_eq!(surface.download().expect("a mesh"), shape);
        }
        // a share is one face at least
        let mut surface = Surface::new(device, &shape, &MeshOptions::default()).expect("triangles");
        let options = SimplifyOptions { target: Some(Target::Ratio(0.0)), ..free(1) };
        let report = simplify(&mut surface, &options).expect("a sphere");
        assert_eq!((report.target_faces, report.after.faces), (Some(1), 1));
    }
}

#[test]
fn topology_by_name() {
    for topology in [Topology::Keep, Topology::Free] {
        assert_eq!(topology.to_string().parse::<Topology>().expect("a name"), topology);
    }
    assert!(matches!("open".parse::<Topology>(), Err(Error::Option { option: "topology", .. })));
}

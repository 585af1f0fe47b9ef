//! Analysis of a mesh: counts against brute force, known shapes, lengths and angles.
use ribbonmesh::{Device, Error, FlatTopology, Geometry, MeshOptions, StaticMesh, Statistics, Topology};
use ribbonmesh_suite::{
    Random,
    adjacency::{Key, Oracle, key, sides},
    cases,
    ids::sorted,
    meshes::{self, Case},
    size, suite,
};
use std::collections::BTreeSet;

fn mesh(device: &Device, case: &Case) -> StaticMesh {
    let options = MeshOptions { patch_size: 40, ..MeshOptions::default() };
    StaticMesh::new(device, case.vertices, &case.faces, &options)
        .unwrap_or_else(|e| panic!("{}: {e}", case.name))
}
fn topology(device: &Device, case: &Case) -> Topology {
    mesh(device, case).topology().expect("a topology")
}
fn two(a: &Case, b: &Case) -> Case {
    let n = a.vertices as u32;
    let faces = a.faces.iter().copied().chain(b.faces.iter().map(|f| f.map(|v| v + n))).collect();
    Case::new(format!("{} and {}", a.name, b.name), a.vertices + b.vertices, faces)
}

/// Groups of `items` that are reachable from each other.
fn groups<T: Ord + Copy>(items: &BTreeSet<T>, near: impl Fn(T) -> Vec<T>) -> usize {
    let (mut left, mut count) = (items.clone(), 0);
    while let Some(first) = left.pop_first() {
        count += 1;
        let mut open = vec![first];
        while let Some(item) = open.pop() {
            open.extend(near(item).into_iter().filter(|x| left.remove(x)));
        }
    }
    count
}
/// Directions in which an edge is a side.
fn directions(o: &Oracle, k: Key) -> Vec<bool> {
    let of_face = |&f: &u32| {
        let c = o.faces[f as usize];
        (0..3).map(move |i| (c[i], c[(i + 1) % 3])).filter(move |&(a, b)| key(a, b) == k).map(|(a, b)| a < b)
    };
    o.edges[&k].iter().flat_map(of_face).collect()
}
/// Whether turning faces makes all orientations agree: each face turned or not, by trial along its component.
fn orientable(o: &Oracle) -> bool {
    let mut turned = vec![None; o.faces.len()];
    for start in 0..o.faces.len() {
        if turned[start].is_some() {
            continue;
        }
        turned[start] = Some(false);
        let mut open = vec![start];
        while let Some(f) = open.pop() {
            let c = o.faces[f];
            for i in 0..3 {
                let (a, b) = (c[i], c[(i + 1) % 3]);
                for &g in o.edges[&key(a, b)].iter().filter(|&&g| g as usize != f) {
                    let d = o.faces[g as usize];
                    let same = (0..3).any(|j| (d[j], d[(j + 1) % 3]) == (a, b));
                    let wanted = Some(turned[f].expect("set when found") ^ same);
                    match turned[g as usize] {
                        None => {
                            turned[g as usize] = wanted;
                            open.push(g as usize);
                        }
                        found if found != wanted => return false,
                        _ => {}
                    }
                }
            }
        }
    }
    true
}
fn expected(case: &Case) -> Topology {
    let o = Oracle::new(case);
    let all: BTreeSet<u32> = (0..o.faces.len() as u32).collect();
    let across =
        |f: u32| sides(o.faces[f as usize]).iter().flat_map(|k| o.edges[k].iter().copied()).collect();
    let components = groups(&all, across);
    let fans = |v: usize| {
        let at_v = |f: u32| {
            let keys = sides(o.faces[f as usize]).into_iter().filter(|k| k.0 == v as u32 || k.1 == v as u32);
            keys.flat_map(|k| o.edges[&k].iter().copied()).collect()
        };
        groups(&o.vertex_faces[v], at_v)
    };
    let nonmanifold_vertices = (0..o.vertices).filter(|&v| fans(v) > 1).count();
    let isolated = (0..o.vertices).filter(|&v| !case.faces.as_flattened().contains(&(v as u32))).count();
    let degenerate = case.faces.iter().filter(|f| BTreeSet::from(**f).len() < 3).count();
    let distinct: BTreeSet<Vec<u32>> = case.faces.iter().map(|f| sorted(f.iter().copied())).collect();
    let uses: Vec<(Key, Vec<bool>)> = o.edges.keys().map(|&k| (k, directions(&o, k))).collect();
    let nonmanifold = uses.iter().filter(|(_, d)| d.len() > 2).count();
    let inconsistent = uses.iter().filter(|(k, d)| k.0 != k.1 && d.len() == 2 && d[0] == d[1]).count();
    let boundary: BTreeSet<Key> = o.edges.keys().copied().filter(|&k| o.boundary_edge(k)).collect();
    let touching = |k: Key| {
        boundary.iter().copied().filter(|e| [e.0, e.1].iter().any(|&v| v == k.0 || v == k.1)).collect()
    };
    let characteristic = o.vertices as i64 - o.edges.len() as i64 + o.faces.len() as i64;
    let manifold = nonmanifold + nonmanifold_vertices + degenerate == 0;
    let genus = (!o.faces.is_empty() && manifold && orientable(&o)).then(|| {
        let loops = groups(&boundary, touching) as i64;
        let twice = 2 * components as i64 - loops - (characteristic - isolated as i64);
        assert!(twice >= 0 && twice % 2 == 0, "{}: twice the genus is {twice}", case.name);
        twice as u64 / 2
    });
    let valences = (0..o.vertices).filter(|&v| !o.vertex_faces[v].is_empty());
    let valences: Vec<f64> = valences.map(|v| o.neighbours(v as u32).len() as f64).collect();
    Topology {
        vertices: o.vertices as u64,
        edges: o.edges.len() as u64,
        faces: o.faces.len() as u64,
        boundary_edges: boundary.len() as u64,
        nonmanifold_edges: nonmanifold as u64,
        nonmanifold_vertices: nonmanifold_vertices as u64,
        components: components as u64,
        isolated_vertices: isolated as u64,
        degenerate_faces: degenerate as u64,
        duplicate_faces: (case.faces.len() - distinct.len()) as u64,
        inconsistent_edges: inconsistent as u64,
        euler_characteristic: characteristic,
        genus,
        valence: statistics(&valences),
    }
}
fn statistics(values: &[f64]) -> Option<Statistics> {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let of_squares = values.iter().map(|x| x * x).sum::<f64>() / n;
    (!values.is_empty()).then(|| Statistics {
        count: values.len() as u64,
        min: values.iter().copied().fold(f64::INFINITY, f64::min),
        max: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        mean,
        standard_deviation: (of_squares - mean * mean).max(0.0).sqrt(),
    })
}
fn close(found: Option<Statistics>, expected: Option<Statistics>, what: &str) {
    let (Some(a), Some(b)) = (found, expected) else {
        assert_eq!(found, expected, "{what}");
        return;
    };
    assert_eq!(a.count, b.count, "{what}");
    let scale = 1e-6 * b.max.abs().max(1e-30);
    let figures = |s: Statistics| [s.min, s.max, s.mean, s.standard_deviation];
    for (a, b) in figures(a).into_iter().zip(figures(b)) {
        assert!((a - b).abs() <= scale, "{what}: {a} is not {b}");
    }
}
fn check(device: &Device, case: &Case) {
    let (found, expected) = (topology(device, case), expected(case));
    close(found.valence, expected.valence, &format!("valence of {}", case.name));
    assert_eq!(Topology { valence: expected.valence, ..found }, expected, "{}", case.name);
}

fn positions(n: usize) -> Vec<[f32; 3]> {
    let mut random = Random(5);
    (0..n).map(|_| [0; 3].map(|_| random.below(2000) as f32 / 1000.0 - 1.0)).collect()
}
fn expected_geometry(case: &Case, positions: &[[f32; 3]]) -> Geometry {
    let o = Oracle::new(case);
    let vector = |a: u32, b: u32| {
        let (a, b) = (positions[a as usize].map(f64::from), positions[b as usize].map(f64::from));
        [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
    };
    let dot = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let length = |a, b| dot(vector(a, b), vector(a, b)).sqrt();
    let lengths: Vec<f64> = o.edges.keys().filter(|k| k.0 != k.1).map(|k| length(k.0, k.1)).collect();
    let mut angles = vec![];
    for c in case.faces.iter().filter(|f| BTreeSet::from(**f).len() == 3) {
        for i in 0..3 {
            let (u, v) = (vector(c[i], c[(i + 1) % 3]), vector(c[i], c[(i + 2) % 3]));
            if dot(u, u) > 0.0 && dot(v, v) > 0.0 {
                let cosine = dot(u, v) / (dot(u, u) * dot(v, v)).sqrt();
                angles.push(cosine.clamp(-1.0, 1.0).acos().to_degrees());
            }
        }
    }
    Geometry { edge_length: statistics(&lengths), angle: statistics(&angles) }
}

suite! {
    fn every_class(device) {
        for case in meshes::all() {
            check(device, &case);
        }
    }
    fn soups(device) {
        for seed in cases(0..40) {
            check(device, &meshes::soup(4 + seed as u32, 3 * seed as u32, seed));
        }
    }
    fn genus(device) {
        let knot = ribbonmesh_mesh::shapes::torus_knot(2, 3, 6, 90).expect("small");
        let knot = Case::new("knot", knot.positions.len(), knot.faces);
        let mut holes = meshes::torus(12);
        holes.faces.retain(|f| !f.contains(&0) && !f.contains(&50));
        let (torus, sphere) = (meshes::torus(12), meshes::icosphere(2));
        for (case, genus) in [
            (&sphere, Some(0)),
            (&torus, Some(1)),
            (&knot, Some(1)),
            (&holes, Some(1)),
            (&meshes::grid(9), Some(0)),
            (&two(&two(&torus, &sphere), &torus), Some(2)),
            (&meshes::mobius(11), None),
            (&meshes::book(3), None),
            (&Case::new("bow-tie", 5, vec![[0, 1, 2], [0, 3, 4]]), None),
            (&Case::new("degenerate", 4, vec![[0, 1, 2], [2, 2, 3]]), None),
            (&Case::new("only points", 5, vec![]), None),
        ] {
            assert_eq!(topology(device, case).genus, genus, "{}", case.name);
        }
    }
    fn projective_plane(device) {
        // six vertices, each two of them joined by an edge: closed and one-sided
        let faces = vec![[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5], [0, 5, 1], [1, 2, 4], [2, 3, 5], [3, 4, 1], [4, 5, 2], [5, 1, 3]];
        let found = topology(device, &Case::new("projective plane", 6, faces));
        assert_eq!((found.boundary_edges, found.nonmanifold_edges, found.nonmanifold_vertices), (0, 0, 0));
        assert_eq!((found.euler_characteristic, found.genus), (1, None));
        assert!(found.inconsistent_edges > 0);
    }
    fn defects(device) {
        let count = |faces: &[[u32; 3]], vertices| topology(device, &Case::new("defects", vertices, faces.to_vec()));
        let bow_tie = count(&[[0, 1, 2], [0, 3, 4]], 5);
        assert_eq!((bow_tie.nonmanifold_vertices, bow_tie.components), (1, 2));
        let book = count(&[[0, 1, 2], [0, 1, 3], [0, 1, 4]], 5);
        assert_eq!((book.nonmanifold_edges, book.nonmanifold_vertices, book.components), (1, 0, 1));
        let turned = count(&[[0, 1, 2], [0, 1, 3]], 5);
        assert_eq!((turned.inconsistent_edges, turned.isolated_vertices), (1, 1));
        let three = count(&[[0, 1, 2], [2, 1, 0], [1, 2, 0], [1, 1, 0]], 3);
        assert_eq!((three.duplicate_faces, three.degenerate_faces), (2, 1));
        assert!(topology(device, &meshes::mobius(12)).inconsistent_edges > 0);
    }
    fn lengths_and_angles(device) {
        for case in meshes::all() {
            let positions = positions(case.vertices);
            let found = mesh(device, &case).geometry(&positions).expect("a geometry");
            let expected = expected_geometry(&case, &positions);
            close(found.edge_length, expected.edge_length, &format!("edge length of {}", case.name));
            close(found.angle, expected.angle, &format!("angle of {}", case.name));
        }
    }
    fn the_same_without_patches(device) {
        for case in cases(meshes::all()) {
            let flat = FlatTopology::new(device, case.vertices, &case.faces).expect("triangles");
            let (mut found, mut expected) = (flat.topology().expect("a topology"), topology(device, &case));
            // sums in another order
            close(found.valence.take(), expected.valence.take(), &case.name);
            assert_eq!(found, expected, "{}", case.name);
            let x = positions(case.vertices);
            let found = flat.geometry(&x).expect("lengths and angles");
            let expected = expected_geometry(&case, &x);
            close(found.edge_length, expected.edge_length, &case.name);
            close(found.angle, expected.angle, &case.name);
            let error = flat.geometry(&vec![[0.0; 3]; case.vertices + 1]).expect_err("one too many");
            assert!(matches!(error, Error::Length { .. }), "{error}");
        }
        // too many faces at a vertex for a patch
        let cones = two(&meshes::fan(20_000, true), &meshes::fan(100_000, true));
        let flat = FlatTopology::new(device, cones.vertices, &cones.faces).expect("triangles");
        let found = flat.topology().expect("a topology");
        assert_eq!((found.faces, found.edges, found.boundary_edges), (120_000, 240_000, 120_000));
        assert_eq!((found.components, found.genus, found.nonmanifold_vertices), (2, Some(0), 0));
        assert_eq!(found.valence.expect("neighbours").max, 100_000.0);
    }
    fn right_angle(device) {
        let case = Case::new("right angle", 4, vec![[0, 1, 2], [3, 3, 0]]);
        let positions = [[0.0, 0.0, 0.0], [3e-20, 0.0, 0.0], [0.0, 4e-20, 0.0], [1e-20, 0.0, 0.0]];
        let found = mesh(device, &case).geometry(&positions).expect("a geometry");
        let (length, angle) = (found.edge_length.expect("edges"), found.angle.expect("corners"));
        assert_eq!((length.count, angle.count), (4, 3));
        assert!((angle.max - 90.0).abs() < 1e-9 && (angle.mean - 60.0).abs() < 1e-9, "{angle:?}");
        assert!((length.max - 5e-20).abs() < 1e-26, "{length:?}");
    }
    fn corners_without_angle(device) {
        let case = Case::new("two places", 3, vec![[0, 1, 2]]);
        let found = mesh(device, &case).geometry(&[[1.0; 3], [1.0; 3], [2.0; 3]]).expect("a geometry");
        let angle = found.angle.expect("one corner");
        assert_eq!((angle.count, angle.max, found.edge_length.expect("edges").min), (1, 0.0, 0.0));
        let found = mesh(device, &case).geometry(&[[1.0; 3]; 3]).expect("a geometry");
        assert_eq!(found.angle, None);
    }
    fn wrong_number_of_positions(device) {
        let found = mesh(device, &meshes::grid(5)).geometry(&[[0.0; 3]; 7]);
        assert!(matches!(found, Err(Error::Length { expected: 25, found: 7, .. })), "{found:?}");
    }
    fn same_for_any_number_of_threads(device) {
        let (case, one) = (meshes::icosphere(size(5, 4)), Device::cpu_with_threads(1).expect("a thread"));
        let positions = positions(case.vertices);
        let (a, b) = (mesh(device, &case), mesh(&one, &case));
        assert_eq!(a.geometry(&positions).expect("a geometry"), b.geometry(&positions).expect("a geometry"));
        assert_eq!(a.topology().expect("a topology"), b.topology().expect("a topology"));
    }
}

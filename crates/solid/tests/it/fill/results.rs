//! Tests of filling holes of every kind.

use crate::fill::common::{fill, fill_all, without};
use glam::DVec3;
use proptest::prelude::*;
use ribbonmesh::Device;
use ribbonmesh_mesh::{MeshError, TriangleMesh, shapes};
use ribbonmesh_solid::fill::{
    FillError, FillOptions, Left, Method, Triangulation, fill_holes, fill_holes_where, fill_holes_without,
    holes,
};

/// Options of each method, with and without the exact triangulation.
fn every_way() -> Vec<FillOptions> {
    let with =
        |method, exact_up_to| FillOptions { method, exact_up_to, borders: true, ..FillOptions::default() };
    vec![with(Method::Flat, 128), with(Method::Flat, 0), with(Method::Smooth, 128), with(Method::Smooth, 0)]
}

/// A closed strip around an axis, of `n` squares cut in two: two holes of `n` edges.
fn annulus(n: u32, inner: f64, outer: f64) -> TriangleMesh {
    let place = |i: u32| {
        let (sin, cos) = (f64::from(i / 2) * std::f64::consts::TAU / f64::from(n)).sin_cos();
        let radius = if i.is_multiple_of(2) { inner } else { outer };
        DVec3::new(radius * cos, radius * sin, 0.0)
    };
    let square = |i: u32| {
        let [a, b, c, d] = [2 * i, 2 * i + 1, (2 * i + 2) % (2 * n), (2 * i + 3) % (2 * n)];
        [[a, b, d], [a, d, c]]
    };
    TriangleMesh::new((0..2 * n).map(place).collect(), (0..n).flat_map(square).collect())
}

#[test]
fn a_closed_surface_has_no_hole() {
    let sphere = shapes::icosphere(2).expect("small");
    let (filled, report) = fill_all(&sphere, &FillOptions::default());
    assert_eq!((filled, report.holes.len()), (sphere, 0));
}

#[test]
fn a_missing_face_comes_back() {
    let sphere = shapes::icosphere(2).expect("small");
    for options in every_way() {
        let mut open = sphere.clone();
        let gone = open.faces.remove(77);
        let (filled, report) = fill_all(&open, &options);
        let mut last = *filled.faces.last().expect("a face");
        while last[0] != gone[0] {
            last.rotate_left(1);
        }
        assert_eq!((last, report.faces_added, report.vertices_added), (gone, 1, 0));
        assert_eq!(report.holes[0].hole.edges, 3);
    }
}

#[test]
fn holes_of_a_grid_and_its_border() {
    let mut grid = shapes::grid(12, 3).expect("small");
    let area = grid.area();
    // a square of faces, a single face, and the border
    grid = without(grid, |p| p.x > 0.3 && p.x < 0.6 && p.y > 0.3 && p.y < 0.6);
    let inside = |p: &DVec3| p.x > 0.05 && p.x < 0.28 && p.y > 0.05 && p.y < 0.9;
    let places = &grid.positions;
    let single = grid.faces.iter().position(|face| face.iter().all(|&v| inside(&places[v as usize])));
    grid.faces.remove(single.expect("a face inside"));
    let found = holes(&Device::cpu(), &grid).expect("a manifold");
    assert_eq!(found.len(), 3);
    let border = found.iter().map(|hole| hole.edges).max();
    for options in every_way() {
        let (filled, report) = fill(&grid, &FillOptions { keep_largest: true, ..options });
        assert_eq!((report.filled, report.left), (2, 1));
        let left = report.holes.iter().find(|hole| hole.left == Some(Left::Largest)).expect("the border");
        assert_eq!(Some(left.hole.edges), border);
        assert!((filled.area() - area).abs() < 1e-6 * area, "flat again: {} {area}", filled.area());
        fill_all(&grid, &options);
    }
    let small = FillOptions { up_to: Some(4), ..FillOptions::default() };
    let (_, report) = fill(&grid, &small);
    assert_eq!(report.holes.iter().filter(|hole| hole.left == Some(Left::TooManyEdges)).count(), 2);
    let short = FillOptions { perimeter: Some(2.0), ..FillOptions::default() };
    let (_, report) = fill(&grid, &short);
    assert_eq!(report.holes.iter().filter(|hole| hole.left == Some(Left::TooLong)).count(), 1);
    assert_eq!(report.filled, 2);
}

#[test]
fn an_annulus_becomes_a_flat_body() {
    let mesh = annulus(40, 1.0, 2.0);
    for options in every_way() {
        let (_, report) = fill_all(&mesh, &options);
        assert_eq!(report.holes.iter().map(|hole| hole.hole.edges).collect::<Vec<_>>(), [40, 40]);
    }
}

#[test]
fn a_hundred_holes_of_a_sphere() {
    let mut sphere = shapes::bumpy_sphere(5, 3).expect("small");
    let volume = sphere.volume().expect("closed");
    let mut gone = vec![false; sphere.positions.len()];
    (0..100_u32).for_each(|i| gone[(i * 97 + 13) as usize] = true);
    sphere.faces.retain(|face| !face.iter().any(|&v| gone[v as usize]));
    for options in every_way() {
        let (filled, report) = fill_all(&sphere, &options);
        assert!(report.holes.len() > 60 && report.filled == report.holes.len());
        let again = filled.volume().expect("closed");
        assert!((again / volume - 1.0).abs() < 0.01, "{again} {volume}");
    }
}

#[test]
fn a_torus_with_a_slit() {
    let torus = shapes::torus(40, 1).expect("small");
    let volume = torus.volume().expect("closed");
    // a ring around the tube is missing: two holes; and a slit half around the hole
    for (open, loops) in [
        (without(torus.clone(), |p| p.x > 0.0 && p.y.abs() < 0.12), 2),
        (without(torus, |p| p.x > 0.0 && p.z > 0.0 && (p.truncate().length() - 1.0).abs() < 0.1), 1),
    ] {
        for options in every_way() {
            let (filled, report) = fill_all(&open, &options);
            assert_eq!(report.holes.len(), loops);
            let again = filled.volume().expect("closed");
            assert!((again / volume - 1.0).abs() < 0.2, "{again} {volume}");
        }
    }
}

#[test]
fn holes_that_touch_at_a_vertex_are_two() {
    // a square of 2 × 2 squares, two of them missing, in diagonal corners of the middle of a grid
    let n = 6;
    let positions = (0..n * n).map(|i| DVec3::new(f64::from(i % n), f64::from(i / n), 0.0)).collect();
    let mut faces = vec![];
    for (x, y) in (0..n - 1).flat_map(|x| (0..n - 1).map(move |y| (x, y))) {
        if (x, y) == (1, 1) || (x, y) == (2, 2) {
            continue;
        }
        let v = y * n + x;
        faces.extend([[v, v + 1, v + n + 1], [v, v + n + 1, v + n]]);
    }
    let mesh = TriangleMesh::new(positions, faces);
    let found = holes(&Device::cpu(), &mesh).expect("touching loops are allowed");
    assert_eq!(found.iter().map(|hole| hole.edges).collect::<Vec<_>>(), [20, 4, 4]);
    for options in every_way() {
        let (filled, report) = fill(&mesh, &FillOptions { keep_largest: true, ..options });
        assert_eq!((report.filled, report.vertices_split.len()), (2, 0));
        assert!((filled.area() - 25.0).abs() < 1e-12);
        fill_all(&mesh, &options);
    }
}

#[test]
fn a_loop_that_passes_a_vertex_twice_is_split_there() {
    // two squares that share a corner
    let p = [[0, 0], [1, 0], [1, 1], [0, 1], [2, 1], [2, 2], [1, 2]];
    let positions = p.map(|[x, y]| DVec3::new(f64::from(x), f64::from(y), 0.0)).to_vec();
    let mut mesh = TriangleMesh::new(positions, vec![[0, 1, 2], [0, 2, 3], [2, 4, 5], [2, 5, 6]]);
    mesh.vertices_mut().insert("tag", (0..7).collect::<Vec<u32>>()).expect("a row each");
    for options in every_way() {
        let (filled, report) = fill_all(&mesh, &options);
        assert_eq!(report.vertices_split, [(2, 1)]);
        assert_eq!(report.holes.iter().map(|hole| hole.hole.edges).collect::<Vec<_>>(), [4, 4]);
        assert_eq!(filled.vertices().get::<u32>("tag").expect("tags")[7], 2);
    }
}

#[test]
fn no_edge_is_doubled() {
    // the outside of one face; of two; of a fan, whose only chords are edges already; and of a disc without
    // inner vertices
    let places =
        |n: u32| (0..n).map(|i| DVec3::new(f64::from(i), f64::from(i * i % 7), f64::from(i * i % 5)));
    let meshes = [
        (3, vec![[0, 1, 2]]),
        (4, vec![[0, 1, 2], [0, 2, 3]]),
        (5, vec![[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]]),
        (7, vec![[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5], [0, 5, 6]]),
    ];
    for (n, faces) in meshes {
        let mesh = TriangleMesh::new(places(n).collect(), faces);
        for options in every_way() {
            let (_, report) = fill_all(&mesh, &options);
            let lone = n == 3;
            let filling = report.holes[0].filling.as_ref().expect("filled");
            assert_eq!(filling.triangulation == Triangulation::Centre, lone, "{n}: {report:?}");
        }
    }
    // the torus of seven vertices, each two of which have an edge: without a vertex and its faces, all chords
    // are edges
    let torus = (0..7).flat_map(|i| [[i, (i + 1) % 7, (i + 3) % 7], [i, (i + 3) % 7, (i + 2) % 7]]);
    let open: Vec<[u32; 3]> = torus.filter(|face| !face.contains(&0)).collect();
    for options in every_way() {
        let (_, report) = fill_all(&TriangleMesh::new(places(7).collect(), open.clone()), &options);
        let filling = report.holes[0].filling.as_ref().expect("filled");
        assert_eq!((filling.triangulation, report.holes[0].hole.edges), (Triangulation::Centre, 6));
    }
}

#[test]
fn what_is_refused() {
    let refused = |mesh: &TriangleMesh| {
        let mut changed = mesh.clone();
        let error = fill_holes(&Device::cpu(), &mut changed, &FillOptions::default()).expect_err("refused");
        assert_eq!(&changed, mesh);
        assert!(holes(&Device::cpu(), mesh).is_err());
        assert!(matches!(error, FillError::NotManifold(_)), "{error}");
        error.to_string()
    };
    let strip = shapes::mobius(20, 4).expect("small");
    assert!(refused(&strip).contains("have opposite orientations at edge"));
    let places: Vec<DVec3> = (0..7).map(|i| DVec3::new(f64::from(i), f64::from(i * i), 0.0)).collect();
    let mesh = |faces: &[[u32; 3]]| TriangleMesh::new(places.clone(), faces.to_vec());
    let book = refused(&mesh(&[[0, 1, 2], [1, 0, 3], [0, 1, 4]]));
    assert!(book.contains("edge 0-1 has 3 faces (0, 1, 2)") && book.contains("repair"), "{book}");
    assert!(refused(&mesh(&[[0, 1, 1], [2, 3, 4]])).contains("face 0 has a vertex twice"));
    // two closed bodies that touch at a vertex have no loop there
    let tetrahedron = |a, b, c, d| [[a, c, b], [a, b, d], [b, c, d], [c, a, d]];
    let closed = [tetrahedron(0, 1, 2, 3), tetrahedron(0, 4, 5, 6)].concat();
    assert!(refused(&mesh(&closed)).contains("vertex 0 has 2 fans"));
    // with a hole of one elsewhere
    let open = refused(&mesh(&closed[..7]));
    assert!(open.contains("vertex 0"), "{open}");

    let mut mesh = mesh(&[[0, 1, 2]]);
    let wrong = FillOptions { perimeter: Some(f64::NAN), ..FillOptions::default() };
    assert!(matches!(fill_holes(&Device::cpu(), &mut mesh, &wrong), Err(FillError::Option(_))));
    let wrong = FillOptions { exact_up_to: 5000, ..FillOptions::default() };
    assert!(matches!(fill_holes(&Device::cpu(), &mut mesh, &wrong), Err(FillError::Option(_))));
    mesh.positions[1].y = f64::NAN;
    assert!(matches!(holes(&Device::cpu(), &mesh), Err(FillError::Mesh(MeshError::NotFinite { vertex: 1 }))));
    mesh.faces[0][2] = 9;
    assert!(matches!(holes(&Device::cpu(), &mesh), Err(FillError::Mesh(_))));
}

/// Greatest difference from 1 of the distances of new vertices and middles of new faces from the origin.
fn off_the_sphere(filled: &TriangleMesh, old_faces: usize) -> f64 {
    let place = |v: u32| filled.positions[v as usize];
    let middles = filled.faces[old_faces..].iter().map(|face| face.map(place).iter().sum::<DVec3>() / 3.0);
    middles.map(|p| (p.length() - 1.0).abs()).fold(0.0, f64::max)
}

// measured with an edge of about 0.07: flat 0.074, 0.27, 0.47, 0.93; smooth 0.0019, 0.0019, 0.0019, 0.015, of
// which about 0.0008 are the distance of a face's middle from the sphere
#[test]
fn a_cap_comes_back_smooth() {
    for (height, bound) in [(0.9, 0.004), (0.7, 0.004), (0.4, 0.008), (0.0, 0.06)] {
        let open = without(shapes::icosphere(4).expect("small"), |p| p.z > height);
        let [flat, smooth] = [Method::Flat, Method::Smooth].map(|method| {
            let (filled, _) = fill_all(&open, &FillOptions { method, ..FillOptions::default() });
            off_the_sphere(&filled, open.faces.len())
        });
        assert!(smooth < bound && smooth < flat / 15.0, "above {height}: flat {flat}, smooth {smooth}");
    }
}

#[test]
fn coordinates_far_away_and_tiny() {
    let open = without(shapes::icosphere(3).expect("small"), |p| p.z > 0.7);
    let (near, _) = fill_all(&open, &FillOptions::default());
    for (scale, offset) in [(1e-30, 0.0), (1e30, 0.0), (1.0, 5e6)] {
        let mut moved = open.clone();
        moved.precision = ribbonmesh_mesh::Precision::Double;
        moved.positions.iter_mut().for_each(|p| *p = *p * scale + DVec3::splat(offset));
        let mut filled = moved.clone();
        let report = fill_holes(&Device::cpu(), &mut filled, &FillOptions::default()).expect("filled");
        assert_eq!(report.faces_added, near.faces.len() - open.faces.len());
        for (a, b) in near.positions.iter().zip(&filled.positions) {
            assert!(((*b - DVec3::splat(offset)) / scale).distance(*a) < 1e-5, "{a} {b}");
        }
    }
}

#[test]
fn long_boundaries_end() {
    // cones with a zigzag border
    for (method, n) in [(Method::Flat, 50_000_u32), (Method::Smooth, 3000)] {
        let place = |i: u32| {
            let (sin, cos) = (f64::from(i) * std::f64::consts::TAU / f64::from(n)).sin_cos();
            let radius = if i.is_multiple_of(3) { 1.0002 } else { 1.0 };
            DVec3::new(radius * cos, radius * sin, 0.0)
        };
        let positions = (0..n).map(place).chain([DVec3::NEG_Z]).collect();
        let mesh = TriangleMesh::new(positions, (0..n).map(|i| [(i + 1) % n, i, n]).collect());
        let (filled, report) = fill_all(&mesh, &FillOptions { method, ..FillOptions::default() });
        let filling = report.holes[0].filling.as_ref().expect("filled");
        assert_eq!(filling.triangulation, Triangulation::Ears);
        if method == Method::Flat {
            let pi = std::f64::consts::PI;
            assert!((filling.area - pi).abs() < 0.01 * pi, "{}", filling.area);
        }
        assert!(filled.volume().expect("closed").abs() > 1.0);
    }
}

/// A frame around a star with `n` points: one hole is the star, the other one its outline, one and a half
/// times as large.
fn star(n: u32, depth: f64, x: DVec3, y: DVec3) -> (TriangleMesh, f64) {
    let place = |i: u32, scale: f64| {
        let (sin, cos) = (f64::from(i) * std::f64::consts::PI / f64::from(n)).sin_cos();
        let radius = scale * if i.is_multiple_of(2) { 1.0 } else { depth };
        x * (radius * cos) + y * (radius * sin)
    };
    let count = 2 * n;
    let positions = (0..count).map(|i| place(i, 1.0)).chain((0..count).map(|i| place(i, 1.5)));
    let square = |i: u32| {
        let j = (i + 1) % count;
        [[i, count + i, count + j], [i, count + j, j]]
    };
    let mesh = TriangleMesh::new(positions.collect(), (0..count).flat_map(square).collect());
    (mesh, f64::from(n) * depth * (std::f64::consts::PI / f64::from(n)).sin())
}

#[test]
fn stars_in_random_planes_are_not_overfilled() {
    for (n, normal) in [(5, DVec3::new(1.0, 2.0, 3.0)), (40, DVec3::new(-3.0, 1.0, 0.2)), (300, DVec3::X)] {
        let (x, y) = normal.normalize().any_orthonormal_pair();
        for depth in [0.2, 0.5, 0.9] {
            let (mesh, area) = star(n, depth, x, y);
            for options in every_way() {
                let (_, report) = fill(&mesh, &FillOptions { keep_largest: true, ..options });
                let filling = report.holes.iter().find_map(|hole| hole.filling.as_ref()).expect("filled");
                let ratio = filling.area / area;
                // fairing may fold faces in narrow points
                let most = if options.method == Method::Flat { 1.001 } else { 1.5 };
                assert!((0.999..most).contains(&ratio), "{n} points, {depth}, {options:?}: {ratio}");
                let folded = filling.max_dihedral_angle > 1.0;
                assert!(
                    !folded || options.method == Method::Smooth,
                    "{n}, {depth}, {options:?}: {filling:?}"
                );
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn random_holes_of_random_surfaces(seed in 0_u64..1000, gone in prop::collection::vec(0_usize..2000, 1..200), way in 0_usize..4) {
        let mut mesh = shapes::torus(20, seed).expect("small");
        let count = mesh.faces.len();
        let gone: std::collections::BTreeSet<usize> = gone.into_iter().map(|i| i % count).collect();
        let mut number = 0;
        mesh.faces.retain(|_| { number += 1; !gone.contains(&(number - 1)) });
        if holes(&Device::cpu(), &mesh).is_ok() {
            fill_all(&mesh, &every_way()[way]);
        }
    }
}

#[test]
fn a_loop_that_passes_a_vertex_three_times() {
    // a hexagon with three arms to one vertex, which come there in the wrong order: the boundary is one loop
    let at = |k: u32| {
        let (sin, cos) = (f64::from(k) * std::f64::consts::TAU / 6.0).sin_cos();
        DVec3::new(cos, sin, 0.0)
    };
    let ring = [0, 1, 4, 5, 2, 3].map(at);
    let positions: Vec<DVec3> = [DVec3::new(0.0, 0.0, -1.0), DVec3::Z].into_iter().chain(ring).collect();
    let hexagon = (0..6).map(|k| [1, 2 + k, 2 + (k + 1) % 6]);
    let arms = (0..3).map(|arm| [0, 3 + 2 * arm, 2 + 2 * arm]);
    let mesh = TriangleMesh::new(positions, hexagon.chain(arms).collect());
    for options in every_way() {
        let (filled, report) = fill_all(&mesh, &options);
        assert!(filled.is_closed());
        assert_eq!((report.holes.len(), &report.vertices_split[..]), (1, &[(0, 2)][..]));
    }
}

#[test]
fn edges_are_refused() {
    // a pyramid without its square: a filling with one diagonal or the other
    let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[x, y]| DVec3::new(x, y, 0.0));
    let positions = corners.into_iter().chain([DVec3::new(0.5, 0.5, 1.0)]).collect();
    let faces = (0..4).map(|i| [i, (i + 1) % 4, 4]).collect();
    let mesh = TriangleMesh::new(positions, faces);
    let diagonal = |filled: &TriangleMesh| {
        let has = |edge: [u32; 2]| filled.faces.iter().any(|face| edge.iter().all(|v| face.contains(v)));
        [[0, 2], [1, 3]].map(has)
    };
    for options in every_way() {
        let with = |refused: &[[u32; 2]]| {
            let mut filled = mesh.clone();
            fill_holes_without(
                &Device::cpu(),
                &mut filled,
                &options,
                |_| true,
                |edge| refused.contains(&edge),
            )
            .expect("a manifold");
            assert!(filled.is_closed());
            diagonal(&filled)
        };
        assert_eq!(with(&[[0, 2]]), [false, true]);
        assert_eq!(with(&[[1, 3]]), [true, false]);
        assert_eq!(with(&[[0, 2], [1, 3]]), [false, false], "a vertex within");
        // edges are given to the function with the lesser vertex first
        assert_eq!(with(&[[2, 0], [3, 1]]), with(&[]));
    }
}

#[test]
fn holes_are_chosen() {
    let sphere = shapes::icosphere(3).expect("small");
    let mut mesh = sphere;
    mesh.faces.retain(|face| !face.contains(&100) && !face.contains(&200));
    let around = holes(&Device::cpu(), &mesh).expect("a manifold");
    assert_eq!(around.len(), 2);
    for chosen in 0..2 {
        let mut filled = mesh.clone();
        let wanted = |vertices: &[u32]| vertices.contains(&around[chosen].vertex);
        let report = fill_holes_where(&Device::cpu(), &mut filled, &FillOptions::default(), wanted)
            .expect("a manifold");
        assert_eq!((report.filled, report.left), (1, 1));
        assert_eq!(report.holes[1 - chosen].left, Some(Left::NotChosen));
        assert_eq!(holes(&Device::cpu(), &filled).expect("a manifold"), [around[1 - chosen].clone()]);
        // two holes are not joined if only one of them is chosen
        let options = FillOptions { join: Some(10.0), ..FillOptions::default() };
        let report =
            fill_holes_where(&Device::cpu(), &mut mesh.clone(), &options, wanted).expect("a manifold");
        assert_eq!((report.filled, report.joined), (1, 0));
    }
}

/// A tube around z of `n` squares in each ring, from z = 0 to 2; every second vertex of its upper rim is
/// moved up by `tooth`.
fn tube(n: u32, tooth: f64) -> TriangleMesh {
    let rings = 8;
    let place = |i: u32| {
        let (sin, cos) = (f64::from(i % n) * std::f64::consts::TAU / f64::from(n)).sin_cos();
        let up = if i / n == rings && i.is_multiple_of(2) { tooth } else { 0.0 };
        DVec3::new(cos, sin, 2.0 * f64::from(i / n) / f64::from(rings) + up)
    };
    let square = |i: u32| {
        let (ring, k) = (i / n, i % n);
        let [a, b] = [ring * n + k, ring * n + (k + 1) % n];
        [[a, b, b + n], [a, b + n, a + n]]
    };
    TriangleMesh::new((0..n * (rings + 1)).map(place).collect(), (0..n * rings).flat_map(square).collect())
}

#[test]
fn jagged_rims_do_not_become_balloons() {
    let turned = glam::DMat3::from_euler(glam::EulerRot::XYZ, 0.3, 1.1, -0.7);
    for n in [12, 24, 60] {
        for tooth in [0.0, 0.2, 0.4, 0.8, 1.2, 2.5] {
            let flat =
                fill_all(&tube(n, tooth), &FillOptions { method: Method::Flat, ..FillOptions::default() });
            let volume = flat.0.volume().expect("closed");
            for (scale, offset) in [(1.0, 0.0), (1e-3, 0.0), (1e3, 0.0), (1.0, 1e5)] {
                let mut mesh = tube(n, tooth);
                mesh.precision = ribbonmesh_mesh::Precision::Double;
                mesh.positions.iter_mut().for_each(|p| *p = turned * *p * scale + DVec3::splat(offset));
                let (filled, report) = fill_all(&mesh, &FillOptions::default());
                let back = |p: &DVec3| turned.transpose() * ((*p - DVec3::splat(offset)) / scale);
                let heights = filled.positions.iter().map(|p| back(p).z);
                let highest = heights.clone().fold(0.0, f64::max);
                let lowest = heights.fold(0.0, f64::min);
                assert!(
                    highest <= 2.0 + tooth + 1.2 && lowest >= -1.2,
                    "{n}, {tooth}: {lowest} to {highest}: {report:?}"
                );
                let found = filled.volume().expect("closed") / scale.powi(3);
                assert!(found > 0.7 * volume && found < volume + 5.0, "{n}, {tooth}: {found} {volume}");
                let flat = |hole: &ribbonmesh_solid::fill::HoleReport| {
                    hole.filling.as_ref().is_some_and(|filling| filling.flat_because.is_some())
                };
                // others get no new vertices, or bulge little
                assert!((n, tooth) != (24, 1.2) || report.holes.iter().any(flat), "{report:?}");
            }
        }
    }
}

#[test]
fn a_base_that_flares_is_closed_flat() {
    // a bell: its side widens to the rim, so that its curvature would continue outwards
    let mut bell = tube(40, 0.0);
    bell.faces.extend((0..40).map(|k| [(k + 1) % 40, k, bell.positions.len() as u32]));
    bell.positions.push(DVec3::ZERO);
    for p in &mut bell.positions {
        let wide = 1.0 + 0.35 * p.z * p.z;
        (p.x, p.y) = (p.x * wide, p.y * wide);
    }
    let (filled, report) = fill_all(&bell, &FillOptions::default());
    let (flat, _) = fill_all(&bell, &FillOptions { method: Method::Flat, ..FillOptions::default() });
    let ratio = filled.volume().expect("closed") / flat.volume().expect("closed");
    assert!((1.0..1.5).contains(&ratio), "{ratio}: {report:?}");
}

#[test]
fn the_border_of_a_terrain_is_no_hole() {
    for (hills, turn) in [(0.0, 0.0), (0.5, 0.4), (1.5, 2.0)] {
        let n = 20;
        let place = |i: u32| {
            let (x, y) = (f64::from(i % n), f64::from(i / n));
            glam::DMat3::from_rotation_x(turn) * DVec3::new(x, y, hills * (0.7 * x).sin() * (0.5 * y).cos())
        };
        let square = |i: u32| {
            let a = i / (n - 1) * n + i % (n - 1);
            [[a, a + 1, a + n + 1], [a, a + n + 1, a + n]]
        };
        let faces = (0..(n - 1) * (n - 1)).flat_map(square);
        let mut mesh = TriangleMesh::new((0..n * n).map(place).collect(), faces.collect());
        let gone = 9 * n + 9;
        mesh.faces.retain(|face| !face.contains(&gone));
        let (filled, report) = fill(&mesh, &FillOptions::default());
        let reasons: Vec<Option<Left>> = report.holes.iter().map(|hole| hole.left).collect();
        assert_eq!(reasons, [Some(Left::Border), None], "{hills}");
        assert!(!filled.is_closed());
        fill_all(&mesh, &FillOptions { borders: true, ..FillOptions::default() });
        // the mesh turned over is left, too
        mesh.faces.iter_mut().for_each(|face| face.swap(0, 1));
        assert_eq!(fill(&mesh, &FillOptions::default()).1.left, 1);
    }
    // half of a ball and a box without a lid have holes
    let half = without(shapes::icosphere(4).expect("small"), |p| p.z > 0.0);
    assert_eq!(fill(&half, &FillOptions::default()).1.left, 0);
}

#[test]
fn a_missing_ring_is_one_hole() {
    // rings of a torus, of a closed tube and of a ball
    let torus = shapes::torus(40, 1).expect("small");
    let whole = torus.volume().expect("closed");
    let ring = without(torus, |p| p.x > 0.0 && p.y.abs() < 0.12);
    let ball = shapes::icosphere(4).expect("small");
    let band = without(ball.clone(), |p| p.z.abs() < 0.1);
    for (mesh, volume) in [(ring, whole), (band, ball.volume().expect("closed"))] {
        for method in Method::ALL {
            let (filled, report) = fill_all(&mesh, &FillOptions { method, ..FillOptions::default() });
            assert_eq!((report.holes.len(), report.joined), (2, 1), "{report:?}");
            let again = filled.volume().expect("closed");
            assert!((again / volume - 1.0).abs() < 0.01, "{again} {volume}");
        }
        let (_, report) = fill_all(&mesh, &FillOptions { rings: false, ..FillOptions::default() });
        assert_eq!((report.joined, report.filled), (0, 2));
    }
    // the ends of a tube face away from each other, and so do the two of a short one
    for mesh in [tube(24, 0.0), without(tube(24, 0.0), |p| p.z > 0.3)] {
        assert_eq!(fill_all(&mesh, &FillOptions::default()).1.joined, 0);
    }
    // two holes side by side in one surface, and one on both sides of a thin body
    let two = without(shapes::icosphere(4).expect("small"), |p| {
        [-0.2, 0.2].iter().any(|x| p.distance(DVec3::new(*x, 0.0, 1.0)) < 0.15)
    });
    assert_eq!(fill_all(&two, &FillOptions::default()).1.joined, 0);
    let mut thin = without(shapes::icosphere(4).expect("small"), |p| p.truncate().length() < 0.4);
    thin.positions.iter_mut().for_each(|p| p.z *= 0.1);
    assert_eq!(fill_all(&thin, &FillOptions::default()).1.joined, 0);
}

//! Integer coordinates, against lengths, areas and counts.
use crate::{mesh, points};
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Device, Error};
use ribbonmesh_intrinsic::{
    Correspondence, Cover, Laplacian, Mass, Place, RefineOptions, RefineReport, Triangulation,
};
use ribbonmesh_mesh::{TriangleMesh, shapes};
use ribbonmesh_suite::{Random, cases, meshes, size, suite};
use std::collections::{BTreeMap, BTreeSet};

fn triangulation(device: &Device, mesh: &TriangleMesh, mollify: f64) -> Triangulation {
    let x = device.upload(&mesh.positions).expect("memory");
    let faces = device.upload(mesh.faces.as_flattened()).expect("memory");
    Triangulation::new(&x, faces, mollify).expect("a triangulation")
}
fn correspondence(mesh: &TriangleMesh, mollify: f64) -> Correspondence {
    Correspondence::new(&triangulation(&Device::cpu(), mesh, mollify)).expect("a correspondence")
}
fn whole(faces: &[[u32; 3]]) -> Vec<[u32; 3]> {
    faces.iter().copied().filter(|f| f[0] != f[1] && f[1] != f[2] && f[2] != f[0]).collect()
}
fn heron([a, b, c]: [f64; 3]) -> f64 {
    let s = 0.5 * (a + b + c);
    (s * (s - a) * (s - b) * (s - c)).max(0.0).sqrt()
}
/// The weight of a vertex at a place.
fn weight(place: &Place, v: u32) -> f64 {
    (0..3).filter(|&k| place.vertices[k] == v).map(|k| place.weights[k]).sum()
}
/// Vertices that faces have, less edges, plus faces.
fn euler(faces: &[[u32; 3]]) -> i64 {
    let vertices: BTreeSet<u32> = faces.iter().flatten().copied().collect();
    let sides = faces.iter().flat_map(|f| [[f[0], f[1]], [f[1], f[2]], [f[2], f[0]]]);
    let edges: BTreeSet<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
    vertices.len() as i64 - edges.len() as i64 + faces.len() as i64
}

/// Whether an edge has two faces at most, which run along it in opposite directions.
fn is_oriented(faces: &[[u32; 3]]) -> bool {
    let mut sides = faces.iter().flat_map(|f| [[f[0], f[1]], [f[1], f[2]], [f[2], f[0]]]);
    let mut seen = BTreeSet::new();
    sides.all(|side| seen.insert(side))
}

/// Each edge of the input has its length on the intrinsic triangles, both ways, and passes each crossing
/// once.
fn check_traces(name: &str, both: &Correspondence) {
    let mut seen = BTreeSet::new();
    for h in 0..both.input_half_edges() {
        let (trace, length) = (both.trace(h).expect("a half-edge"), both.input_length(h));
        assert!(
            (trace.length - length).abs() < 1e-7 * length,
            "{name}: {} instead of {length}",
            trace.length
        );
        let mut before = 0.0;
        let [from, to] = both.input_ends(h);
        assert_eq!(both.ends(trace.start)[0], from, "{name}");
        if let Some(same) = trace.same {
            assert_eq!((both.ends(same), both.crossings_of(same)), ([from, to], None), "{name}");
        }
        for crossing in &trace.crossings {
            assert!(crossing.along > before - 1e-7 && crossing.along < 1.0 + 1e-7, "{name}: {crossing:?}");
            assert!((-1e-7..=1.0 + 1e-7).contains(&crossing.across), "{name}: {crossing:?}");
            before = crossing.along;
            let count = both.crossings_of(crossing.half_edge).expect("not of the input");
            assert!(crossing.place < count, "{name}");
            assert!(seen.insert((crossing.half_edge, crossing.place)), "{name}: crossed twice");
        }
    }
    // each crossing from both sides of the intrinsic edge, by the two half-edges of the input
    assert_eq!(seen.len() as u64, 2 * both.crossings(), "{name}");
}
/// The common subdivision covers faces of the input and intrinsic triangles.
fn check_subdivision(name: &str, both: &Correspondence, faces: &[[u32; 3]]) {
    let (found, faces) = (both.subdivision().expect("a subdivision"), whole(faces));
    let sides = |f: usize| [0, 1, 2].map(|k| both.input_length((3 * f + k) as u32));
    let mut of_faces = vec![0.0; faces.len()];
    let mut of_triangles: BTreeMap<u32, f64> = BTreeMap::new();
    for ((piece, &input), &intrinsic) in found.faces.iter().zip(&found.inputs).zip(&found.intrinsics) {
        let corners = faces[input as usize];
        let [a, b, c] = piece.map(|p| {
            let place = &found.points[p as usize].input;
            let weights = DVec3::from(corners.map(|v| weight(place, v)));
            let sum = weights.element_sum();
            assert!(
                (sum - 1.0).abs() < 1e-9,
                "{name}: a corner of a piece is not in its face: {place:?}, {corners:?}"
            );
            weights
        });
        // the volume of the three weights is the part of the face
        let part = a.cross(b).dot(c);
        assert!(part > -1e-7, "{name}: a piece of {part} of a face");
        of_faces[input as usize] += part;
        *of_triangles.entry(intrinsic).or_default() += part * heron(sides(input as usize));
    }
    for (face, &part) in of_faces.iter().enumerate() {
        assert!((part - 1.0).abs() < 1e-6, "{name}: {part} of face {face}");
    }
    // where fronts are glued to fronts
    if is_oriented(&faces) {
        assert!(is_oriented(&found.faces), "{name}");
        assert_eq!(euler(&found.faces), euler(&faces), "{name}");
    }
    let largest = faces.iter().enumerate().map(|(f, _)| heron(sides(f))).fold(0.0, f64::max);
    for (&h, &area) in &of_triangles {
        let whole = heron(both.around(h).map(|h| both.length(h)));
        // half of the cover is the back
        let fits = if both.cover() == Cover::Single { (area - whole).abs() } else { area - whole };
        assert!(fits < 1e-6 * largest, "{name}: {area} of {whole}");
    }
    if both.cover() == Cover::Single {
        assert_eq!(of_triangles.len(), both.triangles().count(), "{name}");
    }
    // vertices stay what they are
    for (v, point) in (0..both.vertices() as u32).zip(&found.points) {
        assert_eq!((both.place(v), point.intrinsic.vertices), (Some(point.input), [v; 3]), "{name}");
    }
}
fn check(name: &str, both: &Correspondence, faces: &[[u32; 3]]) {
    check_traces(name, both);
    check_subdivision(name, both, faces);
}
fn random_flips(both: &mut Correspondence, count: u32, random: &mut Random) {
    for _ in 0..count {
        let h = random.below(both.half_edges());
        both.flip_edge(h).expect("a half-edge");
    }
}
fn random_vertices(both: &mut Correspondence, count: u32, random: &mut Random) {
    for _ in 0..count {
        let h = random.below(both.half_edges());
        let weights = [0; 3].map(|_| f64::from(1 + random.below(1000)));
        let v = both.insert(h, weights).expect("a triangle");
        assert_eq!(v as usize + 1, both.vertices());
    }
}
fn noisy<E: std::fmt::Debug>(shape: Result<TriangleMesh, E>, noise: f64) -> TriangleMesh {
    let mut shape = shape.expect("small");
    shapes::add_noise(&mut shape, noise, 3);
    mesh(shape.positions, shape.faces)
}
fn shapes() -> Vec<(&'static str, TriangleMesh)> {
    let mut needles = noisy(shapes::torus(10, 1), 0.1);
    needles.positions.iter_mut().for_each(|p| p.x *= 30.0);
    vec![
        ("a sphere", noisy(shapes::bumpy_sphere(2, 1), 0.4)),
        ("a torus", noisy(shapes::torus(9, 1), 0.4)),
        ("needles", needles),
        ("a grid", noisy(shapes::grid(8, 1), 0.4)),
        ("a strip of one side", noisy(shapes::mobius(12, 3), 0.3)),
    ]
}

#[test]
fn flips_of_every_class() {
    for (seed, case) in (1..).zip(meshes::all()) {
        let mesh = mesh(points(case.vertices, seed), case.faces.clone());
        let mut both = correspondence(&mesh, 1e-5);
        check(&case.name, &both, &case.faces);
        assert_eq!((both.crossings(), both.flips()), (0, 0));
        both.flip_to_delaunay();
        check(&case.name, &both, &case.faces);
    }
}
#[test]
fn random_soups() {
    for seed in cases(0..40) {
        let case = meshes::soup(4 + seed as u32 % 40, 60, seed);
        let mut both = correspondence(&mesh(points(case.vertices, seed + 7), case.faces.clone()), 1e-5);
        both.flip_to_delaunay();
        check("a soup", &both, &case.faces);
    }
}
#[test]
fn any_flips_and_vertices() {
    for (name, shape) in shapes() {
        for seed in cases(0..6) {
            let (mut random, mut both) = (Random(seed), correspondence(&shape, 0.0));
            for round in 0..4 {
                random_flips(&mut both, 3 * shape.faces.len() as u32, &mut random);
                check(name, &both, &shape.faces);
                if round % 2 == seed as u32 % 2 {
                    random_vertices(&mut both, shape.faces.len() as u32 / 4, &mut random);
                    check(name, &both, &shape.faces);
                }
            }
            both.flip_to_delaunay();
            check(name, &both, &shape.faces);
        }
    }
}
#[test]
fn flips_back() {
    let shape = noisy(shapes::torus(9, 1), 0.1);
    let mut both = correspondence(&shape, 0.0);
    let mut random = Random(5);
    let mut flipped = vec![];
    for _ in 0..200 {
        let h = random.below(both.half_edges());
        if both.flip_edge(h).expect("a half-edge") {
            flipped.push(h);
        }
    }
    assert!(both.crossings() > 0 && flipped.len() > 50);
    for &h in flipped.iter().rev() {
        // the diagonal after two flips runs the other way
        assert!(both.flip_edge(h).expect("a half-edge"));
    }
    assert_eq!(both.crossings(), 0);
    let all = (0..both.half_edges()).all(|h| both.crossings_of(h).is_none());
    assert!(all, "all edges are those of the input again");
    check("flips back", &both, &shape.faces);
}
/// Angles of triangles that have to be large, in degrees.
fn least_angle(both: &Correspondence) -> f64 {
    let mut least = f64::INFINITY;
    for h in both.triangles() {
        let (around, angles) = (both.around(h), both.corner_angles(h));
        let sharp = around.iter().any(|&h| both.angle_around(h) < std::f64::consts::FRAC_PI_3);
        for c in 0..3 {
            let ends = |h| both.ends(h);
            let single = ends(around[c])[1] == ends(around[(c + 2) % 3])[0]
                && both.length(around[c]) == both.length(around[(c + 2) % 3])
                && (both.angle_around(around[c]) - angles[c]).abs() < 1e-9;
            if !sharp && !single {
                least = least.min(angles[c].to_degrees());
            }
        }
    }
    least
}
fn refined(both: &mut Correspondence, options: &RefineOptions) -> RefineReport {
    let before = both.vertices();
    let report = both.refine(options).expect("a refinement");
    assert_eq!(both.vertices(), before + report.inserted);
    report
}
#[test]
fn angles_of_every_class() {
    for (seed, case) in (1..).zip(meshes::all()) {
        let shape = mesh(points(case.vertices, seed), case.faces.clone());
        let mut both = correspondence(&shape, 1e-3);
        let report = refined(&mut both, &RefineOptions::default());
        assert!(report.refined, "{}: {report:?}", case.name);
        let least = least_angle(&both);
        assert!(least >= 25.0, "{}: {least}, {report:?}", case.name);
        if report.inserted < 4000 {
            check(&case.name, &both, &case.faces);
        }
    }
}
#[test]
fn angles_of_shapes() {
    for (name, shape) in shapes() {
        for min_angle in [10.0, 25.0, 30.0] {
            let mut both = correspondence(&shape, 0.0);
            let options = RefineOptions { min_angle, ..RefineOptions::default() };
            let report = refined(&mut both, &options);
            println!(
                "{name}, {min_angle}: {report:?}, {} vertices, {} crossings",
                both.vertices(),
                both.crossings()
            );
            assert!(
                report.refined && report.left == 0 && least_angle(&both) >= min_angle,
                "{name}: {report:?}"
            );
            assert!((report.least_angle.expect("triangles") - least_angle(&both)).abs() < 1e-9);
            check(name, &both, &shape.faces);
        }
    }
}
#[test]
fn a_bound_on_new_vertices() {
    let (_, needles) = shapes().swap_remove(2);
    let mut both = correspondence(&needles, 0.0);
    let report = refined(&mut both, &RefineOptions { max_insertions: 5, ..RefineOptions::default() });
    assert_eq!((report.inserted, report.refined), (5, false));
    check("needles", &both, &needles.faces);
    assert!(refined(&mut both, &RefineOptions::default()).refined);
}
#[test]
fn refused() {
    let device = Device::cpu();
    let (_, shape) = shapes().swap_remove(0);
    let mut flipped = triangulation(&device, &shape, 0.0);
    flipped.flip_to_delaunay(1000).expect("flips");
    assert!(matches!(Correspondence::new(&flipped), Err(Error::Invalid(_))));
    let mut both = correspondence(&shape, 0.0);
    let n = both.half_edges();
    assert!(matches!(both.trace(n), Err(Error::Invalid(_))));
    assert!(matches!(both.flip_edge(n), Err(Error::Invalid(_))));
    for (h, weights) in [(n, [1.0; 3]), (0, [0.0; 3]), (0, [1.0, -1.0, 1.0]), (0, [1.0, f64::NAN, 1.0])] {
        assert!(matches!(both.insert(h, weights), Err(Error::Invalid(_))));
    }
    for min_angle in [-1.0, 31.0, f64::NAN] {
        let error = both.refine(&RefineOptions { min_angle, ..RefineOptions::default() });
        assert!(matches!(error, Err(Error::Option { option: "min_angle", .. })));
    }
    assert_eq!(both.vertices(), shape.positions.len());
}

/// Triangles, by their least half-edges, that lie on the front of a flat mesh altogether.
fn on_front(both: &Correspondence, x: &[DVec3]) -> BTreeSet<u32> {
    let found = both.subdivision().expect("a subdivision");
    let at = found.of_input(x);
    let mut areas: BTreeMap<u32, f64> = BTreeMap::new();
    for (piece, &h) in found.faces.iter().zip(&found.intrinsics) {
        let [a, b, c] = piece.map(|p| at[p as usize]);
        *areas.entry(h).or_default() += 0.5 * (b - a).cross(c - a).length();
    }
    let fits = |(h, area): (u32, f64)| {
        let whole = heron(both.around(h).map(|h| both.length(h)));
        (area > (1.0 - 1e-9) * whole).then_some(h)
    };
    areas.into_iter().filter_map(fits).collect()
}
/// A flat square of slivers: `n` columns of vertices, and thrice as many rows.
fn square(n: u32, seed: u64) -> TriangleMesh {
    let (rows, mut random) = (3 * n, Random(seed));
    let mut faces = vec![];
    let mut x = vec![];
    for i in 0..n * rows {
        let (column, row) = (i % n, i / n);
        let mut place = |k: u32, of: u32| {
            let inside = k > 0 && k + 1 < of;
            let moved = if inside { 0.45 * (f64::from(random.below(1000)) / 1000.0 - 0.5) } else { 0.0 };
            (f64::from(k) + moved) / f64::from(of - 1)
        };
        x.push(DVec3::new(place(column, n), place(row, rows), 0.0));
        if column + 1 < n && row + 1 < rows {
            faces.extend([[i, i + 1, i + n + 1], [i, i + n + 1, i + n]]);
        }
    }
    mesh(x, faces)
}
/// Solves (L + c M) u = M f by conjugate gradients.
fn solved(matrix: &ribbonmesh_sparse::Csr<f64>, mass: &[f64], c: f64, f: &[f64]) -> Vec<f64> {
    let product = |u: &[f64]| -> Vec<f64> {
        let product = matrix.multiply(u).expect("a product");
        (0..u.len()).map(|i| product[i] + c * mass[i] * u[i]).collect()
    };
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut r: Vec<f64> = mass.iter().zip(f).map(|(m, f)| m * f).collect();
    let (mut u, mut p) = (vec![0.0; r.len()], r.clone());
    let (mut square, first) = (dot(&r, &r), dot(&r, &r));
    while square > 1e-24 * first {
        let q = product(&p);
        let step = square / dot(&p, &q);
        for i in 0..u.len() {
            u[i] += step * p[i];
            r[i] -= step * q[i];
        }
        let next = dot(&r, &r);
        p = (0..u.len()).map(|i| r[i] + next / square * p[i]).collect();
        square = next;
    }
    u
}

suite! {
    fn the_same_laplacian_as_by_rounds(device) {
        for (name, shape) in shapes() {
            let mut both = correspondence(&shape, 0.0);
            both.flip_to_delaunay();
            let mut by_rounds = triangulation(device, &shape, 0.0);
            by_rounds.flip_to_delaunay(1000).expect("flips");
            let matrix = |of: &Triangulation| {
                let found = Laplacian::of(of, Mass::Voronoi).expect("a matrix");
                (found.to_csr().expect("a matrix"), found.mass().read().expect("memory"), *found.report())
            };
            let (ours, mass, report) = matrix(&both.triangulation(device).expect("memory"));
            let (theirs, expected, _) = matrix(&by_rounds);
            assert!(report.delaunay && report.flips == both.flips());
            for (row, column, value) in ours.triplets() {
                assert!((value - theirs.get(row as usize, column)).abs() < 1e-5, "{name}");
            }
            assert!(mass.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-5), "{name}");
        }
    }
    fn linear_functions_of_flat_regions(device) {
        let shape = square(size(14, 8), 3);
        let mut both = correspondence(&shape, 0.0);
        let report = refined(&mut both, &RefineOptions::default());
        assert!(report.inserted > 0 && report.refined, "{report:?}");
        let x: Vec<DVec3> = both.places().map(|place| place.value(&shape.positions)).collect();
        // the intrinsic triangles of the front are flat triangles
        let front = on_front(&both, &shape.positions);
        assert!(front.len() > shape.faces.len() / 2);
        for h in front.iter().flat_map(|&h| both.around(h)) {
            let [a, b] = both.ends(h);
            assert!((x[a as usize].distance(x[b as usize]) - both.length(h)).abs() < 1e-9);
        }
        let found = both.subdivision().expect("a subdivision");
        let (by_input, by_intrinsic) = (found.of_input(&shape.positions), found.of_intrinsic(&x));
        let inside = found.faces.iter().zip(&found.intrinsics).filter(|(_, h)| front.contains(h));
        for p in inside.flat_map(|(piece, _)| piece) {
            assert!(by_input[*p as usize].distance(by_intrinsic[*p as usize]) < 1e-9);
        }
        // and the Laplacian of a linear function is 0 where all triangles are such
        let laplacian = Laplacian::of(&both.triangulation(device).expect("memory"), Mass::Lumped);
        let laplacian = laplacian.expect("a matrix");
        let matrix = laplacian.to_csr().expect("a matrix");
        let u: Vec<f64> = x.iter().map(|p| 0.3 * p.x - 1.1 * p.y).collect();
        let product = matrix.multiply(&u).expect("a product");
        let mut others = BTreeSet::new();
        for h in both.triangles().filter(|h| !front.contains(h)) {
            others.extend(both.around(h).map(|h| both.ends(h)[0]));
        }
        let inner: Vec<usize> = (0..x.len()).filter(|&v| !others.contains(&(v as u32))).collect();
        assert!(inner.len() > 10 && inner.iter().any(|&v| v >= shape.positions.len()));
        assert!(inner.iter().all(|&v| product[v].abs() < 1e-10));
        let area: f64 = laplacian.mass().read().expect("memory").iter().sum();
        assert!((area - 1.0).abs() < 1e-9, "{area}");
    }
    fn poisson_converges(device) {
        // cos(π x) cos(2 π y) on the unit square, whose slope across the border is 0
        let exact = |p: DVec3| (std::f64::consts::PI * p.x).cos() * (std::f64::consts::TAU * p.y).cos();
        let eigenvalue = 5.0 * std::f64::consts::PI.powi(2);
        let mut errors = vec![];
        for n in [size(13, 7), size(25, 13)] {
            let shape = square(n, 9);
            let mut both = correspondence(&shape, 0.0);
            refined(&mut both, &RefineOptions::default());
            let x: Vec<DVec3> = both.places().map(|place| place.value(&shape.positions)).collect();
            let found = Laplacian::of(&both.triangulation(device).expect("memory"), Mass::Lumped).expect("a matrix");
            let mass = found.mass().read().expect("memory");
            let f: Vec<f64> = x.iter().map(|&p| (1.0 + eigenvalue) * exact(p)).collect();
            let u = solved(&found.to_csr().expect("a matrix"), &mass, 1.0, &f);
            let square: f64 = (0..u.len()).map(|i| mass[i] * (u[i] - exact(x[i])).powi(2)).sum();
            errors.push(square.sqrt());
        }
        println!("{errors:?}");
        assert!(errors[1] < 0.35 * errors[0], "{errors:?}");
    }
    fn the_same_bits_everywhere(device) {
        let (_, shape) = shapes().swap_remove(2);
        let bits = |device: &Device| {
            let mut both = Correspondence::new(&triangulation(device, &shape, 1e-5)).expect("memory");
            both.refine(&RefineOptions::default()).expect("a refinement");
            let found = Laplacian::of(&both.triangulation(device).expect("memory"), Mass::Lumped).expect("a matrix");
            let values = found.values().read().expect("memory");
            (values.into_iter().map(f64::to_bits).collect::<Vec<_>>(), both.flips(), both.crossings())
        };
        assert!(bits(device) == bits(&Device::cpu()));
    }
}

//! Laplacians of meshes of every kind.
use crate::oracle::Cover as Plain;
use crate::{mesh, points, surface};
use ribbonmesh::Device;
use ribbonmesh::glam::DVec3;
use ribbonmesh_intrinsic::{Cover, Laplacian, LaplacianOptions, Mass, Triangulation, laplacian};
use ribbonmesh_mesh::{TriangleMesh, shapes};
use ribbonmesh_sparse::Csr;
use ribbonmesh_suite::{cases, meshes, size, suite};

fn found(device: &Device, mesh: &TriangleMesh, options: &LaplacianOptions) -> Laplacian {
    laplacian(&surface(device, mesh), options).expect("a matrix")
}
fn bits(found: &Laplacian) -> (Vec<u32>, Vec<u32>, Vec<u64>, Vec<u64>) {
    let bits = |x: Vec<f64>| x.into_iter().map(f64::to_bits).collect();
    let read = |x: &ribbonmesh::Buffer<u32>| x.read().expect("memory");
    let values = bits(found.values().read().expect("memory"));
    (read(found.starts()), read(found.columns()), values, bits(found.mass().read().expect("memory")))
}
fn near(a: f64, b: f64, size: f64) -> bool {
    (a - b).abs() <= 1e-7 * size
}
/// Symmetric, rows add up to 0, and no positive weight between vertices if there need not be one.
fn check_matrix(name: &str, matrix: &Csr<f64>, is_delaunay: bool) {
    for row in 0..matrix.rows() {
        let (columns, values) = matrix.row(row);
        let size: f64 = values.iter().map(|v| v.abs()).sum();
        assert!(values.iter().sum::<f64>().abs() <= 1e-12 * size, "{name}: row {row}");
        for (&column, &value) in columns.iter().zip(values) {
            assert!(matrix.get(column as usize, row as u32) == value, "{name}: {row} {column}");
            let positive = column as usize != row && value > 2e-6;
            assert!(!(is_delaunay && positive), "{name}: {value} in row {row}, column {column}");
        }
    }
}
/// Compares with the oracle.
fn compare(device: &Device, name: &str, mesh: &TriangleMesh, options: &LaplacianOptions) -> Laplacian {
    let ours = found(device, mesh, options);
    let mollify = if options.extrinsic { 0.0 } else { options.mollify };
    let mut plain = Plain::new(&mesh.positions, &mesh.faces, mollify);
    if !options.extrinsic {
        plain.flip();
    }
    let (theirs, matrix) = (plain.laplacian(mesh.positions.len()), ours.to_csr().expect("a matrix"));
    let report = ours.report();
    assert!(near(report.longer, plain.longer, report.mean_edge_length), "{name}");
    assert_eq!(report.delaunay, !options.extrinsic, "{name}");
    check_matrix(name, &matrix, report.delaunay);
    let largest = |row: u32| matrix.row(row as usize).1.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
    for (row, column, value) in matrix.triplets() {
        let expected = theirs.entries.get(&(row, column)).copied().unwrap_or(0.0);
        assert!(near(value, expected, largest(row) + 1.0), "{name}: {value}, {expected} at {row} {column}");
    }
    for (&(row, column), &expected) in &theirs.entries {
        assert!(near(matrix.get(row as usize, column), expected, largest(row) + 1.0), "{name}");
    }
    let mass = ours.mass().read().expect("memory");
    let whole: f64 = theirs.lumped.iter().sum();
    assert!(near(mass.iter().sum(), whole, whole), "{name}");
    if options.mass == Mass::Voronoi {
        for (v, (mass, expected)) in mass.iter().zip(&theirs.voronoi).enumerate() {
            assert!(near(*mass, *expected, whole), "{name}: {mass}, {expected} at vertex {v}");
        }
    }
    ours
}

suite! {
    fn meshes_of_every_class(device) {
        for (seed, case) in (1..).zip(meshes::all()) {
            let mesh = mesh(points(case.vertices, seed), case.faces.clone());
            for mass in Mass::ALL {
                compare(device, &case.name, &mesh, &LaplacianOptions { mass, ..LaplacianOptions::default() });
            }
            let extrinsic = LaplacianOptions { extrinsic: true, ..LaplacianOptions::default() };
            let ours = compare(device, &case.name, &mesh, &extrinsic);
            assert_eq!((ours.report().flips, ours.report().longer), (0, 0.0));
        }
    }
    fn random_soups(device) {
        for seed in cases(0..60) {
            let case = meshes::soup(4 + seed as u32 % 40, 100, seed);
            let mesh = mesh(points(case.vertices, seed + 7), case.faces);
            let options = LaplacianOptions { mass: Mass::Voronoi, ..LaplacianOptions::default() };
            compare(device, "a soup", &mesh, &options);
        }
    }
    fn closed_and_open_shapes(device) {
        let shapes = [
            (Cover::Single, shapes::bumpy_sphere(3, 1)),
            (Cover::Single, shapes::torus(20, 1)),
            (Cover::Double, shapes::grid(14, 1)),
            (Cover::Double, shapes::mobius(30, 4)),
        ];
        for (cover, shape) in shapes {
            let mut shape = shape.expect("small");
            shapes::add_noise(&mut shape, 0.4, 3);
            let options = LaplacianOptions { mass: Mass::Voronoi, ..LaplacianOptions::default() };
            let report = *compare(device, "a shape", &shape, &options).report();
            assert_eq!(report.cover, cover);
            assert!(report.flips > 0 && report.flat_triangles == 0, "{report:?}");
        }
    }
    fn triangles_without_area(device) {
        // a grid of which every third row of vertices lies on the one below it
        let mut shape = shapes::grid(12, 1).expect("small");
        let low = shape.positions.iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
        let step = 1.0 / 11.0 * (shape.positions.iter().map(|p| p.y).fold(low, f64::max) - low);
        for p in &mut shape.positions {
            let row = ((p.y - low) / step).round();
            if row % 3.0 == 2.0 {
                p.y -= step;
            }
        }
        let ours = found(device, &shape, &LaplacianOptions::default());
        assert!(ours.report().longer > 0.0 && ours.report().flat_triangles == 0);
        let matrix = ours.to_csr().expect("a matrix");
        check_matrix("a folded grid", &matrix, true);
        assert!(matrix.values().iter().all(|value| value.is_finite()));
        let as_it_is = LaplacianOptions { extrinsic: true, ..LaplacianOptions::default() };
        assert!(found(device, &shape, &as_it_is).report().flat_triangles > 0);
    }
    fn positions_that_are_the_same(device) {
        let mesh = mesh(vec![DVec3::ONE; 4], vec![[0, 1, 2], [0, 2, 3]]);
        let ours = found(device, &mesh, &LaplacianOptions::default());
        assert!(ours.values().read().expect("memory").iter().all(|&value| value == 0.0));
        assert_eq!(ours.report().flat_triangles, 2);
    }
    fn the_same_bits_everywhere(device) {
        for (seed, case) in (11..).zip(meshes::all()).step_by(size(1, 4)) {
            let mesh = mesh(points(case.vertices, seed), case.faces.clone());
            let options = LaplacianOptions::default();
            let ours = found(device, &mesh, &options);
            let again = found(device, &mesh, &options);
            assert!(bits(&ours) == bits(&again), "{}: another run", case.name);
            let on_cpu = found(&Device::cpu(), &mesh, &options);
            assert!(bits(&ours) == bits(&on_cpu), "{}: the CPU", case.name);
            assert_eq!(ours.report(), on_cpu.report(), "{}", case.name);
        }
    }
    fn patches_change_nothing(device) {
        let mut shape = shapes::bumpy_sphere(4, 3).expect("small");
        shapes::shuffle(&mut shape, 4);
        let mut surface = surface(device, &shape);
        let before = laplacian(&surface, &LaplacianOptions::default()).expect("a matrix");
        surface.parts().expect("patches");
        let after = laplacian(&surface, &LaplacianOptions::default()).expect("a matrix");
        assert!(bits(&before) == bits(&after));
    }
    fn few_rounds(device) {
        let mut shape = shapes::torus(size(60, 20), 1).expect("small");
        shapes::add_noise(&mut shape, 0.5, 3);
        let rounds = |rounds| {
            *found(device, &shape, &LaplacianOptions { rounds, ..LaplacianOptions::default() }).report()
        };
        let (none, one, all) = (rounds(0), rounds(1), rounds(1000));
        assert_eq!((none.flips, none.rounds, none.delaunay), (0, 0, false));
        assert_eq!((one.rounds, one.delaunay), (1, false));
        assert!(one.flips > 0 && one.flips < all.flips && all.delaunay);
        println!("{} flips, {} rounds", all.flips, all.rounds);
        assert!(all.rounds < 60, "{}", all.rounds);
    }
    fn a_fan_of_slivers(device) {
        // one edge is flipped after the other around the centre of a thin cone
        let n = size(300, 40);
        let mut x = vec![DVec3::new(0.0, 0.0, 5.0)];
        x.extend((0..n).map(|i| {
            let turn = std::f64::consts::TAU * f64::from(i) / f64::from(n);
            DVec3::new(turn.cos(), turn.sin() * 0.01, 0.0)
        }));
        let faces = (0..n).map(|i| [0, i + 1, (i + 1) % n + 1]).collect();
        let report = *found(device, &mesh(x, faces), &LaplacianOptions::default()).report();
        println!("{report:?}");
        assert!(report.delaunay);
    }
    fn half_edges_stay_whole(device) {
        let case = meshes::book(5);
        let x = device.upload(&points(case.vertices, 3)).expect("memory");
        let faces = device.upload(case.faces.as_flattened()).expect("memory");
        let mut of = Triangulation::new(&x, faces, 1e-5).expect("a triangulation");
        assert!(of.flip_to_delaunay(1000).expect("flips") && of.flips() > 0);
        assert_eq!((of.cover(), of.triangles(), of.vertices()), (Cover::Double, 10, 7));
        let read = |x: &ribbonmesh::Buffer<u32>| x.read().expect("memory");
        let (twin, next, origin) = (read(of.twins()), read(of.nexts()), read(of.origins()));
        let length = of.lengths().read().expect("memory");
        for h in 0..twin.len() as u32 {
            let at = |x: &[u32], h: u32| x[h as usize];
            let (t, n) = (at(&twin, h), at(&next, h));
            assert!(t != h && at(&twin, t) == h && length[h as usize] == length[t as usize]);
            assert_eq!(at(&next, at(&next, n)), h);
            assert_eq!(at(&origin, n), at(&origin, t));
        }
    }
}

//! Distances by the heat method, against dense systems and known surfaces.
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Buffer, Device, DeviceKind, Error};
use ribbonmesh_heat::{Diffusion, HeatMethod, HeatOptions, HeatReport, Poisson, Solver};
use ribbonmesh_intrinsic::{Calculus, Laplacian, Mass, Triangulation};
use ribbonmesh_linear::Elimination;
use ribbonmesh_mesh::{TriangleMesh, shapes};
use ribbonmesh_suite::{Random, meshes, size, suite};

/// Random points.
fn points(n: usize, seed: u64) -> Vec<DVec3> {
    let mut random = Random(seed);
    let mut unit = || f64::from(random.below(1 << 24)) / f64::from(1 << 23) - 1.0;
    (0..n).map(|_| DVec3::new(unit(), unit(), unit())).collect()
}

fn as_it_is(device: &Device, mesh: &TriangleMesh, mollify: f64) -> Triangulation {
    let x = device.upload(&mesh.positions).expect("memory");
    let faces = device.upload(mesh.faces.as_flattened()).expect("memory");
    Triangulation::new(&x, faces, mollify).expect("a triangulation")
}
fn triangulation(device: &Device, mesh: &TriangleMesh) -> Triangulation {
    let mut of = as_it_is(device, mesh, 1e-5);
    assert!(of.flip_to_delaunay(1000).expect("flips"));
    of
}
fn distances(of: Triangulation, sources: &[u32], options: &HeatOptions) -> (Vec<f64>, HeatReport) {
    let mut method = HeatMethod::of_triangulation(of, options).expect("a Laplacian");
    let (found, report) = method.distances(sources).expect("distances");
    (found.read().expect("memory"), report)
}

/// Solves a dense symmetric system by Gauss's elimination.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            if factor != 0.0 {
                let (upper, lower) = a.split_at_mut(i);
                lower[0][k..].iter_mut().zip(&upper[k][k..]).for_each(|(x, y)| *x -= factor * y);
                b[i] -= factor * b[k];
            }
        }
    }
    for k in (0..n).rev() {
        let sum: f64 = (k + 1..n).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - sum) / a[k][k];
    }
    b
}
/// The heat method with dense systems, on a connected mesh.
fn plain(of: &Triangulation, sources: &[u32]) -> Vec<f64> {
    let found = Laplacian::of(of, Mass::Lumped).expect("a matrix");
    let (matrix, mass) = (found.to_csr().expect("a matrix"), found.mass().read().expect("memory"));
    let read = |x: &Buffer<u32>| x.read().expect("memory");
    let (twin, next, origin) = (read(of.twins()), read(of.nexts()), read(of.origins()));
    let length = of.lengths().read().expect("memory");
    let (n, is_source) = (mass.len(), |v: u32| sources.contains(&v));
    let time = of.mean_edge_length().powi(2);
    let mut heat = vec![vec![0.0; n]; n];
    let mut poisson = heat.clone();
    for (row, column, value) in matrix.triplets() {
        heat[row as usize][column as usize] += time * value;
        poisson[row as usize][column as usize] += value;
    }
    for v in 0..n {
        heat[v][v] += mass[v];
    }
    // the first source at 0
    let first = sources[0] as usize;
    poisson[first].fill(0.0);
    poisson[first][first] = 1.0;
    let u = solve(heat, (0..n as u32).map(|v| f64::from(u8::from(is_source(v)))).collect());
    let mut right = vec![0.0; n];
    for h in 0..twin.len() {
        let around = [h, next[h] as usize, next[next[h] as usize] as usize];
        let [a, b, c] = around.map(|h| length[h]);
        let [i, j, k] = around.map(|h| origin[h] as usize);
        let x = (a * a + c * c - b * b) / (2.0 * a);
        let up = (c * c - x * x).max(0.0).sqrt();
        let slope_x = (u[j] - u[i]) / a;
        let slope_y = (u[k] - u[i] - slope_x * x) / up;
        let cotangent = (b * b + c * c - a * a) / (2.0 * a * up);
        let flow = of.share() * 0.5 * cotangent * a * slope_x / slope_x.hypot(slope_y);
        right[i] += flow;
        right[j] -= flow;
    }
    right[first] = 0.0;
    let found = solve(poisson, right);
    let mean = sources.iter().map(|&v| found[v as usize]).sum::<f64>() / sources.len() as f64;
    found.into_iter().map(|d| (d - mean).max(0.0)).collect()
}

suite! {
    fn dense_systems(device) {
        let mut noisy = shapes::bumpy_sphere(2, 1).expect("small");
        shapes::add_noise(&mut noisy, 0.3, 2);
        let strip = shapes::mobius(14, 4).expect("small");
        let book = meshes::book(3);
        let book = TriangleMesh::new(points(book.vertices, 8), book.faces);
        for shape in [noisy, strip, book] {
            let both = [Solver::Iterative, Solver::Direct];
            for (sources, solver) in [vec![0], vec![1, 3]].into_iter().flat_map(|s| both.map(|x| (s.clone(), x))) {
                let of = triangulation(device, &shape);
                let expected = plain(&of, &sources);
                let exact = HeatOptions { tolerance: 1e-11, solver, ..HeatOptions::default() };
                let (found, report) = distances(of, &sources, &exact);
                assert!(report.converged, "{report:?}");
                let most = expected.iter().fold(0.0, |most: f64, d| most.max(*d));
                for (v, (found, expected)) in found.iter().zip(&expected).enumerate() {
                    assert!((found - expected).abs() < 1e-5 * most, "vertex {v}: {found}, {expected}");
                }
            }
        }
    }
    fn angles_on_a_sphere(device) {
        let shape = shapes::icosphere(size(5, 3)).expect("small");
        let of = triangulation(device, &shape);
        let (found, report) = distances(of, &[0], &HeatOptions::default());
        println!("{report:?}");
        assert!(report.converged && report.reached == shape.positions.len(), "{report:?}");
        let exact = |p: &DVec3| p.dot(shape.positions[0]).clamp(-1.0, 1.0).acos();
        let errors = found.iter().zip(&shape.positions).map(|(d, p)| (d - exact(p)).abs());
        let mean = errors.sum::<f64>() / found.len() as f64;
        println!("mean error {mean}");
        assert!(mean < 0.03, "{mean}");
    }
    fn far_beyond_the_least_double(device) {
        // heat sinks by a factor of 2.6 with each edge
        let n = size(1700, 300);
        let x = (0..3 * n).map(|i| DVec3::new(f64::from(i / 3), f64::from(i % 3), 0.0)).collect();
        let faces = (0..n - 1).flat_map(|i| (0..2).flat_map(move |j| {
            let a = 3 * i + j;
            [[a, a + 3, a + 4], [a, a + 4, a + 1]]
        }));
        let strip = TriangleMesh::new(x, faces.collect());
        for solver in [Solver::Iterative, Solver::Direct] {
            let of = triangulation(device, &strip);
            let options = HeatOptions { tolerance: 1e-9, solver, ..HeatOptions::default() };
            let (found, report) = distances(of, &[1], &options);
            println!("{report:?}");
            assert!(report.converged && report.reached as u32 == 3 * n, "{report:?}");
            // a factorization goes for 1,390 mean edge lengths
            assert!(solver == Solver::Iterative || (report.shells > 0) == (n > 1590), "{report:?}");
            for (i, d) in (0..n).zip(found.iter().skip(1).step_by(3)) {
                assert!((d - f64::from(i)).abs() < 0.5, "{d} at {i}");
            }
        }
    }
    fn a_matrix_without_a_factorization(device) {
        // needles: weights of 10⁹ along rows, and of 10⁻⁹ between them, which rounding to doubles loses
        let n = 12;
        let x = (0..n * n).map(|i| DVec3::new(1e-9 * f64::from(i % n), f64::from(i / n), 0.0)).collect();
        let faces = (0..n - 1).flat_map(|j| (0..n - 1).flat_map(move |i| {
            let v = n * j + i;
            [[v, v + 1, v + n + 1], [v, v + n + 1, v + n]]
        }));
        let needles = TriangleMesh::new(x, faces.collect());
        let on_cpu = device.kind() == DeviceKind::Cpu;
        let reason = if on_cpu { "not positive definite" } else { "a GPU" };
        let options = |solver| HeatOptions { solver, ..HeatOptions::default() };
        let with = |solver| HeatMethod::of_triangulation(as_it_is(device, &needles, 0.0), &options(solver));
        assert!(matches!(with(Solver::Direct), Err(Error::Option { option: "solver", .. })));
        let chosen = with(Solver::Auto).expect("a method").chosen();
        assert!(chosen.solver == Solver::Iterative && chosen.reason.contains(reason), "{chosen:?}");
        let calculus = Calculus::of(as_it_is(device, &needles, 0.0), Mass::Lumped).expect("a Laplacian");
        let with = |solver| Diffusion::new(&calculus, 1.0, None, solver);
        assert!(matches!(with(Solver::Direct), Err(Error::Option { option: "solver", .. })));
        let chosen = with(Solver::Auto).expect("steps").chosen();
        assert!(chosen.solver == Solver::Iterative && chosen.reason.contains(reason), "{chosen:?}");
    }
    /// A factorization on a CPU, also where edges have one length; on a GPU never.
    fn the_solver_that_is_chosen(device) {
        let on_cpu = device.kind() == DeviceKind::Cpu;
        for shape in [shapes::icosphere(3).expect("small"), shapes::torus(24, 1).expect("small")] {
            let options = HeatOptions::default();
            let of = triangulation(device, &shape);
            let chosen = HeatMethod::of_triangulation(of, &options).expect("a Laplacian").chosen();
            let expected = if on_cpu { Solver::Direct } else { Solver::Iterative };
            assert!(chosen.solver == expected && chosen.reason.contains(if on_cpu { "CPU" } else { "GPU" }));
        }
    }
    fn several_at_once(device) {
        let mut shape = shapes::bumpy_sphere(3, 1).expect("small");
        shapes::add_noise(&mut shape, 0.3, 2);
        for solver in [Solver::Iterative, Solver::Direct] {
            let options = HeatOptions { tolerance: 1e-9, solver, ..HeatOptions::default() };
            let mut method = HeatMethod::of_triangulation(triangulation(device, &shape), &options).expect("a Laplacian");
            let each: [&[u32]; 3] = [&[0], &[5, 9], &[17]];
            let together = method.distances_of_each(&each).expect("distances");
            for (sources, (found, report)) in each.into_iter().zip(&together) {
                assert!(report.converged && report.chosen.solver == solver, "{report:?}");
                let (alone, _) = method.distances(sources).expect("distances");
                let (found, alone) = (found.read().expect("memory"), alone.read().expect("memory"));
                for (a, b) in found.iter().zip(&alone) {
                    assert!((a - b).abs() < 1e-6, "{a} {b}");
                }
            }
        }
    }
    fn systems_of_one_laplacian(device) {
        let of = triangulation(device, &shapes::torus(12, 1).expect("small"));
        let calculus = Calculus::of(of, Mass::Lumped).expect("a Laplacian");
        let laplacian = calculus.laplacian();
        let read = |x: &Buffer<u32>| x.read().expect("memory");
        let order = Elimination::new(read(laplacian.starts()), read(laplacian.columns())).expect("an order");
        let mut both = [Poisson::new(&calculus).map(Some), Poisson::direct(&calculus, &order)]
            .map(|x| x.expect("memory").expect("a solver"));
        assert!(both[0].hierarchy().is_some() && both[1].hierarchy().is_none());
        let n = calculus.triangulation().vertices();
        let right = |seed| {
            let mut random = Random(seed);
            let mut b: Vec<f64> = (0..n).map(|_| f64::from(random.below(1000))).collect();
            let mean = b.iter().sum::<f64>() / n as f64;
            b.iter_mut().for_each(|b| *b -= mean);
            device.upload(&b).expect("memory")
        };
        let all = [right(1), right(2), right(3), right(4)];
        let [first, second] = both.each_mut().map(|solver| {
            let (x, progress) = solver.solve_all(&all, 1e-10).expect("solutions");
            assert!(progress.residual() <= 1e-10, "{progress:?}");
            x.iter().flat_map(|x| x.read().expect("memory")).collect::<Vec<_>>()
        });
        let most = first.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        assert!(first.iter().zip(&second).all(|(a, b)| (a - b).abs() < 1e-7 * most));
        assert!(both[0].solve_all(&[], 0.1).is_err());
    }
    fn lengths_of_edges_that_differ(device) {
        // edges grow from 1 to 60, and from one column to the next by a fifth
        let columns: Vec<f64> = (0..60).scan(0.0, |x, i| {
            let at = *x;
            *x += 1.2_f64.powi(i.min(22));
            Some(at)
        }).collect();
        let width = 24;
        let x = columns.iter().flat_map(|&x| (0..width).map(move |j| DVec3::new(x, f64::from(j), 0.0)));
        let faces = (0..columns.len() as u32 - 1).flat_map(|i| (0..width - 1).flat_map(move |j| {
            let (a, n) = (width * i + j, width);
            [[a, a + n, a + n + 1], [a, a + n + 1, a + 1]]
        }));
        let shape = TriangleMesh::new(x.collect(), faces.collect());
        let of = triangulation(device, &shape);
        let expected = plain(&of, &[5]);
        let (found, report) = distances(of, &[5], &HeatOptions { tolerance: 1e-9, ..HeatOptions::default() });
        println!("{report:?}");
        assert!(report.converged, "{report:?}");
        let most = expected.iter().fold(0.0, |most: f64, d| most.max(*d));
        for (v, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert!((found - expected).abs() < 1e-4 * most, "vertex {v}: {found}, {expected}");
        }
    }
    fn other_components(device) {
        let of = triangulation(device, &TriangleMesh::new(points(8, 4), vec![[0, 1, 2], [3, 4, 5]]));
        let mut method = HeatMethod::of_triangulation(of, &HeatOptions::default()).expect("a Laplacian");
        let (found, report) = method.distances(&[0]).expect("distances");
        let found = found.read().expect("memory");
        assert!((0..8).all(|v| found[v].is_finite() == (v < 3)), "{found:?}");
        assert_eq!((report.reached, report.unreachable, report.converged), (3, 5, true));
        // a vertex without faces is a source of its own, and each component has its own zero
        let (found, report) = method.distances(&[6, 0, 4, 0]).expect("distances");
        let found = found.read().expect("memory");
        assert!(found[0].abs() < 1e-9 && found[4].abs() < 1e-9 && found[6] == 0.0, "{found:?}");
        assert!(found[7].is_infinite() && found[5] > 0.0, "{found:?}");
        assert_eq!((report.sources, report.reached), (3, 7));
    }
    fn vertices_in_one_place(device) {
        let mesh = TriangleMesh::new(vec![DVec3::ONE; 4], vec![[0, 1, 2], [0, 2, 3]]);
        for solver in [Solver::Auto, Solver::Iterative, Solver::Direct] {
            let options = HeatOptions { solver, ..HeatOptions::default() };
            let (found, _) = distances(triangulation(device, &mesh), &[1], &options);
            assert_eq!(found[1], 0.0);
            assert!(found.iter().all(|d| *d == 0.0 || *d == f64::INFINITY), "{solver}: {found:?}");
        }
    }
    fn the_same_bits(device) {
        let mut shape = shapes::torus(24, 1).expect("small");
        shapes::add_noise(&mut shape, 0.3, 2);
        let of = triangulation(device, &shape);
        let mut method = HeatMethod::of_triangulation(of, &HeatOptions::default()).expect("a Laplacian");
        let mut bits = || {
            let (found, _) = method.distances(&[5, 9]).expect("distances");
            found.read().expect("memory").into_iter().map(f64::to_bits).collect::<Vec<_>>()
        };
        assert!(bits() == bits());
    }
}

#[test]
fn refused() {
    let of = || triangulation(&Device::cpu(), &shapes::icosphere(1).expect("small"));
    let mut method = HeatMethod::of_triangulation(of(), &HeatOptions::default()).expect("a Laplacian");
    for sources in [vec![], vec![42]] {
        let error = method.distances(&sources).expect_err("refused");
        assert!(matches!(error, Error::Option { option: "source", .. }), "{error}");
    }
    for options in [
        HeatOptions { time: 0.0, ..HeatOptions::default() },
        HeatOptions { tolerance: f64::NAN, ..HeatOptions::default() },
    ] {
        assert!(matches!(HeatMethod::of_triangulation(of(), &options), Err(Error::Option { .. })));
    }
}

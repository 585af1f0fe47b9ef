//! Tests of smoothing against a Cholesky factorization in `f64`.
mod oracle;
use oracle::{Model, System};
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Attribute, Device, DeviceKind, Error, FlatTopology, MeshOptions, StaticMesh, Surface};
use ribbonmesh_fields::smooth::{
    Boundary, Mass, Preconditioner, SmoothOptions, SmoothReport, Smoother, Solver, TimeStep, Weights, smooth,
    smooth_triangles,
};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes;
use ribbonmesh_suite::{Random, cases, meshes, sanitized, size, suite};

fn random_positions(n: usize, seed: u64) -> Vec<Vec3> {
    let mut random = Random(seed);
    let mut unit = || random.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0;
    (0..n).map(|_| Vec3::new(unit(), unit(), unit())).collect()
}
fn points(shape: &TriangleMesh) -> Vec<Vec3> {
    shape.points()
}
/// All combinations of weights, masses, solvers, boundaries and preconditioners on patches; under a sanitizer
/// ten that run every kernel.
fn all_options() -> Vec<SmoothOptions> {
    let mut all = Vec::new();
    for weights in [Weights::Cotangent, Weights::Uniform] {
        for mass in Mass::ALL {
            for solver in [Solver::Assembled, Solver::MatrixFree] {
                for boundary in Boundary::ALL {
                    for preconditioner in [Preconditioner::Jacobi, Preconditioner::None] {
                        let options =
                            SmoothOptions { weights, mass, solver, boundary, preconditioner, ..exact() };
                        all.push(options);
                    }
                }
            }
        }
    }
    all.into_iter().step_by(size(1, 5)).collect()
}
fn exact() -> SmoothOptions {
    SmoothOptions { tolerance: 1e-7, max_iterations: 5000, ..SmoothOptions::default() }
}

suite! {
    fn every_option(device) {
        let mut shuffled = shapes::bumpy_sphere(4, 2).expect("small");
        shapes::shuffle(&mut shuffled, 9);
        for (name, shape) in cases([("grid", shapes::grid(23, 1).expect("small")), ("sphere", shuffled)]) {
            let model = Model::new(device, name, points(&shape), &shape.faces, 200);
            for options in all_options() {
                // with unit masses the time does not depend on lengths
                let time_step = if options.mass == Mass::Unit { TimeStep::Absolute(2.0) } else { TimeStep::Edges(2.0) };
                model.check(&SmoothOptions { time_step, ..options }, 1e-5);
            }
        }
    }
    /// A vertex of more faces than a patch takes; and surfaces that fit into patches, which give the same
    /// with and without them.
    fn without_patches(device) {
        let n = size(20_000, 9000) as u32;
        let mut x = vec![Vec3::Z];
        x.extend((0..n).map(|i| {
            let (y, x) = (i as f32 / n as f32 * std::f32::consts::TAU).sin_cos();
            Vec3::new(x, y, 0.0)
        }));
        let faces: Vec<_> = (0..n).map(|i| [0, i + 1, (i + 1) % n + 1]).collect();
        let cone = TriangleMesh::from_f32(x.iter().map(|x| x.to_array()), faces);
        let mut surface = Surface::new(device, &cone, &MeshOptions::default()).expect("a surface");
        let options = SmoothOptions { weights: Weights::Uniform, mass: Mass::Unit, time_step: TimeStep::Absolute(1.0), ..exact() };
        let report = smooth(&mut surface, &options).expect("smoothed");
        assert!(report.converged() && surface.have_patches().is_err(), "{report:?}");
        // the apex z and the rim w: (1 + n) z - n w = 1, (1 + 3) w - 2 w - z = 0
        let z = 1.0 / (1.0 + f64::from(n) - f64::from(n) / 2.0);
        let after = surface.download().expect("memory").positions;
        assert!((after[0].z - z).abs() < 1e-6 && after[1..].iter().all(|x| (x.z - z / 2.0).abs() < 1e-6), "{:?}", after[0]);

        let shape = shapes::bumpy_sphere(4, 1).expect("small");
        let model = Model::new(device, "sphere", points(&shape), &shape.faces, 100);
        for keep_volume in [false, true] {
            let options = SmoothOptions { steps: 2, keep_volume, ..exact() };
            let ((a, of_a), (b, of_b)) = (model.smooth(&options), model.smooth_flat(&options));
            assert!(a.iter().zip(&b).all(|(a, b)| (*a - *b).length() < 1e-5), "{of_a:?} {of_b:?}");
            let volumes = |report: &SmoothReport| report.steps.iter().filter_map(|step| step.volume).collect::<Vec<_>>();
            assert_eq!(volumes(&of_a).len(), if keep_volume { 2 } else { 0 });
            for (a, b) in volumes(&of_a).iter().zip(volumes(&of_b)) {
                assert!((a.0 - b.0).abs() < 1e-5 * b.0 && (a.1 - b.1).abs() < 1e-5 * b.1, "{a:?} {b:?}");
            }
        }
        let open = FlatTopology::new(device, 3, &[[0, 1, 2]]).expect("a triangle");
        let mut x = device.upload(&[Vec3::ZERO, Vec3::X, Vec3::Y]).expect("memory");
        let options = SmoothOptions { keep_volume: true, ..exact() };
        assert!(matches!(smooth_triangles(&open, &mut x, 1.0, &options), Err(Error::Option { .. })));
        let mut short = device.zeros::<Vec3>(2).expect("memory");
        assert!(matches!(smooth_triangles(&open, &mut short, 1.0, &exact()), Err(Error::Length { .. })));
    }
    fn shapes_of_every_kind(device) {
        let all = [
            ("icosphere", shapes::icosphere(4).expect("small")),
            ("torus", shapes::torus(40, 1).expect("small")),
            ("torus knot", shapes::torus_knot(2, 3, 12, 200).expect("small")),
            ("mobius", shapes::mobius(60, 5).expect("small")),
        ];
        for (name, shape) in cases(all) {
            for size in cases([100, 16, 2048]) {
                let model = Model::new(device, name, points(&shape), &shape.faces, size);
                for solver in [Solver::MatrixFree, Solver::Assembled] {
                    for weights in [Weights::Cotangent, Weights::Uniform] {
                        let options = SmoothOptions { solver, weights, time_step: TimeStep::Edges(5.0), ..exact() };
                        model.check(&options, 3e-5);
                    }
                }
            }
        }
    }
    fn meshes_of_every_class(device) {
        for (i, case) in (1..).zip(meshes::all()) {
            let model = Model::new(device, &case.name, random_positions(case.vertices, i), &case.faces, 64);
            for solver in cases([Solver::MatrixFree, Solver::Assembled]) {
                let options = SmoothOptions { solver, weights: Weights::Uniform, mass: Mass::Unit, ..exact() };
                model.check(&options, 1e-4);
                // triangles of any shape: the matrix is badly conditioned, but positive definite
                let options = SmoothOptions {
                    solver,
                    mass: Mass::Unit,
                    preconditioner: Preconditioner::Jacobi,
                    time_step: TimeStep::Absolute(0.01),
                    ..exact()
                };
                model.check(&options, 1e-3);
                model.smooth(&SmoothOptions { solver, steps: 2, ..SmoothOptions::default() });
            }
        }
    }
    fn random_soups(device) {
        for seed in cases(0..20) {
            let mut random = Random(seed);
            let case = meshes::soup(1 + random.below(80), random.below(200), seed);
            let model = Model::new(device, &case.name, random_positions(case.vertices, seed), &case.faces, 16 + random.below(80));
            model.check(&SmoothOptions { weights: Weights::Uniform, mass: Mass::Unit, ..exact() }, 1e-4);
            for options in all_options() {
                model.smooth(&SmoothOptions { max_iterations: size(40, 5), ..options });
            }
        }
    }
    fn the_assembled_matrix(device) {
        let shape = shapes::bumpy_sphere(3, 4).expect("small");
        let unit: f64 = 8.0;
        let model = Model::new(device, "sphere", points(&shape), &shape.faces, 100);
        for weights in [Weights::Cotangent, Weights::Uniform] {
            for mass in Mass::ALL {
                let t = 0.02;
                let time_step = TimeStep::Absolute(t);
                let options = SmoothOptions { weights, mass, time_step, solver: Solver::Assembled, ..exact() };
                let matrix = Smoother::new(&model.mesh, &options).and_then(|mut s| s.matrix(&model.positions())).expect("a matrix");
                let system = System::new(&model.x, &model.faces, weights, mass);
                assert!((1.0..2.0).contains(&(system.mean_edge * unit)), "{}", system.mean_edge);
                let (area, t) = if mass == Mass::Unit { (1.0, t) } else { (unit * unit, t * unit * unit) };
                let expected = system.matrix(t / area);
                let factor = area / (1.0 + t);
                let close = |a: f64, b: f64| (a - b).abs() <= 2e-6 * (a.abs() + b.abs()) + 1e-7;
                for (v, d) in matrix.diagonal.iter().enumerate() {
                    let e = expected[&(v as u32, v as u32)] * factor;
                    assert!(close(*d, e), "{weights} {mass} {v}: {d} {e}");
                }
                assert_eq!(matrix.entries.len() + matrix.diagonal.len(), expected.len());
                for (i, j, value) in matrix.entries {
                    let e = expected[&(i, j)] * factor;
                    assert!(close(value, e), "{weights} {mass} {i} {j}: {value} {e}");
                }
            }
        }
    }
    fn both_solvers_and_several_steps(device) {
        let shape = shapes::bumpy_sphere(4, 5).expect("small");
        let model = Model::new(device, "sphere", points(&shape), &shape.faces, 300);
        let options = SmoothOptions { steps: 4, ..exact() };
        let (a, report) = model.smooth(&options);
        assert_eq!(report.steps.len(), 4);
        assert!(report.converged() && report.iterations() > 4);
        let (b, _) = model.smooth(&SmoothOptions { solver: Solver::MatrixFree, ..options.clone() });
        // several runs of one step give the same as one run
        let mut x = model.positions();
        let one = SmoothOptions { steps: 1, time_step: TimeStep::Absolute(report.time_step), ..options };
        let mut smoother = Smoother::new(&model.mesh, &one).expect("memory");
        for _ in 0..4 {
            smoother.smooth(&mut x).expect("smooth");
        }
        for ((a, b), c) in a.iter().zip(&b).zip(x.download().expect("positions")) {
            assert!((*a - *b).length() < 1e-5 && (*a - c).length() < 1e-5, "{a} {b} {c}");
        }
    }
    fn tiny_huge_and_far(device) {
        let shape = shapes::bumpy_sphere(3, 1).expect("small");
        let plain = Model::new(device, "sphere", points(&shape), &shape.faces, 100);
        let (expected, _) = plain.smooth(&exact());
        for scale in cases([1e-36, 1e-20, 1e-10, 1e10, 1e18, 1e36]) {
            let x = points(&shape).into_iter().map(|p| p * scale).collect();
            let (found, report) = Model::new(device, &format!("{scale:e}"), x, &shape.faces, 100).smooth(&exact());
            assert!(report.converged());
            for (f, e) in found.iter().zip(&expected) {
                assert!((*f / scale - *e).length() < 1e-5, "{scale:e}: {f} {e}");
            }
        }
        let far = Vec3::new(1000.0, -3000.0, 500.0);
        let x = points(&shape).into_iter().map(|p| p + far).collect();
        let model = Model::new(device, "far away", x, &shape.faces, 100);
        model.check(&exact(), 1e-3);
    }
    fn any_time_step(device) {
        let shape = shapes::bumpy_sphere(3, 1).expect("small");
        let model = Model::new(device, "sphere", points(&shape), &shape.faces, 100);
        let (x, report) = model.smooth(&SmoothOptions { time_step: TimeStep::Absolute(0.0), ..exact() });
        assert_eq!(x, model.x);
        assert_eq!((report.iterations(), report.converged()), (0, true));
        model.check(&SmoothOptions { time_step: TimeStep::Edges(1e-6), ..exact() }, 1e-5);
        model.check(&SmoothOptions { time_step: TimeStep::Edges(1000.0), ..exact() }, 1e-3);
        // all vertices move to the centre of mass
        let (x, _) = model.smooth(&SmoothOptions { time_step: TimeStep::Edges(1e30), ..exact() });
        assert!(x.iter().all(|p| (*p - x[0]).length() < 1e-2), "{:?}", &x[..3]);
    }
    fn faces_without_area(device) {
        let finite = |name: &str, x: Vec<Vec3>, faces: &[[u32; 3]]| {
            let model = Model::new(device, name, x, faces, 16);
            for options in all_options() {
                for time_step in cases([TimeStep::Edges(1.0), TimeStep::Absolute(3.0)]) {
                    let max_iterations = size(50, 5);
                    let (x, _) = model.smooth(&SmoothOptions { time_step, steps: 2, max_iterations, ..options.clone() });
                    let reach = model.x.iter().map(|x| x.length()).fold(0.0, f32::max);
                    assert!(x.iter().all(|x| x.length() <= 10.0 * reach), "{}: {x:?}", model.name);
                }
            }
        };
        finite("a line", vec![Vec3::ZERO, Vec3::ONE, Vec3::ONE * 2.0, Vec3::ONE * 5.0], &[[0, 1, 2], [1, 2, 3]]);
        finite("a point", vec![Vec3::ONE; 4], &[[0, 1, 2], [1, 2, 3]]);
        finite("the same vertex twice", random_positions(3, 5), &[[0, 0, 1], [2, 1, 2], [1, 1, 1]]);
        finite("two at one place", vec![Vec3::ZERO, Vec3::X, Vec3::X, Vec3::Y], &[[0, 1, 2], [0, 2, 3], [1, 3, 2]]);
        finite("points", random_positions(5, 6), &[]);
        finite("nothing", vec![], &[]);
        let mut shape = shapes::bumpy_sphere(3, 1).expect("small");
        for i in 0..50 {
            shape.positions[3 * i] = shape.positions[3 * i + 1];
        }
        finite("a sphere with folds", points(&shape), &shape.faces);
        let flat = points(&shape).into_iter().map(|p| p * Vec3::new(1.0, 0.0, 1.0)).collect();
        finite("a flat sphere", flat, &shape.faces);
        // parts of very different sizes in one mesh
        let (mut x, mut faces) = (vec![], vec![]);
        for scale in [1e-30, 1e-12, 1.0] {
            let n = x.len() as u32;
            x.extend(points(&shape).into_iter().map(|p| p * scale));
            faces.extend(shape.faces.iter().map(|f| f.map(|v| v + n)));
        }
        finite("all sizes", x, &faces);
    }
    fn isolated_vertices_stay(device) {
        let shape = shapes::grid(12, 1).expect("small");
        let mut x = points(&shape);
        x.iter_mut().enumerate().for_each(|(i, p)| p.z += 0.1 * (i % 5) as f32);
        let n = x.len();
        x.extend(random_positions(7, 3).iter().map(|p| *p * 1e6));
        let model = Model::new(device, "grid and points", x, &shape.faces, 50);
        for options in all_options() {
            let (x, _) = model.smooth(&SmoothOptions { max_iterations: size(50, 5), ..options });
            assert_eq!(x[n..], model.x[n..]);
            assert_ne!(x[..n], model.x[..n]);
        }
    }
    fn a_fixed_boundary_stays(device) {
        let shape = shapes::grid(12, 1).expect("small");
        let mut x = points(&shape);
        x.iter_mut().enumerate().for_each(|(i, p)| p.z += 0.1 * (i % 5) as f32);
        let model = Model::new(device, "grid", x, &shape.faces, 50);
        let system = System::new(&model.x, &model.faces, Weights::Cotangent, Mass::Mixed);
        for options in all_options().into_iter().filter(|o| o.boundary == Boundary::Fixed) {
            let (x, _) = model.smooth(&options);
            for (v, (after, before)) in x.iter().zip(&model.x).enumerate() {
                assert_eq!(after == before, system.boundary.contains(&(v as u32)), "{v}");
            }
        }
    }
    fn volume(device) {
        let shape = shapes::bumpy_sphere(4, 1).expect("small");
        let model = Model::new(device, "sphere", points(&shape), &shape.faces, 100);
        let volume = |x: &[Vec3]| {
            let p = |v: u32| x[v as usize].as_dvec3();
            shape.faces.iter().map(|&[a, b, c]| p(a).dot(p(b).cross(p(c)))).sum::<f64>() / 6.0
        };
        let before = volume(&model.x);
        let options = SmoothOptions { steps: 3, time_step: TimeStep::Edges(3.0), ..exact() };
        let (shrunk, _) = model.smooth(&options);
        assert!(volume(&shrunk) < 0.99 * before);
        let (kept, report) = model.smooth(&SmoothOptions { keep_volume: true, ..options });
        assert!((volume(&kept) / before - 1.0).abs() < 1e-5);
        for step in report.steps {
            let (a, b) = step.volume.expect("volumes");
            assert!((a / before - 1.0).abs() < 1e-5 && b < a);
        }
    }
    /// Spheres of several sizes, and isolated points: each part keeps its volume and its place, with patches
    /// and without.
    fn volumes_of_parts(device) {
        let ball = shapes::icosphere(2).expect("small");
        let n = ball.positions.len();
        let (mut x, mut faces) = (vec![], vec![]);
        let places = [(1.0, 0.0), (0.2, 3.0), (0.5, -4.0)];
        for (i, (size, at)) in (0..).zip(places) {
            x.extend(points(&ball).into_iter().map(|p| p * size + Vec3::X * at));
            faces.extend(ball.faces.iter().map(|face| face.map(|v| v + i * n as u32)));
        }
        x.extend([Vec3::ONE * 50.0, Vec3::Y * -7.0]);
        let told = |x: &[Vec3]| {
            let told = |part: u32| {
                let own = &x[part as usize * n..][..n];
                let centre = own.iter().map(|p| p.as_dvec3()).sum::<ribbonmesh::glam::DVec3>() / n as f64;
                let p = |v: u32| own[v as usize].as_dvec3();
                let volume = ball.faces.iter().map(|&[a, b, c]| p(a).dot(p(b).cross(p(c)))).sum::<f64>() / 6.0;
                (centre, volume)
            };
            [0, 1, 2].map(told)
        };
        let options = SmoothOptions { steps: 10, keep_volume: true, ..SmoothOptions::default() };
        let model = Model::new(device, "spheres", x.clone(), &faces, 64);
        for (found, _) in [model.smooth(&options), model.smooth_flat(&options)] {
            for ((a, before), (b, after)) in told(&x).into_iter().zip(told(&found)) {
                assert!(a.distance(b) < 1e-4 && (after / before - 1.0).abs() < 1e-4, "{a} {before}, then {b} {after}");
            }
            assert_eq!(found[3 * n..], x[3 * n..]);
        }
    }
    fn intrinsic_weights(device) {
        let mut sphere = shapes::bumpy_sphere(size(4, 3), 1).expect("small");
        shapes::add_noise(&mut sphere, 0.3, 2);
        let mut grid = shapes::grid(17, 1).expect("small");
        grid.positions.iter_mut().enumerate().for_each(|(i, p)| p.z += 0.03 * (i * i % 5) as f64);
        for (shape, boundary, mass) in [(sphere, Boundary::Free, Mass::Barycentric), (grid, Boundary::Fixed, Mass::Mixed)] {
            for solver in [Solver::Assembled, Solver::Direct] {
                let (weights, time_step, tolerance) = (Weights::Intrinsic, TimeStep::Edges(3.0), 1e-9);
                let options = SmoothOptions { weights, mass, solver, boundary, time_step, tolerance, ..exact() };
                let mut surface = Surface::new(device, &shape, &MeshOptions::default()).expect("a surface");
                let expected = oracle::intrinsic_step(&surface, &options);
                let report = smooth(&mut surface, &options).expect("smoothed");
                assert!(report.converged() && report.solver == solver && report.iterations() < 60, "{report:?}");
                let found = surface.download().expect("memory").positions;
                for (v, (found, expected)) in found.iter().zip(&expected).enumerate() {
                    assert!(found.distance(*expected) < 2e-6, "vertex {v}: {found} {expected}");
                }
                let unit = SmoothOptions { mass: Mass::Unit, ..options.clone() };
                assert!(matches!(smooth(&mut surface, &unit), Err(Error::Option { option: "mass", .. })));
            }
        }
    }
    fn slivers_in_few_iterations(device) {
        // triangles a thousandth as high as long: six vertices in a row are stiff
        let mut shape = shapes::grid(size(97, 41), 1).expect("small");
        let n = size(97, 41);
        let positions = shape.positions.iter_mut().enumerate();
        positions.for_each(|(i, p)| {
            let (row, column) = ((i / n) as f64, (i % n) as f64);
            let along = row.div_euclid(6.0) + 1e-3 * row.rem_euclid(6.0);
            *p = DVec3::new(along, column, 0.2 * (0.7 * row + column).sin());
        });
        let run = |preconditioner| {
            let mut surface = Surface::new(device, &shape, &MeshOptions::default()).expect("a surface");
            let (solver, time_step, tolerance) = (Solver::Assembled, TimeStep::Edges(30.0), 1e-5);
            let options = SmoothOptions { preconditioner, solver, time_step, tolerance, ..exact() };
            let report = smooth(&mut surface, &options).expect("smoothed");
            assert!(report.converged(), "{report:?}");
            (surface.download().expect("memory").positions, report.iterations())
        };
        let ((a, jacobi), (b, schwarz)) = (run(Preconditioner::Jacobi), run(Preconditioner::Schwarz));
        println!("{jacobi} iterations, with domains {schwarz}");
        assert!(4 * schwarz < jacobi, "{jacobi} iterations, with domains {schwarz}");
        // few edges are stiff, rows of six vertices are: a GPU begins again with domains after 240 iterations
        let again = device.kind() == DeviceKind::Cuda && jacobi > 240;
        assert_eq!(run(Preconditioner::Auto).1, if again { schwarz } else { jacobi });
        assert!(sanitized() || jacobi > 240, "{jacobi} iterations");
        assert!(a.iter().zip(&b).all(|(a, b)| a.distance(*b) < 1e-3));
    }
    fn slivers_that_a_matrix_shows(device) {
        // each vertex is close to one other
        let mut shape = shapes::grid(40, 1).expect("small");
        for (i, p) in shape.positions.iter_mut().enumerate() {
            let (row, column) = ((i / 40) as f64, (i % 40) as f64);
            let along = row.div_euclid(2.0) + 1e-3 * row.rem_euclid(2.0);
            *p = DVec3::new(along, column, 0.2 * (0.7 * row + column).sin());
        }
        let run = |solver, preconditioner| {
            let mut surface = Surface::new(device, &shape, &MeshOptions::default()).expect("a surface");
            let options = SmoothOptions { solver, preconditioner, tolerance: 1e-5, ..exact() };
            let report = smooth(&mut surface, &options).expect("smoothed");
            assert!(report.converged(), "{report:?}");
            (surface.download().expect("memory").positions, report)
        };
        let (a, chosen) = run(Solver::Auto, Preconditioner::Auto);
        let (b, asked) = run(Solver::Assembled, Preconditioner::Schwarz);
        let (c, jacobi) = run(Solver::Assembled, Preconditioner::Jacobi);
        assert_eq!([asked.preconditioner, jacobi.preconditioner], ["schwarz", "jacobi"]);
        // at once: the reasons of what is tried first are others
        assert!(chosen.reason.ends_with("for slivers"), "{chosen:?}");
        let (solver, preconditioner, iterations) = match device.kind() {
            DeviceKind::Cpu => (Solver::Direct, "none", 0),
            DeviceKind::Cuda => (Solver::Assembled, "schwarz", asked.iterations()),
        };
        let found = (chosen.solver, chosen.preconditioner, chosen.iterations());
        assert_eq!(found, (solver, preconditioner, iterations), "{chosen:?}");
        assert!(jacobi.iterations() < 240, "{jacobi:?}");
        for (a, (b, c)) in a.iter().zip(b.iter().zip(&c)) {
            assert!(a.distance(*b) < 1e-3 && a.distance(*c) < 1e-3, "{a} {b} {c}");
        }
        // no edges of good triangles are stiff
        let ball = shapes::bumpy_sphere(3, 1).expect("small");
        let mut surface = Surface::new(device, &ball, &MeshOptions::default()).expect("a surface");
        let report = smooth(&mut surface, &SmoothOptions::default()).expect("smoothed");
        assert_eq!((report.solver, report.preconditioner), (Solver::Assembled, "jacobi"), "{report:?}");
    }
    fn solvers_that_are_chosen(device) {
        let shape = shapes::bumpy_sphere(4, 1).expect("small");
        let run = |solver, preconditioner, time_step| {
            let mut surface = Surface::new(device, &shape, &MeshOptions::default()).expect("a surface");
            let options = SmoothOptions { solver, preconditioner, time_step, steps: 2, ..exact() };
            let report = smooth(&mut surface, &options).expect("smoothed");
            assert_eq!(report.steps.len(), 2, "{report:?}");
            (surface.download().expect("memory").positions, report)
        };
        let (_, few) = run(Solver::Auto, Preconditioner::Auto, TimeStep::Edges(1.0));
        assert!(few.converged() && few.solver == Solver::Assembled, "{few:?}");
        let far = TimeStep::Edges(1e5);
        let (a, of_a) = run(Solver::Auto, Preconditioner::Auto, far);
        let (b, of_b) = run(Solver::Assembled, Preconditioner::Jacobi, far);
        assert!(of_b.iterations() > 240 || !of_b.converged(), "{of_b:?}");
        let on_cpu = device.kind() == DeviceKind::Cpu;
        assert_eq!(of_a.solver, if on_cpu { Solver::Direct } else { Solver::Assembled }, "{of_a:?}");
        // iterations in single precision may end before so small a tolerance, for so far a step
        assert!(!on_cpu || of_a.converged() && of_b.converged(), "{of_a:?}, {of_b:?}");
        let both = of_a.converged() && of_b.converged();
        assert!(!both || a.iter().zip(&b).all(|(a, b)| a.distance(*b) < 1e-2));
    }
    fn a_matrix_without_a_factorization(device) {
        // slivers along a line: weights of ±10⁴ cancel, but for rounding to single precision, and each part
        // is indefinite or not as it falls
        let ball = shapes::icosphere(2).expect("small");
        let (n, parts) = (ball.positions.len() as u32, 16);
        let x = random_positions((parts * n) as usize, 3).into_iter();
        let x = x.map(|p| p.as_dvec3() * DVec3::new(1.0, 1e-6, 1e-6)).collect();
        let faces = (0..parts).flat_map(|part| ball.faces.iter().map(move |f| f.map(|v| v + part * n)));
        let slivers = TriangleMesh::new(x, faces.collect());
        let with = |solver| {
            let mut surface = Surface::new(device, &slivers, &MeshOptions::default()).expect("a surface");
            let options = SmoothOptions { solver, steps: 2, time_step: TimeStep::Edges(1e3), max_iterations: 400, ..exact() };
            smooth(&mut surface, &options)
        };
        let direct = with(Solver::Direct);
        assert!(matches!(direct, Err(Error::Option { option: "solver", .. })), "{direct:?}");
        let report = with(Solver::Auto).expect("smoothed");
        let reason = if device.kind() == DeviceKind::Cpu { "not positive definite" } else { "a GPU" };
        assert!(report.solver == Solver::Assembled && report.reason.contains(reason), "{report:?}");
        assert_eq!(report.steps.len(), 2);
    }
    fn one_iteration_after_the_other(device) {
        let shape = shapes::bumpy_sphere(4, 1).expect("small");
        let model = Model::new(device, "sphere", points(&shape), &shape.faces, 100);
        // the interval of the residual checks does not matter
        let few = model.smooth(&SmoothOptions { check_every: 1, ..exact() });
        assert_eq!(few, model.smooth(&SmoothOptions { check_every: 1000, ..exact() }));
        let stopped = model.smooth(&SmoothOptions { max_iterations: 3, ..exact() }).1;
        assert_eq!((stopped.iterations(), stopped.converged()), (3, false));
        assert!(stopped.steps[0].residual > 1e-6 && stopped.steps[0].residual < 1.0);
        let x = model.positions();
        let mut smoother = Smoother::new(&model.mesh, &exact()).expect("memory");
        smoother.begin(&x).expect("a step");
        for _ in 0..3 {
            smoother.iterate(&x).expect("an iteration");
        }
        assert_eq!(smoother.progress().expect("a report"), stopped.steps[0]);
        assert!(smoother.floor_bytes() as usize > 120 * model.x.len());
    }
    fn the_dragon(device) {
        if sanitized() {
            return println!("skipped: too large for a sanitizer");
        }
        let Some(dragon) = crate::dragon() else { return };
        let x = dragon.points();
        let model = Model::new(device, "dragon", x, &dragon.faces, 512);
        for solver in [Solver::MatrixFree, Solver::Assembled] {
            // slivers: a smaller tolerance would take long without a GPU
            let (_, report) = model.smooth(&SmoothOptions { solver, tolerance: 1e-2, ..SmoothOptions::default() });
            assert!(report.converged(), "{report:?}");
        }
    }
    fn refusals(device) {
        let grid = meshes::grid(9);
        let model = |device: &Device| Model::new(device, "grid", random_positions(81, 1), &grid.faces, 64);
        let (a, b) = (model(device), model(device));
        let elsewhere = model(&Device::cpu_with_threads(1).expect("a thread"));
        let with = |x: &Model, options: SmoothOptions| {
            Smoother::new(&a.mesh, &options)?.smooth(&mut x.positions())
        };
        assert!(matches!(with(&b, exact()), Err(Error::OtherMesh { .. })));
        assert!(matches!(with(&elsewhere, exact()), Err(Error::OtherDevice { .. })));
        for options in [
            SmoothOptions { time_step: TimeStep::Edges(-1.0), ..exact() },
            SmoothOptions { time_step: TimeStep::Absolute(f64::NAN), ..exact() },
            SmoothOptions { tolerance: 1.0, ..exact() },
            SmoothOptions { tolerance: f64::NAN, ..exact() },
            SmoothOptions { check_every: 0, ..exact() },
            SmoothOptions { keep_volume: true, ..exact() },
            SmoothOptions { solver: Solver::Direct, ..exact() },
            SmoothOptions { weights: Weights::Intrinsic, ..exact() },
            SmoothOptions { preconditioner: Preconditioner::Schwarz, ..exact() },
            SmoothOptions { preconditioner: Preconditioner::Schwarz, solver: Solver::MatrixFree, ..exact() },
        ] {
            assert!(matches!(with(&a, options), Err(Error::Option { .. })));
        }
        let mut faces = meshes::icosphere(0).faces;
        let keep = SmoothOptions { keep_volume: true, ..exact() };
        let closed = |faces: &[[u32; 3]]| StaticMesh::new(device, 12, faces, &MeshOptions::default()).expect("a mesh");
        assert!(Smoother::new(&closed(&faces), &keep).is_ok());
        faces[3].reverse();
        let turned = closed(&faces);
        assert!(matches!(Smoother::new(&turned, &keep), Err(Error::Option { option: "keep volume", .. })));
        let options = SmoothOptions { solver: Solver::MatrixFree, ..exact() };
        let matrix = Smoother::new(&a.mesh, &options).expect("memory").matrix(&a.positions());
        assert!(matches!(matrix, Err(Error::Option { option: "solver", .. })));
        let mesh = StaticMesh::new(device, 0, &[], &MeshOptions::default()).expect("a mesh");
        let mut none = Attribute::from_input(&mesh, &[]).expect("positions");
        assert!(Smoother::new(&mesh, &exact()).and_then(|mut s| s.smooth(&mut none)).expect("nothing to do").converged());
    }
}

#[test]
fn options_by_name() {
    assert_eq!("1.5h2".parse::<TimeStep>().expect("a time"), TimeStep::Edges(1.5));
    assert_eq!("2e-3".parse::<TimeStep>().expect("a time"), TimeStep::Absolute(2e-3));
    assert_eq!(TimeStep::Edges(1.5).to_string(), "1.5h2");
    for wrong in ["", "h2", "-1", "nan", "inf", "1h", "1 h2", "-0.5h2"] {
        assert!(
            matches!(wrong.parse::<TimeStep>(), Err(Error::Option { option: "time step", .. })),
            "{wrong}"
        );
    }
    for weights in Weights::ALL {
        assert_eq!(weights.to_string().to_uppercase().parse::<Weights>().expect("its name"), weights);
    }
    assert!(matches!("fixe".parse::<Boundary>(), Err(Error::Option { option: "boundary", .. })));
}

//! Tests of stresses of vertices against formulas; of contrasts of stiffness; of slender bodies; of materials
//! that keep their volume.
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh_fem::elasticity::{
    Load, Material, Options, Precision, Preconditioner, Problem, Selection, Support, solve,
};
use ribbonmesh_suite::suite;
use ribbonmesh_volume::shapes;
use ribbonmesh_volume_io::VolumeData;

fn at(text: &str) -> Selection {
    text.parse().expect(text)
}
fn held(text: &str) -> Support {
    Support { at: at(text), values: [Some(0.0); 3] }
}
fn along(text: &str, axis: usize) -> Support {
    let mut values = [None; 3];
    values[axis] = Some(0.0);
    Support { at: at(text), values }
}
fn block(tetrahedra: bool, n: [u32; 3], size: Vec3) -> VolumeData {
    let (mut x, cells) =
        if tetrahedra { shapes::kuhn_grid(n) } else { shapes::hexahedral_grid(n) }.expect("a size");
    let by = size / Vec3::new(n[0] as f32, n[1] as f32, n[2] as f32);
    x.iter_mut().for_each(|x| *x *= by);
    VolumeData::from_f32(&x, cells)
}

suite! {
    /// A wide plate with a small hole, pulled: three times the stress beside the hole, minus one at its ends
    /// (Kirsch 1898).
    fn plate_with_a_hole(device) {
        let (radius, half, rings, around) = (1.0, 20.0, 24, 24);
        let (grid, cells) = shapes::kuhn_grid([rings, around, 1]).expect("a size");
        let placed = |p: &Vec3| {
            let (t, angle) = (f64::from(p.x) / f64::from(rings), f64::from(p.y) / f64::from(around) * std::f64::consts::FRAC_PI_2);
            let (sin, cos) = angle.sin_cos();
            let inner = DVec3::new(cos, sin, 0.0) * radius;
            let outer = DVec3::new(cos, sin, 0.0) * half / cos.max(sin);
            // finer near the hole
            let t = t.powf(2.5);
            inner * (1.0 - t) + outer * t + DVec3::Z * (0.2 * f64::from(p.z))
        };
        let mut plate = VolumeData { positions: grid.iter().map(placed).collect(), cells, ..VolumeData::default() };
        let problem = Problem {
            young: 1000.0,
            poisson: 0.3,
            supports: vec![along("min-x", 0), along("min-y", 1), along("min-z", 2)],
            loads: vec![Load::Traction { at: at("max-x"), force: DVec3::X }],
            ..Problem::default()
        };
        let found = solve(device, &plate, &problem, &Options { order: 2, ..Options::default() }).expect("a solution");
        let stress = |place: DVec3| {
            let near = |v: &usize| (plate.positions[*v] - place).length() < 1e-6;
            let vertex = (0..plate.positions.len()).find(near).expect("a vertex");
            found.vertex_stress[vertex]
        };
        let (beside, ahead) = (stress(DVec3::new(0.0, 1.0, 0.0))[0], stress(DVec3::new(1.0, 0.0, 0.0))[1]);
        assert!((beside - 3.0).abs() < 0.1, "{beside}");
        assert!((ahead + 1.0).abs() < 0.1, "{ahead}");
        assert!((found.report.greatest_principal - 3.0).abs() < 0.15, "{:?}", found.report);
        assert!(found.report.greatest_principal_at.position.truncate().distance(DVec3::Y.truncate()) < 0.15, "{:?}", found.report);
        // stresses at the middles of cells are less
        assert!(found.report.greatest_cell_von_mises < found.report.greatest_von_mises);
        found.store(&mut plate);
        assert_eq!(plate.points("principal_stress").map(|a| (a.width, a.rows())), Some((3, plate.positions.len())));
    }
    /// The fibres of a bent beam: stress is force times arm by the section's modulus.
    fn fibres_of_a_cantilever(device) {
        let volume = block(true, [16, 2, 4], Vec3::new(8.0, 1.0, 1.0));
        let problem = Problem {
            young: 1e6,
            poisson: 0.0,
            supports: vec![held("min-x")],
            loads: vec![Load::Force { at: at("max-x"), total: DVec3::new(0.0, 0.0, -2.0) }],
            yield_stress: Some(200.0),
            ..Problem::default()
        };
        let found = solve(device, &volume, &problem, &Options { order: 2, ..Options::default() }).expect("a solution");
        for (v, x) in volume.positions.iter().enumerate().filter(|(_, x)| x.x == 4.0) {
            let exact = 2.0 * 4.0 * (x.z - 0.5) / (1.0 / 12.0);
            assert!((found.vertex_stress[v][0] - exact).abs() < 1.5, "{} instead of {exact}", found.vertex_stress[v][0]);
        }
        let report = &found.report;
        assert_eq!(report.greatest_von_mises_at.position.x, 0.0, "{report:?}");
        assert_eq!(report.safety_factor, Some(200.0 / report.greatest_von_mises));
        assert!((report.volume - 8.0).abs() < 1e-6 && (report.mass - 8.0).abs() < 1e-6);
        // at the wall: a force up, and a moment that turns against that of the load
        let [load] = report.loads[..] else { panic!("one load") };
        assert!((load.area - 1.0).abs() < 1e-6 && (load.force - DVec3::new(0.0, 0.0, -2.0)).length() < 1e-9);
        assert!((load.moment - DVec3::new(-1.0, 16.0, 0.0)).length() < 1e-6, "{:?}", load.moment);
        assert!((report.support_moments[0] + load.moment).length() < 1e-4, "{report:?}");
        assert!((report.reaction_moment + report.load_moment).length() < 1e-4);
        assert!((report.work - 2.0 * report.strain_energy).abs() < 1e-6 * report.work);
        assert!(report.estimated_error < 0.1, "{report:?}");
        // tetrahedra of order 1 are too stiff, and the estimate says so
        let coarse = solve(device, &volume, &problem, &Options::default()).expect("a solution");
        assert!(coarse.report.greatest_displacement < 0.9 * report.greatest_displacement);
        assert!(coarse.report.estimated_error > 0.25, "{:?}", coarse.report);
    }
    /// Hexahedra of order 1: with few across a bent beam it is too stiff, and the estimate says so.
    fn bent_hexahedra(device) {
        let error = |n: [u32; 3]| {
            let problem = Problem {
                poisson: 0.3,
                supports: vec![held("min-x")],
                loads: vec![Load::Force { at: at("max-x"), total: DVec3::new(0.0, 0.0, -1e-3) }],
                ..Problem::default()
            };
            let found = solve(device, &block(false, n, Vec3::new(8.0, 1.0, 1.0)), &problem, &Options::default()).expect("a solution");
            (found.report.greatest_displacement, found.report.estimated_error)
        };
        let (coarse, fine) = (error([4, 1, 1]), error([32, 8, 8]));
        assert!(coarse.0 < 0.8 * fine.0, "{coarse:?} {fine:?}");
        assert!(coarse.1 > 0.4 && fine.1 < 0.25, "{coarse:?} {fine:?}");
    }
    /// Stiff and soft parts in series, up to the limit of double precision, with every method.
    fn contrasts(device) {
        for contrast in [1e4, 1e6, 1e8] {
            for stiff in ["x>1", "x<1"] {
                let problem = Problem {
                    poisson: 0.0,
                    materials: vec![Material { at: at(stiff), young: contrast, poisson: 0.0, density: None }],
                    supports: vec![along("min-x", 0), along("min-y", 1), along("min-z", 2)],
                    loads: vec![Load::Force { at: at("max-x"), total: DVec3::X }],
                    ..Problem::default()
                };
                let volume = block(true, [8, 4, 4], Vec3::new(2.0, 1.0, 1.0));
                for preconditioner in [Preconditioner::Multigrid, Preconditioner::Blocks] {
                    for precision in [Precision::Double, Precision::Mixed] {
                        let options = Options { preconditioner, precision, ..Options::default() };
                        let found = solve(device, &volume, &problem, &options).expect("a solution");
                        let exact = 1.0 + 1.0 / contrast;
                        let report = &found.report;
                        assert!((report.greatest_displacement - exact).abs() < 1e-5, "{contrast} {stiff} {options:?}: {report:?}");
                        assert!(report.converged, "{contrast} {stiff} {options:?}: {report:?}");
                    }
                }
            }
        }
    }
    /// A slender beam with a matrix in single precision gives the same as in double precision, whichever
    /// method succeeded.
    fn slender_in_single_precision(device) {
        let volume = block(true, [120, 1, 1], Vec3::new(120.0, 1.0, 1.0));
        let problem = Problem {
            poisson: 0.3,
            supports: vec![held("min-x")],
            loads: vec![Load::Force { at: at("max-x"), total: DVec3::new(0.0, 0.0, -1e-6) }],
            ..Problem::default()
        };
        let run = |precision| {
            let options = Options { order: 2, precision, ..Options::default() };
            solve(device, &volume, &problem, &options).expect("a solution").report
        };
        let (double, mixed) = (run(Precision::Double), run(Precision::Mixed));
        assert!((mixed.greatest_displacement / double.greatest_displacement - 1.0).abs() < 1e-3, "{mixed:?} {double:?}");
        assert!(mixed.converged && mixed.residual <= mixed.rounding.max(1e-8), "{mixed:?}");
        let exact = 1e-6 * 120.0_f64.powi(3) / (3.0 / 12.0);
        assert!((double.greatest_displacement / exact - 1.0).abs() < 0.02, "{double:?}");
    }
    /// A material that keeps its volume: hexahedra do not lock, tetrahedra of order 1 do, and those of order
    /// 2 do not.
    fn incompressible(device) {
        let problem = Problem {
            poisson: 0.4999,
            supports: vec![held("min-x")],
            loads: vec![Load::Force { at: at("max-x"), total: DVec3::new(0.0, 0.0, -1e-3) }],
            ..Problem::default()
        };
        let sink = |tetrahedra: bool, order: u32| {
            let volume = block(tetrahedra, [32, 4, 4], Vec3::new(8.0, 1.0, 1.0));
            let found = solve(device, &volume, &problem, &Options { order, ..Options::default() }).expect("a solution");
            assert_eq!(found.report.locks(order, tetrahedra), tetrahedra && order == 1);
            found.report.greatest_displacement
        };
        // Euler, Bernoulli and Timoshenko
        let exact = 1e-3 * (512.0 / (3.0 / 12.0) + 8.0 * 3.0 / (5.0 / 6.0));
        let [hexahedra, second, first] = [sink(false, 1), sink(true, 2), sink(true, 1)].map(|u| u / exact);
        assert!((0.9..1.05).contains(&hexahedra), "{hexahedra}");
        assert!((0.95..1.05).contains(&second), "{second}");
        assert!(first < 0.8, "{first}");
    }
    fn nothing_that_loads(device) {
        let volume = block(true, [2, 2, 2], Vec3::ONE);
        let problem = Problem { supports: vec![held("min-x")], ..Problem::default() };
        assert!(!problem.has_load());
        let found = solve(device, &volume, &problem, &Options::default()).expect("a solution");
        assert!(found.report.converged && found.report.greatest_displacement == 0.0 && found.report.safety_factor.is_none());
        assert!(Problem { gravity: DVec3::Z, ..problem.clone() }.has_load());
        assert!(!Problem { gravity: DVec3::Z, density: 0.0, ..problem.clone() }.has_load());
        let moved = Support { at: at("max-x"), values: [Some(0.5), None, None] };
        assert!(Problem { supports: vec![held("min-x"), moved], ..problem }.has_load());
    }
}

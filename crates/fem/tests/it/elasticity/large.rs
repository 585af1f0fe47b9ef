//! Large displacements: closed forms, balance, and the limit of small loads.
use ribbonmesh::Device;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh_fem::Lame;
use ribbonmesh_fem::elasticity::{
    ElasticityError, Load, Material, Options, Precision, Problem, Solution, Support, solve,
};
use ribbonmesh_suite::suite;
use ribbonmesh_volume::shapes;
use ribbonmesh_volume_io::VolumeData;

const LARGE: Options = Options {
    order: 1,
    tolerance: 1e-9,
    max_iterations: 100,
    precision: Precision::Double,
    preconditioner: ribbonmesh_fem::elasticity::Preconditioner::Automatic,
    large: true,
};

fn at(text: &str) -> ribbonmesh_fem::elasticity::Selection {
    text.parse().expect(text)
}
fn along(text: &str, values: [Option<f64>; 3]) -> Support {
    Support { at: at(text), values }
}
/// Tetrahedra of a block of a size.
fn block(n: [u32; 3], size: Vec3) -> VolumeData {
    let (mut x, cells) = shapes::kuhn_grid(n).expect("a size");
    let by = size / Vec3::new(n[0] as f32, n[1] as f32, n[2] as f32);
    x.iter_mut().for_each(|x| *x *= by);
    VolumeData::from_f32(&x, cells)
}
/// A bar of 3 × 1 × 1 that may become thinner.
fn bar(more: Vec<Support>, loads: Vec<Load>) -> (VolumeData, Problem) {
    let mut supports = vec![
        along("min-x", [Some(0.0), None, None]),
        along("y=0", [None, Some(0.0), None]),
        along("z=0", [None, None, Some(0.0)]),
    ];
    supports.extend(more);
    let problem = Problem { young: 100.0, poisson: 0.3, supports, loads, ..Problem::default() };
    (block([3, 2, 2], Vec3::new(3.0, 1.0, 1.0)), problem)
}
/// The force per area at rest of a stretch along one axis, and the stretch across, where nothing holds.
fn stretched(l: f64, Lame { lambda, mu }: Lame) -> (f64, f64) {
    // μ (s² - 1) + λ ln (l s²) = 0, which rises with s
    let (mut low, mut high) = (0.1, 3.0);
    for _ in 0..100 {
        let s: f64 = 0.5 * (low + high);
        if mu * (s * s - 1.0) + lambda * (l * s * s).ln() > 0.0 { high = s } else { low = s }
    }
    let s = low;
    (mu * (l - 1.0 / l) + lambda * (l * s * s).ln() / l, s)
}
fn solved(device: &Device, (volume, problem): &(VolumeData, Problem)) -> Solution {
    let solution = solve(device, volume, problem, &LARGE).expect("a solution");
    assert!(solution.report.converged, "{:?}", solution.report);
    solution
}
fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-6 * (1.0 + expected.abs()), "{found}, not {expected}");
}

suite! {
    /// A bar that is pulled or pressed to a length: uniform, with known forces and stresses.
    fn bars_of_a_given_length(device) {
        for l in [0.4_f64, 0.9, 1.5, 2.5] {
            let to = Some(3.0 * (l - 1.0));
            let (volume, problem) = bar(vec![along("max-x", [to, None, None])], vec![]);
            let solution = solved(device, &(volume.clone(), problem));
            let (force, across) = stretched(l, Lame::of(100.0, 0.3));
            for (x, u) in volume.positions.iter().zip(&solution.displacement) {
                let goal = DVec3::new((l - 1.0) * x.x, (across - 1.0) * x.y, (across - 1.0) * x.z);
                assert!((goal - *u).length() < 1e-6, "{l}: {x} moves by {u}, not {goal}");
            }
            near(solution.report.support_reactions[3].x, force);
            // the force on the area that is left
            for stress in solution.stress.iter().chain(&solution.vertex_stress) {
                near(stress[0], force / (across * across));
                stress[1..].iter().for_each(|other| near(*other, 0.0));
            }
        }
    }
    /// The same by a load.
    fn bars_that_are_pulled(device) {
        for l in [0.7, 1.2, 2.0] {
            let (force, across) = stretched(l, Lame::of(100.0, 0.3));
            let load = Load::Force { at: at("max-x"), total: DVec3::new(force, 0.0, 0.0) };
            let problem = bar(vec![], vec![load]);
            let solution = solved(device, &problem);
            let end = problem.0.positions.iter().position(|x| *x == DVec3::new(3.0, 1.0, 1.0)).expect("a corner");
            let goal = DVec3::new(3.0 * (l - 1.0), across - 1.0, across - 1.0);
            assert!((solution.displacement[end] - goal).length() < 1e-6, "{:?}", solution.displacement[end]);
            near(solution.report.reaction.x, -force);
            let Lame { lambda, mu } = Lame::of(100.0, 0.3);
            let ln = (l * across * across).ln();
            let square = l * l + 2.0 * across * across - 3.0;
            near(solution.report.strain_energy, 3.0 * (0.5 * mu * square - mu * ln + 0.5 * lambda * ln * ln));
        }
    }
    /// Small loads have the displacements and stresses of small displacements.
    fn the_limit_is_linear(device) {
        let volume = block([6, 2, 2], Vec3::new(3.0, 1.0, 1.0));
        let load = Load::Traction { at: at("max-x"), force: DVec3::new(0.0, 1e-4, -2e-4) };
        let problem = Problem {
            young: 100.0,
            supports: vec![along("min-x", [Some(0.0); 3])],
            loads: vec![load],
            materials: vec![Material { at: at("x>2"), young: 20.0, poisson: 0.1, density: None }],
            ..Problem::default()
        };
        let small = solve(device, &volume, &problem, &Options::default()).expect("a solution");
        let large = solved(device, &(volume, problem));
        let most = small.report.greatest_displacement;
        assert!(most > 1e-5);
        for (a, b) in small.displacement.iter().zip(&large.displacement) {
            assert!((*a - *b).length() < 1e-3 * most, "{a}, {b}");
        }
        let most = small.report.greatest_von_mises;
        for (a, b) in small.vertex_von_mises.iter().zip(&large.vertex_von_mises) {
            assert!((a - b).abs() < 1e-3 * most, "{a}, {b}");
        }
        assert!((small.report.strain_energy / large.report.strain_energy - 1.0).abs() < 1e-3);
    }
    /// A beam that is bent far: forces balance, and their moments where they act now.
    fn a_beam_bends_far(device) {
        let volume = block([10, 1, 2], Vec3::new(10.0, 1.0, 1.0));
        let force = DVec3::new(0.0, 0.0, -0.3);
        let problem = Problem {
            young: 100.0,
            supports: vec![along("min-x", [Some(0.0); 3])],
            loads: vec![Load::Force { at: at("max-x"), total: force }],
            ..Problem::default()
        };
        let report = solved(device, &(volume, problem)).report;
        assert!(report.greatest_displacement > 3.0, "{report:?}");
        assert!((report.reaction + force).length() < 1e-6, "{report:?}");
        assert!((report.reaction_moment + report.load_moment).length() < 1e-5, "{report:?}");
        assert!((report.loads[0].moment - report.load_moment).length() < 1e-9, "{report:?}");
        assert!(report.newton_steps > 3 && report.stages == 0, "{report:?}");
    }
    /// A block whose sides are moved far past the size of a cell.
    fn supports_that_move_far(device) {
        let volume = block([5, 5, 5], Vec3::splat(1.0));
        let problem = Problem {
            supports: vec![
                along("min-z", [Some(0.0); 3]),
                along("max-z", [Some(1.2), Some(0.3), Some(-0.4)]),
            ],
            ..Problem::default()
        };
        let solution = solved(device, &(volume.clone(), problem));
        assert!(solution.report.stages > 1, "{:?}", solution.report);
        for (x, u) in volume.positions.iter().zip(&solution.displacement) {
            if x.z > 0.999 {
                assert!((*u - DVec3::new(1.2, 0.3, -0.4)).length() < 1e-12, "{u}");
            }
        }
        let report = &solution.report;
        let size = report.support_reactions[0].length();
        assert!(size > 0.1 && report.reaction.length() < 1e-6 * size, "{report:?}");
    }
    fn what_there_is_not(device) {
        let (volume, problem) = bar(vec![along("max-x", [Some(0.1), None, None])], vec![]);
        let refused = |options: Options| solve(device, &volume, &problem, &options);
        let large = |options| matches!(refused(options), Err(ElasticityError::Large { .. }));
        assert!(large(Options { order: 2, ..LARGE }));
        assert!(large(Options { precision: Precision::Mixed, ..LARGE }));
        let (x, cells) = shapes::hexahedral_grid([1; 3]).expect("a cube");
        let cube = VolumeData::from_f32(&x, cells);
        assert!(matches!(solve(device, &cube, &problem, &LARGE), Err(ElasticityError::Large { .. })));
        let loose = Problem::default();
        assert!(matches!(solve(device, &volume, &loose, &LARGE), Err(ElasticityError::Loose { .. })));
    }
}

//! Tests of beams and blocks with known solutions.
use ribbonmesh::Device;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh_fem::elasticity::{Load, Options, Precision, Problem, Solution, Support, solve};
use ribbonmesh_mesh::Scalars;
use ribbonmesh_suite::suite;
use ribbonmesh_volume::shapes;
use ribbonmesh_volume_io::{DataArray, REGION, Region, VolumeData};

fn at(text: &str) -> ribbonmesh_fem::elasticity::Selection {
    text.parse().expect(text)
}
fn held(text: &str) -> Support {
    Support { at: at(text), values: [Some(0.0); 3] }
}
/// Cells of a block of a size.
fn block(tetrahedra: bool, n: [u32; 3], size: Vec3) -> VolumeData {
    let (mut x, cells) =
        if tetrahedra { shapes::kuhn_grid(n) } else { shapes::hexahedral_grid(n) }.expect("a size");
    let by = size / Vec3::new(n[0] as f32, n[1] as f32, n[2] as f32);
    x.iter_mut().for_each(|x| *x *= by);
    VolumeData::from_f32(&x, cells)
}
fn solved(device: &Device, volume: &VolumeData, problem: &Problem, options: Options) -> Solution {
    let solution = solve(device, volume, problem, &options).expect("a solution");
    assert!(solution.report.converged, "{:?}", solution.report);
    // without prescribed displacements, the reactions equal the load, and the energy its work
    let scale = solution.report.load.length().max(solution.reaction.iter().map(|r| r.length()).sum());
    assert!(
        (solution.report.reaction + solution.report.load).length() < 1e-5 * scale,
        "{:?}",
        solution.report
    );
    solution
}

suite! {
    /// A bar that is pulled: the exact solution, for all elements, precisions and kinds of loads.
    fn bars(device) {
        // free to shrink sideways: σ = 2, E = 100, ν = 0.25
        let problem = |load: Load| Problem {
            young: 100.0,
            poisson: 0.25,
            supports: vec![
                Support { at: at("min-x"), values: [Some(0.0), None, None] },
                Support { at: at("y=0"), values: [None, Some(0.0), None] },
                Support { at: at("z<0"), values: [None, None, Some(0.0)] },
            ],
            loads: vec![load],
            ..Problem::default()
        };
        let cases = [(true, 1), (true, 2), (true, 3), (false, 1)];
        for (tetrahedra, order) in cases {
            let volume = block(tetrahedra, [3, 2, 2], Vec3::new(3.0, 1.0, 0.5));
            for load in [
                Load::Force { at: at("max-x"), total: DVec3::new(1.0, 0.0, 0.0) },
                Load::Traction { at: at("x=3"), force: DVec3::new(2.0, 0.0, 0.0) },
                Load::Pressure { at: at("box:3,0,0,3,1,0.5"), pressure: -2.0 },
            ] {
                for (precision, within) in [(Precision::Double, 1e-7), (Precision::Mixed, 1e-5)] {
                    let options = Options { order, precision, ..Options::default() };
                    let solution = solved(device, &volume, &problem(load.clone()), options);
                    for (u, x) in solution.displacement.iter().zip(&volume.positions) {
                        let exact = DVec3::new(0.02 * x.x, -0.005 * x.y, -0.005 * x.z);
                        assert!((*u - exact).length() < within, "{u} instead of {exact}");
                    }
                    assert!(solution.von_mises.iter().chain(&solution.vertex_von_mises).all(|s| (s - 2.0).abs() < 1e3 * within));
                    assert!(solution.stress.iter().all(|s| (s[0] - 2.0).abs() < 1e3 * within && s[4].abs() < 1e3 * within));
                    assert!((solution.report.strain_energy - 0.5 * solution.report.work).abs() < 1e-6);
                    assert!((solution.report.work - 0.06).abs() < 1e-5);
                }
            }
        }
    }
    /// A cantilever under its weight: Euler's and Bernoulli's deflection with Timoshenko's shear, to a few
    /// percent at order 2.
    fn cantilevers(device) {
        let (length, height, width) = (10.0, 1.0_f64, 0.5);
        let (young, density, gravity) = (1e6, 2.0, 9.81);
        let weight = density * gravity * height * width;
        let inertia = width * height.powi(3) / 12.0;
        let bending = weight * f64::powi(length, 4) / (8.0 * young * inertia);
        let shear = weight * length * length / (2.0 * 5.0 / 6.0 * young / 2.0 * height * width);
        let problem = Problem {
            young,
            poisson: 0.0,
            density,
            gravity: DVec3::new(0.0, 0.0, -gravity),
            supports: vec![held("min-x")],
            ..Problem::default()
        };
        for (order, n, within) in [(2, [20, 1, 2], 0.02), (3, [10, 1, 1], 0.02)] {
            let volume = block(true, n, Vec3::new(length as f32, width as f32, height as f32));
            let solution = solved(device, &volume, &problem, Options { order, ..Options::default() });
            let tip = -solution.displacement.iter().zip(&volume.positions).filter(|(_, x)| x.x > 9.99).map(|(u, _)| u.z).sum::<f64>()
                / volume.positions.iter().filter(|x| x.x > 9.99).count() as f64;
            let exact = bending + shear;
            assert!((tip / exact - 1.0).abs() < within, "order {order}: {tip} instead of {exact}");
            assert!((solution.report.load.z + weight * length).abs() < 1e-5 * weight * length);
        }
    }
    /// A block that is squeezed between plates by prescribed displacements.
    fn prescribed(device) {
        for tetrahedra in [true, false] {
            let volume = block(tetrahedra, [2, 2, 3], Vec3::new(1.0, 1.0, 2.0));
            let problem = Problem {
                young: 10.0,
                poisson: 0.0,
                supports: vec![
                    held("min-z"),
                    Support { at: at("max-z"), values: [Some(0.0), Some(0.0), Some(-0.1)] },
                ],
                ..Problem::default()
            };
            let solution = solved(device, &volume, &problem, Options::default());
            assert!(solution.displacement.iter().zip(&volume.positions).all(|(u, x)| (u.z + 0.05 * x.z).abs() < 1e-8));
            let pushed: f64 = solution.reaction.iter().zip(&volume.positions).filter(|(_, x)| x.z > 1.9).map(|(r, _)| r.z).sum();
            assert!((pushed + 0.5).abs() < 1e-6, "{pushed}");
            assert!((solution.report.strain_energy - 0.5 * 10.0 * 0.05 * 0.05 * 2.0).abs() < 1e-7);
        }
    }
    /// Regions of a file, its listed faces, vertices without cells; and the stored data.
    fn regions(device) {
        let mut volume = block(true, [2, 1, 1], Vec3::new(2.0, 1.0, 1.0));
        volume.positions.push(DVec3::splat(9.0));
        let mut tags = vec![];
        let sides = |volume: &VolumeData, x: f64| -> Vec<Vec<u32>> {
            let own = |cell: &[u32]| -> Vec<u32> { cell.iter().copied().filter(|&v| volume.positions[v as usize].x == x).collect() };
            (0..volume.cells.len()).map(|c| own(volume.cells.cell(c).1)).filter(|f| f.len() == 3).collect()
        };
        for (x, tag) in [(0.0, 4), (2.0, 7)] {
            for face in sides(&volume, x) {
                volume.cells.push_face(&face);
                tags.push(tag);
            }
        }
        volume.face_data.push(DataArray::new(REGION, Scalars::from(tags)));
        volume.regions.push(Region { dimension: 2, tag: 4, name: "wall".into() });
        let problem = Problem {
            young: 1.0,
            poisson: 0.0,
            supports: vec![held("region:wall")],
            loads: vec![Load::Pressure { at: at("region:7"), pressure: -0.1 }],
            ..Problem::default()
        };
        for order in 1..=3 {
            let solution = solved(device, &volume, &problem, Options { order, ..Options::default() });
            assert!((solution.report.greatest_displacement - 0.2).abs() < 1e-7);
            assert_eq!(solution.report.isolated_vertices, 1);
            assert_eq!(solution.displacement.last(), Some(&DVec3::ZERO));
            solution.store(&mut volume);
        }
        assert_eq!(volume.points("displacement").map(|a| (a.width, a.rows())), Some((3, 13)));
        assert_eq!(volume.of_cells("stress").map(|a| (a.width, a.rows())), Some((6, 12)));
        assert_eq!(volume.points("stress").map(|a| (a.width, a.rows())), Some((6, 13)));
        assert_eq!((volume.point_data.len(), volume.cell_data.len()), (5, 3));
    }
}

//! Tests of the liquid alone: transfer, pressure, forces.
#[path = "../../../ribbonmesh/tests/common/mod.rs"]
#[macro_use]
mod common;
use common::{Random, size};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Device, Error};
use ribbonmesh_grid::{GridOptions, Liquid};

/// Eight particles in the middles of the eighths of each cell that is wanted.
fn regular(cells: [u32; 3], edge: f32, wanted: impl Fn([u32; 3]) -> bool) -> Vec<Vec3> {
    let mut particles = vec![];
    for k in 0..cells[2] {
        for j in 0..cells[1] {
            for i in (0..cells[0]).filter(|i| wanted([*i, j, k])) {
                for eighth in 0..8 {
                    let of = |at: u32, bit: u32| at as f32 + if eighth >> bit & 1 == 0 { 0.25 } else { 0.75 };
                    particles.push(edge * Vec3::new(of(i, 0), of(j, 1), of(k, 2)));
                }
            }
        }
    }
    particles
}
fn random(random: &mut Random) -> f32 {
    random.below(1 << 20) as f32 / (1 << 19) as f32 - 1.0
}
fn node(cells: [u32; 3], [i, j, k]: [u32; 3]) -> usize {
    (i + (cells[0] + 1) * (j + (cells[1] + 1) * k)) as usize
}
fn cell(cells: [u32; 3], [i, j, k]: [u32; 3]) -> usize {
    (i + cells[0] * (j + cells[1] * k)) as usize
}
fn all(cells: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
    let [nx, ny, nz] = cells;
    (0..nz).flat_map(move |k| (0..ny).flat_map(move |j| (0..nx).map(move |i| [i, j, k])))
}
fn is_liquid(cells: [u32; 3], edge: f32, particles: &[Vec3]) -> Vec<bool> {
    let mut liquid = vec![false; cells.iter().product::<u32>() as usize];
    for p in particles {
        let at = (*p / edge).as_uvec3().to_array();
        liquid[cell(cells, [0, 1, 2].map(|a| at[a].min(cells[a] - 1)))] = true;
    }
    liquid
}
/// The outflow of each cell.
fn divergence(cells: [u32; 3], faces: &[f32]) -> Vec<f64> {
    let nodes = faces.len() / 3;
    let of = |at: [u32; 3]| {
        let mut sum = 0.0;
        for d in 0..3 {
            let mut beyond = at;
            beyond[d] += 1;
            sum += f64::from(faces[d * nodes + node(cells, beyond)] - faces[d * nodes + node(cells, at)]);
        }
        sum
    };
    all(cells).map(of).collect()
}
/// The velocities of faces that particles give, with 0 on walls: in double precision, added particle by
/// particle.
fn transferred(cells: [u32; 3], edge: f32, x: &[Vec3], v: &[Vec3]) -> Vec<f64> {
    let nodes = cells.iter().map(|n| n + 1).product::<u32>() as usize;
    let (mut sums, mut weights) = (vec![0.0; 3 * nodes], vec![0.0; 3 * nodes]);
    for (x, v) in x.iter().zip(v) {
        let q = (x.as_dvec3() / f64::from(edge)).to_array();
        for d in 0..3 {
            for at in all(cells.map(|n| n + 1)) {
                let weight: f64 = (0..3)
                    .map(|a| {
                        let of = f64::from(at[a]) + if a == d { 0.0 } else { 0.5 };
                        (1.0 - (q[a] - of).abs()).max(0.0)
                    })
                    .product();
                let outside = (0..3).any(|a| a != d && at[a] == cells[a]);
                if weight > 0.0 && !outside && at[d] > 0 && at[d] < cells[d] {
                    sums[d * nodes + node(cells, at)] += weight * f64::from(v[d]);
                    weights[d * nodes + node(cells, at)] += weight;
                }
            }
        }
    }
    sums.iter().zip(weights).map(|(sum, weight)| if weight > 0.0 { sum / weight } else { 0.0 }).collect()
}
/// Solves by elimination.
fn eliminated(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for i in 0..n {
        for j in i + 1..n {
            let by = a[j][i] / a[i][i];
            let (above, below) = a.split_at_mut(j);
            below[0].iter_mut().zip(&above[i]).for_each(|(to, from)| *to -= by * from);
            b[j] -= by * b[i];
        }
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|k| a[i][k] * b[k]).sum();
        b[i] = (b[i] - sum) / a[i][i];
    }
    b
}
/// A box that is filled to six tenths, with velocities at random.
fn sloshing(device: &Device, n: u32) -> Liquid {
    let (cells, edge) = ([n; 3], 1.0 / n as f32);
    let x = regular(cells, edge, |at| 10 * at[1] < 6 * n);
    let mut numbers = Random(7);
    let v: Vec<Vec3> = x.iter().map(|_| Vec3::from_array([0; 3].map(|_| random(&mut numbers)))).collect();
    let options = GridOptions { cells, edge, tolerance: 1e-5, ..GridOptions::default() };
    Liquid::new(device, &options, &x, &v).expect("memory")
}

suite! {
    fn pressure_is_that_of_elimination(device) {
        let (cells, edge) = ([7, 5, 6], 0.2);
        let mut numbers = Random(3);
        let wanted: Vec<bool> = all(cells).map(|_| numbers.below(3) > 0).collect();
        let x = regular(cells, edge, |at| wanted[cell(cells, at)]);
        let v: Vec<Vec3> = x.iter().map(|_| Vec3::from_array([0; 3].map(|_| random(&mut numbers)))).collect();
        let options = GridOptions { cells, edge, tolerance: 1e-6, ..GridOptions::default() };
        let liquid = Liquid::new(device, &options, &x, &v).expect("memory");
        assert!(liquid.last_solve().converged, "{:?}", liquid.last_solve());

        let ids: Vec<usize> = (0..wanted.len()).filter(|c| wanted[*c]).collect();
        let faces = transferred(cells, edge, &x, &v);
        let (mut a, mut b) = (vec![vec![0.0; ids.len()]; ids.len()], vec![0.0; ids.len()]);
        let nodes = faces.len() / 3;
        for at in all(cells).filter(|at| wanted[cell(cells, *at)]) {
            let row = ids.binary_search(&cell(cells, at)).expect("liquid");
            for d in 0..3 {
                let mut beyond = at;
                beyond[d] += 1;
                b[row] -= faces[d * nodes + node(cells, beyond)] - faces[d * nodes + node(cells, at)];
                let mut before = at;
                before[d] = at[d].wrapping_sub(1);
                for other in [before, beyond].into_iter().filter(|other| other[d] < cells[d]) {
                    a[row][row] += 1.0;
                    if let Ok(column) = ids.binary_search(&cell(cells, other)) {
                        a[row][column] -= 1.0;
                    }
                }
            }
        }
        let expected = eliminated(a, b);
        let most = expected.iter().fold(0.0_f64, |most, p| most.max(p.abs()));
        let found = liquid.pressure().read().expect("memory");
        for (c, found) in found.iter().enumerate() {
            let expected = ids.binary_search(&c).map_or(0.0, |row| expected[row]);
            assert!((f64::from(*found) - expected).abs() < 1e-4 * most, "cell {c}: {found} {expected}");
        }
    }
    fn no_divergence_is_left(device) {
        let mut liquid = sloshing(device, 16);
        for i in 0..size(6, 2) {
            let GridOptions { cells, edge, .. } = *liquid.options();
            let x = liquid.positions().read().expect("memory");
            let wanted = is_liquid(cells, edge, &x);
            let found = divergence(cells, &liquid.faces().read().expect("memory"));
            let most = found.iter().zip(&wanted).filter(|(_, liquid)| **liquid).map(|(d, _)| d.abs());
            let most = most.fold(0.0, f64::max);
            assert!(most < 1e-3 * f64::from(liquid.speed()), "step {i}: {most}");
            liquid.step(0.02).expect("a step");
        }
    }
    fn what_rests_stays_at_rest(device) {
        let (cells, edge) = ([12, 16, 10], 0.1);
        let x = regular(cells, edge, |at| at[1] < 9);
        let options = GridOptions { cells, edge, tolerance: 1e-6, ..GridOptions::default() };
        let mut liquid = Liquid::new(device, &options, &x, &vec![Vec3::ZERO; x.len()]).expect("memory");
        let dt = 0.01;
        for _ in 0..10 {
            let report = liquid.step(dt).expect("a step");
            assert_eq!((report.substeps, report.unconverged), (1, 0), "{report:?}");
        }
        assert!(liquid.speed() < 1e-5, "{}", liquid.speed());
        // relative to the middle of the first cell of air
        let found = liquid.pressure().read().expect("memory");
        for at in all(cells) {
            let expected = if at[1] < 9 { 9.81 * dt * f64::from(9 - at[1]) } else { 0.0 };
            let found = f64::from(found[cell(cells, at)]);
            assert!((found - expected).abs() < 1e-4, "{at:?}: {found} {expected}");
        }
    }
    fn a_blob_falls_freely(device) {
        let (cells, edge) = ([16, 32, 16], 0.0625);
        let blob = |at: [u32; 3]| {
            let p = Vec3::new(at[0] as f32 - 7.5, at[1] as f32 - 24.5, at[2] as f32 - 7.5);
            p.length() < 4.0
        };
        let x = regular(cells, edge, blob);
        let speed = Vec3::new(0.25, 0.5, -0.125);
        let options = GridOptions { cells, edge, ..GridOptions::default() };
        let mut liquid = Liquid::new(device, &options, &x, &vec![speed; x.len()]).expect("memory");
        let centre = |x: &[Vec3]| x.iter().map(|p| p.as_dvec3()).sum::<ribbonmesh::glam::DVec3>() / x.len() as f64;
        let begin = centre(&x);
        let (dt, steps) = (0.01, 20);
        for _ in 0..steps {
            assert_eq!(liquid.step(dt).expect("a step").substeps, 1);
        }
        let gravity = ribbonmesh::glam::DVec3::new(0.0, -9.81, 0.0);
        let time = dt * f64::from(steps);
        for v in liquid.velocities().read().expect("memory") {
            assert!(v.as_dvec3().distance(speed.as_dvec3() + time * gravity) < 1e-4, "{v}");
        }
        // the velocity of a sub-step is that of its beginning
        let way = time * speed.as_dvec3() + 0.5 * time * (time - dt) * gravity;
        let found = centre(&liquid.positions().read().expect("memory")) - begin;
        assert!(found.distance(way) < 1e-4, "{found} {way}");
    }
    fn iterations_hardly_depend_on_the_resolution(device) {
        let found = [16, 32, size(64, 32)].map(|n| sloshing(device, n).last_solve());
        assert!(found.iter().all(|solve| solve.converged), "{found:?}");
        let iterations = found.map(|solve| solve.iterations);
        println!("{found:?}");
        assert!(iterations[2] <= iterations[0] + 6 && iterations[2] < 24, "{iterations:?}");
    }
    fn the_same_in_every_run(device) {
        let run = || {
            let mut liquid = sloshing(device, 12);
            for _ in 0..4 {
                liquid.step(0.02).expect("a step");
            }
            let bits = |x: Vec<Vec3>| x.iter().flat_map(|x| x.to_array().map(f32::to_bits)).collect::<Vec<u32>>();
            let [x, v] = [liquid.positions(), liquid.velocities()].map(|x| bits(x.read().expect("memory")));
            (x, v, liquid.last_solve())
        };
        assert!(run() == run());
    }
    fn what_does_not_converge_is_reported(device) {
        let (cells, edge) = ([16; 3], 0.0625);
        let x = regular(cells, edge, |at| at[1] < 8);
        let mut numbers = Random(5);
        let v: Vec<Vec3> = x.iter().map(|_| Vec3::from_array([0; 3].map(|_| random(&mut numbers)))).collect();
        let options = GridOptions { cells, edge, tolerance: 1e-6, iterations: 2, ..GridOptions::default() };
        let mut liquid = Liquid::new(device, &options, &x, &v).expect("memory");
        let solve = liquid.last_solve();
        assert!(!solve.converged && solve.iterations == 2 && solve.residual > 1e-6, "{solve:?}");
        let report = liquid.step(0.01).expect("a step");
        assert!(report.unconverged == report.substeps && report.residual > 1e-6, "{report:?}");
    }
    fn nothing_leaves_the_box(device) {
        let (cells, edge) = ([8; 3], 0.125);
        let x = regular(cells, edge, |at| at[0] > 3);
        let v: Vec<Vec3> = x.iter().map(|p| 3.0 * (*p - Vec3::splat(0.5))).collect();
        let options = GridOptions { cells, edge, ..GridOptions::default() };
        let mut liquid = Liquid::new(device, &options, &x, &v).expect("memory");
        // far beyond walls, near them, and in the middle
        let mut places = device.upload(&[
            Vec3::splat(-3.0), Vec3::splat(4.0), Vec3::splat(1e-5), Vec3::new(0.5, 1.0, 0.0), Vec3::splat(0.5),
        ]).expect("memory");
        for _ in 0..10 {
            liquid.step_with(0.02, &mut places).expect("a step");
            for p in [liquid.positions().read().expect("memory"), places.read().expect("memory")].concat() {
                assert!(p.cmpgt(Vec3::ZERO).all() && p.cmplt(Vec3::ONE).all(), "{p}");
            }
        }
    }
    fn nothing_and_a_full_box(device) {
        let options = GridOptions { cells: [6; 3], edge: 0.5, ..GridOptions::default() };
        let mut none = Liquid::new(device, &options, &[], &[]).expect("memory");
        let report = none.step(0.1).expect("a step");
        assert_eq!((report.iterations, report.unconverged, none.speed()), (0, 0, 0.0));
        // without air the pressure is known up to a constant
        let x = regular([6; 3], 0.5, |_| true);
        let mut numbers = Random(9);
        let v: Vec<Vec3> = x.iter().map(|_| Vec3::from_array([0; 3].map(|_| random(&mut numbers)))).collect();
        let mut full = Liquid::new(device, &options, &x, &v).expect("memory");
        let report = full.step(0.1).expect("a step");
        assert_eq!(report.unconverged, 0, "{report:?}");
        let most = divergence([6; 3], &full.faces().read().expect("memory")).into_iter().fold(0.0, f64::max);
        assert!(most < 1e-3, "{most}");
    }
}

#[test]
fn refused() {
    let device = Device::cpu();
    let good = GridOptions::default();
    let wrong =
        |options: GridOptions| Liquid::new(&device, &options, &[], &[]).map(drop).expect_err("refused");
    let cases = [
        ("cells", GridOptions { cells: [3, 8, 8], ..good.clone() }),
        ("cells", GridOptions { cells: [8, 8, 2000], ..good.clone() }),
        ("edge", GridOptions { edge: f32::NAN, ..good.clone() }),
        ("edge", GridOptions { edge: 0.0, ..good.clone() }),
        ("gravity", GridOptions { gravity: [0.0, f32::INFINITY, 0.0], ..good.clone() }),
        ("flip", GridOptions { flip: 1.5, ..good.clone() }),
        ("flip", GridOptions { flip: f32::NAN, ..good.clone() }),
        ("layers", GridOptions { layers: 0, ..good.clone() }),
        ("cfl", GridOptions { cfl: 0.0, ..good.clone() }),
        ("tolerance", GridOptions { tolerance: f64::NAN, ..good.clone() }),
        ("tolerance", GridOptions { tolerance: 1e-9, ..good.clone() }),
        ("iterations", GridOptions { iterations: 0, ..good.clone() }),
    ];
    for (name, options) in cases {
        let error = wrong(options);
        assert!(matches!(&error, Error::Option { option, .. } if *option == name), "{error}");
    }
    let at = |x: &[Vec3], v: &[Vec3]| Liquid::new(&device, &good, x, v).map(drop).expect_err("refused");
    let half = Vec3::splat(0.5);
    let error = at(&[half, Vec3::NAN], &[half; 2]);
    assert!(matches!(error, Error::PointNotFinite { point: 1 }), "{error}");
    let error = at(&[half], &[Vec3::INFINITY]);
    assert!(matches!(error, Error::PointNotFinite { point: 0 }), "{error}");
    let error = at(&[half, -half], &[half; 2]);
    assert!(matches!(error, Error::Option { option: "particle", .. }), "{error}");
    let error = at(&[half], &[]);
    assert!(matches!(error, Error::Length { expected: 1, found: 0, .. }), "{error}");
    let mut liquid = Liquid::new(&device, &good, &[half], &[half]).expect("memory");
    for dt in [f64::NAN, f64::INFINITY, -0.1, 1e9] {
        let error = liquid.step(dt).expect_err("refused");
        assert!(matches!(error, Error::Option { option: "time step", .. }), "{error}");
    }
}

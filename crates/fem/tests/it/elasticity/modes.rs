//! Vibrations: closed forms of bars and beams, a dense solver, and what must not depend on the frame.
use faer::{Mat, Side};
use ribbonmesh::Device;
use ribbonmesh::glam::{DMat3, DVec3, EulerRot, Vec3};
use ribbonmesh_fem::elasticity::{
    ElasticityError, Material, ModeOptions, Problem, Support, Vibration, modes,
};
use ribbonmesh_fem::{Assembler, Form, Lame, Space, Summation};
use ribbonmesh_suite::suite;
use ribbonmesh_volume::{CellKind, CellList, SimplexMesh, shapes};
use ribbonmesh_volume_io::VolumeData;
use std::f64::consts::{PI, TAU};

fn block(n: [u32; 3], size: Vec3) -> VolumeData {
    let (mut x, cells) = shapes::kuhn_grid(n).expect("a size");
    let by = size / Vec3::new(n[0] as f32, n[1] as f32, n[2] as f32);
    x.iter_mut().for_each(|x| *x *= by);
    VolumeData::from_f32(&x, cells)
}
fn held(text: &str, values: [Option<f64>; 3]) -> Support {
    Support { at: text.parse().expect(text), values }
}
const ALL: [Option<f64>; 3] = [Some(0.0); 3];

fn found(device: &Device, volume: &VolumeData, problem: &Problem, count: usize, order: u32) -> Vibration {
    let options = ModeOptions { count, order, ..ModeOptions::default() };
    let found = modes(device, volume, problem, &options).expect("modes");
    assert_eq!(found.report.converged, count, "{:?}", found.report);
    assert!(found.frequencies.is_sorted());
    found
}
fn near(found: &[f64], expected: &[f64], part: f64) {
    assert_eq!(found.len(), expected.len());
    let scale = expected.iter().copied().fold(0.0, f64::max);
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= part * scale, "{found}, not {expected}");
    }
}

/// All eigenvalues of the stiffness and lumped masses of tetrahedra of order 1, where vertices that are not
/// `free` are held.
fn dense(volume: &VolumeData, problem: &Problem, free: impl Fn(DVec3) -> bool) -> Vec<f64> {
    let (device, cells) = (Device::cpu(), tetrahedra(&volume.cells));
    let mesh = SimplexMesh::tetrahedra(&device, &volume.points_around(volume.local_origin()), &cells);
    let mesh = mesh.expect("a mesh");
    let space = Space::tetrahedra(&mesh, 1).expect("a space");
    let assembler = Assembler::new(&space).expect("a pattern").with(Summation::Inline);
    let form = Form::Elasticity(Lame::of(problem.young, problem.poisson));
    let matrix = assembler.assemble::<f64>(form).expect("a matrix").download().expect("memory");
    let mut masses = vec![0.0; volume.positions.len()];
    for cell in &cells {
        let [a, b, c, d] = cell.map(|v| volume.positions[v as usize]);
        let mass = problem.density * (b - a).cross(c - a).dot(d - a) / 6.0;
        cell.iter().for_each(|&v| masses[v as usize] += mass / 4.0);
    }
    let live: Vec<usize> = (0..3 * masses.len()).filter(|i| free(volume.positions[i / 3])).collect();
    let mut scaled = Mat::zeros(3 * masses.len(), 3 * masses.len());
    for (row, blocks) in matrix.rows.iter().enumerate() {
        for (column, numbers) in blocks {
            let by = (masses[row] * masses[*column as usize]).sqrt();
            for k in 0..9 {
                scaled[(3 * row + k / 3, 3 * *column as usize + k % 3)] = numbers[k] / by;
            }
        }
    }
    let of_live = Mat::from_fn(live.len(), live.len(), |i, j| scaled[(live[i], live[j])]);
    of_live.self_adjoint_eigenvalues(Side::Lower).expect("finite numbers")
}
fn tetrahedra(cells: &CellList) -> Vec<[u32; 4]> {
    (0..cells.len())
        .map(|cell| {
            assert_eq!(cells.cell(cell).0, CellKind::Tetrahedron);
            cells.cell(cell).1.try_into().expect("four vertices")
        })
        .collect()
}
/// A block whose inner vertices are moved.
fn crooked(n: [u32; 3], size: Vec3) -> VolumeData {
    let mut volume = block(n, size);
    for (i, x) in volume.positions.iter_mut().enumerate() {
        let shake = |k: usize| 0.04 * (((i * 7919 + k * 104_729) % 1000) as f64 / 1000.0 - 0.5);
        *x += DVec3::new(shake(1), shake(2), shake(3));
    }
    volume
}

suite! {
    /// Frequencies of a small body are those of a dense solver, with supports and without, by iterations and
    /// by the dense solver of the crate.
    fn as_dense(device) {
        for (n, count) in [([2, 1, 1], 12), ([7, 4, 3], 12)] {
            let volume = crooked(n, Vec3::new(2.0, 1.0, 0.8));
            for supports in [vec![], vec![held("x<0.1", ALL)]] {
                let problem = Problem { young: 30.0, density: 2.0, supports, ..Problem::default() };
                let vibration = found(device, &volume, &problem, count, 1);
                assert_eq!(vibration.report.block > 0, n[0] > 2, "{:?}", vibration.report);
                let free = if problem.supports.is_empty() { 6 } else { 0 };
                assert_eq!(vibration.report.free_motions, free);
                assert!(vibration.frequencies[..free].iter().all(|own| *own == 0.0));
                assert!(vibration.frequencies[free] > 0.0);
                let squares: Vec<f64> = vibration.frequencies.iter().map(|f| (TAU * f).powi(2)).collect();
                let all = dense(&volume, &problem, |x| free > 0 || x.x > 0.1);
                near(&squares, &all[..count], 1e-6);
            }
        }
    }
    /// Shapes are orthonormal in the product of masses, and 0 at supports; motions without strain are rigid.
    fn shapes_of_modes(device) {
        let volume = crooked([6, 3, 3], Vec3::new(2.0, 1.0, 1.0));
        let problem = Problem { young: 10.0, density: 3.0, ..Problem::default() };
        let vibration = found(device, &volume, &problem, 9, 1);
        let mut masses = vec![0.0; volume.positions.len()];
        for cell in tetrahedra(&volume.cells) {
            let [a, b, c, d] = cell.map(|v| volume.positions[v as usize]);
            cell.iter().for_each(|&v| masses[v as usize] += 3.0 * (b - a).cross(c - a).dot(d - a) / 24.0);
        }
        for (i, a) in vibration.shapes.iter().enumerate() {
            for (j, b) in vibration.shapes.iter().enumerate() {
                let sum: f64 = a.iter().zip(b).zip(&masses).map(|((a, b), mass)| a.dot(*b) * mass).sum();
                assert!((sum - f64::from(u8::from(i == j))).abs() < 1e-5, "{i}, {j}: {sum}");
            }
        }
        for shape in &vibration.shapes[..6] {
            let u = |k: usize| shape[k];
            // no distance changes: differences of displacements are orthogonal to those of positions
            for k in 1..shape.len() {
                let way = volume.positions[k] - volume.positions[0];
                assert!((u(k) - u(0)).dot(way).abs() < 1e-6 * u(k).length().max(0.1), "{k}");
            }
        }
        let mass = vibration.report.mass;
        assert!((mass - masses.iter().sum::<f64>()).abs() < 1e-6 * mass);
        let mut volume = volume;
        vibration.store(&mut volume);
        assert!(volume.points("mode_0").is_some() && volume.points("mode_8").is_some());
        let fixed = Problem { supports: vec![held("x<0.1", ALL)], ..problem };
        let vibration = found(device, &volume, &fixed, 4, 1);
        for (x, u) in volume.positions.iter().zip(&vibration.shapes[2]) {
            assert!(x.x > 0.1 || *u == DVec3::ZERO);
        }
    }
    /// A slender bar along its axis: odd quarters of the speed of sound by the length, with the other
    /// directions held.
    fn a_bar_along_its_axis(device) {
        let volume = block([24, 1, 1], Vec3::new(6.0, 0.25, 0.25));
        let supports = vec![held("min-x", ALL), held("all", [None, Some(0.0), Some(0.0)])];
        let problem = Problem { young: 100.0, poisson: 0.0, density: 4.0, supports, ..Problem::default() };
        let vibration = found(device, &volume, &problem, 3, 1);
        let expected: Vec<f64> =
            (0..3).map(|k| 5.0 * (2.0 * f64::from(k) + 1.0) / (4.0 * 6.0)).collect();
        near(&vibration.frequencies, &expected, 0.01);
        // free at both ends: one motion, then half waves
        let supports = vec![held("all", [None, Some(0.0), Some(0.0)])];
        let vibration = found(device, &volume, &Problem { supports, ..problem }, 3, 1);
        assert_eq!((vibration.report.free_motions, vibration.frequencies[0]), (1, 0.0));
        near(&vibration.frequencies, &[0.0, 5.0 / 12.0, 10.0 / 12.0], 0.01);
    }
    /// A slender cantilever: Euler and Bernoulli's frequencies of bending, twice each in a square section.
    fn a_cantilever(device) {
        let (length, side) = (10.0_f64, 0.5_f64);
        let volume = block([20, 2, 2], Vec3::new(10.0, 0.5, 0.5));
        let (young, density) = (200.0, 2.0);
        let supports = vec![held("min-x", ALL)];
        let problem = Problem { young, density, poisson: 0.3, supports, ..Problem::default() };
        let vibration = found(device, &volume, &problem, 4, 2);
        let speed = (young * side * side / 12.0 / density).sqrt() / (length * length);
        let expected = [1.8751_f64, 1.8751, 4.6941, 4.6941].map(|beta| beta * beta * speed / TAU);
        near(&vibration.frequencies[..2], &expected[..2], 0.03);
        near(&vibration.frequencies[2..], &expected[2..], 0.03);
        assert!(vibration.report.block > 0 && vibration.report.levels.len() > 1, "{:?}", vibration.report);
    }
    /// Hexahedra, and a bar of two materials against one of the mean of their compliances: at low frequencies
    /// thin layers are one material.
    fn hexahedra_in_layers(device) {
        let (mut x, cells) = shapes::hexahedral_grid([32, 1, 1]).expect("a size");
        x.iter_mut().for_each(|x| *x *= Vec3::new(0.25, 0.25, 0.25));
        let volume = VolumeData::from_f32(&x, cells);
        let supports = vec![held("min-x", ALL), held("all", [None, Some(0.0), Some(0.0)])];
        let layer = |k: u32| {
            let (from, to) = (0.5 * f64::from(k), 0.5 * f64::from(k) + 0.25);
            Material {
                at: format!("box:{from},-1,-1,{to},1,1").parse().expect("a box"),
                young: 300.0,
                poisson: 0.0,
                density: Some(6.0),
            }
        };
        let materials = (0..16).map(layer).collect();
        let problem =
            Problem { young: 100.0, poisson: 0.0, density: 2.0, supports, materials, ..Problem::default() };
        let vibration = found(device, &volume, &problem, 1, 1);
        // moduli of 100 and 300 in series: 150; the mean of densities: 4
        near(&vibration.frequencies, &[(150.0_f64 / 4.0).sqrt() / (4.0 * 8.0)], 0.02);
        assert!((vibration.report.mass - 4.0 * 8.0 / 16.0).abs() < 1e-6);
    }
    /// Turning and moving the body changes nothing; moduli and densities count by their ratio.
    fn another_frame(device) {
        let volume = crooked([6, 3, 2], Vec3::new(2.0, 1.0, 0.6));
        let problem = Problem { young: 10.0, density: 3.0, ..Problem::default() };
        let still = found(device, &volume, &problem, 12, 1);
        let turn = DMat3::from_euler(EulerRot::XYZ, 0.3, -1.1, 2.0);
        let mut turned = volume.clone();
        turned.positions.iter_mut().for_each(|x| *x = turn * *x + DVec3::new(3.0, -2.0, 1.0));
        near(&found(device, &turned, &problem, 12, 1).frequencies, &still.frequencies, 1e-5);
        let doubled: Vec<f64> = still.frequencies.iter().map(|f| 2.0 * f).collect();
        let stiffer = Problem { young: 40.0e9, density: 3.0e9, ..problem.clone() };
        near(&found(device, &volume, &stiffer, 12, 1).frequencies, &doubled, 1e-6);
        let again = found(device, &volume, &problem, 12, 1);
        assert_eq!((again.frequencies, again.shapes), (still.frequencies, still.shapes));
    }
    /// Two bodies have twelve motions without strain; a support that slides leaves some; vertices without
    /// cells stay.
    fn motions_without_strain(device) {
        let (one, n) = (crooked([5, 2, 2], Vec3::new(2.0, 1.0, 1.0)), 6 * 3 * 3);
        let mut cells = tetrahedra(&one.cells);
        cells.extend(tetrahedra(&one.cells).iter().map(|cell| cell.map(|v| v + n)));
        let far = one.positions.iter().map(|x| *x * 0.5 + DVec3::new(0.0, 5.0, 0.0));
        let mut volume = one.clone();
        volume.positions = one.positions.iter().copied().chain(far).chain([DVec3::ONE * 9.0]).collect();
        volume.cells = CellList::tetrahedra(&cells);
        let problem = Problem { young: 10.0, ..Problem::default() };
        let vibration = found(device, &volume, &problem, 14, 1);
        assert_eq!((vibration.report.free_motions, vibration.report.isolated_vertices), (12, 1));
        assert!(vibration.frequencies[11] == 0.0 && vibration.frequencies[12] > 1e-3);
        // fewer than there are
        let few = found(device, &volume, &problem, 7, 1);
        assert_eq!(few.frequencies, [0.0; 7]);
        assert!(vibration.shapes.iter().all(|shape| shape[shape.len() - 1] == DVec3::ZERO));
        let flat = block([5, 2, 2], Vec3::new(2.0, 1.0, 1.0));
        let slides = Problem { supports: vec![held("min-z", [None, None, Some(0.5)])], ..problem };
        let vibration = found(device, &flat, &slides, 5, 1);
        assert_eq!(vibration.report.free_motions, 3);
        assert!(vibration.frequencies[2] == 0.0 && vibration.frequencies[3] > 1e-3);
        assert!(vibration.shapes.iter().flatten().zip(flat.positions.iter().cycle())
            .all(|(u, x)| x.z > 0.0 || u.z == 0.0));
    }
    /// A thin plate that is free: the lowest frequency of a square one is 13.47 / (2 π a²) √(D / m).
    fn a_free_plate(device) {
        let (side, thick) = (4.0_f64, 0.2_f64);
        let volume = block([12, 12, 1], Vec3::new(4.0, 4.0, 0.2));
        let (young, poisson, density) = (1e4, 0.3, 2.0);
        let problem = Problem { young, poisson, density, ..Problem::default() };
        let vibration = found(device, &volume, &problem, 8, 2);
        assert_eq!(vibration.report.free_motions, 6);
        let bending = young * thick.powi(3) / (12.0 * (1.0 - poisson * poisson));
        let unit = (bending / (density * thick)).sqrt() / (side * side * 2.0 * PI);
        near(&vibration.frequencies[6..], &[13.468 * unit, 19.596 * unit], 0.03);
    }
    fn what_there_is_not(device) {
        let volume = block([1; 3], Vec3::splat(1.0));
        let refused = |problem: &Problem, options: ModeOptions| {
            modes(device, &volume, problem, &options).expect_err("an error")
        };
        let (problem, options) = (Problem::default(), ModeOptions::default());
        let many = refused(&problem, ModeOptions { count: 25, ..options });
        assert!(matches!(many, ElasticityError::Modes { count: 25, free: 24 }), "{many}");
        assert!(many.to_string().contains("modes is 25: 1 to 24"), "{many}");
        assert!(refused(&problem, ModeOptions { count: 0, ..options }).to_string().contains("modes is 0"));
        let light = Problem { density: 0.0, ..problem.clone() };
        assert!(refused(&light, options).to_string().contains("density is 0"));
        let of = |tolerance| ModeOptions { tolerance, ..options };
        assert!(refused(&problem, of(0.0)).to_string().contains("tolerance is 0"));
        assert!(refused(&problem, of(f64::NAN)).to_string().contains("tolerance"));
        let all = Problem { supports: vec![held("all", ALL)], ..problem };
        assert!(refused(&all, options).to_string().contains("1 to 0"));
    }
}

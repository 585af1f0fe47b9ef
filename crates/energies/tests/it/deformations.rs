//! Deformations of surfaces beside what they must be.
use glam::{DQuat, DVec3};
use ribbonmesh::{Device, MeshOptions, Surface, TriangleMesh};
use ribbonmesh_energies::{DeformOptions, DeformReport, Handles, deform};
use ribbonmesh_mesh::shapes;
use ribbonmesh_suite::suite;

fn deformed(device: &Device, mesh: &TriangleMesh, options: &DeformOptions) -> (TriangleMesh, DeformReport) {
    let mut surface = Surface::new(device, mesh, &MeshOptions::default()).expect("a surface");
    let report = deform(&mut surface, options).expect("a deformation");
    (surface.download().expect("memory"), report)
}
fn handles(of: impl IntoIterator<Item = (u32, DVec3)>) -> DeformOptions {
    let mut handles = Handles::new();
    of.into_iter().for_each(|(vertex, at)| handles.hold(vertex, Some(at)));
    DeformOptions { handles, ..DeformOptions::default() }
}
/// A closed bar along z with a square section.
fn bar(across: usize, along: usize) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    let around = 4 * across;
    for k in 0..=along {
        for i in 0..around {
            let (side, t) = (i / across, (i % across) as f64 / across as f64);
            let [x, y] = [[t, 0.0], [1.0, t], [1.0 - t, 1.0], [0.0, 1.0 - t]][side];
            mesh.positions.push(DVec3::new(x, y, k as f64 / across as f64));
        }
    }
    for k in 0..along {
        for i in 0..around {
            let [a, b] = [(k * around + i) as u32, (k * around + (i + 1) % around) as u32];
            let [c, d] = [a + around as u32, b + around as u32];
            mesh.faces.extend([[a, b, d], [a, d, c]]);
        }
    }
    mesh
}

suite! {
    fn handles_that_move_rigidly_move_all(device) {
        let mesh = shapes::icosphere(3).expect("a sphere");
        let turn = DQuat::from_axis_angle(DVec3::new(1.0, -1.0, 2.0).normalize(), 1.2);
        let place = |p: DVec3| turn * p + DVec3::new(5.0, 1.0, -2.0);
        let options = handles((0..12).map(|v| (v, place(mesh.positions[v as usize]))));
        let options = DeformOptions { tolerance: 1e-7, ..options };
        let (found, report) = deformed(device, &mesh, &options);
        println!("{} iterations", report.minimum.iterations);
        assert!(report.minimum.converged && report.minimum.energy() < 1e-7, "{report:?}");
        for (a, b) in found.positions.iter().zip(&mesh.positions) {
            assert!(a.distance(place(*b)) < 1e-3, "{a}, {}", place(*b));
        }
    }
    fn nothing_moves_where_handles_stay(device) {
        let mesh = shapes::icosphere(2).expect("a sphere");
        let (found, report) = deformed(device, &mesh, &handles([(3, mesh.positions[3]), (9, mesh.positions[9])]));
        assert!(report.minimum.converged, "{report:?}");
        found.positions.iter().zip(&mesh.positions).for_each(|(a, b)| assert!(a.distance(*b) < 1e-5));
    }
    fn a_bar_is_bent(device) {
        let (across, along) = (4, 16);
        let mesh = bar(across, along);
        let ring = 4 * across as u32;
        let last = ring * along as u32;
        // the upper end is turned by a right angle and put aside
        let turn = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
        let goal = |p: DVec3| turn * (p - DVec3::Z * 4.0) + DVec3::new(2.5, 0.0, 3.0);
        let low = (0..ring).map(|v| (v, mesh.positions[v as usize]));
        let high = (last..last + ring).map(|v| (v, goal(mesh.positions[v as usize])));
        let options = handles(low.chain(high));
        let (found, report) = deformed(device, &mesh, &options);
        println!("{} iterations, {:?}", report.minimum.iterations, report.minimum.ended);
        assert!(report.minimum.converged, "{report:?}");
        assert!(report.minimum.energies.windows(2).all(|pair| pair[1] <= pair[0]), "{report:?}");
        for (vertex, at) in options.handles.iter() {
            assert!(found.positions[vertex as usize].distance(at.expect("a position")) < 1e-5);
        }
        // lengths of edges hardly change
        let change = mesh.faces.iter().map(|&[a, b, _]| {
            let length = |mesh: &TriangleMesh| mesh.positions[a as usize].distance(mesh.positions[b as usize]);
            (length(&found) / length(&mesh)).ln().powi(2)
        });
        let mean = (change.sum::<f64>() / mesh.faces.len() as f64).sqrt();
        assert!(mean < 0.25, "{mean}");
        // the same bits every run
        let (again, _) = deformed(device, &mesh, &options);
        assert_eq!(found.positions, again.positions);
    }
    fn more_exact_is_no_other_minimum(device) {
        let mesh = bar(3, 12);
        let turn = DQuat::from_rotation_z(0.8);
        let (ring, last) = (12, 144);
        let low = (0..ring).map(|v| (v, mesh.positions[v as usize]));
        let middle = DVec3::new(0.5, 0.5, 0.0);
        let high = (last..last + ring).map(|v| (v, turn * (mesh.positions[v as usize] - middle) + middle));
        let options = handles(low.chain(high));
        let (usual, _) = deformed(device, &mesh, &options);
        let options = DeformOptions { tolerance: 1e-9, iterations: 3000, ..options };
        let (exact, report) = deformed(device, &mesh, &options);
        assert!(report.minimum.converged, "{report:?}");
        for (a, b) in usual.positions.iter().zip(&exact.positions) {
            assert!(a.distance(*b) < 2e-3, "{a}, {b}");
        }
    }
}

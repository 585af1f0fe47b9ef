//! Deformations of surfaces beside what they must be.
use glam::{DMat3, DQuat, DVec3};
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

/// The rotation nearest to a matrix with a positive determinant, by Newton's iteration (Higham 1986).
fn nearest_rotation(mut m: DMat3) -> DMat3 {
    assert!(m.determinant() > 0.0);
    for _ in 0..100 {
        m = (m + m.inverse().transpose()) * 0.5;
    }
    m
}
/// The energy over spokes and rims and its gradient, in plain code.
fn plain(rest: &TriangleMesh, x: &[DVec3]) -> (f64, Vec<DVec3>) {
    let sides = |face: [u32; 3], of: &[DVec3]| {
        [[1, 2], [2, 0], [0, 1]].map(|[a, b]| of[face[b] as usize] - of[face[a] as usize])
    };
    let cotangents = |face: [u32; 3]| {
        let s = sides(face, &rest.positions);
        [[1, 2], [2, 0], [0, 1]].map(|[a, b]| -s[a].dot(s[b]) / s[a].cross(s[b]).length())
    };
    let mut fit = vec![DMat3::ZERO; x.len()];
    for &face in &rest.faces {
        let (before, after, c) = (sides(face, &rest.positions), sides(face, x), cotangents(face));
        for v in face {
            for k in 0..3 {
                let s = c[k] * before[k];
                fit[v as usize] += DMat3::from_cols(after[k] * s.x, after[k] * s.y, after[k] * s.z);
            }
        }
    }
    let rotations: Vec<DMat3> = fit.into_iter().map(nearest_rotation).collect();
    let (mut energy, mut gradient) = (0.0, vec![DVec3::ZERO; x.len()]);
    for &face in &rest.faces {
        let (before, after, c) = (sides(face, &rest.positions), sides(face, x), cotangents(face));
        for v in face {
            for (k, [a, b]) in [[1, 2], [2, 0], [0, 1]].into_iter().enumerate() {
                let off = after[k] - rotations[v as usize] * before[k];
                energy += c[k] * off.length_squared() / 12.0;
                gradient[face[b] as usize] += c[k] * off / 6.0;
                gradient[face[a] as usize] -= c[k] * off / 6.0;
            }
        }
    }
    (energy, gradient)
}

suite! {
    fn results_are_minima_in_plain_code(device) {
        // curved, so that the fitted matrices have an inverse
        let mesh = shapes::icosphere(2).expect("a sphere");
        let turn = DQuat::from_rotation_x(0.4);
        let at = |v: u32| mesh.positions[v as usize];
        let held = |v: &u32| at(*v).z.abs() > 0.7;
        let goal = |v: u32| if at(v).z > 0.0 { turn * at(v) + 0.3 * DVec3::Z } else { at(v) };
        let count = mesh.positions.len() as u32;
        let options = handles((0..count).filter(held).map(|v| (v, goal(v))));
        let (found, report) = deformed(device, &mesh, &options);
        let (energy, gradient) = plain(&mesh, &found.positions);
        assert!((energy - report.minimum.energy()).abs() < 1e-5 * energy, "{energy}, {report:?}");
        let free = (0..count).filter(|v| !held(v)).map(|v| gradient[v as usize].length_squared());
        let length = free.sum::<f64>().sqrt();
        // positions of the result are in single precision
        assert!(length < 2e-4 * report.minimum.gradients[0] + 1e-5, "{length}, {:?}", report.minimum.gradients);
    }
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

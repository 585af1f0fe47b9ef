//! Smoothing against a loop over the edges in `f64`.
use crate::meshes;
use crate::oracle::Oracle;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh_suite::{Random, suite};
use ribbonmesh_volume::{CellList, VolumeMesh, VolumeOptions, shapes};

/// Moves what is inside of a grid by up to `by` in each direction.
fn perturbed(x: &[Vec3], boundary: &[u32], by: f32) -> Vec<Vec3> {
    let mut random = Random(4);
    let mut shift = || by * (random.below(1 << 20) as f32 / (1 << 19) as f32 - 1.0);
    let moved = x.iter().map(|x| *x + Vec3::new(shift(), shift(), shift()));
    moved.zip(x).zip(boundary).map(|((moved, &x), &fixed)| if fixed != 0 { x } else { moved }).collect()
}
fn rms(a: &[Vec3], b: &[Vec3]) -> f64 {
    let sum: f64 = a.iter().zip(b).map(|(a, b)| f64::from(a.distance_squared(*b))).sum();
    (sum / a.len() as f64).sqrt()
}
fn smoothed(x: &[Vec3], cells: &CellList, boundary: &[u32], steps: usize) -> Vec<DVec3> {
    let oracle = Oracle::new(x.len(), cells);
    let mut x: Vec<DVec3> = x.iter().map(|x| x.as_dvec3()).collect();
    for _ in 0..steps {
        let mut sums = vec![(DVec3::ZERO, 0); x.len()];
        for &[a, b] in &oracle.edges {
            for (v, u) in [(a, b), (b, a)] {
                let sum = &mut sums[v as usize];
                (sum.0, sum.1) = (sum.0 + x[u as usize], sum.1 + 1);
            }
        }
        for (i, (sum, n)) in sums.into_iter().enumerate() {
            if boundary[i] == 0 && n > 0 {
                x[i] = sum / f64::from(n);
            }
        }
    }
    x
}

suite! {
    fn steps_are_means_of_neighbours(device) {
        for case in meshes::all() {
            let mut mesh = VolumeMesh::new(device, &case.x, &case.cells, &VolumeOptions::default()).expect("a mesh");
            let boundary = mesh.boundary_vertices().expect("memory").read().expect("memory");
            let x = perturbed(&case.x, &boundary, 0.3);
            mesh.set_positions(&x).expect("positions");
            mesh.smooth(5).expect("memory");
            let (found, expected) = (mesh.positions().read().expect("memory"), smoothed(&x, &case.cells, &boundary, 5));
            for (v, (found, expected)) in found.iter().zip(&expected).enumerate() {
                assert!(found.as_dvec3().distance(*expected) <= 1e-6 * expected.length().max(1.0), "{v} of {}", case.name);
                // what is fixed has the same bits
                let bits = |x: &Vec3| x.to_array().map(f32::to_bits);
                assert!(boundary[v] == 0 || bits(found) == bits(&x[v]), "{v} of {}", case.name);
            }
        }
    }
    /// A grid is harmonic: it does not change; a perturbed one comes back to it.
    fn grids_are_fixed_points(device) {
        for shape in [shapes::kuhn_grid([6, 5, 4]), shapes::hexahedral_grid([6, 5, 4])] {
            let (x, cells) = shape.expect("a size");
            let mut mesh = VolumeMesh::new(device, &x, &cells, &VolumeOptions::default()).expect("a mesh");
            mesh.smooth(3).expect("memory");
            assert!(rms(&mesh.positions().read().expect("memory"), &x) < 1e-6);
            let boundary = mesh.boundary_vertices().expect("memory").read().expect("memory");
            mesh.set_positions(&perturbed(&x, &boundary, 0.4)).expect("positions");
            let mut last = rms(&mesh.positions().read().expect("memory"), &x);
            for _ in 0..12 {
                mesh.smooth(2).expect("memory");
                let now = rms(&mesh.positions().read().expect("memory"), &x);
                assert!(now < last, "{now} after {last}");
                last = now;
            }
            mesh.smooth(100).expect("memory");
            assert!(rms(&mesh.positions().read().expect("memory"), &x) < 1e-5);
        }
    }
}

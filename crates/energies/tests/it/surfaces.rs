//! Energies of a surface by name, beside differences.
use crate::samples::unit;
use glam::Vec3;
use ribbonmesh::{Device, MeshOptions, Surface};
use ribbonmesh_energies::{EnergyError, SurfaceEnergy, surface_energy};
use ribbonmesh_mesh::shapes;
use ribbonmesh_suite::{Random, suite};

const SPRINGS: SurfaceEnergy = SurfaceEnergy::Springs { stiffness: 2.5 };

/// A wavy grid, and other positions of its vertices: of triangles that do not turn over in the plane.
fn grid(device: &Device) -> (Surface, Vec<Vec3>) {
    let mut mesh = shapes::grid(6, 1).expect("a grid");
    let mut random = Random(40);
    mesh.positions.iter_mut().for_each(|p| p.z += 0.02 * unit(&mut random));
    let size = mesh.positions.iter().fold(0.0_f64, |most, p| most.max(p.x)) / 6.0;
    let mut moved = || (0.1 * size * unit(&mut random)) as f32;
    let x = mesh.positions.iter().map(|p| p.as_vec3() + Vec3::new(moved(), moved(), moved())).collect();
    (Surface::new(device, &mesh, &MeshOptions::default()).expect("a surface"), x)
}

suite! {
    fn gradients_and_matrices_are_those_of_differences(device) {
        let (mut surface, x) = grid(device);
        for energy in [SPRINGS, SurfaceEnergy::SymmetricDirichlet, SurfaceEnergy::Arap] {
            let mut at = |x: &[Vec3], hessian| {
                let x = device.upload(x).expect("memory");
                surface_energy(&mut surface, energy, &x, hessian).expect("an energy")
            };
            let here = at(&x, Some(false));
            let gradient = here.gradient.read().expect("numbers");
            let (starts, columns, values) = here.hessian.expect("a matrix");
            let [starts, columns] = [starts, columns].map(|list| list.read().expect("numbers"));
            let values = values.read().expect("numbers");
            assert_eq!((starts.len(), columns.len()), (3 * x.len() + 1, values.len()));
            let size = gradient.iter().fold(0.0_f64, |most, g| most.max(g.abs()));
            let most = values.iter().fold(0.0_f64, |most, h| most.max(h.abs()));
            for i in [0, 13, 40, 77, 104] {
                let mut moved = |by: f32| {
                    let mut x = x.clone();
                    x[i / 3][i % 3] += by;
                    (f64::from(x[i / 3][i % 3]), at(&x, None))
                };
                let ((low, before), (high, after)) = (moved(-0.002), moved(0.002));
                let slope = (after.value - before.value) / (high - low);
                assert!((slope - gradient[i]).abs() < 1e-3 * size, "{energy:?} {i}: {slope}, {}", gradient[i]);
                let row = starts[i] as usize..starts[i + 1] as usize;
                assert!(columns[row.clone()].windows(2).all(|pair| pair[0] < pair[1]));
                if energy == SurfaceEnergy::Arap {
                    // rotations do not follow in the matrix
                    continue;
                }
                let [before, after] = [before, after].map(|of| of.gradient.read().expect("numbers"));
                for place in row {
                    let j = columns[place] as usize;
                    let slope = (after[j] - before[j]) / (high - low);
                    assert!((slope - values[place]).abs() < 1e-3 * most, "{energy:?} {i} {j}: {slope}, {}", values[place]);
                }
            }
        }
    }
    fn a_surface_at_rest_has_no_forces(device) {
        let (mut surface, _) = grid(device);
        let still = surface.triangles().positions().try_clone().expect("memory");
        for energy in [SPRINGS, SurfaceEnergy::Arap] {
            let found = surface_energy(&mut surface, energy, &still, None).expect("an energy");
            assert!(found.value.abs() < 1e-12 && found.hessian.is_none(), "{found:?}");
            assert!(found.gradient.read().expect("numbers").iter().all(|g| g.abs() < 1e-9));
        }
    }
    fn what_a_surface_does_not_have(device) {
        let (mut surface, x) = grid(device);
        let few = device.upload(&x[1..]).expect("memory");
        assert!(matches!(surface_energy(&mut surface, SPRINGS, &few, None), Err(EnergyError::Library(_))));
        let x = device.upload(&x).expect("memory");
        let slack = SurfaceEnergy::Springs { stiffness: 0.0 };
        assert!(matches!(surface_energy(&mut surface, slack, &x, None), Err(EnergyError::Option { .. })));
        // a triangle that is turned over has an energy that is infinite
        let mut turned = x.read().expect("numbers");
        turned.iter_mut().for_each(|p| p.x = -p.x);
        let turned = device.upload(&turned).expect("memory");
        let found = surface_energy(&mut surface, SurfaceEnergy::SymmetricDirichlet, &turned, None);
        assert_eq!(found.expect("an energy").value, f64::INFINITY);
    }
}

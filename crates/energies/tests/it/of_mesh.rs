//! Energies of meshes by name, beside differences.
use crate::samples::{cubes, unit};
use ribbonmesh::{Device, Error, MeshOptions, Surface};
use ribbonmesh_energies::{EnergyError, MeshDerivatives, MeshEnergy, SurfaceEnergy, coordinates};
use ribbonmesh_mesh::shapes;
use ribbonmesh_suite::{Random, suite};

const SPRINGS: SurfaceEnergy = SurfaceEnergy::Springs { stiffness: 2.5 };
const ALL: [SurfaceEnergy; 3] = [SPRINGS, SurfaceEnergy::SymmetricDirichlet, SurfaceEnergy::Arap];

/// A wavy grid, and other positions of its vertices: of triangles that do not turn over in the plane.
fn grid(device: &Device) -> (Surface, Vec<f64>) {
    let mut mesh = shapes::grid(6, 1).expect("a grid");
    let mut random = Random(40);
    mesh.positions.iter_mut().for_each(|p| p.z += 0.02 * unit(&mut random));
    let size = mesh.positions.iter().fold(0.0_f64, |most, p| most.max(p.x)) / 6.0;
    let x = mesh.positions.iter().flat_map(|p| p.to_array()).map(|p| p + 0.1 * size * unit(&mut random));
    (Surface::new(device, &mesh, &MeshOptions::default()).expect("a surface"), x.collect())
}
/// Compares gradients, and matrices if they are those of differences, at some coordinates.
fn compare(device: &Device, of: &MeshEnergy, x: &[f64], with_matrix: bool) {
    let at = |x: &[f64], hessian| -> MeshDerivatives {
        of.derivatives(&device.upload(x).expect("memory"), hessian).expect("an energy")
    };
    let here = at(x, Some(false));
    let gradient = here.gradient.read().expect("numbers");
    let (starts, columns, values) = here.hessian.expect("a matrix");
    let [starts, columns] = [starts, columns].map(|list| list.read().expect("numbers"));
    let values = values.read().expect("numbers");
    assert_eq!((starts.len(), columns.len()), (x.len() + 1, values.len()));
    let size = gradient.iter().fold(0.0_f64, |most, g| most.max(g.abs()));
    let most = values.iter().fold(0.0_f64, |most, h| most.max(h.abs()));
    for i in (0..x.len()).step_by(13) {
        let h = 1e-5;
        let moved = |by: f64| {
            let mut x = x.to_vec();
            x[i] += by;
            at(&x, None)
        };
        let (before, after) = (moved(-h), moved(h));
        let slope = (after.value - before.value) / (2.0 * h);
        assert!((slope - gradient[i]).abs() < 1e-6 * size, "{of:?} {i}: {slope}, {}", gradient[i]);
        let row = starts[i] as usize..starts[i + 1] as usize;
        assert!(columns[row.clone()].is_sorted_by(|a, b| a < b));
        let [before, after] = [before, after].map(|of| of.gradient.read().expect("numbers"));
        for place in row.filter(|_| with_matrix) {
            let j = columns[place] as usize;
            let slope = (after[j] - before[j]) / (2.0 * h);
            assert!(
                (slope - values[place]).abs() < 1e-6 * most,
                "{of:?} {i} {j}: {slope}, {}",
                values[place]
            );
        }
    }
}

suite! {
    fn derivatives_of_surfaces_are_those_of_differences(device) {
        let (mut surface, x) = grid(device);
        for energy in ALL {
            let of = MeshEnergy::of_surface(&mut surface, energy).expect("an energy");
            // rotations do not follow in the matrix
            compare(device, &of, &x, energy != SurfaceEnergy::Arap);
        }
    }
    fn derivatives_of_tetrahedra_are_those_of_differences(device) {
        let (still, cells) = cubes(3);
        let mut random = Random(7);
        let x: Vec<f64> = still.iter().map(|x| x + 0.15 * unit(&mut random)).collect();
        let still = device.upload(&still).expect("memory");
        let of = MeshEnergy::of_tetrahedra(&still, &cells, [1.5, 2.0]).expect("an energy");
        compare(device, &of, &x, true);
        let rest = of.derivatives(&still, None).expect("an energy");
        assert!(rest.value.abs() < 1e-12 && rest.gradient.read().expect("numbers").iter().all(|g| g.abs() < 1e-12));
    }
    fn a_surface_at_rest_has_no_forces(device) {
        let (mut surface, _) = grid(device);
        for energy in [SPRINGS, SurfaceEnergy::Arap] {
            let of = MeshEnergy::of_surface(&mut surface, energy).expect("an energy");
            let still = coordinates(surface.triangles().positions()).expect("memory");
            let found = of.derivatives(&still, None).expect("an energy");
            assert!(found.value.abs() < 1e-12 && found.hessian.is_none(), "{found:?}");
            assert!(found.gradient.read().expect("numbers").iter().all(|g| g.abs() < 1e-9));
        }
    }
    fn what_meshes_do_not_have(device) {
        let (mut surface, x) = grid(device);
        let of = MeshEnergy::of_surface(&mut surface, SurfaceEnergy::SymmetricDirichlet).expect("an energy");
        let few = of.derivatives(&device.upload(&x[3..]).expect("memory"), None);
        assert!(matches!(few, Err(EnergyError::Library(Error::Length { .. }))), "{few:?}");
        let other = Device::cpu_with_threads(1).expect("a thread");
        let elsewhere = of.derivatives(&other.upload(&x).expect("memory"), None);
        assert!(matches!(elsewhere, Err(EnergyError::Library(Error::OtherDevice { .. }))), "{elsewhere:?}");
        // a triangle that is turned over has an energy that is infinite
        let turned: Vec<f64> = x.iter().enumerate().map(|(i, x)| if i % 3 == 0 { -x } else { *x }).collect();
        let found = of.derivatives(&device.upload(&turned).expect("memory"), None).expect("an energy");
        assert_eq!(found.value, f64::INFINITY);
        for stiffness in [0.0, f64::NAN, f64::INFINITY] {
            let slack = MeshEnergy::of_surface(&mut surface, SurfaceEnergy::Springs { stiffness });
            assert!(matches!(slack, Err(EnergyError::Option { option: "stiffness", .. })), "{slack:?}");
        }
        for face in [[0, 1, 1], [0, 1, 2]] {
            let mut flat = shapes::grid(2, 1).expect("a grid");
            flat.faces.push(face);
            flat.positions[2] = flat.positions[1];
            let mut flat = Surface::new(device, &flat, &MeshOptions::default()).expect("a surface");
            for energy in ALL {
                let found = MeshEnergy::of_surface(&mut flat, energy);
                assert!(matches!(found, Err(EnergyError::Flat { .. } | EnergyError::Short { .. })), "{found:?}");
            }
        }
        let (still, mut cells) = cubes(2);
        let still = device.upload(&still).expect("memory");
        let made = |cells: &[[u32; 4]], moduli| MeshEnergy::of_tetrahedra(&still, cells, moduli);
        for (moduli, name) in [([0.0, 1.0], "mu"), ([f64::NAN, 1.0], "mu"), ([1.0, -0.7], "lambda")] {
            let found = made(&cells, moduli);
            assert!(matches!(found, Err(EnergyError::Option { option, .. }) if option == name), "{found:?}");
        }
        cells[2].swap(0, 1);
        let found = made(&cells, [1.0, 1.0]);
        assert!(matches!(found, Err(EnergyError::Empty { cell: 2 })), "{found:?}");
    }
}

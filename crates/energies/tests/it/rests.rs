//! Elements at rest, beside plain code, and materials of single elements.
use crate::samples::{apart, inverse2, lengths, simplices, solid_rest};
use glam::DVec3;
use ribbonmesh::Device;
use ribbonmesh::device::BufferView;
use ribbonmesh_energies::{Elements, EnergyError, NeoHookeanArguments};
use ribbonmesh_suite::suite;

const COUNT: usize = 70;

fn near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() < 1e-11 * (1.0 + b.abs()), "{a}, {b}");
    }
}
fn elements<const N: usize>(device: &Device) -> (Elements, Vec<f64>, Vec<[u32; N]>) {
    let (list, x) = (apart::<N>(COUNT), simplices(N, COUNT, 0.2, 30));
    (Elements::new(device, N * COUNT, &list).expect("elements"), x, list)
}

suite! {
    fn rest_is_that_of_plain_code(device) {
        let (edges, x, list) = elements::<2>(device);
        let found = edges.springs_at_rest(&device.upload(&x).expect("memory")).expect("lengths");
        near(&found.read().expect("numbers"), &lengths(&x, &list));
        let (cells, x, list) = elements::<4>(device);
        let found = cells.tetrahedra_at_rest(&device.upload(&x).expect("memory")).expect("tetrahedra");
        near(&found.read().expect("numbers"), &solid_rest(&x, &list));
        let (faces, x, list) = elements::<3>(device);
        let found = faces.flat_triangles_at_rest(&device.upload(&x).expect("memory")).expect("triangles");
        let at = |v: u32| DVec3::from_slice(&x[3 * v as usize..]);
        for (found, [a, b, c]) in found.read().expect("numbers").chunks(5).zip(list) {
            // the first side along an axis of the plane, the third vertex above it
            let (u, v) = (at(b) - at(a), at(c) - at(a));
            let (along, double) = (u.dot(v) / u.length(), u.cross(v).length());
            let (inverse, _) = inverse2([u.length(), along, 0.0, double / u.length()]);
            near(found, &[inverse[0], inverse[1], inverse[2], inverse[3], 0.5 * double]);
        }
    }
    fn elements_without_rest_are_named(device) {
        let (cells, mut x, _) = elements::<4>(device);
        // two vertices of the third one, exchanged
        for c in 0..3 {
            x.swap(3 * 9 + c, 3 * 10 + c);
        }
        let error = cells.tetrahedra_at_rest(&device.upload(&x).expect("memory"));
        assert!(matches!(error, Err(EnergyError::AtRest { element: 2 })), "{error:?}");
        let (edges, mut x, _) = elements::<2>(device);
        x.copy_within(30..33, 33);
        let x = device.upload(&x).expect("memory");
        assert!(matches!(edges.springs_at_rest(&x), Err(EnergyError::AtRest { element: 5 })));
        let other = edges.flat_triangles_at_rest(&x);
        assert!(matches!(other, Err(EnergyError::OtherElements { expected: 3, found: 2 })), "{other:?}");
    }
    fn each_element_has_its_material(device) {
        let (cells, x, _) = elements::<4>(device);
        let x = device.upload(&x).expect("memory");
        let still = device.upload(&simplices(4, COUNT, 0.1, 31)).expect("memory");
        let rest = cells.tetrahedra_at_rest(&still).expect("rest");
        let own: Vec<f64> = (0..COUNT).flat_map(|e| [1.0 + e as f64, 0.5 * e as f64]).collect();
        let materials = device.upload(&own).expect("memory");
        let of = |mu, lambda, materials| {
            let energy = NeoHookeanArguments { mu, lambda, materials, rest: rest.view() };
            cells.derivatives(energy, &x, true).expect("derivatives")
        };
        let all = of(f64::NAN, f64::NAN, materials.view());
        for e in [0, 7, COUNT - 1] {
            let same = of(own[2 * e], own[2 * e + 1], BufferView::empty());
            near(&all.gradients[e], &same.gradients[e]);
            near(&all.hessians[e], &same.hessians[e]);
        }
    }
}

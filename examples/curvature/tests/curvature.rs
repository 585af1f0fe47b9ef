//! Both kernels on both machines against plain loops over the faces.
use curvature::Surface;
use curvature::kernels::NOT_FINITE;
use ribbonmesh::device::Vec3;
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Device, Error};
use std::f64::consts::PI;

/// The GPU, or none: then the test counts as skipped, and fails where `RIBBONMESH_REQUIRE_CUDA` is 1.
fn cuda() -> Option<Device> {
    match Device::cuda(0) {
        Ok(device) => Some(device),
        Err(e) => {
            assert!(std::env::var_os("RIBBONMESH_REQUIRE_CUDA").is_none_or(|v| v != "1"), "no GPU: {e}");
            println!("skipped: {e}");
            None
        }
    }
}

type Mesh = (Vec<Vec3>, Vec<[u32; 3]>);

/// `n` by `n` vertices, of a torus if `closed`, else of a wavy sheet; some stick out, and the last has no
/// face.
fn mesh(n: u32, closed: bool) -> Mesh {
    let at = |i: u32, j: u32| {
        let out = if (7 * i + 3 * j).is_multiple_of(41) { 0.4 } else { 0.0 };
        let (u, v) = (i as f32 / n as f32, j as f32 / n as f32);
        if !closed {
            return Vec3::new(u, v, 0.1 * (9.0 * u * v).sin() + out);
        }
        let (u, v) = (std::f32::consts::TAU * u, std::f32::consts::TAU * v);
        let r = 1.0 + (0.4 + out) * v.cos();
        Vec3::new(r * u.cos(), r * u.sin(), (0.4 + out) * v.sin())
    };
    let mut positions: Vec<_> = (0..n * n).map(|k| at(k / n, k % n)).collect();
    positions.push(Vec3::splat(5.0));
    let cells = if closed { n } else { n - 1 };
    let id = |i: u32, j: u32| (i % n) * n + j % n;
    let quads = (0..cells * cells).map(|k| (k / cells, k % cells));
    let faces = quads.flat_map(|(i, j)| {
        let [a, b, c, d] = [id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    (positions, faces.collect())
}

/// Sum of the angles, number of faces and the neighbours of each vertex.
fn around((positions, faces): &Mesh) -> Vec<(f64, usize, Vec<u32>)> {
    let mut found = vec![(0.0, 0, vec![]); positions.len()];
    for face in faces {
        for k in 0..3 {
            let [v, a, b] = [0, 1, 2].map(|i| face[(k + i) % 3]);
            let [p, q, r] = [v, a, b].map(|v| positions[v as usize].as_dvec3());
            let (x, y) = ((q - p).normalize(), (r - p).normalize());
            let at = &mut found[v as usize];
            at.0 += x.dot(y).acos();
            at.1 += 1;
            at.2.extend([a, b]);
        }
    }
    for at in &mut found {
        at.2.sort_unstable();
        at.2.dedup();
    }
    found
}

fn check(device: &Device) {
    for (n, closed) in [(40, true), (40, false), (3, true), (2, false)] {
        let mesh = mesh(n, closed);
        let surface = Surface::new(device, &mesh.0, &mesh.1).expect("a mesh");
        let curvature = surface.curvature().expect("curvature");
        let around = around(&mesh);
        // a vertex on the boundary has one more neighbour than faces
        let inner = |v: usize| around[v].1 == around[v].2.len();
        let defect = |v: usize| if inner(v) { 2.0 * PI } else { PI } - around[v].0;
        let last = mesh.0.len() - 1;
        for v in 0..last {
            let got = curvature.defects[v];
            assert!((got as f64 - defect(v)).abs() < 1e-5, "vertex {v}: {got} instead of {}", defect(v));
        }
        assert_eq!(curvature.defects[last], std::f32::consts::TAU);
        // the vertex without a face counts as well
        let euler = if closed { 1.0 } else { 2.0 };
        assert!((curvature.total - 2.0 * PI * euler).abs() < 1e-3, "in all {}", curvature.total);
        let saddles = curvature.defects.iter().filter(|d| **d < 0.0).count();
        assert_eq!(curvature.saddles as usize, saddles);

        let threshold = 1.0;
        let moved = surface.despiked(threshold).expect("positions");
        let mut spikes = 0;
        for v in 0..=last {
            let neighbours = &around[v].2;
            let mut expected = mesh.0[v].as_dvec3();
            if v < last && inner(v) && defect(v) > threshold as f64 {
                spikes += 1;
                let sum: DVec3 = neighbours.iter().map(|&u| mesh.0[u as usize].as_dvec3()).sum();
                expected = sum / neighbours.len() as f64;
            }
            assert!(moved[v].as_dvec3().distance(expected) < 1e-5, "vertex {v} of {n}: {}", moved[v]);
        }
        assert!(n < 40 || (spikes > 10 && spikes < last / 4), "{spikes} spikes");
        assert!(surface.time_despike(threshold, 3).expect("a time").min > 0.0);
    }
}

/// A position that is not a number is reported, once, and the error does not last.
fn refuse(device: &Device) {
    let (mut positions, faces) = mesh(20, false);
    positions[77].y = f32::NAN;
    let surface = Surface::new(device, &positions, &faces).expect("a mesh");
    let error = surface.curvature().expect_err("not finite");
    assert!(matches!(error, Error::Kernel { code: NOT_FINITE, .. }), "{error}");
    device.synchronize().expect("nothing is left of it");
}

#[test]
fn cpu() {
    check(&Device::cpu());
}
#[test]
fn cpu_refuses() {
    refuse(&Device::cpu());
}
#[test]
fn cuda_equals_brute_force() {
    if let Some(device) = cuda() {
        check(&device);
    }
}
#[test]
fn cuda_refuses() {
    if let Some(device) = cuda() {
        refuse(&device);
    }
}

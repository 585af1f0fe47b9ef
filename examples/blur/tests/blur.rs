//! The application on both machines: against plain loops over the faces, and on a surface that changes
//! afterwards.
use blur::{BlurOptions, BlurReport, blur};
use ribbonmesh::Error;
use ribbonmesh::mesh::{ColumnError, shapes};
use ribbonmesh::prelude::*;
use ribbonmesh_remeshing::remesh::{RemeshOptions, remesh};
use std::collections::BTreeSet;

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

/// A sphere of many patches with vertices in no order, a face with a vertex twice, and a vertex without a
/// face; numbers and colours at the vertices.
fn with_columns() -> TriangleMesh {
    let mut mesh = shapes::bumpy_sphere(4, 1).expect("small");
    shapes::shuffle(&mut mesh, 3);
    mesh.faces.push([0, 1, 0]);
    mesh.positions.push(DVec3::splat(9.0));
    let n = mesh.positions.len() as u32;
    let heat = (0..n).map(|v| (v * 7919 % 1000) as f32 / 100.0).collect::<Vec<_>>();
    mesh.vertices_mut().insert("heat", heat).expect("rows");
    let colour = (0..n).map(|v| [v as u8, 7, 9]).collect::<Vec<_>>();
    mesh.vertices_mut().insert("colour", colour).expect("rows");
    mesh
}

fn surface_of(device: &Device, mesh: &TriangleMesh) -> Surface {
    let options = MeshOptions { patch_size: 100, ..MeshOptions::default() };
    Surface::new(device, mesh, &options).expect("a mesh")
}

/// The same by loops over the faces, in double precision.
fn expected(mesh: &TriangleMesh, options: &BlurOptions) -> Vec<f64> {
    let mut around = vec![BTreeSet::new(); mesh.positions.len()];
    for &[a, b, c] in &mesh.faces {
        for (u, v) in [(a, b), (b, c), (c, a)].into_iter().filter(|(u, v)| u != v) {
            around[u as usize].insert(v);
            around[v as usize].insert(u);
        }
    }
    let column = mesh.vertices().get::<f32>(&options.column).expect("a column");
    let mut values: Vec<f64> = column.iter().map(|&x| x.into()).collect();
    for _ in 0..options.steps {
        let step = |(here, around): (&f64, &BTreeSet<u32>)| {
            let sum: f64 = around.iter().map(|&u| values[u as usize]).sum();
            let mean = if around.is_empty() { *here } else { sum / around.len() as f64 };
            here + options.weight as f64 * (mean - here)
        };
        values = values.iter().zip(&around).map(step).collect();
    }
    values
}

fn check(device: &Device) {
    let mesh = with_columns();
    for (steps, weight, result) in [(1, 1.0, "heat"), (2, 0.25, "mild"), (7, 0.5, "heat")] {
        let options = BlurOptions { result: result.into(), steps, weight, ..BlurOptions::new("heat") };
        let mut surface = surface_of(device, &mesh);
        let report = blur(&mut surface, &options).expect("blurred");
        let after = surface.download().expect("memory");
        let found = after.vertices().get::<f32>(result).expect("the result");
        for (v, (found, expected)) in found.iter().zip(expected(&mesh, &options)).enumerate() {
            assert!((*found as f64 - expected).abs() < 1e-5, "vertex {v}: {found} instead of {expected}");
        }
        let least = found.iter().copied().fold(f32::INFINITY, f32::min);
        let greatest = found.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let range = Some([least, greatest]);
        assert_eq!(report, BlurReport { vertices: mesh.positions.len(), range });

        // nothing else has changed
        assert_eq!((&after.positions, &after.faces), (&mesh.positions, &mesh.faces));
        for column in mesh.vertices().iter().filter(|column| column.name() != result) {
            assert_eq!(after.vertices().column(column.name()), Some(column));
        }
    }
    let mut empty = TriangleMesh::new(vec![], vec![]);
    empty.vertices_mut().insert("heat", Vec::<f32>::new()).expect("no rows");
    let report = blur(&mut surface_of(device, &empty), &BlurOptions::new("heat")).expect("nothing");
    assert_eq!(report, BlurReport { vertices: 0, range: None });
}

/// Input that blur does not accept causes an error, and the surface stays as it is.
fn refuse(device: &Device) {
    let mesh = with_columns();
    let mut surface = surface_of(device, &mesh);
    let usual = BlurOptions::new("heat");
    for (wrong, option) in [
        (BlurOptions { steps: 0, ..usual.clone() }, "steps"),
        (BlurOptions { weight: 0.0, ..usual.clone() }, "weight"),
        (BlurOptions { weight: 1.5, ..usual.clone() }, "weight"),
        (BlurOptions { weight: f32::NAN, ..usual.clone() }, "weight"),
    ] {
        let error = blur(&mut surface, &wrong).expect_err("a wrong option");
        assert!(matches!(error, Error::Option { option: o, .. } if o == option), "{error}");
    }
    let error = blur(&mut surface, &BlurOptions::new("cold")).expect_err("no such column");
    assert!(matches!(error, Error::Column(ColumnError::Missing { .. })), "{error}");
    let error = blur(&mut surface, &BlurOptions::new("colour")).expect_err("colours");
    assert!(matches!(error, Error::Column(ColumnError::Type { .. })), "{error}");
    assert_eq!(surface.download().expect("memory"), mesh);
}

/// The result follows a surface whose triangles change: it still is what it was at each place, a little under
/// the height.
fn follow(device: &Device) {
    let mut mesh = shapes::icosphere(4).expect("small");
    let height = mesh.positions.iter().map(|p| p.z as f32).collect::<Vec<_>>();
    mesh.vertices_mut().insert("height", height).expect("rows");
    let mut surface = surface_of(device, &mesh);
    blur(&mut surface, &BlurOptions { steps: 3, ..BlurOptions::new("height") }).expect("blurred");
    remesh(&mut surface, &RemeshOptions::default()).expect("remeshed");
    let after = surface.download().expect("memory");
    assert_ne!(after.faces, mesh.faces);
    let height = after.vertices().get::<f32>("height").expect("the column");
    for (p, z) in after.positions.iter().zip(height) {
        assert!((p.z - *z as f64).abs() < 0.02, "{z} at {p}");
    }
    // and can be blurred again
    let report = blur(&mut surface, &BlurOptions::new("height")).expect("blurred");
    assert_eq!(report.vertices, after.positions.len());
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
fn cpu_follows() {
    follow(&Device::cpu());
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
#[test]
fn cuda_follows() {
    if let Some(device) = cuda() {
        follow(&device);
    }
}

//! Tests on both machines, against plain code.
mod correspondence;
mod errors;
mod gradients;
mod laplacians;
mod oracle;

use ribbonmesh::glam::DVec3;
use ribbonmesh::{Device, MeshOptions, Surface};
use ribbonmesh_mesh::{Precision, TriangleMesh};
use ribbonmesh_suite::Random;

/// A mesh in double precision.
fn mesh(positions: Vec<DVec3>, faces: Vec<[u32; 3]>) -> TriangleMesh {
    let mut mesh = TriangleMesh::new(positions, faces);
    mesh.precision = Precision::Double;
    mesh
}
fn surface(device: &Device, mesh: &TriangleMesh) -> Surface {
    Surface::new(device, mesh, &MeshOptions::default()).expect("a surface")
}
/// Random points.
fn points(n: usize, seed: u64) -> Vec<DVec3> {
    let mut random = Random(seed);
    let mut unit = || f64::from(random.below(1 << 24)) / f64::from(1 << 23) - 1.0;
    (0..n).map(|_| DVec3::new(unit(), unit(), unit())).collect()
}

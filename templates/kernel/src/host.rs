//! Functions for programs.

use crate::kernels::MeanDistance;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Device, MeshOptions, Result, StaticMesh, Vertex};

/// The mean distance from each vertex to its neighbours, in the order of the input; 0 for a vertex without
/// any.
///
/// # Errors
/// As [`StaticMesh::new`]; out of memory; errors of the driver.
pub fn mean_distances(device: &Device, positions: &[Vec3], faces: &[[u32; 3]]) -> Result<Vec<f32>> {
    let mesh = StaticMesh::new(device, positions.len(), faces, &MeshOptions::default())?;
    let positions = Attribute::<Vertex, Vec3>::from_input(&mesh, positions)?;
    let mut distances = Attribute::<Vertex, f32>::zeros(&mesh)?;
    mesh.run(MeanDistance { positions: positions.values(), distances: distances.values_mut() })?;
    distances.download()
}

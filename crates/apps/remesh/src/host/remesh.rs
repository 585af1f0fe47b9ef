//! Remeshing triangles in host memory.
use super::options::RemeshOptions;
use super::remesher::Remesher;
use super::report::RemeshReport;
use glam::Vec3;
use ribbonmesh::{Attribute, Device, MeshOptions, Result, StaticMesh};

/// A remeshed surface.
#[derive(Clone, Debug)]
pub struct Remeshed {
    /// Positions of the vertices.
    pub positions: Vec<Vec3>,
    /// Vertices of the faces, counter-clockwise as in the input.
    pub faces: Vec<[u32; 3]>,
    /// What was done.
    pub report: RemeshReport,
}

/// Remeshes `faces`, each three indices of `positions`. The order of vertices and faces is that of
/// [`Remesher::finish`].
/// # Errors
/// As [`Remesher::new`]; [`ribbonmesh::Error::IndexOutOfRange`]; with `validate`, what is wrong with the mesh.
pub fn remesh(
    device: &Device,
    positions: &[Vec3],
    faces: &[[u32; 3]],
    options: &RemeshOptions,
) -> Result<Remeshed> {
    let mesh = StaticMesh::new(device, positions.len(), faces, &MeshOptions::default())?;
    let x = Attribute::from_input(&mesh, positions)?;
    let mut remesher = Remesher::new(&mesh, &x, options)?;
    for _ in 0..options.iterations {
        remesher.iterate()?;
    }
    let (positions, faces, report) = remesher.finish()?;
    Ok(Remeshed { positions, faces, report })
}

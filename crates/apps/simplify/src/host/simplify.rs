//! Simplifying triangles in host memory.
use super::options::SimplifyOptions;
use super::report::SimplifyReport;
use super::simplifier::Simplifier;
use glam::Vec3;
use ribbonmesh::{Attribute, Device, MeshOptions, Result, StaticMesh};

/// A simplified surface.
#[derive(Clone, Debug)]
pub struct Simplified {
    /// Positions of the vertices, in the order of `vertex_inputs`.
    pub positions: Vec<Vec3>,
    /// Vertices of the faces, oriented as in the input.
    pub faces: Vec<[u32; 3]>,
    /// For each vertex one of the input, different for each and ascending: of those that were joined to it the one that
    /// was nearest each time, or the one that stayed.
    pub vertex_inputs: Vec<u32>,
    /// What was done.
    pub report: SimplifyReport,
}

/// Simplifies `faces`, each three indices of `positions`. Vertices without faces stay.
/// # Errors
/// As [`Simplifier::new`]; [`ribbonmesh::Error::IndexOutOfRange`]; with `validate`, what is wrong with the mesh.
pub fn simplify(
    device: &Device,
    positions: &[Vec3],
    faces: &[[u32; 3]],
    options: &SimplifyOptions,
) -> Result<Simplified> {
    let mesh = StaticMesh::new(device, positions.len(), faces, &MeshOptions::default())?;
    let x = Attribute::from_input(&mesh, positions)?;
    let mut simplifier = Simplifier::new(&mesh, &x, options)?;
    simplifier.run()?;
    simplifier.finish()
}

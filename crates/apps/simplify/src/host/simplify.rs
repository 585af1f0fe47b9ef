//! Simplifying a surface.
use super::options::SimplifyOptions;
use super::report::SimplifyReport;
use super::simplifier::Simplifier;
use glam::Vec3;
use ribbonmesh::Result;
use ribbonmesh::Surface;

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

/// Simplifies a surface, whose attributes follow; seams of its attributes are kept as features are. Vertices without faces
/// stay.
/// # Errors
/// As [`Simplifier::new`]; with `validate`, what is wrong with the mesh. The surface is as it was then.
pub fn simplify(surface: &mut Surface, options: &SimplifyOptions) -> Result<SimplifyReport> {
    let mut simplifier = Simplifier::of(surface, options)?;
    simplifier.run()?;
    simplifier.finish_into(surface)
}

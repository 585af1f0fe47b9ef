//! Simplifying a surface.
use super::options::SimplifyOptions;
use super::report::SimplifyReport;
use super::simplifier::Simplifier;
use ribbonmesh::{Result, Surface};

/// Simplifies a surface and transfers its attributes; their seams are kept as features are. Vertices without
/// faces stay. With [`Topology::Free`](super::options::Topology::Free) features and seams are kept only as
/// far as the error of their planes requires.
/// # Errors
/// The errors of [`Simplifier::new`]; with `validate`, [`Error::BrokenMesh`](ribbonmesh::Error::BrokenMesh).
/// The surface is unchanged then.
pub fn simplify(surface: &mut Surface, options: &SimplifyOptions) -> Result<SimplifyReport> {
    let mut simplifier = Simplifier::new(surface, options)?;
    simplifier.run()?;
    simplifier.finish_into(surface)
}

//! Simplifying a surface.
use super::options::SimplifyOptions;
use super::report::SimplifyReport;
use super::simplifier::Simplifier;
use ribbonmesh::{Result, Surface};

/// Simplifies a surface, whose attributes follow; seams of its attributes are kept as features are. Vertices
/// without faces stay. With [`Topology::Free`](super::options::Topology::Free) features and seams are kept as
/// far as the error of their planes says.
/// # Errors
/// As [`Simplifier::new`]; with `validate`, what is wrong with the mesh. The surface is as it was then.
pub fn simplify(surface: &mut Surface, options: &SimplifyOptions) -> Result<SimplifyReport> {
    let mut simplifier = Simplifier::new(surface, options)?;
    simplifier.run()?;
    simplifier.finish_into(surface)
}

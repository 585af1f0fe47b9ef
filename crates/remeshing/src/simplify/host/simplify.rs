//! Simplifying a surface.
use super::options::SimplifyOptions;
use super::report::SimplifyReport;
use super::sequence::Sequence;
use super::simplifier::Simplifier;
use crate::order::Order;
use ribbonmesh::{Result, Surface};

/// A simplification in the order that [`SimplifyOptions::order`] asks for.
pub enum Simplification {
    /// Collapses one after another.
    Sequence(Box<Sequence>),
    /// Collapses in rounds.
    Rounds(Box<Simplifier>),
}
impl Simplification {
    /// Copies a surface to begin with. Waits.
    /// # Errors
    /// The errors of [`Simplifier::new`].
    pub fn new(surface: &mut Surface, options: &SimplifyOptions) -> Result<Self> {
        Ok(match options.order.on(surface.device())? {
            Order::Sequence => Self::Sequence(Box::new(Sequence::new(surface, options)?)),
            _ => Self::Rounds(Box::new(Simplifier::new(surface, options)?)),
        })
    }
    /// Removes faces until there are as many as are wanted, or none can be removed. Waits.
    /// # Errors
    /// The errors of [`Simplifier::run`].
    pub fn run(&mut self) -> Result<()> {
        match self {
            Self::Sequence(sequence) => sequence.run(),
            Self::Rounds(simplifier) => simplifier.run(),
        }
    }
    /// Replaces the surface by the result, and transfers its columns. Waits.
    /// # Errors
    /// The errors of [`Simplifier::finish_into`]; with `validate`,
    /// [`Error::BrokenMesh`](ribbonmesh::Error::BrokenMesh).
    pub fn finish_into(self, surface: &mut Surface) -> Result<SimplifyReport> {
        match self {
            Self::Sequence(sequence) => sequence.finish_into(surface),
            Self::Rounds(simplifier) => simplifier.finish_into(surface),
        }
    }
}

/// Simplifies a surface and transfers its attributes; their seams are kept as features are. Vertices without
/// faces stay. With [`Topology::Free`](super::options::Topology::Free) features and seams are kept only as
/// far as the error of their planes requires.
/// # Errors
/// The errors of [`Simplifier::new`]; with `validate`, [`Error::BrokenMesh`](ribbonmesh::Error::BrokenMesh).
/// The surface is unchanged then.
pub fn simplify(surface: &mut Surface, options: &SimplifyOptions) -> Result<SimplifyReport> {
    let mut simplification = Simplification::new(surface, options)?;
    simplification.run()?;
    simplification.finish_into(surface)
}

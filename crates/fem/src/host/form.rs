//! The problems that the library has elements for.
use crate::device::tetrahedra::Lame;

/// A form whose matrix can be assembled on every [`Space`](crate::Space), elasticity not on triangles.
/// Coefficients are the same in all cells; others need an element of your own, [`Element`](crate::Element).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// Linear elasticity: three unknowns a node.
    Elasticity(Lame),
    /// ∫ k ∇u · ∇v: heat flow, harmonic functions. One unknown a node.
    Laplacian {
        /// k.
        conductivity: f64,
    },
    /// ∫ ρ u v. One unknown a node.
    Mass {
        /// ρ.
        density: f64,
    },
}
impl Form {
    /// Unknowns of a node: rows and columns of a block.
    pub const fn size(self) -> u32 {
        if matches!(self, Self::Elasticity(_)) { 3 } else { 1 }
    }
}

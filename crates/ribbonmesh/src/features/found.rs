//! Features and boundary in numbers.
use serde::Serialize;

/// Counts of the features and of the boundary that an operator keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Features {
    /// Feature edges of the input, inside of the surface.
    pub edges: u64,
    /// Edges of the input's boundary.
    pub boundary_edges: u64,
    /// Vertices of the input inside of curves.
    pub curve_vertices: u64,
    /// Vertices of the input that stay, those without faces included.
    pub corners: u64,
}
impl Features {
    /// The counts of [`crate::features::find::mark`] and [`crate::features::find::count`].
    pub fn new(marked: &[u32], kinds: &[u32]) -> Self {
        let at = |counts: &[u32], i: u32| counts.get(i as usize).copied().unwrap_or(0).into();
        Self {
            edges: at(marked, 0),
            boundary_edges: at(marked, 1),
            curve_vertices: at(kinds, crate::features::kind::CURVE),
            corners: at(kinds, crate::features::kind::CORNER),
        }
    }
}

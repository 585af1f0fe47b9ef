//! Report of a run.
use super::quality::Quality;

/// Report of [`tetrahedralize`](crate::tetrahedra::tetrahedralize).
#[derive(Clone, Debug, PartialEq)]
pub struct TetrahedraReport {
    /// The length of the long edges of the lattice, in the units of the surface.
    pub size: f64,
    /// Sites of the lattice.
    pub sites: u64,
    /// Edges of the lattice that the surface crosses.
    pub cut_edges: u64,
    /// Sites that have moved onto the surface.
    pub warped: u64,
    /// Vertices of the result.
    pub vertices: u64,
    /// Tetrahedra of the result.
    pub tetrahedra: u64,
    /// The volume that the surface encloses, by its winding numbers; negative if it is inside out.
    pub enclosed_volume: f64,
    /// Pairs of faces of the surface that intersect; `None` without a search for them.
    pub self_intersections: Option<u64>,
    /// The shapes of the tetrahedra, and their volume.
    pub quality: Quality,
}

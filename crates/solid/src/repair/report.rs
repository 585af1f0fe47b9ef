//! Report of repair.
use serde::Serialize;

/// Changes of [`repair`](crate::repair::repair()), in elements of the input, numbered from 0 in its order.
/// Lists ascend.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RepairReport {
    /// Vertices that became one with an earlier vertex, each with that vertex.
    pub vertices_welded: Vec<[u32; 2]>,
    /// Faces that were dropped because they have a vertex twice, after welding.
    pub degenerate_faces_dropped: Vec<u32>,
    /// Other faces that were dropped because they have no area.
    pub zero_area_faces_dropped: Vec<u32>,
    /// Faces that were dropped because another one with the same three vertices stays, or another pair that
    /// fills the same flat square; each with a face that stays.
    pub duplicate_faces_dropped: Vec<[u32; 2]>,
    /// Faces of folds: they were dropped together with others that have the same vertices, as many of each
    /// orientation.
    pub folded_faces_dropped: Vec<u32>,
    /// Edges of more than two faces, after these were dropped. In the result each is several edges, of one
    /// face or of two.
    pub edges_split: Vec<EdgeSplit>,
    /// Edges of two faces that were cut because the faces that they connect cannot be oriented, as a Möbius
    /// strip cannot.
    pub edges_cut: Vec<EdgeCut>,
    /// Sets of faces, connected across edges of two faces, with such edges.
    pub nonorientable_components: u64,
    /// Faces whose second and third corners were exchanged.
    pub faces_turned: Vec<u32>,
    /// Vertices that became several: vertices of several fans, many of them ends of the edges above.
    pub vertices_split: Vec<VertexSplit>,
    /// Components of few faces that were dropped, each with its faces.
    pub components_removed: Vec<Vec<u32>>,
    /// Vertices without a face that were removed, including those of such components.
    pub isolated_vertices_removed: Vec<u32>,
}

/// An edge of more than two faces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EdgeSplit {
    /// Its vertices, the lesser first.
    pub edge: [u32; 2],
    /// Its faces.
    pub faces: Vec<u32>,
    /// Pairs of these that are still neighbours there, the lesser first; the others were cut from each other.
    pub joined: Vec<[u32; 2]>,
}

/// An edge that was cut.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EdgeCut {
    /// Its vertices, the lesser first.
    pub edge: [u32; 2],
    /// Its faces.
    pub faces: [u32; 2],
}

/// A vertex that became several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VertexSplit {
    /// The vertex.
    pub vertex: u32,
    /// Its copies, as the result numbers them.
    pub copies: Vec<u32>,
}

impl RepairReport {
    /// Whether nothing was changed.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
    /// Number of changes of each kind, in words for both numbers; kinds that did not occur are left out.
    pub fn counts(&self) -> Vec<(usize, &'static str, &'static str)> {
        let joined = self.edges_split.iter().map(|split| split.joined.len()).sum();
        let all = [
            (self.vertices_welded.len(), "vertex welded", "vertices welded"),
            (self.degenerate_faces_dropped.len(), "degenerate face dropped", "degenerate faces dropped"),
            (self.zero_area_faces_dropped.len(), "face of no area dropped", "faces of no area dropped"),
            (self.duplicate_faces_dropped.len(), "duplicate face dropped", "duplicate faces dropped"),
            (self.folded_faces_dropped.len(), "face of a fold dropped", "faces of folds dropped"),
            (self.edges_split.len(), "non-manifold edge split", "non-manifold edges split"),
            (joined, "pair of faces stitched there", "pairs of faces stitched there"),
            (self.edges_cut.len(), "edge cut to orient", "edges cut to orient"),
            (self.faces_turned.len(), "face turned", "faces turned"),
            (self.vertices_split.len(), "vertex split", "vertices split"),
            (self.components_removed.len(), "component removed", "components removed"),
            (self.isolated_vertices_removed.len(), "isolated vertex removed", "isolated vertices removed"),
        ];
        all.into_iter().filter(|(count, ..)| *count > 0).collect()
    }
}

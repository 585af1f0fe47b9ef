//! What repairing changed.
use serde::Serialize;

/// What [`repair`](crate::repair()) changed, in elements of the input, numbered from 0 in its order. Lists ascend.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RepairReport {
    /// Faces that were dropped because they have a vertex twice.
    pub degenerate_faces_dropped: Vec<u32>,
    /// Faces that were dropped because an earlier one has the same three vertices, each with the first such face.
    pub duplicate_faces_dropped: Vec<[u32; 2]>,
    /// Edges of more than two faces, after that. Afterwards each is several edges.
    pub edges_split: Vec<EdgeSplit>,
    /// Edges that were cut because a component cannot be oriented, as a Möbius strip cannot.
    pub edges_cut: Vec<EdgeCut>,
    /// Components with such edges.
    pub nonorientable_components: u64,
    /// Faces whose second and third corners were exchanged.
    pub faces_turned: Vec<u32>,
    /// Vertices that became several: those of several fans, many of them ends of edges above.
    pub vertices_split: Vec<VertexSplit>,
    /// Vertices without a face that were removed.
    pub isolated_vertices_removed: Vec<u32>,
}

/// An edge of more than two faces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EdgeSplit {
    /// Its vertices, the lesser first.
    pub edge: [u32; 2],
    /// Its faces.
    pub faces: Vec<u32>,
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
    /// How many changes of each kind there were, in words for both numbers; kinds that did not occur are left out.
    pub fn counts(&self) -> Vec<(usize, &'static str, &'static str)> {
        let all = [
            (self.degenerate_faces_dropped.len(), "degenerate face dropped", "degenerate faces dropped"),
            (self.duplicate_faces_dropped.len(), "duplicate face dropped", "duplicate faces dropped"),
            (self.edges_split.len(), "non-manifold edge split", "non-manifold edges split"),
            (self.edges_cut.len(), "edge cut to orient", "edges cut to orient"),
            (self.faces_turned.len(), "face turned", "faces turned"),
            (self.vertices_split.len(), "vertex split", "vertices split"),
            (self.isolated_vertices_removed.len(), "isolated vertex removed", "isolated vertices removed"),
        ];
        all.into_iter().filter(|(count, ..)| *count > 0).collect()
    }
}

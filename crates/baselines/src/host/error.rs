//! Why a mesh has no directed edges.

/// Reason why a mesh cannot be stored as directed edges, or an error of the machine. Elements are numbered as
/// in the input.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PdeError {
    /// The machine, or an index out of range.
    #[error(transparent)]
    Machine(#[from] ribbonmesh::Error),
    /// A face has a vertex twice.
    #[error("face {face} has a vertex twice")]
    DegenerateFace {
        /// The first such face.
        face: usize,
    },
    /// An edge has more than two faces.
    #[error("the edge between vertices {from} and {to} has {sides} faces; directed edges have room for two")]
    NonManifoldEdge {
        /// One end.
        from: u32,
        /// The other.
        to: u32,
        /// Number of faces.
        sides: usize,
    },
    /// Two faces run along their edge in the same direction.
    #[error("faces {first} and {second} have opposite orientations")]
    Inconsistent {
        /// One of the faces.
        first: usize,
        /// The other.
        second: usize,
    },
    /// The faces of a vertex are several fans, and the vertex has one half-edge to begin with.
    #[error("vertex {vertex} has several fans of faces")]
    NonManifoldVertex {
        /// The vertex.
        vertex: u32,
    },
}

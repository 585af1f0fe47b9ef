//! One reason for which a mesh is not an oriented manifold.
use ribbonmesh_mesh::{Class, Classified, Subject};
use std::fmt;

/// A reason for which a mesh is not an oriented manifold, in elements of the input, numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Violation {
    /// A face has a vertex twice.
    #[error("face {face} has a vertex twice ({} {} {})", corners[0], corners[1], corners[2])]
    DegenerateFace {
        /// The face.
        face: u32,
        /// Its corners.
        corners: [u32; 3],
    },
    /// Two faces have the same vertices.
    #[error("face {face} has the same vertices as face {first} ({} {} {})", corners[0], corners[1], corners[2])]
    DuplicateFace {
        /// The face.
        face: u32,
        /// The first face with these vertices.
        first: u32,
        /// The corners of `face`.
        corners: [u32; 3],
    },
    /// An edge has more than two faces.
    #[error("edge {}-{} has {} faces ({})", edge[0], edge[1], faces.len(), List(faces))]
    NonManifoldEdge {
        /// Its vertices, the lesser first.
        edge: [u32; 2],
        /// Its faces, ascending.
        faces: Vec<u32>,
    },
    /// The two faces of an edge have opposite orientations.
    #[error("faces {} and {} have opposite orientations at edge {}-{}", faces[0], faces[1], edge[0], edge[1])]
    InconsistentEdge {
        /// Its vertices, the lesser first.
        edge: [u32; 2],
        /// Its faces, ascending.
        faces: [u32; 2],
    },
    /// The faces of a vertex are several fans.
    #[error("vertex {vertex} has {} fans of faces, at faces {}", faces.len(), List(faces))]
    NonManifoldVertex {
        /// The vertex.
        vertex: u32,
        /// The first face of each fan.
        faces: Vec<u32>,
    },
}

impl Classified for Violation {
    fn class(&self) -> Class {
        let class = Class::refused(Subject::NotManifold);
        match *self {
            Self::DegenerateFace { face, .. } | Self::DuplicateFace { face, .. } => class.face(face),
            Self::NonManifoldEdge { edge, .. } | Self::InconsistentEdge { edge, .. } => class.edge(edge),
            Self::NonManifoldVertex { vertex, .. } => class.vertex(vertex),
        }
    }
}

/// Most elements that a message names.
const NAMED: usize = 8;

/// Displays numbers separated by commas, up to [`NAMED`].
struct List<'a>(&'a [u32]);

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, number) in self.0.iter().take(NAMED).enumerate() {
            write!(f, "{}{number}", if i == 0 { "" } else { ", " })?;
        }
        if self.0.len() > NAMED { f.write_str(", …") } else { Ok(()) }
    }
}

//! The errors of this crate.
use crate::VolumeError;
use ribbonmesh::Error;
use ribbonmesh::mesh::{Class, Classified, Phrase};

/// Result with the error type of this crate.
pub type Result<T> = std::result::Result<T, TetrahedraError>;

/// Reason for which a surface gives no tetrahedra. Vertices and faces are numbered from 0, as in
/// [`Surface::download`](ribbonmesh::Surface::download).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TetrahedraError {
    /// An error of the device, the library, or an option.
    #[error(transparent)]
    Library(#[from] Error),
    /// An error of the volume mesh.
    #[error(transparent)]
    Volume(#[from] VolumeError),
    /// Edges of the surface have an odd number of faces, so that it has no inside.
    #[error(
        "the surface is not closed: {edges} edges have an odd number of faces, the first from vertex {} to vertex {}, of face {face}",
        .ends[0], .ends[1]
    )]
    NotClosed {
        /// Number of these edges; vertices at equal positions count as one.
        edges: usize,
        /// The smallest face with such an edge.
        face: usize,
        /// The ends of its first such edge.
        ends: [u32; 2],
    },
    /// Faces on both sides of edges have different orientations, so winding numbers have no meaning.
    #[error(
        "faces are not oriented alike at {edges} edges, the first from vertex {} to vertex {}, of face {face}: orient them, or count crossings (parity)",
        .ends[0], .ends[1]
    )]
    NotOriented {
        /// Number of edges that do not have as many faces in one direction as in the other.
        edges: usize,
        /// The smallest face with such an edge.
        face: usize,
        /// The ends of its first such edge.
        ends: [u32; 2],
    },
    /// No site of the lattice is inside the surface and away from it.
    #[error("cells of size {size} are too large: no point of their lattice stays inside the surface, whose box is {} x {} x {}", .extent[0], .extent[1], .extent[2])]
    TooCoarse {
        /// The size of the cells.
        size: f64,
        /// The sides of the box around the surface.
        extent: [f64; 3],
    },
    /// The number of cells cannot be met, since the surface encloses no volume.
    #[error("the surface encloses no volume: give the size of the cells instead of their number")]
    NoVolume,
}

impl Classified for TetrahedraError {
    fn class(&self) -> Class {
        match *self {
            Self::Library(ref error @ (Error::WouldNotFit { .. } | Error::TooMany { .. })) => {
                error.class().helped(&[Phrase::Text("larger cells need less")])
            }
            Self::Library(ref error) => error.class(),
            Self::Volume(ref error) => error.class(),
            Self::NotClosed { face, ends, .. } => Class::mesh().face(face).edge(ends).helped(&[
                Phrase::Application("fill"),
                Phrase::Text(" closes holes, "),
                Phrase::Application("wrap"),
                Phrase::Text(" anything"),
            ]),
            Self::NotOriented { face, ends, .. } => Class::mesh()
                .face(face)
                .edge(ends)
                .helped(&[Phrase::Option("inside"), Phrase::Text(" parity does so")]),
            Self::TooCoarse { .. } | Self::NoVolume => Class::mesh(),
        }
    }
}

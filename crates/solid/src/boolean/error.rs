//! Errors of Booleans.
use ribbonmesh::Error;
use ribbonmesh_mesh::{Class, Classified, Culprit, MeshError, Phrase, Subject};

/// Error of meshes that were not combined.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BooleanError {
    /// The triangles of a mesh are refused, or the device has failed.
    #[error(transparent)]
    Library(#[from] Error),
    /// A mesh contradicts itself.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// Nothing is left of a mesh that does not enclose a volume.
    #[error(
        "nothing is left: mesh {mesh} does not enclose a volume, and its faces do not cancel at the edge at \
         ({}, {}, {})",
        at[0], at[1], at[2]
    )]
    Open {
        /// Index of the mesh in the list.
        mesh: usize,
        /// A vertex of the edge.
        at: [f64; 3],
    },
    /// No mesh was given.
    #[error("no mesh was given")]
    Nothing,
    /// Rounding the result makes new intersections again and again.
    #[error("after {rounds} rounds of rounding, {pairs} pairs of faces still intersect")]
    Rounding {
        /// Number of rounds.
        rounds: u32,
        /// Pairs of faces that intersect.
        pairs: usize,
    },
    /// Mending of intersections that rounding made has changed the volume too much.
    #[error(
        "rounding changes the volume of the result by {changed:.3e}; that within the meshes is {volume:.3e}"
    )]
    Volume {
        /// Number of rounds.
        rounds: u32,
        /// The volume that was added.
        changed: f64,
        /// The sum of the volumes within the meshes.
        volume: f64,
    },
    /// A fault of this library.
    #[error("the parts of the faces contradict each other")]
    Contradiction,
}

impl Classified for BooleanError {
    fn class(&self) -> Class {
        match *self {
            Self::Library(ref error) => error.class(),
            Self::Mesh(ref error) => error.class(),
            Self::Open { mesh, .. } => {
                Class::refused(Subject::NotManifold).with(Culprit::Mesh(mesh as u64)).helped(&[
                    Phrase::Application("fill"),
                    Phrase::Text(" fills holes, "),
                    Phrase::Application("repair"),
                    Phrase::Text(" turns faces, "),
                    Phrase::Application("clean"),
                    Phrase::Text(" does all"),
                ])
            }
            Self::Nothing => Class::mesh(),
            Self::Rounding { .. } | Self::Volume { .. } => {
                Class::mesh().helped(&[Phrase::Application("clean"), Phrase::Text(" wraps what is left")])
            }
            Self::Contradiction => Class::bug(),
        }
    }
}

//! Errors of cleaning.
use crate::Bytes;
use ribbonmesh::Error;
use ribbonmesh_mesh::{Class, Classified, MeshError, OptionError, Phrase};
use ribbonmesh_solid::boolean::BooleanError;
use ribbonmesh_solid::fill::FillError;
use ribbonmesh_solid::repair::RepairError;

/// Error of a mesh that was not cleaned.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CleanError {
    /// The triangles, or an option, are refused; or the device has failed.
    #[error(transparent)]
    Library(#[from] Error),
    /// The mesh contradicts itself.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// An option of a step is refused.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// It was not repaired.
    #[error(transparent)]
    Repair(#[from] RepairError),
    /// The holes were not filled.
    #[error(transparent)]
    Fill(#[from] FillError),
    /// A bound of the memory is too low for the mesh.
    #[error(
        "cleaning {vertices} vertices and {faces} faces takes up to {needed} of memory, above the bound of \
         {bound}"
    )]
    Memory {
        /// Number of vertices.
        vertices: usize,
        /// Number of faces.
        faces: usize,
        /// Memory that is enough.
        needed: Bytes,
        /// The bound.
        bound: Bytes,
    },
    /// The intersections were not resolved, and wrapping is off.
    #[error("{0}, and wrapping is off")]
    NotResolved(String),
}

impl Classified for CleanError {
    fn class(&self) -> Class {
        match self {
            Self::Library(error) => error.class(),
            Self::Mesh(error) => error.class(),
            Self::Option(error) => error.class(),
            Self::Repair(error) => error.class(),
            Self::Fill(error) => error.class(),
            Self::Memory { .. } => Class::mesh().helped(&[
                Phrase::Option("memory"),
                Phrase::Text(" bounds it, "),
                Phrase::Application("simplify"),
                Phrase::Text(" makes a mesh smaller"),
            ]),
            Self::NotResolved(_) => Class::mesh()
                .helped(&[Phrase::Option("wrap"), Phrase::Text(" when-needed makes a closed mesh of it")]),
        }
    }
}

/// Errors of the device and of the input; the reason where intersections cannot be resolved.
pub(crate) fn of_boolean(error: BooleanError) -> Result<String, CleanError> {
    match error {
        BooleanError::Library(error) => Err(error.into()),
        BooleanError::Mesh(error) => Err(error.into()),
        error => Ok(error.to_string()),
    }
}

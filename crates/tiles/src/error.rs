//! The errors of this crate.
use ribbonmesh_io::{ReadError, WriteError};
use ribbonmesh_mesh::{Class, Classified, Culprit, Phrase, Subject};
use ribbonmesh_solid::repair::Violations;
use std::io;
use std::path::PathBuf;

/// Result with the error type of this crate.
pub type Result<T> = std::result::Result<T, TilesError>;

/// A mesh, an option or a folder that cannot be used, or a disk that fails.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TilesError {
    /// The library.
    #[error(transparent)]
    Library(#[from] ribbonmesh::Error),
    /// The input cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The output cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A value of an option.
    #[error("{option} is {value}: {expected}")]
    Option {
        /// The option.
        option: &'static str,
        /// Its value.
        value: String,
        /// The values that it may have.
        expected: String,
    },
    /// A file of the work's folder cannot be read or written.
    #[error("{}: {cause}", file.display())]
    Disk {
        /// The file.
        file: PathBuf,
        /// The operating system's reason.
        cause: io::Error,
    },
    /// A file of the work's folder is not as it was written.
    #[error("{}: {reason}; remove the folder to begin again", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The folder has the work of another run.
    #[error("{}: the folder has work on another {what}; remove it, or name another folder", folder.display())]
    OtherWork {
        /// The folder.
        folder: PathBuf,
        /// The part of the request that differs.
        what: &'static str,
    },
    /// Another run works in the folder.
    #[error("{}: another run works in the folder", .0.display())]
    Busy(PathBuf),
    /// The mesh is not an oriented manifold.
    #[error("{reason} at {}", place(*at))]
    NotManifold {
        /// The kind of defect.
        reason: &'static str,
        /// The position of a vertex there.
        at: [f64; 3],
    },
    /// A mesh in memory is not an oriented manifold.
    #[error(transparent)]
    Violations(Box<Violations>),
    /// An output that is not written piece by piece, or of a format that has no room for it.
    #[error("{}: {reason}", file.display())]
    Output {
        /// The file.
        file: PathBuf,
        /// The reason.
        reason: String,
    },
    /// Levels of detail that are not as they were written.
    #[error("{}: {reason}", file.display())]
    Levels {
        /// The file.
        file: PathBuf,
        /// The reason.
        reason: String,
    },
    /// Bytes that are no task, a tile that the round does not have, or a run that is not complete.
    #[error("no such task, or a round that is not done")]
    Task,
    /// More vertices than numbers.
    #[error("the mesh has more vertices than the {} that 32-bit numbers can name", u32::MAX)]
    TooManyVertices,
    /// More faces at defects than fit into memory.
    #[error("more than {faces} faces are at vertices that need repair, and these have to fit into memory")]
    Defects {
        /// The most faces.
        faces: u64,
        /// The option that bounds them.
        bound: Bound,
    },
    /// Repair.
    #[error(transparent)]
    Repair(#[from] ribbonmesh_solid::repair::RepairError),
    /// Pictures.
    #[error(transparent)]
    Render(#[from] ribbonmesh_render::RenderError),
    /// More faces at one place than a tile may have.
    #[error("more than {faces} faces begin at one place, {}, and a tile has no room for them", place(*at))]
    Dense {
        /// The most faces of a tile.
        faces: u64,
        /// The place.
        at: [f64; 3],
        /// The option that bounds them.
        bound: Bound,
    },
}

/// The option that bounds numbers of faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The memory.
    Memory,
    /// The faces of a tile, which are less than the memory allows.
    TileFaces,
}

fn place([x, y, z]: [f64; 3]) -> String {
    format!("({x}, {y}, {z})")
}

impl Classified for TilesError {
    fn class(&self) -> Class {
        match self {
            Self::Library(error) => error.class(),
            Self::Read(error) => error.class(),
            Self::Write(error) => error.class(),
            Self::Option { option, value, expected } => {
                Class::option(*option, format!("is {value}: {expected}"))
            }
            Self::Disk { file, .. } | Self::Damaged { file, .. } | Self::Output { file, .. } => {
                Class::refused(Subject::Output).with(Culprit::File(file.clone()))
            }
            Self::OtherWork { folder, .. } | Self::Busy(folder) => {
                Class::refused(Subject::Output).with(Culprit::File(folder.clone()))
            }
            Self::NotManifold { .. } => Class::refused(Subject::NotManifold),
            Self::TooManyVertices => Class::mesh(),
            Self::Levels { file, .. } => Class::data().with(Culprit::File(file.clone())),
            Self::Task => Class::data(),
            Self::Repair(error) => error.class(),
            Self::Violations(found) => found.class(),
            Self::Render(error) => error.class(),
            Self::Defects { bound, .. } => Class::mesh().helped(match bound {
                Bound::Memory => &[
                    Phrase::Text("more "),
                    Phrase::Option("memory"),
                    Phrase::Text(" has room for more of them"),
                ],
                Bound::TileFaces => &[
                    Phrase::Text("with larger "),
                    Phrase::Option("tile faces"),
                    Phrase::Text(" more of them may be in memory, eight times as many"),
                ],
            }),
            Self::Dense { bound, .. } => Class::mesh().helped(match bound {
                Bound::Memory => {
                    &[Phrase::Text("more "), Phrase::Option("memory"), Phrase::Text(" makes larger tiles")]
                }
                Bound::TileFaces => &[
                    Phrase::Text("larger "),
                    Phrase::Option("tile faces"),
                    Phrase::Text(" makes larger tiles"),
                ],
            }),
        }
    }
}

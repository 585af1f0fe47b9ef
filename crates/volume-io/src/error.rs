//! Errors of reading and writing volumes.

use std::{io, path::PathBuf};

use ribbonmesh_io::{Place, WriteErrorKind};
use ribbonmesh_volume::VolumeError;

use crate::{UnknownVolumeFormat, VolumeFormat};

/// An error of reading a file with a volume.
#[derive(Debug, thiserror::Error)]
#[error("{}{place}: {kind}", file.display())]
pub struct VolumeReadError {
    /// The file, as given to the reader.
    pub file: PathBuf,
    /// The line or byte of the error.
    pub place: Place,
    /// The kind of error.
    pub kind: VolumeReadErrorKind,
}

impl VolumeReadError {
    /// True if the content of the file is invalid, false if the file could not be read.
    pub fn is_refusal(&self) -> bool {
        use ribbonmesh_io::ReadErrorKind::{Directory, Io, Missing};
        !matches!(self.kind, VolumeReadErrorKind::File(Missing | Directory | Io(_)))
    }
}

/// Kinds of errors of reading. Elements are numbered from 0, in the order of the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VolumeReadErrorKind {
    /// The file is missing, cannot be read, or its compression is damaged.
    #[error(transparent)]
    File(ribbonmesh_io::ReadErrorKind),
    /// The extension names no known format.
    #[error(transparent)]
    UnknownFormat(#[from] UnknownVolumeFormat),
    /// Nothing names the format, and the content does not show it.
    #[error("the content does not show its format, and nothing names it")]
    UnknownContent,
    /// The file has no bytes, or only blanks.
    #[error("the file is empty")]
    Empty,
    /// There is not a single vertex.
    #[error("the file has no vertices")]
    NoVertices,
    /// There are no cells.
    #[error("the file has {vertices} vertices and {faces} faces, but no cells")]
    NoCells {
        /// Number of vertices.
        vertices: u64,
        /// Number of triangles, quads and polygons.
        faces: u64,
    },
    /// The file ends before all its values.
    #[error("the file ends where {what} is expected")]
    Truncated {
        /// The missing part.
        what: &'static str,
    },
    /// The text is not a valid number.
    #[error("{text:?} is not a number that fits {what}")]
    NotANumber {
        /// The quantity that the number is for.
        what: &'static str,
        /// The text in its place.
        text: String,
    },
    /// A coordinate is infinite, not a number, or too large for 32-bit floating point.
    #[error("coordinate {value} of vertex {vertex} is not finite")]
    NotFinite {
        /// The vertex.
        vertex: u64,
        /// The coordinate.
        value: f64,
    },
    /// The text is not what the format requires.
    #[error("found {found:?} where {expected} is expected")]
    Unexpected {
        /// The text that the format requires.
        expected: &'static str,
        /// The text in its place.
        found: String,
    },
    /// A count is too large for the size of the file.
    #[error("{count} {what} need at least {needed} bytes, and {available} are left in the file")]
    CountTooLarge {
        /// The counted items.
        what: &'static str,
        /// The count as written.
        count: u64,
        /// The fewest bytes in which that many can be written.
        needed: u64,
        /// The bytes that follow.
        available: u64,
    },
    /// An element names a vertex, or something else, that is not there.
    #[error("{element} has {what} {index}, which is not among the {count} of the file")]
    OutOfRange {
        /// The element.
        element: String,
        /// The kind of the item that it names.
        what: &'static str,
        /// The number as written.
        index: i64,
        /// The number of items of that kind.
        count: u64,
    },
    /// A list has another length than the rest of the file requires.
    #[error("{what} has {found} values, and needs {expected}")]
    Length {
        /// The list.
        what: String,
        /// The length that is needed.
        expected: u64,
        /// The length as written.
        found: u64,
    },
    /// Something occurs twice.
    #[error("{what} occurs twice")]
    Duplicate {
        /// The repeated item.
        what: String,
    },
    /// A part is missing.
    #[error("{what} is missing")]
    Missing {
        /// The missing part.
        what: String,
    },
    /// Encoded or structured data are damaged.
    #[error("{reason}")]
    Damaged {
        /// The reason.
        reason: String,
    },
    /// A feature of the format that this reader does not support.
    #[error("{what} cannot be read")]
    Unsupported {
        /// The feature.
        what: String,
    },
    /// More elements than 32-bit indices can name.
    #[error("{count} {what} are more than 32-bit indices can name")]
    TooMany {
        /// The kind of elements.
        what: &'static str,
        /// The number.
        count: u64,
    },
}

/// An error of writing a volume. An old file of this name is unchanged.
#[derive(Debug, thiserror::Error)]
#[error("{}: {kind}", file.display())]
pub struct VolumeWriteError {
    /// The file, as given to the writer.
    pub file: PathBuf,
    /// The kind of error.
    pub kind: VolumeWriteErrorKind,
}

/// Kinds of errors of writing. Elements are numbered from 0.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VolumeWriteErrorKind {
    /// The file cannot be written.
    #[error(transparent)]
    File(WriteErrorKind),
    /// A writer returned an error.
    #[error("cannot be written: {0}")]
    Io(#[from] io::Error),
    /// The extension names no known format.
    #[error(transparent)]
    UnknownFormat(#[from] UnknownVolumeFormat),
    /// The volume has no vertices or no cells; the readers of this crate reject such files.
    #[error("the volume has {vertices} vertices and {cells} cells, and needs at least one of each")]
    Empty {
        /// Number of vertices.
        vertices: usize,
        /// Number of cells.
        cells: usize,
    },
    /// A cell or face is wrong in itself.
    #[error(transparent)]
    Cells(Box<VolumeError>),
    /// A coordinate is infinite, not a number, or too large for 32-bit floating point.
    #[error("position of vertex {vertex} is not finite: {value:?}")]
    NotFinite {
        /// The vertex.
        vertex: usize,
        /// The three coordinates.
        value: [f64; 3],
    },
    /// A data array does not fit the volume, or its name cannot be written.
    #[error("{element} data {name:?} {reason}")]
    Array {
        /// The element that it belongs to: point, cell, face.
        element: &'static str,
        /// Its name.
        name: String,
        /// The reason.
        reason: String,
    },
    /// The format has no element of this kind.
    #[error("{format} cannot store {element}, which is a {kind}")]
    Kind {
        /// The format.
        format: VolumeFormat,
        /// The cell or face.
        element: String,
        /// Its kind.
        kind: String,
    },
    /// The format's own numbers would overflow.
    #[error("{count} {what} are more than {format} can hold")]
    TooLarge {
        /// The format.
        format: VolumeFormat,
        /// The counted items.
        what: &'static str,
        /// The number of these.
        count: u64,
    },
}

/// An error at a byte offset, before the file's name and line are known.
#[derive(Debug)]
pub(crate) struct Fault {
    /// Offset of the byte at fault; `None` if the file as a whole is at fault.
    pub offset: Option<usize>,
    /// The error there.
    pub kind: VolumeReadErrorKind,
}

pub(crate) type Outcome<T> = Result<T, Box<Fault>>;

/// An error at a byte offset.
#[cold]
pub(crate) fn fault(offset: usize, kind: VolumeReadErrorKind) -> Box<Fault> {
    Box::new(Fault { offset: Some(offset), kind })
}

/// An error of the file as a whole.
#[cold]
pub(crate) fn fault_of_file(kind: VolumeReadErrorKind) -> Box<Fault> {
    Box::new(Fault { offset: None, kind })
}

/// Part of the file that an error message quotes.
pub(crate) fn quote(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(40)]).into_owned()
}

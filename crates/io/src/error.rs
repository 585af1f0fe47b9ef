//! Why a file was refused, or could not be written.

use std::{fmt, io, path::PathBuf};

use crate::{Format, UnknownFormat};

/// Where in a file something is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    File,
    /// A line of a text file, counted from 1.
    Line(u64),
    /// A byte of a binary file, counted from 0.
    Byte(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => Ok(()),
            Self::Line(line) => write!(f, ", line {line}"),
            Self::Byte(byte) => write!(f, ", byte {byte}"),
        }
    }
}

/// A file that was not read, and why.
#[derive(Debug, thiserror::Error)]
#[error("{}{place}: {kind}", file.display())]
pub struct ReadError {
    /// The file, as it was named to the reader.
    pub file: PathBuf,
    /// The line or byte that is at fault.
    pub place: Place,
    /// What is wrong there.
    pub kind: ReadErrorKind,
}

impl ReadError {
    /// True where the file was read and its content refused, false where it could not be read at all.
    pub fn is_refusal(&self) -> bool {
        use ReadErrorKind::{Directory, Io, Missing};
        !matches!(self.kind, Missing | Directory | Io(_))
    }
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// There is no such file.
    #[error("no such file")]
    Missing,
    /// The path leads to a directory.
    #[error("is a directory, not a file")]
    Directory,
    /// The operating system could not read the file.
    #[error("cannot be read: {0}")]
    Io(io::Error),
    /// The extension names no known format.
    #[error(transparent)]
    UnknownFormat(#[from] UnknownFormat),
    /// The format is written, never read.
    #[error("{0} files are written, not read")]
    WriteOnly(Format),
    /// The file has no bytes, or only blanks.
    #[error("the file is empty")]
    Empty,
    /// There is not a single vertex.
    #[error("the file has no vertices")]
    NoVertices,
    /// There are points but no faces.
    #[error("the file has {vertices} vertices but no faces")]
    NoFaces {
        /// Number of vertices.
        vertices: u64,
    },
    /// A number was expected and something else stands there.
    #[error("{text:?} is not a number that fits {what}")]
    NotANumber {
        /// What the number is for.
        what: &'static str,
        /// What stands there.
        text: String,
    },
    /// A coordinate is infinite, not a number, or too large for 32-bit floating point.
    #[error("coordinate {text} is not finite")]
    NotFinite {
        /// The coordinate as written, or its value.
        text: String,
    },
    /// A line ends before all its values.
    #[error("the line ends where {what} is expected")]
    LineTooShort {
        /// What is missing.
        what: &'static str,
    },
    /// The file ends before all its values.
    #[error("the file ends where {what} is expected")]
    Truncated {
        /// What is missing.
        what: &'static str,
    },
    /// One thing was expected and another stands there.
    #[error("{found:?} stands where {expected} is expected")]
    Unexpected {
        /// What the format asks for.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// A face names a vertex that does not exist.
    #[error("vertex index {index} is out of range (of {vertices} vertices{})",
        if *relative { ", counted so far" } else { "" })]
    IndexOutOfRange {
        /// The index as written: OBJ counts from 1, or back from −1; the others count from 0.
        index: i64,
        /// Number of vertices; for a relative index, those before the face.
        vertices: u64,
        /// Whether the index counts back from the face.
        relative: bool,
    },
    /// A face has one or two corners, or none.
    #[error("a face has {corners} corners, and needs at least 3")]
    TooFewCorners {
        /// Number of corners.
        corners: u64,
    },
    /// A count cannot be true, given how large the file is.
    #[error("{count} {what} need at least {needed} bytes, and {available} are left in the file")]
    CountTooLarge {
        /// What is counted.
        what: String,
        /// The count as written.
        count: u64,
        /// The fewest bytes in which that many can be written.
        needed: u64,
        /// The bytes that follow.
        available: u64,
    },
    /// More vertices than 32-bit indices can name.
    #[error("{count} vertices are more than the {} that 32-bit indices can name", u32::MAX)]
    TooManyVertices {
        /// Number of vertices, or of those read so far.
        count: u64,
    },
    /// The header contradicts itself or the format.
    #[error("{reason}")]
    BadHeader {
        /// What is wrong.
        reason: String,
    },
    /// The format allows it, this reader does not.
    #[error("{what} cannot be read")]
    Unsupported {
        /// What stands there.
        what: String,
    },
}

/// A file that was not written, and why. The file that was there before, if any, is untouched.
#[derive(Debug, thiserror::Error)]
#[error("{}: {kind}", file.display())]
pub struct WriteError {
    /// The file, as it was named to the writer.
    pub file: PathBuf,
    /// What went wrong.
    pub kind: WriteErrorKind,
}

/// What went wrong while writing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// The operating system refused.
    #[error("cannot be written: {0}")]
    Io(#[from] io::Error),
    /// The path leads to a directory.
    #[error("is a directory, not a file")]
    Directory,
    /// The extension names no known format.
    #[error(transparent)]
    UnknownFormat(#[from] UnknownFormat),
    /// The mesh has no vertices or no faces, which no reader of this crate would take back.
    #[error("the mesh has {vertices} vertices and {faces} faces, and needs at least one of each")]
    Empty {
        /// Number of vertices.
        vertices: usize,
        /// Number of faces.
        faces: usize,
    },
    /// A face names a vertex that does not exist.
    #[error("face {face} has vertex index {index}, out of range (of {vertices} vertices)")]
    IndexOutOfRange {
        /// Number of the face, from 0.
        face: usize,
        /// The index.
        index: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// A coordinate of a position or normal is infinite or not a number.
    #[error("{what} of vertex {vertex} is not finite: {value:?}")]
    NotFinite {
        /// `position` or `normal`.
        what: &'static str,
        /// Number of the vertex, from 0.
        vertex: usize,
        /// The three coordinates.
        value: [f32; 3],
    },
    /// A property has a value too many or too few.
    #[error("property {name:?} has {got} values for {expected} {element}")]
    PropertyLength {
        /// Name of the property.
        name: String,
        /// `vertices` or `faces`.
        element: &'static str,
        /// Number of elements.
        expected: usize,
        /// Number of values.
        got: usize,
    },
    /// A property's name cannot be written, or is taken.
    #[error("property name {name:?} {reason}")]
    PropertyName {
        /// The name.
        name: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The format has no place for a property.
    #[error("{format} cannot carry {property}")]
    CannotCarry {
        /// The format.
        format: Format,
        /// The property, or `normals`.
        property: String,
    },
    /// The format's own counts or lengths would overflow.
    #[error("{count} {what} are more than {format} can hold ({limit})")]
    TooLarge {
        /// The format.
        format: Format,
        /// What is counted.
        what: &'static str,
        /// How many there are.
        count: u64,
        /// How many there may be.
        limit: u64,
    },
}

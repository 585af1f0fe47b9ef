//! Errors of reading.

use std::{fmt, io, path::PathBuf};

use ribbonmesh_mesh::{Class, Classified, ColumnError, Culprit, Phrase, Subject};

use crate::{Compression, UnknownFormat};

/// The position of an error in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    File,
    /// A line of a text file, counted from 1.
    Line(u64),
    /// A byte of a binary file, counted from 0; of a compressed file, where its content is wrong, after
    /// decompression.
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

/// An error of reading a file.
#[derive(Debug, thiserror::Error)]
#[error("{}{place}: {kind}", file.display())]
pub struct ReadError {
    /// The file, as given to the reader.
    pub file: PathBuf,
    /// The line or byte of the error.
    pub place: Place,
    /// The kind of error.
    pub kind: ReadErrorKind,
}

/// The way to a file that is read in pieces.
const WHOLE: &[Phrase] =
    &[Phrase::Application("convert"), Phrase::Text(" reads it as a whole and writes a PLY file that can")];

impl Classified for ReadError {
    fn class(&self) -> Class {
        let class = Class::refused(self.kind.subject()).with(Culprit::File(self.file.clone()));
        match self.kind {
            ReadErrorKind::NotInPieces { .. } | ReadErrorKind::CompressedInPieces => class.helped(WHOLE),
            _ => class,
        }
    }
}

impl ReadErrorKind {
    /// The content of the file if it is invalid, or the file if it could not be read.
    pub fn subject(&self) -> Subject {
        match self {
            Self::Missing | Self::Directory | Self::Io(_) => Subject::Source,
            _ => Subject::Content,
        }
    }
}

/// Kinds of errors of reading. Elements are numbered from 0, in the order of the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// There is no such file.
    #[error("no such file")]
    Missing,
    /// The path is a directory.
    #[error("is a directory, not a file")]
    Directory,
    /// The operating system could not read the file.
    #[error("cannot be read: {0}")]
    Io(io::Error),
    /// The extension names no known format.
    #[error(transparent)]
    UnknownFormat(#[from] UnknownFormat),
    /// Compressed data end before their end.
    #[error("the {compression} data end early")]
    CutOff {
        /// The compression.
        compression: Compression,
    },
    /// Compressed data are damaged, or no such data. The byte is where decompression stopped.
    #[error("the {compression} data are damaged: {reason}")]
    Damaged {
        /// The compression, from the first bytes or from the extension.
        compression: Compression,
        /// The decoder's message.
        reason: String,
    },
    /// Nothing names the format, and the content does not show it.
    #[error("the content does not show its format, and nothing names it")]
    UnknownContent,
    /// The content is of a kind that is not a mesh, whatever the file's name says.
    #[error("the file is {what}, not a mesh")]
    OtherKind {
        /// The kind of the file, and the remedy.
        what: &'static str,
    },
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
    /// There are points or faces but no cells.
    #[error("the file has {vertices} vertices and {faces} faces, but no cells")]
    NoCells {
        /// Number of vertices.
        vertices: u64,
        /// Number of triangles, quads and polygons.
        faces: u64,
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
    #[error("coordinate {text} is not finite")]
    NotFinite {
        /// The coordinate as written, or its value; and the vertex, if its place does not show it.
        text: String,
    },
    /// A line ends before all its values.
    #[error("the line ends where {what} is expected")]
    LineTooShort {
        /// The missing value.
        what: &'static str,
    },
    /// The file ends before all its values.
    #[error("the file ends where {what} is expected")]
    Truncated {
        /// The missing value.
        what: &'static str,
    },
    /// The text does not have the form that the format requires.
    #[error("found {found:?} where {expected} is expected")]
    Unexpected {
        /// The text that the format requires.
        expected: &'static str,
        /// The text in its place.
        found: String,
    },
    /// A vertex index of a face is out of range.
    #[error("vertex index {index} is out of range (of {vertices} vertices{})",
        if *relative { ", counted so far" } else { "" })]
    IndexOutOfRange {
        /// The index as written: OBJ counts from 1, or back from −1; the others count from 0.
        index: i64,
        /// Number of vertices; for a relative index, of the vertices before the face.
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
    /// A count is too large for the size of the file.
    #[error("{count} {what} need at least {needed} bytes, and {available} are left in the file")]
    CountTooLarge {
        /// The counted items.
        what: String,
        /// The count as written.
        count: u64,
        /// The fewest bytes in which that many can be written.
        needed: u64,
        /// The bytes that follow.
        available: u64,
    },
    /// More elements than 32-bit indices can name.
    #[error("{count} {what} are more than the {} that 32-bit indices can name", u32::MAX)]
    TooMany {
        /// The kind of elements.
        what: &'static str,
        /// Their number, or the number read so far.
        count: u64,
    },
    /// A header, or encoded or structured data, is inconsistent or breaks the format.
    #[error("{reason}")]
    Malformed {
        /// The reason.
        reason: String,
    },
    /// An index of texture coordinates or normals is out of range.
    #[error("attribute index {index} is out of range (of {rows})")]
    AttributeIndexOutOfRange {
        /// The index as written: OBJ counts from 1, or back from −1.
        index: i64,
        /// Number of rows; for a relative index, of the rows before the face.
        rows: u64,
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
    /// A part of the file is missing.
    #[error("{what} is missing")]
    Absent {
        /// The missing part.
        what: String,
    },
    /// A part of a GLB file exceeds the part that contains it.
    #[error("{what} {index} has {needed} bytes, and {available} are there")]
    OutOfBounds {
        /// `bufferView`, `accessor`.
        what: &'static str,
        /// Its number.
        index: u64,
        /// Bytes that it needs.
        needed: u64,
        /// Bytes that there are.
        available: u64,
    },
    /// The JSON of a GLB file is not JSON, or not that of glTF.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// A part of a GLB file refers to a missing part, or to a part of the wrong kind.
    #[error("{what} {index} {reason}")]
    BadReference {
        /// The kind of the part that is referred to.
        what: &'static str,
        /// Its number.
        index: u64,
        /// The reason.
        reason: &'static str,
    },
    /// Attributes do not match the mesh.
    #[error(transparent)]
    Column(#[from] ColumnError),
    /// A kind of file, or of content, that is only read as a whole.
    #[error("{what} cannot be read in pieces")]
    NotInPieces {
        /// The kind.
        what: String,
    },
    /// A compressed file, which is only read as a whole.
    #[error("a compressed file cannot be read in pieces")]
    CompressedInPieces,
    /// A feature of the format that this reader does not support.
    #[error("{what} cannot be read")]
    Unsupported {
        /// The feature.
        what: String,
    },
}

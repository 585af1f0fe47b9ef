//! Errors of Matrix Market files.
use super::{Field, Symmetry};
use std::path::PathBuf;

/// A Matrix Market file that cannot be read. Lines are numbered from 1.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MarketError {
    /// The file is missing or cannot be read or decompressed.
    #[error(transparent)]
    File(#[from] ribbonmesh_io::ReadError),
    /// A line is wrong.
    #[error("{}, line {line}: {kind}", .file.display())]
    Line {
        /// The file.
        file: PathBuf,
        /// The line; one after the last where the file ends too early.
        line: usize,
        /// The kind of the error.
        kind: MarketErrorKind,
    },
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] ribbonmesh_io::WriteError),
    /// The matrix is not of the form that it is to be written in.
    #[error("the entry of row {row}, column {column} is not that of a matrix that is {what}")]
    NotOfForm {
        /// The row, from 0.
        row: u32,
        /// The column, from 0.
        column: u32,
        /// The form.
        what: String,
    },
}
/// Kinds of errors in a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MarketErrorKind {
    /// The first line is not a banner.
    #[error("the file does not begin with `%%MatrixMarket matrix`")]
    Banner,
    /// A word of the banner means nothing.
    #[error("{word:?} in the banner, where there must be {expected}")]
    Word {
        /// The word.
        word: String,
        /// The words that are permitted here.
        expected: &'static str,
    },
    /// Words of the banner contradict each other.
    #[error("a matrix cannot be {field} and {symmetry}")]
    Combination {
        /// The kind of numbers.
        field: Field,
        /// The symmetry.
        symmetry: Symmetry,
    },
    /// An array cannot be a pattern.
    #[error("an array cannot be a pattern")]
    PatternArray,
    /// The line has another number of words than it must have.
    #[error("{found} words where there must be {expected}")]
    Words {
        /// The number that there must be.
        expected: usize,
        /// The number that there is.
        found: usize,
    },
    /// A word is not a number of the kind that is required there.
    #[error("{word:?} is not {expected}")]
    Number {
        /// The word.
        word: String,
        /// The kind of number that is required here.
        expected: &'static str,
    },
    /// A number is infinite or NaN.
    #[error("{word:?} is not finite")]
    NotFinite {
        /// The number.
        word: String,
    },
    /// A row or column is outside of the matrix.
    #[error(
        "row {row}, column {column}: outside of a matrix of {rows} rows and {columns} columns, counted from 1"
    )]
    Outside {
        /// The row, from 1.
        row: u64,
        /// The column, from 1.
        column: u64,
        /// The rows of the matrix.
        rows: u64,
        /// The columns of the matrix.
        columns: u64,
    },
    /// More rows, columns or entries than 31 bits count; or more than 16 million rows or columns, and more
    /// than 64 for each byte that follows.
    #[error("{count} {what} are more than can be stored, or than a file of this size may have")]
    TooMany {
        /// The kind of elements that are counted.
        what: &'static str,
        /// The number.
        count: u64,
    },
    /// The rest of the file cannot hold as many entries as it announces.
    #[error("the file announces {entries} entries, and has room for {room} at most")]
    Room {
        /// The number of entries.
        entries: u64,
        /// As many as there can be.
        room: u64,
    },
    /// A symmetric matrix is not square.
    #[error("a matrix of {rows} rows and {columns} columns cannot be {symmetry}")]
    NotSquare {
        /// The rows.
        rows: u64,
        /// The columns.
        columns: u64,
        /// The symmetry.
        symmetry: Symmetry,
    },
    /// An entry above the diagonal, in a file that lists only entries on it or below.
    #[error("row {row}, column {column}: above the diagonal of a matrix that is {symmetry}")]
    Above {
        /// The row, from 1.
        row: u64,
        /// The column, from 1.
        column: u64,
        /// The symmetry.
        symmetry: Symmetry,
    },
    /// An entry of the diagonal that must be 0, or real.
    #[error("row {row} has an entry on the diagonal that cannot be there in a matrix that is {symmetry}")]
    Diagonal {
        /// The row, from 1.
        row: u64,
        /// The symmetry.
        symmetry: Symmetry,
    },
    /// The file ends before its last entry.
    #[error("the file ends after {found} of {expected} entries")]
    End {
        /// The number of entries that there must be.
        expected: u64,
        /// The number that there are.
        found: u64,
    },
    /// The file has no line of sizes.
    #[error("the file ends before the line of sizes")]
    NoSize,
    /// The file has text behind the last entry.
    #[error("something follows the last entry")]
    Rest,
}

//! The errors of this crate.
use ribbonmesh::mesh::{Class, Classified, Subject};
use ribbonmesh_multigrid::MultigridError;

/// Result with the error type of this crate.
pub type Result<T> = std::result::Result<T, SparseError>;

/// A matrix or vector that cannot be made or worked with. Rows, columns and entries are numbered from 0.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SparseError {
    /// The device or the library.
    #[error(transparent)]
    Library(#[from] ribbonmesh::Error),
    /// An entry of a list is outside of the matrix.
    #[error(
        "entry {entry} is in row {row}, column {column}, outside of a matrix of {rows} rows and {columns} columns"
    )]
    Outside {
        /// Its place in the list.
        entry: usize,
        /// Its row.
        row: u32,
        /// Its column.
        column: u32,
        /// The rows of the matrix.
        rows: usize,
        /// The columns of the matrix.
        columns: usize,
    },
    /// Offsets of rows or slices do not ascend from 0 to the number of entries.
    #[error("the offsets of rows do not ascend from 0 to {entries} at row {row}")]
    Offsets {
        /// The first row that is wrong.
        row: usize,
        /// The number of entries.
        entries: usize,
    },
    /// Columns of a row do not ascend, or one is out of range.
    #[error("the columns of row {row} do not ascend, or reach {columns}, the number of columns")]
    Columns {
        /// The row.
        row: usize,
        /// The columns of the matrix.
        columns: usize,
    },
    /// A row of a sliced matrix has more entries than its slice has room for, or its slice begins at a wrong
    /// place.
    #[error("row {row} does not fit its slice, or the slice begins at a wrong place")]
    Slice {
        /// The row.
        row: usize,
    },
    /// An array has another length than it must have.
    #[error("{what}: {found} where there must be {expected}")]
    Length {
        /// The array.
        what: &'static str,
        /// The length that it must have.
        expected: usize,
        /// The length that it has.
        found: usize,
    },
    /// More rows, entries or numbers than can be stored. Nothing is stored partly.
    #[error("{count} {what}, more than {limit}")]
    TooMany {
        /// The things of which there are too many.
        what: &'static str,
        /// Their number.
        count: u64,
        /// The number that there may be.
        limit: u64,
    },
    /// A layout or schedule that does not exist, or that does not fit the rest.
    #[error("{variant}: {reason}")]
    Variant {
        /// The layout or schedule.
        variant: String,
        /// Why not.
        reason: &'static str,
    },
    /// An option is out of range.
    #[error("{option} is {value}; expected {expected}")]
    Option {
        /// The option.
        option: &'static str,
        /// Its value.
        value: f64,
        /// The values that it may have.
        expected: &'static str,
    },
    /// Multigrid, or a product of matrices.
    #[error(transparent)]
    Multigrid(ribbonmesh_multigrid::MultigridError),
    /// The entries of a matrix are no real numbers.
    #[error("{what} is for matrices of real numbers alone")]
    NotReal {
        /// The operation that does not exist.
        what: &'static str,
    },
    /// An entry of the diagonal is missing or has no inverse, so that there is no Jacobi preconditioner; with
    /// multigrid, it is not positive.
    #[error("the diagonal has no inverse in row {row}")]
    Diagonal {
        /// The row.
        row: usize,
    },
}

impl From<MultigridError> for SparseError {
    fn from(error: MultigridError) -> Self {
        match error {
            MultigridError::Library(error) => Self::Library(error),
            MultigridError::NotPositive { node } => Self::Diagonal { row: node },
            MultigridError::Row { row, columns } => Self::Columns { row, columns },
            MultigridError::Option { option, value, expected } => Self::Option { option, value, expected },
            MultigridError::TooMany { what, count, limit } => Self::TooMany { what, count, limit },
            other => Self::Multigrid(other),
        }
    }
}

impl Classified for SparseError {
    fn class(&self) -> Class {
        match *self {
            Self::Library(ref error) => error.class(),
            Self::Multigrid(_) => Class::data(),
            Self::NotReal { .. } => Class::refused(Subject::Option),
            Self::Option { option, value, expected } => {
                Class::option(option, format!("is {value}; expected {expected}"))
            }
            Self::Variant { .. } => Class::refused(Subject::Option),
            Self::Outside { .. }
            | Self::Offsets { .. }
            | Self::Columns { .. }
            | Self::Slice { .. }
            | Self::Length { .. }
            | Self::TooMany { .. }
            | Self::Diagonal { .. } => Class::data(),
        }
    }
}

/// Refuses a length that is not the expected one.
pub(crate) fn length(what: &'static str, expected: usize, found: usize) -> Result<()> {
    if expected == found { Ok(()) } else { Err(SparseError::Length { what, expected, found }) }
}
/// Refuses more than `limit`.
pub(crate) fn at_most(what: &'static str, count: u64, limit: u64) -> Result<()> {
    if count <= limit { Ok(()) } else { Err(SparseError::TooMany { what, count, limit }) }
}
/// A number of rows, columns or entries, if 31 bits count it.
pub(crate) fn count(what: &'static str, n: usize) -> Result<u32> {
    at_most(what, n as u64, u64::from(u32::MAX >> 1))?;
    Ok(n as u32)
}

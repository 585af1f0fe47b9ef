//! The errors of this crate.

/// Result with the error type of this crate.
pub type Result<T> = std::result::Result<T, MultigridError>;

/// A matrix that cannot be made or worked with. Rows, columns and nodes are numbered from 0.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MultigridError {
    /// The device or the library.
    #[error(transparent)]
    Library(#[from] ribbonmesh::Error),
    /// Places or columns of a row are wrong.
    #[error(
        "row {row}: its places do not follow those of the row before, its columns do not ascend, or one reaches \
         {columns}, the number of columns"
    )]
    Row {
        /// The first row that is wrong.
        row: usize,
        /// The number of columns.
        columns: usize,
    },
    /// Blocks have a size for which there are no kernels.
    #[error("{what} of {height} x {width} numbers: there are {expected}")]
    Size {
        /// The blocks.
        what: &'static str,
        /// Their rows.
        height: usize,
        /// Their columns.
        width: usize,
        /// The sizes that there are.
        expected: &'static str,
    },
    /// A row has no block on the diagonal, or one that is not positive definite.
    #[error("the diagonal block of row {node} is missing or not positive definite")]
    NotPositive {
        /// The first such row.
        node: usize,
    },
    /// More numbers of one type than fit.
    #[error("{what}: {count} where there are at most {limit}")]
    TooMany {
        /// Kind of the numbers.
        what: &'static str,
        /// How many there are.
        count: u64,
        /// How many there may be.
        limit: u64,
    },
    /// An option is out of range.
    #[error("{option} is {value}, not {expected}")]
    Option {
        /// The option.
        option: &'static str,
        /// Its value.
        value: f64,
        /// Values that it may have.
        expected: &'static str,
    },
}

impl From<MultigridError> for ribbonmesh::Error {
    fn from(error: MultigridError) -> Self {
        match error {
            MultigridError::Library(error) => error,
            other => Self::Invalid(other.to_string()),
        }
    }
}

/// A number of elements that 32 bits can count.
pub fn fits(what: &'static str, count: u64) -> Result<u32> {
    let limit = u64::from(u32::MAX);
    u32::try_from(count).map_err(|_| MultigridError::TooMany { what, count, limit })
}
/// A length that must be another one.
pub fn length(what: &'static str, expected: usize, found: usize) -> Result<()> {
    if expected == found { Ok(()) } else { Err(ribbonmesh::Error::Length { what, expected, found }.into()) }
}

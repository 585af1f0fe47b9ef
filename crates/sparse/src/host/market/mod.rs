//! Matrix Market files (Boisvert, Pozo and Remington 1996).
mod error;
mod read;
mod write;

pub use error::{MarketError, MarketErrorKind};
pub use read::{parse_market, read_market};
pub use write::{MarketEntry, MarketOptions, write_market};

use crate::{Complex, Csr};
use std::fmt;

/// The kind of numbers of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Real numbers.
    Real,
    /// Whole numbers, up to 2⁵³.
    Integer,
    /// Complex numbers.
    Complex,
    /// No numbers: entries are 1.
    Pattern,
}
/// The symmetry of a matrix in a file. Only entries on the diagonal and below are listed unless it is
/// `General`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// None.
    General,
    /// Equal to the transpose.
    Symmetric,
    /// The negative of the transpose; nothing on the diagonal is listed.
    SkewSymmetric,
    /// Equal to the conjugate of the transpose.
    Hermitian,
}
/// The way in which a file lists entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// With rows and columns.
    Coordinate,
    /// All entries, column by column.
    Array,
}
impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Real => "real",
            Self::Integer => "integer",
            Self::Complex => "complex",
            Self::Pattern => "pattern",
        })
    }
}
impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::General => "general",
            Self::Symmetric => "symmetric",
            Self::SkewSymmetric => "skew-symmetric",
            Self::Hermitian => "hermitian",
        })
    }
}

/// A matrix of a file, with all entries: also the entries that a file leaves out because of a symmetry.
/// Entries at the same place are summed in the file's order.
#[derive(Clone, Debug, PartialEq)]
pub struct MarketMatrix {
    /// The way in which the file lists entries.
    pub format: Format,
    /// The kind of numbers.
    pub field: Field,
    /// The symmetry that the file states.
    pub symmetry: Symmetry,
    /// The lines of comment behind the banner, without their `%`.
    pub comments: Vec<String>,
    /// The entries.
    pub entries: MarketEntries,
}
/// The entries of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum MarketEntries {
    /// A matrix of the fields real, integer and pattern.
    Real(Csr<f64>),
    /// A matrix of the field complex.
    Complex(Csr<Complex<f64>>),
}
impl MarketMatrix {
    /// The number of rows.
    pub fn rows(&self) -> usize {
        match &self.entries {
            MarketEntries::Real(matrix) => matrix.rows(),
            MarketEntries::Complex(matrix) => matrix.rows(),
        }
    }
    /// The number of columns.
    pub fn columns(&self) -> usize {
        match &self.entries {
            MarketEntries::Real(matrix) => matrix.columns(),
            MarketEntries::Complex(matrix) => matrix.columns(),
        }
    }
    /// The matrix, if it is real.
    pub fn into_real(self) -> Option<Csr<f64>> {
        match self.entries {
            MarketEntries::Real(matrix) => Some(matrix),
            MarketEntries::Complex(_) => None,
        }
    }
    /// The matrix with complex entries.
    pub fn into_complex(self) -> Csr<Complex<f64>> {
        match self.entries {
            MarketEntries::Real(matrix) => matrix.map(|x| Complex::new(x, 0.0)),
            MarketEntries::Complex(matrix) => matrix,
        }
    }
}

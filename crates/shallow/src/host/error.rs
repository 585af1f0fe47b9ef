//! The errors of this crate.
use ribbonmesh::mesh::{Class, Classified, Phrase, Subject};

/// Result with the error type of this crate.
pub type Result<T> = std::result::Result<T, ShallowError>;

/// Terrain or options that cannot be used, or a simulation that failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShallowError {
    /// The device or the library.
    #[error(transparent)]
    Library(#[from] ribbonmesh::Error),
    /// A terrain of too few points, or of too many.
    #[error("{columns} by {rows} points; expected 2 to {limit} in each direction")]
    Size {
        /// Points of a row.
        columns: u64,
        /// Rows.
        rows: u64,
        /// The most in a direction.
        limit: u32,
    },
    /// An array of another length than the terrain says.
    #[error("{found} {what} where there must be {expected}")]
    Length {
        /// The numbers.
        what: &'static str,
        /// How many there must be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A height that is not a number.
    #[error("the height of point {column}, {row} is not finite")]
    Height {
        /// The column of the point.
        column: usize,
        /// The row of the point.
        row: usize,
    },
    /// A level that is not a number.
    #[error("the level of cell {column}, {row} is {level}")]
    Level {
        /// The column of the cell.
        column: usize,
        /// The row of the cell.
        row: usize,
        /// The level.
        level: f64,
    },
    /// A value of an option.
    #[error("the option {option} is {value}; expected {expected}")]
    Option {
        /// The option.
        option: &'static str,
        /// Its value.
        value: f64,
        /// The values that it may have.
        expected: &'static str,
    },
    /// Water comes in outside of the terrain.
    #[error("source {0} has no cell of the terrain")]
    Outside(usize),
    /// A velocity that is not a number.
    #[error("the velocity in cell {column}, {row} is not finite")]
    NotFinite {
        /// The column of the cell.
        column: u32,
        /// The row of the cell.
        row: u32,
    },
    /// Water that is higher than levels can be.
    #[error("the water in cell {column}, {row} is above {highest}, the highest level")]
    TooHigh {
        /// The column of the cell.
        column: u32,
        /// The row of the cell.
        row: u32,
        /// The highest level.
        highest: f64,
    },
    /// An earlier step failed.
    #[error("a step has failed before; the water is not valid any more")]
    Broken,
}

impl Classified for ShallowError {
    fn class(&self) -> Class {
        match *self {
            Self::Library(ref error) => error.class(),
            Self::Option { option, value, expected } => {
                Class::option(option, format!("is {value}; expected {expected}"))
            }
            Self::Outside(_) => Class::option("source", "has no cell of the terrain"),
            Self::TooHigh { .. } => Class::refused(Subject::Solution)
                .helped(&[Phrase::Option("highest"), Phrase::Text(" makes room for more")]),
            Self::NotFinite { .. } | Self::Broken => Class::refused(Subject::Solution),
            _ => Class::data(),
        }
    }
}

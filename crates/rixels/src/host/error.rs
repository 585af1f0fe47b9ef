//! The errors of this crate.
use ribbonmesh::Error;
use ribbonmesh::mesh::{Class, Classified, Subject};
use ribbonmesh_expression::{EvaluateError, ProgramError, PtxError};

/// Result with the error type of this crate.
pub type Result<T> = std::result::Result<T, RixelError>;

/// A picture that cannot be made, rixels that cannot be read, or a formula that cannot be evaluated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RixelError {
    /// The device or the library.
    #[error(transparent)]
    Library(#[from] ribbonmesh::Error),
    /// A picture of no pixels, or of too many.
    #[error("a picture of {width} by {height} pixels; expected 1 to {limit} in each direction")]
    Size {
        /// Pixels of a row.
        width: u32,
        /// Rows.
        height: u32,
        /// The most.
        limit: u32,
    },
    /// A matrix that does not describe a camera.
    #[error("the {matrix} matrix {problem}")]
    Matrix {
        /// `view` or `projection`.
        matrix: &'static str,
        /// The reason.
        problem: &'static str,
    },
    /// Bytes that are no rixels.
    #[error("part {part} of rixels {problem}")]
    Part {
        /// The part, from 1.
        part: usize,
        /// The fault.
        problem: String,
    },
    /// A formula that has no bytecode.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// A formula that has no PTX.
    #[error(transparent)]
    Ptx(#[from] PtxError),
    /// Columns that do not fit a formula.
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    /// A way of evaluation that a device does not have.
    #[error("formulas cannot be evaluated {way} on {device}")]
    Way {
        /// The way.
        way: &'static str,
        /// The name of the device.
        device: String,
    },
}

impl Classified for RixelError {
    fn class(&self) -> Class {
        match *self {
            Self::Library(ref error) => error.class(),
            Self::Size { width, height, limit } => {
                Class::option("size", format!("is {width} by {height}; expected 1 to {limit} each"))
            }
            Self::Matrix { matrix, problem } => Class::option(matrix, problem),
            Self::Way { .. } => Class::refused(Subject::Option),
            _ => Class::data(),
        }
    }
}

/// Refuses a length that is not the expected one.
pub(crate) fn length(what: &'static str, expected: usize, found: usize) -> Result<()> {
    if expected == found { Ok(()) } else { Err(Error::Length { what, expected, found }.into()) }
}
/// A number of elements that 32 bits count.
pub(crate) fn count(what: &'static str, count: usize) -> Result<u32> {
    // the last number means "none"
    let limit = u64::from(u32::MAX) - 1;
    let refused = || Error::TooMany { what, count: count as u64, limit }.into();
    u32::try_from(count).ok().filter(|n| u64::from(*n) <= limit).ok_or_else(refused)
}

//! Values of inputs in memory.

use std::ops::Range;
use thiserror::Error;

/// The values of an input: element i has the value number `first + i * stride`.
#[derive(Clone, Copy, Debug)]
pub struct Column<'a> {
    values: &'a [f32],
    first: usize,
    stride: usize,
}

impl<'a> Column<'a> {
    /// A value for each element.
    pub fn new(values: &'a [f32]) -> Self {
        Self { values, first: 0, stride: 1 }
    }

    /// A component of elements with `width` numbers each.
    pub fn interleaved(values: &'a [f32], component: usize, width: usize) -> Self {
        Self { values, first: component, stride: width }
    }

    /// The same value for all elements.
    pub fn uniform(value: &'a f32) -> Self {
        Self { values: std::slice::from_ref(value), first: 0, stride: 0 }
    }

    /// The value of an element.
    pub fn get(&self, element: usize) -> Option<f32> {
        self.values.get(self.first.checked_add(element.checked_mul(self.stride)?)?).copied()
    }

    /// The values of elements if they are one after the other in memory.
    pub(crate) fn contiguous(&self, elements: Range<usize>) -> Option<&'a [f32]> {
        (self.stride == 1).then(|| &self.values[self.first..][elements])
    }

    /// Copies the values of elements, for all of which there is one.
    pub(crate) fn gather(&self, elements: Range<usize>, to: &mut [f32]) {
        let count = elements.len();
        match self.stride {
            0 => to[..count].fill(self.values[self.first]),
            1 => to[..count].copy_from_slice(&self.values[self.first..][elements]),
            stride => {
                let from = self.values[self.first + elements.start * stride..].iter().step_by(stride);
                to[..count].iter_mut().zip(from).for_each(|(to, from)| *to = *from);
            }
        }
    }
}

/// Arrays that do not fit an expression.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum EvaluateError {
    /// Another number of columns than there are inputs.
    #[error("{columns} columns are given, and the expression has {inputs} inputs")]
    Columns {
        /// The given columns.
        columns: usize,
        /// The inputs of the expression.
        inputs: usize,
    },
    /// A column that has no value for an element.
    #[error("column {column} has no value for element {element}")]
    Short {
        /// The number of the column.
        column: usize,
        /// The last element that was asked for.
        element: usize,
    },
    /// A result of another length.
    #[error("the result has room for {found} numbers, and {elements} elements have {needed}")]
    Result {
        /// The length of the result.
        found: usize,
        /// The elements.
        elements: usize,
        /// The numbers that they have.
        needed: usize,
    },
    /// More elements than can be numbered.
    #[error("element {0} is beyond 2^32")]
    Element(usize),
}

/// Checks that columns have values for all elements, and results room for them.
pub(crate) fn check(
    columns: &[Column<'_>],
    inputs: usize,
    elements: &Range<usize>,
    width: usize,
    results: &[f32],
) -> Result<(), EvaluateError> {
    if columns.len() != inputs {
        return Err(EvaluateError::Columns { columns: columns.len(), inputs });
    }
    let count = elements.len();
    if count.checked_mul(width) != Some(results.len()) {
        let needed = count.saturating_mul(width);
        return Err(EvaluateError::Result { found: results.len(), elements: count, needed });
    }
    let Some(last) = elements.clone().last() else { return Ok(()) };
    if u32::try_from(last).is_err() {
        return Err(EvaluateError::Element(last));
    }
    match columns.iter().position(|column| column.get(last).is_none()) {
        Some(column) => Err(EvaluateError::Short { column, element: last }),
        None => Ok(()),
    }
}

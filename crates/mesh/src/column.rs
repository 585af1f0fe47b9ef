//! One attribute.

use crate::{ColumnError, Element, Policy, Role, Scalar, Scalars, Value};
use std::ops::Range;

/// A named attribute: rows of one to four numbers, one row per element.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    name: String,
    role: Role,
    policy: Policy,
    width: usize,
    scalars: Scalars,
}

impl Column {
    /// A column of values, with the role [`Role::Custom`] and the policy of this role.
    pub fn new<T: Value>(name: impl Into<String>, values: Vec<T>) -> Self {
        Self::with_role(name, Role::Custom, values)
    }

    /// A column of values with a role, and the policy of this role.
    pub fn with_role<T: Value>(name: impl Into<String>, role: Role, values: Vec<T>) -> Self {
        let policy = role.policy(T::SCALAR);
        Self { name: name.into(), role, policy, width: T::WIDTH, scalars: T::wrap(values) }
    }

    /// A column of rows of `width` numbers. `None` unless `width` is 1 to 4 and divides the length of
    /// `scalars`.
    pub fn from_scalars(name: impl Into<String>, role: Role, width: usize, scalars: Scalars) -> Option<Self> {
        if !(1..=4).contains(&width) || !scalars.len().is_multiple_of(width) {
            return None;
        }
        let policy = role.policy(scalars.scalar());
        Some(Self { name: name.into(), role, policy, width, scalars })
    }

    /// The same column with another policy.
    #[must_use]
    pub fn with_policy(self, policy: Policy) -> Self {
        Self { policy, ..self }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The meaning of the values.
    pub fn role(&self) -> Role {
        self.role
    }

    /// The policy by which the values follow changes of the mesh.
    pub fn policy(&self) -> Policy {
        self.policy
    }

    /// Numbers per row, 1 to 4.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The type of the numbers.
    pub fn scalar(&self) -> Scalar {
        self.scalars.scalar()
    }

    /// The numbers, row after row.
    pub fn scalars(&self) -> &Scalars {
        &self.scalars
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.scalars.len() / self.width
    }

    /// The values; `None` if the column has another type.
    pub fn values<T: Value>(&self) -> Option<&[T]> {
        if T::WIDTH == self.width { T::slice(&self.scalars) } else { None }
    }

    /// The values, mutable; `None` if the column has another type.
    pub fn values_mut<T: Value>(&mut self) -> Option<&mut [T]> {
        if T::WIDTH == self.width { T::slice_mut(&mut self.scalars) } else { None }
    }

    /// The type of a row, such as `f32 × 3`.
    pub fn type_name(&self) -> String {
        self.scalar().of_width(self.width)
    }

    /// Refuses a column with rows of another type.
    ///
    /// # Errors
    /// [`ColumnError::Type`].
    pub fn require_type_of(&self, other: &Self, element: Element) -> Result<(), ColumnError> {
        if (self.scalar(), self.width) == (other.scalar(), other.width) {
            return Ok(());
        }
        let (name, expected, found) = (self.name.clone(), self.type_name(), other.type_name());
        Err(ColumnError::Type { element, name, expected, found })
    }

    /// A column with the given rows of this column, in the given order. Every index in `rows` must be below
    /// [`Column::rows`].
    pub(crate) fn select(&self, rows: impl ExactSizeIterator<Item = usize>) -> Self {
        Self { name: self.name.clone(), scalars: self.scalars.select(self.width, rows), ..*self }
    }

    /// Appends some rows of a column; false for one of another type.
    pub(crate) fn append_rows(&mut self, other: &Self, rows: Range<usize>) -> bool {
        let rows: Vec<u32> = rows.map(|row| row as u32).collect();
        self.scalars.append_rows(&other.scalars, self.width, &rows)
    }

    pub(crate) fn swap(&mut self, a: usize, b: usize) {
        self.scalars.swap(self.width, a, b);
    }
}

//! The attributes of one kind of elements.

use std::slice;

use crate::{Column, ColumnError, Element, Role, Value};

/// Columns in the order in which they were inserted.
pub(crate) type Columns = Vec<Column>;

/// The attributes of one kind of elements, read-only.
#[derive(Debug, Clone, Copy)]
pub struct Attributes<'a> {
    pub(crate) element: Element,
    pub(crate) rows: usize,
    pub(crate) columns: &'a [Column],
}

/// The attributes of one kind of elements, mutable.
#[derive(Debug)]
pub struct AttributesMut<'a> {
    pub(crate) element: Element,
    pub(crate) rows: usize,
    pub(crate) columns: &'a mut Columns,
}

impl<'a> Attributes<'a> {
    /// Number of elements: every column has this number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Whether there are no columns.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// The columns, in the order in which they were inserted.
    pub fn iter(&self) -> slice::Iter<'a, Column> {
        self.columns.iter()
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&'a Column> {
        self.columns.iter().find(|column| column.name() == name)
    }

    /// The first column with a role.
    pub fn with_role(&self, role: Role) -> Option<&'a Column> {
        self.columns.iter().find(|column| column.role() == role)
    }

    /// The values of the column of that name.
    ///
    /// # Errors
    /// [`ColumnError::Missing`]; [`ColumnError::Type`] if its values are not of type `T`.
    pub fn get<T: Value>(&self, name: &str) -> Result<&'a [T], ColumnError> {
        let column = self.column(name).ok_or_else(|| missing(self.element, name, self.columns))?;
        column.values().ok_or_else(|| wrong_type::<T>(self.element, column))
    }
}

impl<'a> IntoIterator for Attributes<'a> {
    type Item = &'a Column;
    type IntoIter = slice::Iter<'a, Column>;

    fn into_iter(self) -> Self::IntoIter {
        self.columns.iter()
    }
}

impl AttributesMut<'_> {
    /// These attributes, read-only.
    pub fn as_ref(&self) -> Attributes<'_> {
        Attributes { element: self.element, rows: self.rows, columns: self.columns }
    }

    /// The values of the column of that name, mutable.
    ///
    /// # Errors
    /// [`ColumnError::Missing`]; [`ColumnError::Type`] if its values are not of type `T`.
    pub fn get_mut<T: Value>(&mut self, name: &str) -> Result<&mut [T], ColumnError> {
        let Some(at) = self.columns.iter().position(|column| column.name() == name) else {
            return Err(missing(self.element, name, self.columns));
        };
        let error = wrong_type::<T>(self.element, &self.columns[at]);
        self.columns[at].values_mut().ok_or(error)
    }

    /// Appends a column of values, or replaces the column of that name. Its role is [`Role::Custom`].
    ///
    /// # Errors
    /// [`ColumnError::Length`], unless there is one value per element.
    pub fn insert<T: Value>(&mut self, name: impl Into<String>, values: Vec<T>) -> Result<(), ColumnError> {
        self.insert_column(Column::new(name, values))
    }

    /// Appends a column, or replaces the column of that name.
    ///
    /// # Errors
    /// [`ColumnError::Length`], unless there is one row per element.
    pub fn insert_column(&mut self, column: Column) -> Result<(), ColumnError> {
        if column.rows() != self.rows {
            return Err(length(self.element, self.rows, &column));
        }
        match self.columns.iter_mut().find(|known| known.name() == column.name()) {
            Some(known) => *known = column,
            None => self.columns.push(column),
        }
        Ok(())
    }

    /// Removes and returns the column of that name; the others keep their order.
    pub fn remove(&mut self, name: &str) -> Option<Column> {
        let at = self.columns.iter().position(|column| column.name() == name)?;
        Some(self.columns.remove(at))
    }

    /// Keeps the columns for which `keep` is true.
    pub fn retain(&mut self, keep: impl FnMut(&Column) -> bool) {
        self.columns.retain(keep);
    }
}

pub(crate) fn length(element: Element, expected: usize, column: &Column) -> ColumnError {
    ColumnError::Length { element, name: column.name().into(), expected, found: column.rows() }
}

fn missing(element: Element, name: &str, columns: &[Column]) -> ColumnError {
    let known = columns.iter().map(|column| column.name().to_owned()).collect();
    ColumnError::Missing { element, name: name.into(), known }
}

fn wrong_type<T: Value>(element: Element, column: &Column) -> ColumnError {
    let (expected, found) = (T::SCALAR.of_width(T::WIDTH), column.type_name());
    ColumnError::Type { element, name: column.name().into(), expected, found }
}

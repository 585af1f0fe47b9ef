//! The typed tree.

use super::field::Type;
use super::function::Function;
use super::syntax::Binary;
use std::ops::Range;

/// A part of an expression with its type and its bytes.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The bytes of the text.
    pub range: Range<usize>,
    /// The type of the value.
    pub of_type: Type,
    /// The form.
    pub form: Form,
}

/// The form of a part.
#[derive(Clone, Debug)]
pub enum Form {
    /// A number.
    Number(f32),
    /// The field of this number.
    Field(usize),
    /// The number of the element.
    Index,
    /// A component of a value.
    Component(Box<Tree>, usize),
    /// `-x`.
    Negate(Box<Tree>),
    /// An operator between two values.
    Binary(Binary, Box<Tree>, Box<Tree>),
    /// `condition ? a : b`.
    Select(Box<[Tree; 3]>),
    /// A function of values.
    Call(Function, Vec<Tree>),
}

impl Tree {
    /// Whether the value is the same for all elements and all values of fields.
    pub fn is_constant(&self) -> bool {
        match &self.form {
            Form::Number(_) => true,
            Form::Field(_) | Form::Index => false,
            Form::Component(value, _) | Form::Negate(value) => value.is_constant(),
            Form::Binary(_, left, right) => left.is_constant() && right.is_constant(),
            Form::Select(parts) => parts.iter().all(Self::is_constant),
            Form::Call(_, arguments) => arguments.iter().all(Self::is_constant),
        }
    }
}

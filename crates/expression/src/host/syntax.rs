//! The syntax of an expression: what was written, before names and types are looked at.

use std::ops::Range;

/// A part of an expression with its bytes.
#[derive(Clone, Debug)]
pub struct Syntax {
    /// The bytes of the text.
    pub range: Range<usize>,
    /// The form.
    pub form: Form,
}

/// The form of a part.
#[derive(Clone, Debug)]
pub enum Form {
    /// A number.
    Number(f32),
    /// A name, without back-quotes.
    Name(String),
    /// A function's name, its bytes, and its arguments.
    Call(String, Range<usize>, Vec<Syntax>),
    /// A component: the name after the point, and its bytes.
    Component(Box<Syntax>, String, Range<usize>),
    /// `-x`.
    Negate(Box<Syntax>),
    /// `a + b` and the like.
    Binary(Binary, Box<Syntax>, Box<Syntax>),
    /// `condition ? a : b`.
    Select(Box<[Syntax; 3]>),
}

/// An operator between two values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

impl Binary {
    /// The operator in the text.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Power => "^",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::Equal => "==",
            Self::NotEqual => "!=",
        }
    }
}

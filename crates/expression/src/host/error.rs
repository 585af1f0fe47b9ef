//! Errors of expressions.

use super::field::Type;
use std::ops::Range;
use thiserror::Error;

/// An expression that is not accepted: the bytes that are the reason, and why.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("byte {}: {kind}", range.start)]
pub struct Error {
    /// The bytes of the text that the error is about; empty at the end of the text.
    pub range: Range<usize>,
    /// The reason.
    pub kind: ErrorKind,
}

/// The reason why an expression is not accepted.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// More of something than [`Limits`](crate::Limits) allow.
    #[error("the expression has {found} {what}; {most} are allowed")]
    TooMany {
        /// The limited thing.
        what: &'static str,
        /// Their number; with nodes, depth and functions, the number when reading stopped.
        found: usize,
        /// The limit.
        most: usize,
    },
    /// Text that does not fit the grammar.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// The text that could follow.
        expected: String,
        /// The text that follows.
        found: String,
    },
    /// A number that no float of single precision can have.
    #[error("{0} is beyond the range of single precision")]
    Number(String),
    /// A name that is no field and no constant.
    #[error("no field is called {name:?}{}", suggestion(near))]
    Name {
        /// The name.
        name: String,
        /// Similar names, or all of them if they are few.
        near: Vec<String>,
    },
    /// A name before `(` that the language does not have.
    #[error("no function is called {name:?}{}", suggestion(near))]
    Function {
        /// The name.
        name: String,
        /// Similar names.
        near: Vec<String>,
    },
    /// A function with another number of arguments.
    #[error("{function} takes {takes}, and {found} are given")]
    Arguments {
        /// The function's name.
        function: &'static str,
        /// The arguments that it takes.
        takes: String,
        /// The number of given arguments.
        found: usize,
    },
    /// A value of another type than it should be.
    #[error("{what} takes {expected}, and this is {found}{hint}")]
    Type {
        /// The function or operator.
        what: String,
        /// The type that it takes.
        expected: &'static str,
        /// The type of the value.
        found: Type,
        /// A remedy with its separator, or nothing.
        hint: &'static str,
    },
    /// Two values whose types an operator cannot combine.
    #[error("{operator} cannot combine {left} and {right}{hint}")]
    Pair {
        /// The operator.
        operator: &'static str,
        /// The type at its left.
        left: Type,
        /// The type at its right.
        right: Type,
        /// A remedy with its separator, or nothing.
        hint: &'static str,
    },
    /// A component that a type lacks.
    #[error("{of_type} has no component {name:?}{}", components(*of_type))]
    Component {
        /// The type.
        of_type: Type,
        /// The name after the point.
        name: String,
    },
    /// Fields of two kinds of element.
    #[error(
        "{first:?} is a field of {first_of}, and {second:?} is one of {second_of}: use fields of one kind"
    )]
    Kinds {
        /// The first field.
        first: String,
        /// Its kind of element.
        first_of: String,
        /// The field with another kind of element.
        second: String,
        /// Its kind of element.
        second_of: String,
    },
    /// A number of an eigenvalue that is not 1, 2 or 3.
    #[error("the second argument of eig is 1, 2 or 3: 1 is the greatest eigenvalue")]
    Eigenvalue,
    /// A tensor as the result.
    #[error(
        "the result is {0}, but must be a scalar or a vector: choose a component such as .xx, or a function \
         such as mises"
    )]
    Result(Type),
}

fn suggestion(near: &[String]) -> String {
    let Some((last, others)) = near.split_last() else { return String::new() };
    let others: String = others.iter().map(|name| format!("{name:?}, ")).collect();
    let or = if others.is_empty() { "" } else { "or " };
    format!("; did you mean {others}{or}{last:?}?")
}

fn components(of_type: Type) -> String {
    match of_type {
        Type::Scalar => String::new(),
        _ => format!("; it has {}", of_type.components().join(", ")),
    }
}

impl Error {
    pub(crate) fn new(range: Range<usize>, kind: ErrorKind) -> Self {
        Self { range, kind }
    }

    /// The message with the text below it, and marks under the bytes that it is about.
    pub fn with_text(&self, text: &str) -> String {
        let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let count =
            |bytes: Range<usize>| text.char_indices().filter(|(place, _)| bytes.contains(place)).count();
        let marks = "^".repeat(count(self.range.clone()).max(1));
        format!("{self}\n    {line}\n    {}{marks}", " ".repeat(count(0..self.range.start)))
    }
}

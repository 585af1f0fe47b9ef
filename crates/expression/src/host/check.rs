//! Names and types: from syntax to the typed tree.

use super::error::{Error, ErrorKind};
use super::field::{Field, Type};
use super::function::{FUNCTIONS, Function};
use super::syntax::{self, Binary, Syntax};
use super::tree::{Form, Tree};
use super::walk;
use std::ops::Range;

type Result<T> = std::result::Result<T, Error>;

/// Names of the language that are not functions.
const CONSTANTS: [(&str, f32); 2] = [("pi", std::f32::consts::PI), ("e", std::f32::consts::E)];
const INDEX: &str = "id";

/// The typed tree of a syntax, and the number of the first field with a kind of element.
pub fn check(syntax: &Syntax, fields: &[Field]) -> Result<(Tree, Option<usize>)> {
    let mut checker = Checker { fields, of: None };
    let tree = checker.tree(syntax)?;
    match tree.of_type {
        Type::Scalar | Type::Vector => Ok((tree, checker.of)),
        other => Err(Error::new(tree.range, ErrorKind::Result(other))),
    }
}

struct Checker<'a> {
    fields: &'a [Field],
    /// The first field with a kind of element.
    of: Option<usize>,
}

impl Checker<'_> {
    fn tree(&mut self, syntax: &Syntax) -> Result<Tree> {
        let range = syntax.range.clone();
        let (of_type, form) = match &syntax.form {
            syntax::Form::Number(value) => (Type::Scalar, Form::Number(*value)),
            syntax::Form::Name(name) => self.name(name, &range)?,
            syntax::Form::Component(value, name, at) => {
                let value = self.tree(value)?;
                let component = value.of_type.component(name).ok_or_else(|| {
                    let kind = ErrorKind::Component { of_type: value.of_type, name: name.clone() };
                    Error::new(at.clone(), kind)
                })?;
                (Type::Scalar, Form::Component(Box::new(value), component))
            }
            syntax::Form::Negate(value) => {
                let value = self.tree(value)?;
                (value.of_type, Form::Negate(Box::new(value)))
            }
            syntax::Form::Binary(operator, left, right) => {
                let (left, right) = (self.tree(left)?, self.tree(right)?);
                let of_type = combined(*operator, left.of_type, right.of_type)
                    .map_err(|kind| Error::new(range.clone(), kind))?;
                (of_type, Form::Binary(*operator, Box::new(left), Box::new(right)))
            }
            syntax::Form::Select(parts) => {
                let [condition, yes, no] = &**parts;
                let [condition, yes, no] = [self.tree(condition)?, self.tree(yes)?, self.tree(no)?];
                if condition.of_type != Type::Scalar {
                    let kind = ErrorKind::Type {
                        what: "a condition before `?`".to_owned(),
                        expected: "a scalar",
                        found: condition.of_type,
                        hint: "",
                    };
                    return Err(Error::new(condition.range, kind));
                }
                if yes.of_type != no.of_type {
                    let (left, right) = (yes.of_type, no.of_type);
                    let hint = ": both values after `?` have one type";
                    return Err(Error::new(range, ErrorKind::Pair { operator: "?", left, right, hint }));
                }
                (yes.of_type, Form::Select(Box::new([condition, yes, no])))
            }
            syntax::Form::Call(name, at, arguments) => self.call(name, at, &range, arguments)?,
        };
        Ok(Tree { range, of_type, form })
    }

    /// A field, a constant, or a component of a field in the thesis's spelling, such as `VelocityX`.
    fn name(&mut self, name: &str, range: &Range<usize>) -> Result<(Type, Form)> {
        if let Some(number) = self.fields.iter().position(|field| field.name == name) {
            return self.field(number, range);
        }
        if let Some((_, value)) = CONSTANTS.iter().find(|(constant, _)| *constant == name) {
            return Ok((Type::Scalar, Form::Number(*value)));
        }
        if name == INDEX {
            return Ok((Type::Scalar, Form::Index));
        }
        for (number, field) in self.fields.iter().enumerate() {
            let Some(component) = name.strip_prefix(&field.name) else { continue };
            let upper = !component.is_empty() && component.bytes().all(|byte| byte.is_ascii_uppercase());
            let component = field.of_type.component(&component.to_ascii_lowercase());
            if let Some(component) = component.filter(|_| upper) {
                let (of_type, form) = self.field(number, range)?;
                let value = Tree { range: range.clone(), of_type, form };
                return Ok((Type::Scalar, Form::Component(Box::new(value), component)));
            }
        }
        let names = self.fields.iter().map(|field| &*field.name);
        let names = names.chain(CONSTANTS.map(|(constant, _)| constant)).chain([INDEX]);
        let mut near = near(name, names);
        if near.is_empty() && self.fields.len() <= 8 {
            near = self.fields.iter().map(|field| field.name.clone()).collect();
        }
        Err(Error::new(range.clone(), ErrorKind::Name { name: name.to_owned(), near }))
    }

    fn field(&mut self, number: usize, range: &Range<usize>) -> Result<(Type, Form)> {
        let field = &self.fields[number];
        if let Some(of) = &field.of {
            let first = &self.fields[*self.of.get_or_insert(number)];
            if let Some(first_of) = first.of.as_ref().filter(|first_of| *first_of != of) {
                let kind = ErrorKind::Kinds {
                    first: first.name.clone(),
                    first_of: first_of.clone(),
                    second: field.name.clone(),
                    second_of: of.clone(),
                };
                return Err(Error::new(range.clone(), kind));
            }
        }
        Ok((field.of_type, Form::Field(number)))
    }

    fn call(
        &mut self,
        name: &str,
        at: &Range<usize>,
        range: &Range<usize>,
        arguments: &[Syntax],
    ) -> Result<(Type, Form)> {
        let Some(&(name, function)) = FUNCTIONS.iter().find(|(function, _)| *function == name) else {
            let near = near(name, FUNCTIONS.iter().map(|(function, _)| *function));
            return Err(Error::new(at.clone(), ErrorKind::Function { name: name.to_owned(), near }));
        };
        let (least, most) = function.arguments();
        if arguments.len() < least || arguments.len() > most {
            let plural = if least == 1 { "" } else { "s" };
            let more = if most > least { " or more" } else { "" };
            let takes = format!("{least}{more} argument{plural}");
            let kind = ErrorKind::Arguments { function: name, takes, found: arguments.len() };
            return Err(Error::new(range.clone(), kind));
        }
        let mut trees = Vec::new();
        for (number, argument) in arguments.iter().enumerate() {
            let tree = self.tree(argument)?;
            if let Some((expected, hint)) = function.refuses(number, tree.of_type) {
                let kind = ErrorKind::Type { what: name.to_owned(), expected, found: tree.of_type, hint };
                return Err(Error::new(tree.range, kind));
            }
            trees.push(tree);
        }
        if function == Function::Eigenvalue && eigenvalue(&trees[1]).is_none() {
            return Err(Error::new(trees[1].range.clone(), ErrorKind::Eigenvalue));
        }
        Ok((function.result(), Form::Call(function, trees)))
    }
}

/// The number of an eigenvalue, from 0 on.
pub fn eigenvalue(argument: &Tree) -> Option<usize> {
    let value = walk::constant(argument)?;
    [1.0, 2.0, 3.0].iter().position(|number| *number == value)
}

/// The type of two values with an operator between them.
fn combined(operator: Binary, left: Type, right: Type) -> std::result::Result<Type, ErrorKind> {
    let scalars = left == Type::Scalar && right == Type::Scalar;
    let (of_type, hint) = match operator {
        Binary::Add | Binary::Subtract => ((left == right).then_some(left), ""),
        Binary::Multiply if left == Type::Scalar => (Some(right), ""),
        Binary::Multiply if right == Type::Scalar => (Some(left), ""),
        Binary::Multiply => (None, ": dot(a, b) and cross(a, b) are products of vectors"),
        Binary::Divide => ((right == Type::Scalar).then_some(left), ""),
        Binary::Power if left == Type::Vector => (None, ": dot(v, v) is the square of a vector's length"),
        _ => (scalars.then_some(Type::Scalar), ""),
    };
    of_type.ok_or(ErrorKind::Pair { operator: operator.text(), left, right, hint })
}

/// At most three names that differ from `name` by the fewest letters, upper and lower case being the same.
fn near<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let lower = name.to_lowercase();
    let most = 1 + name.len() / 4;
    let mut near: Vec<_> = names
        .map(|other| (distance(&lower, &other.to_lowercase()), other))
        .filter(|(distance, _)| *distance <= most)
        .collect();
    near.sort();
    near.dedup();
    let least = near.first().map_or(0, |(distance, _)| *distance);
    near.into_iter()
        .filter(|(distance, _)| *distance == least)
        .take(3)
        .map(|(_, name)| name.to_owned())
        .collect()
}

/// The number of letters to insert, delete or exchange.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<_> = b.chars().collect();
    let mut row: Vec<_> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, to) in b.iter().enumerate() {
            let exchanged = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = exchanged.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

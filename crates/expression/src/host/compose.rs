//! Expressions as operations on numbers: vectors, tensors and powers become operations on their components.

use super::check::eigenvalue;
use super::function::{Function, OfVectors};
use super::syntax::Binary;
use super::tensor;
use super::tree::{Form, Tree};
use super::walk;
use crate::operation::Operation;

/// The highest whole power that consists of products.
const PRODUCTS: f32 = 8.0;

/// A consumer of operations: it computes them, or keeps them in a graph.
pub trait Composer {
    /// A number.
    type Value: Copy;
    /// A constant.
    fn constant(&mut self, value: f32) -> Self::Value;
    /// A component of a field.
    fn input(&mut self, field: usize, component: usize) -> Self::Value;
    /// The number of the element.
    fn index(&mut self) -> Self::Value;
    /// An operation.
    fn apply(&mut self, operation: Operation, operands: &[Self::Value]) -> Self::Value;

    /// `a + b`.
    fn add(&mut self, a: Self::Value, b: Self::Value) -> Self::Value {
        self.apply(Operation::Add, &[a, b])
    }
    /// `a - b`.
    fn sub(&mut self, a: Self::Value, b: Self::Value) -> Self::Value {
        self.apply(Operation::Subtract, &[a, b])
    }
    /// `a * b`.
    fn mul(&mut self, a: Self::Value, b: Self::Value) -> Self::Value {
        self.apply(Operation::Multiply, &[a, b])
    }
    /// `a / b`.
    fn div(&mut self, a: Self::Value, b: Self::Value) -> Self::Value {
        self.apply(Operation::Divide, &[a, b])
    }
    /// The square root.
    fn sqrt(&mut self, a: Self::Value) -> Self::Value {
        self.apply(Operation::Sqrt, &[a])
    }
    /// `a + b + c`, from the left to the right.
    fn sum(&mut self, [a, b, c]: [Self::Value; 3]) -> Self::Value {
        let sum = self.add(a, b);
        self.add(sum, c)
    }
}

/// The components of a value.
#[derive(Clone, Copy)]
pub struct Components<V> {
    values: [V; 9],
    width: usize,
}

impl<V: Copy> Components<V> {
    pub fn scalar(value: V) -> Self {
        Self { values: [value; 9], width: 1 }
    }

    pub fn vector([x, y, z]: [V; 3]) -> Self {
        Self { values: [x, y, z, x, x, x, x, x, x], width: 3 }
    }

    pub fn as_slice(&self) -> &[V] {
        &self.values[..self.width]
    }

    /// The first component, which is all of a scalar.
    pub fn first(&self) -> V {
        self.values[0]
    }

    /// The three components of a vector.
    pub fn three(&self) -> [V; 3] {
        let [x, y, z, ..] = self.values;
        [x, y, z]
    }

    /// The nine components of a tensor, row by row, also of a symmetric one.
    pub fn nine(&self) -> [[V; 3]; 3] {
        let [a, b, c, d, e, f, g, h, i] = self.values;
        if self.width == 6 { [[a, d, f], [d, b, e], [f, e, c]] } else { [[a, b, c], [d, e, f], [g, h, i]] }
    }

    fn each(mut self, mut change: impl FnMut(V) -> V) -> Self {
        self.values[..self.width].iter_mut().for_each(|value| *value = change(*value));
        self
    }

    /// A function of the components of two values; a scalar is combined with each component.
    fn each_pair(&self, other: &Self, mut change: impl FnMut(V, V) -> V) -> Self {
        let (mut values, width) = (self.values, self.width.max(other.width));
        for (i, value) in values.iter_mut().enumerate().take(width) {
            let of = |side: &Self| side.values[if side.width == 1 { 0 } else { i }];
            *value = change(of(self), of(other));
        }
        Self { values, width }
    }
}

/// The components of a tree's value.
pub fn compose<C: Composer>(tree: &Tree, c: &mut C) -> Components<C::Value> {
    match &tree.form {
        Form::Number(value) => Components::scalar(c.constant(*value)),
        Form::Field(field) => {
            let width = tree.of_type.width();
            let mut values = [c.input(*field, 0); 9];
            for (component, value) in values.iter_mut().enumerate().take(width).skip(1) {
                *value = c.input(*field, component);
            }
            Components { values, width }
        }
        Form::Index => Components::scalar(c.index()),
        Form::Component(value, component) => Components::scalar(compose(value, c).values[*component]),
        Form::Negate(value) => compose(value, c).each(|value| c.apply(Operation::Negate, &[value])),
        Form::Binary(operator, left, right) => {
            let base = compose(left, c);
            if *operator == Binary::Power
                && let Some(power) =
                    walk::constant(right).and_then(|power| known_power(c, base.first(), power))
            {
                return Components::scalar(power);
            }
            let right = compose(right, c);
            let (operation, exchanged) = operation(*operator);
            base.each_pair(&right, |a, b| c.apply(operation, &if exchanged { [b, a] } else { [a, b] }))
        }
        Form::Select(parts) => {
            let [condition, yes, no] = &**parts;
            let (condition, yes, no) = (compose(condition, c).first(), compose(yes, c), compose(no, c));
            yes.each_pair(&no, |a, b| c.apply(Operation::Select, &[condition, a, b]))
        }
        Form::Call(function, arguments) => call(*function, arguments, c),
    }
}

fn operation(operator: Binary) -> (Operation, bool) {
    match operator {
        Binary::Add => (Operation::Add, false),
        Binary::Subtract => (Operation::Subtract, false),
        Binary::Multiply => (Operation::Multiply, false),
        Binary::Divide => (Operation::Divide, false),
        Binary::Power => (Operation::Pow, false),
        Binary::Less => (Operation::Less, false),
        Binary::LessEqual => (Operation::LessEqual, false),
        Binary::Greater => (Operation::Less, true),
        Binary::GreaterEqual => (Operation::LessEqual, true),
        Binary::Equal => (Operation::Equal, false),
        Binary::NotEqual => (Operation::NotEqual, false),
    }
}

fn call<C: Composer>(function: Function, arguments: &[Tree], c: &mut C) -> Components<C::Value> {
    if function == Function::Scalar(Operation::Pow) {
        let base = compose(&arguments[0], c).first();
        let known = walk::constant(&arguments[1]).and_then(|power| known_power(c, base, power));
        return Components::scalar(known.unwrap_or_else(|| {
            let power = compose(&arguments[1], c).first();
            c.apply(Operation::Pow, &[base, power])
        }));
    }
    let first = compose(&arguments[0], c);
    Components::scalar(match function {
        Function::Scalar(operation) => match arguments.get(1) {
            None => c.apply(operation, &[first.first()]),
            Some(second) => {
                let second = compose(second, c).first();
                c.apply(operation, &[first.first(), second])
            }
        },
        Function::Extremum(operation) => arguments[1..].iter().fold(first.first(), |extremum, argument| {
            let argument = compose(argument, c).first();
            c.apply(operation, &[extremum, argument])
        }),
        Function::Clamp => {
            let low = compose(&arguments[1], c).first();
            let high = compose(&arguments[2], c).first();
            let raised = c.apply(Operation::Max, &[first.first(), low]);
            c.apply(Operation::Min, &[raised, high])
        }
        Function::Vector => {
            let (y, z) = (compose(&arguments[1], c).first(), compose(&arguments[2], c).first());
            return Components::vector([first.first(), y, z]);
        }
        Function::OfVectors(OfVectors::Dot) => {
            let second = compose(&arguments[1], c);
            tensor::dot(c, first.three(), second.three())
        }
        Function::OfVectors(OfVectors::Cross) => {
            let second = compose(&arguments[1], c);
            return Components::vector(tensor::cross(c, first.three(), second.three()));
        }
        Function::OfVectors(OfVectors::Normalize) => {
            let length = tensor::mag(c, first.three());
            return first.each(|value| c.div(value, length));
        }
        Function::OfVectors(OfVectors::Mag) => tensor::mag(c, first.three()),
        Function::OfVectors(OfVectors::Norm1) => {
            let values = first.three().map(|value| c.apply(Operation::Abs, &[value]));
            c.sum(values)
        }
        Function::OfVectors(OfVectors::NormInf) => {
            let [x, y, z] = first.three().map(|value| c.apply(Operation::Abs, &[value]));
            let greater = c.apply(Operation::Max, &[x, y]);
            c.apply(Operation::Max, &[greater, z])
        }
        Function::OfTensor(of) => tensor::number(c, of, first.nine()),
        // the tree was checked: there is a number
        Function::Eigenvalue => {
            tensor::eigenvalues(c, first.nine())[eigenvalue(&arguments[1]).unwrap_or_default()]
        }
    })
}

/// The power with a constant exponent that is a root or consists of products (6.3.4, where LLVM rewrites
/// powers so).
fn known_power<C: Composer>(c: &mut C, base: C::Value, power: f32) -> Option<C::Value> {
    if power == 0.5 {
        return Some(c.sqrt(base));
    }
    if power.fract() != 0.0 || power.abs() > PRODUCTS {
        return None;
    }
    let one = c.constant(1.0);
    // squares of squares, and the product of those whose bit is set, the highest first
    let (mut square, mut product) = (base, None);
    let mut bits = power.abs() as u32;
    while bits > 0 {
        if bits & 1 == 1 {
            product = Some(product.map_or(square, |product| c.mul(square, product)));
        }
        bits >>= 1;
        if bits > 0 {
            square = c.mul(square, square);
        }
    }
    let product = product.unwrap_or(one);
    Some(if power < 0.0 { c.div(one, product) } else { product })
}

//! The thesis's interpreter: a walk over the tree for one element (6.3.4), which is slow, and the oracle of
//! tests.

use super::compose::{Components, Composer, compose};
use super::tree::Tree;
use crate::machine::Numbers;
use crate::operation::Operation;

/// The values of a tree for an element; `input` gives the values of fields and their components.
pub fn walk(tree: &Tree, element: u32, input: impl Fn(usize, usize) -> f32) -> Components<f32> {
    compose(tree, &mut Walker { element, input })
}

/// The value of a scalar tree without fields; none if it has fields.
pub fn constant(tree: &Tree) -> Option<f32> {
    // without fields, nothing asks for one
    tree.is_constant().then(|| walk(tree, 0, |_, _| 0.0).first())
}

/// The operation computed.
pub fn compute(operation: Operation, operands: &[f32]) -> f32 {
    let operand = |i: usize| operands.get(i).copied().unwrap_or(0.0);
    operation.apply(&Numbers::<false>, [operand(0), operand(1), operand(2)])
}

struct Walker<I> {
    element: u32,
    input: I,
}

impl<I: Fn(usize, usize) -> f32> Composer for Walker<I> {
    type Value = f32;

    fn constant(&mut self, value: f32) -> f32 {
        value
    }
    fn input(&mut self, field: usize, component: usize) -> f32 {
        (self.input)(field, component)
    }
    fn index(&mut self) -> f32 {
        self.element as f32
    }
    fn apply(&mut self, operation: Operation, operands: &[f32]) -> f32 {
        compute(operation, operands)
    }
}

//! An expression as a graph of operations in which nothing is computed twice.

use super::compose::Composer;
use super::expression::Input;
use super::simplify::simplify;
use crate::operation::Operation;
use std::collections::HashMap;

/// The number of a node.
pub type Id = u32;

/// A node. Operands have lower numbers; operands that the operation lacks are 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A constant, by its bits; all NaNs have the same.
    Constant(u32),
    /// The input of this number.
    Input(u32),
    /// The number of the element.
    Index,
    /// An operation.
    Apply(Operation, [Id; 3]),
}

impl Node {
    /// The operands.
    pub fn operands(&self) -> &[Id] {
        match self {
            Self::Apply(operation, operands) => &operands[..operation.operands()],
            _ => &[],
        }
    }
}

/// Nodes without duplicates (hash consing), and the inputs that they read.
#[derive(Clone, Default, Debug)]
pub struct Graph {
    nodes: Vec<Node>,
    numbers: HashMap<Node, Id>,
    inputs: Vec<Input>,
}

impl Graph {
    /// All nodes, in the order in which they were made.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node of this number.
    pub fn node(&self, id: Id) -> Node {
        self.nodes[id as usize]
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The inputs that nodes read.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The value of a constant node.
    pub fn value(&self, id: Id) -> Option<f32> {
        match self.node(id) {
            Node::Constant(bits) => Some(f32::from_bits(bits)),
            _ => None,
        }
    }

    /// The operands of an operation of this kind.
    pub fn operands(&self, id: Id, of: Operation) -> Option<[Id; 3]> {
        match self.node(id) {
            Node::Apply(operation, operands) if operation == of => Some(operands),
            _ => None,
        }
    }

    /// The number of a node, which is new or was there.
    pub fn number(&mut self, node: Node) -> Id {
        *self.numbers.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            // far below 2^32: the text is short
            (self.nodes.len() - 1) as Id
        })
    }
}

impl Composer for Graph {
    type Value = Id;

    fn constant(&mut self, value: f32) -> Id {
        self.number(Node::Constant(if value.is_nan() { f32::NAN } else { value }.to_bits()))
    }

    fn input(&mut self, field: usize, component: usize) -> Id {
        let input = Input { field, component };
        let number = self.inputs.iter().position(|other| *other == input).unwrap_or_else(|| {
            self.inputs.push(input);
            self.inputs.len() - 1
        });
        self.number(Node::Input(number as u32))
    }

    fn index(&mut self) -> Id {
        self.number(Node::Index)
    }

    fn apply(&mut self, operation: Operation, operands: &[Id]) -> Id {
        simplify(self, operation, operands)
    }
}

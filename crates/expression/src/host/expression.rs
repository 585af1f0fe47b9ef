//! An expression that has been read and checked.

use super::check::check;
use super::compose::compose;
use super::error::{Error, ErrorKind};
use super::field::{Field, Type};
use super::graph::{Graph, Id};
use super::limits::Limits;
use super::parse::parse;
use super::schedule::{reordered, schedule};
use super::tree::Tree;
use super::walk::walk;
use crate::evaluate::RESULTS;

/// A component of a field that an expression reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Input {
    /// The number of the field in the list that the expression was parsed with.
    pub field: usize,
    /// The component.
    pub component: usize,
}

/// An expression that has been read, checked and simplified.
#[derive(Clone, Debug)]
pub struct Expression {
    tree: Tree,
    graph: Graph,
    roots: Vec<Id>,
    of: Option<String>,
}

impl Expression {
    /// Reads a text that may name these fields.
    pub fn parse(text: &str, fields: &[Field]) -> Result<Self, Error> {
        Self::parse_within(text, fields, &Limits::default())
    }

    /// Reads a text that may name these fields, within limits.
    pub fn parse_within(text: &str, fields: &[Field], limits: &Limits) -> Result<Self, Error> {
        let (tree, first) = check(&parse(text, limits)?, fields)?;
        let mut graph = Graph::default();
        let roots = compose(&tree, &mut graph).as_slice().to_vec();
        let order = schedule(&graph, &roots);
        if order.len() > limits.operations {
            let (what, found, most) = ("operations on numbers", order.len(), limits.operations);
            return Err(Error::new(tree.range, ErrorKind::TooMany { what, found, most }));
        }
        let (graph, roots) = reordered(&graph, &roots, &order);
        let of = first.and_then(|field| fields[field].of.clone());
        Ok(Self { tree, graph, roots, of })
    }

    /// The type of the result: a scalar or a vector.
    pub fn result(&self) -> Type {
        self.tree.of_type
    }

    /// The kind of element that has a result each; none if all fields are uniform.
    pub fn of(&self) -> Option<&str> {
        self.of.as_deref()
    }

    /// The components of fields that evaluation reads, in the order of the programs' inputs. Components whose
    /// value does not matter are left out.
    pub fn inputs(&self) -> &[Input] {
        self.graph.inputs()
    }

    /// The result for an element, by a walk over the tree without simplification, as the thesis's interpreter
    /// does it. `input` gives the value of a field's component: the number of the field, that of the
    /// component. A scalar is the first number.
    pub fn walk(&self, element: u32, input: impl Fn(usize, usize) -> f32) -> [f32; RESULTS] {
        walk(&self.tree, element, input).three()
    }

    /// The operations, in an order in which operands come first and few values are alive.
    pub(crate) fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The nodes of the results.
    pub(crate) fn roots(&self) -> &[Id] {
        &self.roots
    }
}

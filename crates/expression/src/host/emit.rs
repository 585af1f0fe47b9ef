//! The operations of a graph on a machine that writes code.

use super::graph::{Graph, Id, Node};
use crate::machine::Machine;

/// Has a machine write the operations of a graph; `input` loads inputs, `index` is the number of the element.
pub fn emit<M: Machine>(
    graph: &Graph,
    roots: &[Id],
    machine: &M,
    mut input: impl FnMut(u32) -> M::Float,
    index: impl Fn() -> M::Float,
) -> Vec<M::Float> {
    let mut values: Vec<M::Float> = Vec::with_capacity(graph.len());
    for node in graph.nodes() {
        let value = match *node {
            Node::Constant(bits) => machine.constant(f32::from_bits(bits)),
            Node::Input(number) => input(number),
            Node::Index => index(),
            // operands that the operation lacks are node 0, which is there: an operation has at least one
            Node::Apply(operation, operands) => {
                operation.apply(machine, operands.map(|operand| values[operand as usize]))
            }
        };
        values.push(value);
    }
    roots.iter().map(|root| values[*root as usize]).collect()
}

//! An order of a graph's nodes in which few values are alive at a time.

use super::compose::Composer;
use super::graph::{Graph, Id, Node};

/// The nodes that roots need, operands first: depth first, with the operand first that needs the most
/// registers (Sethi and Ullman 1970).
pub fn schedule(graph: &Graph, roots: &[Id]) -> Vec<Id> {
    let mut needs = vec![1_u32; graph.len()];
    for id in 0..graph.len() {
        for (held, need) in (0..).zip(by_need(graph, id as Id, &needs).iter().map(|(need, _)| *need)) {
            needs[id] = needs[id].max(need + held);
        }
    }
    let mut order = Vec::new();
    let mut placed = vec![false; graph.len()];
    let mut stack: Vec<_> = roots.iter().rev().map(|root| (*root, false)).collect();
    while let Some((id, operands_placed)) = stack.pop() {
        if placed[id as usize] {
            continue;
        }
        if operands_placed {
            placed[id as usize] = true;
            order.push(id);
        } else {
            stack.push((id, true));
            stack.extend(by_need(graph, id, &needs).iter().rev().map(|(_, operand)| (*operand, false)));
        }
    }
    order
}

/// The operands of a node with their needs, the greatest first.
fn by_need(graph: &Graph, id: Id, needs: &[u32]) -> Vec<(u32, Id)> {
    let mut operands: Vec<_> =
        graph.node(id).operands().iter().map(|operand| (needs[*operand as usize], *operand)).collect();
    // stable, so that equal ones stay in their order
    operands.sort_by_key(|(need, _)| std::cmp::Reverse(*need));
    operands
}

/// The graph with only these nodes, numbered in this order, and its roots.
pub fn reordered(graph: &Graph, roots: &[Id], order: &[Id]) -> (Graph, Vec<Id>) {
    let mut numbers = vec![0; graph.len()];
    let mut few = Graph::default();
    for id in order {
        numbers[*id as usize] = match graph.node(*id) {
            Node::Input(input) => {
                let input = graph.inputs()[input as usize];
                few.input(input.field, input.component)
            }
            Node::Apply(operation, operands) => {
                let mut renumbered = [0; 3];
                for (new, old) in renumbered.iter_mut().zip(operands).take(operation.operands()) {
                    *new = numbers[old as usize];
                }
                few.number(Node::Apply(operation, renumbered))
            }
            node => few.number(node),
        };
    }
    (few, roots.iter().map(|root| numbers[*root as usize]).collect())
}

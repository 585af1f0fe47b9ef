//! Simplification of operations that keeps the bits of each result, with all NaNs as one value.

use super::compose::Composer;
use super::graph::{Graph, Id, Node};
use super::walk::compute;
use crate::operation::Operation::{self, *};

/// A node with the value of an operation on nodes.
pub fn simplify(graph: &mut Graph, operation: Operation, operands: &[Id]) -> Id {
    let mut of = [0; 3];
    of[..operands.len()].copy_from_slice(operands);
    let values: Option<Vec<_>> = operands.iter().map(|id| graph.value(*id)).collect();
    if let Some(values) = values {
        return graph.constant(compute(operation, &values));
    }
    // a + b and b + a have the same bits; min and max differ for zeros of two signs
    if matches!(operation, Add | Multiply | Equal | NotEqual) && of[0] > of[1] {
        of.swap(0, 1);
    }
    match rewritten(graph, operation, of) {
        Some(Rewritten::Node(id)) => id,
        Some(Rewritten::Apply(operation, operands)) => {
            simplify(graph, operation, &operands[..operation.operands()])
        }
        None => graph.number(Node::Apply(operation, of)),
    }
}

enum Rewritten {
    Node(Id),
    Apply(Operation, [Id; 3]),
}

/// A simpler form, if there is one. Each rule lowers the number of operations, or exchanges one for a faster
/// one, so that rules end.
fn rewritten(graph: &mut Graph, operation: Operation, [a, b, c]: [Id; 3]) -> Option<Rewritten> {
    use Rewritten::{Apply, Node};
    let is = |id: Id, value: f32| graph.value(id).is_some_and(|other| other.to_bits() == value.to_bits());
    let negated = |id: Id| graph.operands(id, Negate).map(|[a, ..]| a);
    match operation {
        // x + 0 is not x for -0
        Add if is(a, -0.0) => Some(Node(b)),
        Add if is(b, -0.0) => Some(Node(a)),
        Add => match (negated(a), negated(b)) {
            (_, Some(b)) => Some(Apply(Subtract, [a, b, 0])),
            (Some(a), None) => Some(Apply(Subtract, [b, a, 0])),
            (None, None) => None,
        },
        Subtract if is(b, 0.0) => Some(Node(a)),
        Subtract if is(a, -0.0) => Some(Apply(Negate, [b, 0, 0])),
        Subtract => negated(b).map(|b| Apply(Add, [a, b, 0])),
        Multiply if is(a, 1.0) => Some(Node(b)),
        Multiply if is(b, 1.0) => Some(Node(a)),
        Multiply if is(a, -1.0) => Some(Apply(Negate, [b, 0, 0])),
        Multiply if is(b, -1.0) => Some(Apply(Negate, [a, 0, 0])),
        Multiply => negated(a).zip(negated(b)).map(|(a, b)| Apply(Multiply, [a, b, 0])),
        Divide if is(b, 1.0) => Some(Node(a)),
        Divide if is(b, -1.0) => Some(Apply(Negate, [a, 0, 0])),
        Divide => {
            if let Some((a, b)) = negated(a).zip(negated(b)) {
                return Some(Apply(Divide, [a, b, 0]));
            }
            let inverse = exact_inverse(graph.value(b)?)?;
            let inverse = graph.constant(inverse);
            Some(Apply(Multiply, [a, inverse, 0]))
        }
        Negate => negated(a).map(Node),
        Abs if graph.operands(a, Abs).is_some() => Some(Node(a)),
        Abs => negated(a).map(|a| Apply(Abs, [a, 0, 0])),
        Min | Max if a == b => Some(Node(a)),
        Select if b == c => Some(Node(b)),
        Select => match graph.value(a)? {
            0.0 => Some(Node(c)),
            _ => Some(Node(b)),
        },
        Floor | Ceil | Round => {
            let whole = [Floor, Ceil, Round].iter().any(|of| graph.operands(a, *of).is_some());
            whole.then_some(Node(a))
        }
        _ => None,
    }
}

/// The inverse of a power of two: the product with it is rounded as the quotient is.
fn exact_inverse(value: f32) -> Option<f32> {
    let inverse = 1.0 / value;
    let power_of_two = value.is_normal() && value.to_bits() & 0x007f_ffff == 0;
    (power_of_two && inverse.is_normal()).then_some(inverse)
}

//! Kinds of vertices.
use crate::device::VertexId;

/// May move anywhere on the surface, and be joined with any neighbour.
pub const FREE: u32 = 0;
/// Inside of a curve, to which it belongs.
pub const CURVE: u32 = 1;
/// Stays.
pub const CORNER: u32 = 2;

/// The ends of an edge that is to be collapsed, of these kinds, the one that stays first; and the kind of
/// what they become, [`FREE`] if neither has to stay. `None` if that would move one that may not be: the
/// operator keeps an end on the boundary, which `open` tells.
#[inline(always)]
pub fn joined(
    [mut a, mut b]: [VertexId; 2],
    [mut of_a, mut of_b]: [u32; 2],
    open: impl Fn(VertexId) -> bool,
) -> Option<([VertexId; 2], u32)> {
    if of_b > of_a {
        (a, b, of_a, of_b) = (b, a, of_b, of_a);
    }
    if of_b != FREE && open(b) && !open(a) {
        if of_a != of_b {
            return None;
        }
        (a, b) = (b, a);
    }
    Some(([a, b], of_a))
}

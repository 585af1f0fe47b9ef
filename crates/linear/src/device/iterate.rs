//! The steps of an iteration, for kernels over vectors of any kind.
use super::scalars::{Scalars, Sums};
use super::value::{Read, Real, Value, Write};
use ribbonmesh::device::{Block, TILE};

/// The elements of a vector that fall to a block.
#[derive(Clone, Copy)]
pub struct Part {
    /// The first.
    pub first: u32,
    /// The number of elements.
    pub len: u32,
}
impl Part {
    /// The elements of a block, in a launch of one block for every `each` of `n` elements.
    #[inline(always)]
    pub fn of(block: &Block, n: u32, each: u32) -> Self {
        let first = each * block.index();
        let rest = n.saturating_sub(first);
        Self { first, len: if rest < each { rest } else { each } }
    }
    /// The elements of a block, in a launch of one block for each tile.
    #[inline(always)]
    pub fn of_tile(block: &Block, n: u32) -> Self {
        Self::of(block, n, TILE)
    }
    /// The block's part of a sum of `f` over the elements. Collective.
    #[inline(always)]
    pub fn sum<S: Sums>(self, block: &Block, f: impl Fn(u32) -> S) -> S {
        block.reduce(self.len, S::ZERO, |i| f(self.first + i), S::plus)
    }
}

/// The direction z + β p. Without a last direction, `last` may hold anything.
#[derive(Clone, Copy)]
pub struct Turned<Z, P, R> {
    /// The residual, preconditioned.
    pub z: Z,
    /// The last direction.
    pub last: P,
    /// The factor β of the last direction.
    pub beta: R,
}
impl<V: Value, Z: Read<Value = V>, P: Read<Value = V>> Read for Turned<Z, P, V::Real> {
    type Value = V;
    #[inline(always)]
    fn get(self, i: u32) -> V {
        let z = self.z.get(i);
        if self.beta == V::Real::ZERO { z } else { z.plus(self.beta, self.last.get(i)) }
    }
}

/// The vectors of the end of an iteration.
#[derive(Clone, Copy)]
pub struct Moved<P, X> {
    /// The direction.
    pub p: P,
    /// The matrix times the direction.
    pub q: P,
    /// The solution.
    pub x: X,
    /// The residual.
    pub r: X,
}
/// x += α p, r -= α q. `then` gets each element of the residual, and returns the terms of the sums.
/// Collective.
#[inline(always)]
pub fn advance<P: Read, X: Write<Value = P::Value>, S: Sums>(
    block: &Block,
    part: Part,
    scalars: Scalars<'_>,
    Moved { p, q, x, r }: Moved<P, X>,
    then: impl Fn(u32, P::Value) -> S,
) {
    if scalars.done() {
        return;
    }
    let alpha = scalars.alpha::<<P::Value as Value>::Real>();
    let sums = part.sum(block, |i| {
        let (p, q, to, from) = (p.get(i), q.get(i), x.get(i), r.get(i));
        let left = from.plus(-alpha, q);
        x.set(i, to.plus(alpha, p));
        r.set(i, left);
        then(i, left)
    });
    scalars.residual(block, sums);
}

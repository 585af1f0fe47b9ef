//! Steps over vectors of numbers, for operators that do not fuse them.
use super::iterate::{self, Moved, Part, Turned};
use super::packed::{Packed, Packs};
use super::scalars::{Scalars, beta, running};
use super::value::{Read, Real, Value};
use ribbonmesh::device::{Block, Each, In, Out, kernel};

/// Use of a scalar product as the reference of the state.
#[cfg(not(target_arch = "nvptx64"))]
pub const REFER: u32 = 0;
/// α.
pub const STEP: u32 = 1;
/// β.
pub const WEIGH: u32 = 2;
/// The beginning of a solve.
pub const BEGIN: u32 = 3;

/// Words of 16 bytes that a block of `advance` takes at least.
#[cfg(not(target_arch = "nvptx64"))]
pub const WORDS: u32 = 512;

/// `y = a x + b y`; `y` is not read if b is 0.
#[kernel(for R in [f32, f64], threads = 256)]
pub fn axpby<'a, R: Real>(i: Each, a: R, b: R, x: In<'a, R>, y: Out<'a, R>) {
    let ax = a * x.get(i);
    y.set(i, if b == R::ZERO { ax } else { ax + b * y.get(i) });
}
/// x·y, and the scalars that follow from it. Blocks: one for `each` numbers.
#[kernel(for R in [f32, f64], threads = 256)]
pub fn product<'a, R: Real + Value<Real = R>>(
    block: &Block,
    n: u32,
    each: u32,
    then: u32,
    x: In<'a, R>,
    y: In<'a, R>,
    scalars: Scalars<'a>,
) {
    if (then == STEP || then == WEIGH) && scalars.done() {
        return;
    }
    let part = Part::of(block, n, each).sum(block, |i| x.get(i).dot(y.get(i)));
    match then {
        STEP => scalars.step::<R>(block, part),
        WEIGH => scalars.weigh(block, part),
        BEGIN => scalars.begin(block, part),
        _ => scalars.refer(block, part),
    }
}
/// p = z + β p. Blocks: tiles.
#[kernel(for R in [f32, f64], threads = 256)]
pub fn turn<'a, R: Real + Value<Real = R>>(
    block: &Block,
    n: u32,
    state: In<'a, f64>,
    z: In<'a, R>,
    p: Out<'a, R>,
) {
    if !running(state) {
        return;
    }
    let direction = Turned { z, last: p, beta: beta::<R>(state) };
    block.for_each_of_tile(n, |i| p.set(i, direction.get(i)));
}
/// x += α p, r -= α q; r·r. Blocks: one for `each` words of 16 bytes.
#[kernel(for R in [f32, f64], threads = 256)]
pub fn advance<'a, R: Packs>(
    block: &Block,
    n: u32,
    each: u32,
    scalars: Scalars<'a>,
    p: In<'a, R>,
    q: In<'a, R>,
    x: Out<'a, R>,
    r: Out<'a, R>,
) {
    let part = Part::of(block, n.div_ceil(R::LANES), each);
    let (p, q) = (Packed::new(p, n), Packed::new(q, n));
    let moved = Moved { p, q, x: Packed::new(x, n), r: Packed::new(r, n) };
    iterate::advance(block, part, scalars, moved, |_, left| left.dot(left));
}

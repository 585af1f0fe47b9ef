//! Steps over vectors of numbers, for operators that do not fuse them.
use super::iterate::{Moved, Part, Turned, advance};
use super::packed::{Packed, Packs};
use super::scalars::{Scalars, beta, running};
use super::value::{Read, Value};
use ribbonmesh::device::{Block, In, Out, kernel};

/// Use of a scalar product as the reference of the state.
#[cfg(not(target_arch = "nvptx64"))]
pub const REFER: u32 = 0;
/// α.
pub const STEP: u32 = 1;
/// β.
pub const WEIGH: u32 = 2;
/// The beginning of a solve.
pub const BEGIN: u32 = 3;

/// Words of 16 bytes that a block of `advance` takes.
pub const WORDS: u32 = 512;

macro_rules! kernels { ($($real:ident $axpby:ident $product:ident $turn:ident $advance:ident;)*) => { $(
    /// `y = a x + b y`; `y` is not read if b is 0. Blocks: tiles.
    #[kernel(threads = 256)]
    pub fn $axpby<'a>(block: &Block, n: u32, a: $real, b: $real, x: In<'a, $real>, y: Out<'a, $real>) {
        block.for_each_of_tile(n, |i| {
            let ax = a * x.get(i);
            y.set(i, if b == 0.0 { ax } else { ax + b * y.get(i) });
        });
    }
    /// x·y, and the scalars that follow from it. Blocks: tiles, each its own.
    #[kernel(threads = 256)]
    pub fn $product<'a>(
        block: &Block,
        n: u32,
        then: u32,
        x: In<'a, $real>,
        y: In<'a, $real>,
        scalars: Scalars<'a>,
    ) {
        if (then == STEP || then == WEIGH) && scalars.done() {
            return;
        }
        let part = Part::of_tile(block, n).sum(block, |i| x.get(i).dot(y.get(i)));
        match then {
            STEP => scalars.step::<$real>(block, part),
            WEIGH => scalars.weigh(block, part),
            BEGIN => scalars.begin(block, part),
            _ => scalars.refer(block, part),
        }
    }
    /// p = z + β p. Blocks: tiles.
    #[kernel(threads = 256)]
    pub fn $turn<'a>(block: &Block, n: u32, state: In<'a, f64>, z: In<'a, $real>, p: Out<'a, $real>) {
        if !running(state) {
            return;
        }
        let direction = Turned { z, last: p, beta: beta::<$real>(state) };
        block.for_each_of_tile(n, |i| p.set(i, direction.get(i)));
    }
    /// x += α p, r -= α q; r·r. Blocks: one for [`WORDS`] words.
    #[kernel(threads = 256)]
    pub fn $advance<'a>(
        block: &Block,
        n: u32,
        scalars: Scalars<'a>,
        p: In<'a, $real>,
        q: In<'a, $real>,
        x: Out<'a, $real>,
        r: Out<'a, $real>,
    ) {
        let part = Part::of(block, n.div_ceil(<$real as Packs>::LANES), WORDS);
        let (p, q) = (Packed::new(p, n), Packed::new(q, n));
        let moved = Moved { p, q, x: Packed::new(x, n), r: Packed::new(r, n) };
        advance(block, part, scalars, moved, |_, left| left.dot(left));
    }
)* } }
kernels! {
    f32 axpby_f32 product_f32 turn_f32 advance_f32;
    f64 axpby_f64 product_f64 turn_f64 advance_f64;
}

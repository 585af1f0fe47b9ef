//! The smallest and the greatest value, tile by tile.
use crate::array::kernels::LANES;
use crate::array::kernels::number::Number;
use crate::device::{Arena, Block, In, NONE, Out, Pod, Shared, TILE, kernel};

fn memory<S: Pod>(arena: &Arena) -> (Shared<'_, S>, Shared<'_, u32>) {
    (arena.take(LANES), arena.take(LANES))
}

/// The better of two candidates (value, element): no NaN, then the value, then the smaller element. [`NONE`]
/// is none.
#[inline(always)]
fn better<S: PartialOrd + Copy>(greatest: bool, a: (S, u32), b: (S, u32)) -> (S, u32) {
    if b.1 == NONE {
        return a;
    }
    if a.1 == NONE {
        return b;
    }
    let (first, second) = if greatest { (b.0 > a.0, a.0 > b.0) } else { (b.0 < a.0, a.0 < b.0) };
    if first || (!second && b.1 < a.1) { b } else { a }
}

/// For component `c` of the elements of tile `t` of `n` elements of `width` numbers:
/// `elements[width * t + c]` has the smallest value, or the greatest if `greatest` is not 0, and the
/// smallest index of such a value. NaN is passed over; [`NONE`] if there is nothing else.
#[kernel(for T in [f32, f64, u32, i32], threads = 128, shared = memory::<T>(arena))]
pub fn extreme<'a, T: Number>(
    block: &Block,
    greatest: u32,
    n: u32,
    width: u32,
    x: In<'a, T>,
    values: Out<'a, T>,
    elements: Out<'a, u32>,
) {
    let (best, at) = memory::<T>(block.arena());
    let better = |a, b| better::<T>(greatest != 0, a, b);
    block.for_each_tile(n, |base, len| {
        let mut c = 0;
        while c < width {
            block.for_each(LANES, |j| {
                let (mut i, mut found) = (j, (T::default(), NONE));
                while i < len {
                    let v = x.get(width * (base + i) + c);
                    #[allow(clippy::eq_op)]
                    let number = v == v;
                    found = better(found, (v, if number { base + i } else { NONE }));
                    i += LANES;
                }
                best.set(j, found.0);
                at.set(j, found.1);
            });
            let mut half = LANES / 2;
            while half > 0 {
                block.for_each(half, |j| {
                    let found = better((best.get(j), at.get(j)), (best.get(j + half), at.get(j + half)));
                    best.set(j, found.0);
                    at.set(j, found.1);
                });
                half /= 2;
            }
            block.single_nosync(|| {
                values.set(width * (base / TILE) + c, best.get(0));
                elements.set(width * (base / TILE) + c, at.get(0));
            });
            block.sync();
            c += 1;
        }
    });
}

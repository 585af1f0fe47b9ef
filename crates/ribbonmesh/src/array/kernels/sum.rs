//! Sums and scalar products, tile by tile, always in the same order.
//!
//! Lane `j` of [`LANES`] adds elements `j`, `j + LANES`, … of a tile; then the lanes are added by halves: 64
//! pairs, 32 pairs, … The kernels of [`finish`](super::finish) add the tiles' sums.
use crate::array::kernels::LANES;
use crate::array::kernels::number::Number;
use crate::device::{Arena, Block, In, Out, Pod, Shared, TILE, kernel};

fn memory<S: Pod>(arena: &Arena) -> Shared<'_, S> {
    arena.take(LANES)
}

/// The sum of `term(i)` for `i < len`. Collective, ends with a barrier.
#[inline(always)]
fn sum_of_tile<S: Number>(
    block: &Block,
    lanes: Shared<'_, S>,
    len: u32,
    term: impl Fn(u32) -> S,
    put: impl Fn(S),
) {
    block.for_each(LANES, |j| {
        let (mut i, mut sum) = (j, S::default());
        while i < len {
            sum = sum.plus(term(i));
            i += LANES;
        }
        lanes.set(j, sum);
    });
    let mut half = LANES / 2;
    while half > 0 {
        block.for_each(half, |j| lanes.set(j, lanes.get(j).plus(lanes.get(j + half))));
        half /= 2;
    }
    block.single_nosync(|| put(lanes.get(0)));
    block.sync();
}

/// `sums[width * t + c]` = sum of component `c` of the elements of tile `t`, for `n` elements of `width`
/// numbers.
#[kernel(for T in [f32, f64, u32, i32], threads = 128, shared = memory::<T::Total>(arena))]
pub fn sum<'a, T: Number>(block: &Block, n: u32, width: u32, x: In<'a, T>, sums: Out<'a, T::Total>) {
    let lanes = memory::<T::Total>(block.arena());
    block.for_each_tile(n, |base, len| {
        let mut c = 0;
        while c < width {
            let term = |i: u32| x.get(width * (base + i) + c).total();
            sum_of_tile(block, lanes, len, term, |sum| sums.set(width * (base / TILE) + c, sum));
            c += 1;
        }
    });
}

/// `sums[t]` = sum of the products of tile `t`, for `n` numbers.
#[kernel(for T in [f32, f64, u32, i32], threads = 128, shared = memory::<f64>(arena))]
pub fn dot<'a, T: Number>(block: &Block, n: u32, x: In<'a, T>, y: In<'a, T>, sums: Out<'a, f64>) {
    let lanes = memory::<f64>(block.arena());
    block.for_each_tile(n, |base, len| {
        let term = |i: u32| x.get(base + i).real() * y.get(base + i).real();
        sum_of_tile(block, lanes, len, term, |sum| sums.set(base / TILE, sum));
    });
}

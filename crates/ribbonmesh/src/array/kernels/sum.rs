//! Sums and scalar products, tile by tile, always in the same order.
//!
//! Lane `j` of [`LANES`] adds elements `j`, `j + LANES`, … of a tile; then the lanes are added by halves: 64
//! pairs, 32 pairs, … The kernels of [`finish`](super::finish) add the tiles' sums.
use crate::array::kernels::LANES;
use crate::device::{Arena, Block, In, Out, Pod, Shared, TILE, kernel};

fn memory<S: Pod>(arena: &Arena) -> Shared<'_, S> {
    arena.take(LANES)
}

/// The sum of `term(i)` for `i < len`. Collective, ends with a barrier.
#[inline(always)]
fn sum_of_tile<S: Pod>(
    block: &Block,
    lanes: Shared<'_, S>,
    len: u32,
    term: impl Fn(u32) -> S,
    add: impl Fn(S, S) -> S,
    put: impl Fn(S),
) {
    block.for_each(LANES, |j| {
        let (mut i, mut sum) = (j, S::zeroed());
        while i < len {
            sum = add(sum, term(i));
            i += LANES;
        }
        lanes.set(j, sum);
    });
    let mut half = LANES / 2;
    while half > 0 {
        block.for_each(half, |j| lanes.set(j, add(lanes.get(j), lanes.get(j + half))));
        half /= 2;
    }
    block.single_nosync(|| put(lanes.get(0)));
    block.sync();
}

macro_rules! sums { ($($t:ident $s:ident $sum:ident $add:expr;)*) => { $(
    #[doc = concat!("`sums[width * t + c]` = sum of component `c` of the elements of tile `t`, for `n` elements of `width` `",
        stringify!($t), "`.")]
    #[kernel(threads = 128, shared = memory::<$s>(arena))]
    pub fn $sum<'a>(block: &Block, n: u32, width: u32, x: In<'a, $t>, sums: Out<'a, $s>) {
        let lanes = memory::<$s>(block.arena());
        block.for_each_tile(n, |base, len| {
            let mut c = 0;
            while c < width {
                let term = |i: u32| x.get(width * (base + i) + c) as $s;
                sum_of_tile(block, lanes, len, term, $add, |sum| sums.set(width * (base / TILE) + c, sum));
                c += 1;
            }
        });
    }
)* } }
sums! {
    f32 f64 sum_f32 |a, b| a + b;
    f64 f64 sum_f64 |a, b| a + b;
    u32 u64 sum_u32 |a, b| a + b;
    i32 i64 sum_i32 |a, b| a + b;
}

macro_rules! dots { ($($t:ident $dot:ident;)*) => { $(
    #[doc = concat!("`sums[t]` = sum of the products of tile `t`, for `n` scalars `", stringify!($t), "`.")]
    #[kernel(threads = 128, shared = memory::<f64>(arena))]
    pub fn $dot<'a>(block: &Block, n: u32, x: In<'a, $t>, y: In<'a, $t>, sums: Out<'a, f64>) {
        let lanes = memory::<f64>(block.arena());
        block.for_each_tile(n, |base, len| {
            let term = |i: u32| x.get(base + i) as f64 * y.get(base + i) as f64;
            sum_of_tile(block, lanes, len, term, |a, b| a + b, |sum| sums.set(base / TILE, sum));
        });
    }
)* } }
dots! { f32 dot_f32; f64 dot_f64; u32 dot_u32; i32 dot_i32; }

//! Vectors as arrays of numbers: sums and scalar products in `f64`, always in the same order on one machine.
use super::entry::Real;
use super::solve::{ALPHA, BETA, OUTCOME, RZ, Scalars, running_if};
use ribbonmesh::device::{Block, In, Out, TILE, kernel};

/// The part of the scalar product that falls to this block. Collective.
#[inline(always)]
fn product<R: Real>(block: &Block, n: u32, x: In<'_, R>, y: In<'_, R>) -> f64 {
    let base = TILE * block.index();
    let len = if n - base < TILE { n - base } else { TILE };
    let of = |i: u32| x.get(base + i).to_f64() * y.get(base + i).to_f64();
    block.reduce(len, 0.0, of, |a, b| a + b)
}

macro_rules! vectors { ($($real:ident $axpby:ident $dot:ident $step:ident $direction:ident;)*) => { $(
    #[doc = "`y = a x + b y`; `y` is not read if b is 0. Blocks: tiles."]
    #[kernel(threads = 256)]
    pub fn $axpby<'a>(block: &Block, n: u32, a: $real, b: $real, x: In<'a, $real>, y: Out<'a, $real>) {
        block.for_each_of_tile(n, |i| {
            let ax = a * x.get(i);
            y.set(i, if b == 0.0 { ax } else { ax + b * y.get(i) });
        });
    }
    #[doc = "`state[to] = factor x·y`. Blocks: tiles, each its own."]
    #[kernel(threads = 256)]
    pub fn $dot<'a>(
        block: &Block,
        n: u32,
        factor: f64,
        x: In<'a, $real>,
        y: In<'a, $real>,
        to: u32,
        scalars: Scalars<'a>,
    ) {
        let part = product(block, n, x, y);
        scalars.sum(block, [part, 0.0], |sums| scalars.state.set(to, factor * sums[0]));
    }
    #[doc = "α = r·z / p·q. Blocks: tiles, each its own."]
    #[kernel(threads = 256)]
    pub fn $step<'a>(block: &Block, n: u32, p: In<'a, $real>, q: In<'a, $real>, scalars: Scalars<'a>) {
        if scalars.done() {
            return;
        }
        let part = product(block, n, p, q);
        let state = scalars.state;
        scalars.sum(block, [part, 0.0], |sums| {
            let alpha = state.get(RZ) / sums[0];
            state.set(ALPHA, alpha);
            state.set(OUTCOME, running_if(sums[0] > 0.0 && (alpha as $real).is_finite()));
        });
    }
    #[doc = "p = z + β p; the old direction is not read if β is 0. Blocks: tiles."]
    #[kernel(threads = 256)]
    pub fn $direction<'a>(block: &Block, n: u32, state: In<'a, f64>, z: In<'a, $real>, p: Out<'a, $real>) {
        if state.get(OUTCOME) != super::solve::RUNNING {
            return;
        }
        let beta = state.get(BETA) as $real;
        block.for_each_of_tile(n, |i| {
            let z = z.get(i);
            p.set(i, if beta == 0.0 { z } else { z + beta * p.get(i) });
        });
    }
)* } }
vectors! {
    f32 axpby_f32 dot_f32 step_f32 direction_f32;
    f64 axpby_f64 dot_f64 step_f64 direction_f64;
}

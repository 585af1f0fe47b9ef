//! Algorithm 2: which holes are joined.
use crate::kernels::loops::part;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, Each, Grid, In, Out, Parameter, kernel};

/// Pairs of holes that are near each other, by ascending scores.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Pairs<'a> {
    /// The holes of each pair.
    pub holes: In<'a, [u32; 2]>,
    /// The number of pairs of near vertices of these holes.
    pub scores: In<'a, u64>,
}

/// Splits the numbers of pairs into holes.
#[kernel(threads = 128)]
pub fn split_pairs<'a>(i: Each, keys: In<'a, u64>, bits: u32, holes: Out<'a, [u32; 2]>) {
    let key = keys.get(i);
    holes.set(i, [(key >> bits) as u32, (key & ((1 << bits) - 1)) as u32]);
}

/// Pairs up holes: in each round, a pair is taken if it has the highest number at both of its holes, and the
/// score is at least `share` of the vertices of the longer one. `chosen` has 1 plus the number of the pair of
/// each hole, or 0, with which it begins. Each round with a pair that could be taken takes one: the highest.
/// So it ends when nothing has changed, as in the paper.
#[kernel(threads = 256)]
pub fn pair_holes<'a>(
    block: &Block,
    grid: Grid,
    pairs: Pairs<'a>,
    starts: In<'a, u32>,
    share: f32,
    guesses: Out<'a, u32>,
    chosen: Out<'a, u32>,
    taken: Out<'a, u32>,
) {
    let (first, mine) = part(block, pairs.holes.len() as u32);
    let (first_hole, my_holes) = part(block, chosen.len() as u32);
    let len = |hole: u32| starts.get(hole + 1) - starts.get(hole);
    let mut before = 0;
    loop {
        block.for_each_nosync(my_holes, |k| guesses.set(first_hole + k, 0));
        block.grid_sync(grid);
        block.for_each_nosync(mine, |k| {
            let i = first + k;
            let [a, b] = pairs.holes.get(i);
            let free = chosen.get(a) == 0 && chosen.get(b) == 0;
            if free && pairs.scores.get(i) as f64 >= share as f64 * len(a).max(len(b)) as f64 {
                atomic::fetch_max(guesses, a, i + 1, Relaxed, Device);
                atomic::fetch_max(guesses, b, i + 1, Relaxed, Device);
            }
        });
        block.grid_sync(grid);
        block.for_each_nosync(mine, |k| {
            let i = first + k;
            let [a, b] = pairs.holes.get(i);
            if guesses.get(a) == i + 1 && guesses.get(b) == i + 1 {
                chosen.set(a, i + 1);
                chosen.set(b, i + 1);
                atomic::fetch_add(taken, 0, 1, Relaxed, Device);
            }
        });
        block.grid_sync(grid);
        let now = block.single(|| atomic::load(taken, 0, Relaxed, Device));
        if now == before {
            return;
        }
        before = now;
    }
}

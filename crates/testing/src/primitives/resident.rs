//! Blocks that wait for each other.
use ribbonmesh::device::{Block, Grid, Out, kernel};

/// `rounds` times, every element becomes three times itself plus its two neighbours (cyclic) plus the round,
/// back and forth between the halves of `values`, which has `2 n` elements. Neighbours belong to different
/// blocks. `counts[block]` is the number of blocks.
#[kernel(threads = 128)]
pub fn exchange<'a>(
    block: &Block,
    grid: Grid,
    n: u32,
    rounds: u32,
    values: Out<'a, u32>,
    counts: Out<'a, u32>,
) {
    let blocks = block.count();
    let mine = n / blocks + (block.index() < n % blocks) as u32;
    block.single_nosync(|| counts.set(block.index(), blocks));
    for round in 0..rounds {
        let (from, to) = (round % 2 * n, (round + 1) % 2 * n);
        block.for_each_nosync(mine, |k| {
            let i = k * blocks + block.index();
            let v = |j: u32| values.get(from + j);
            let (left, right) =
                (v(if i == 0 { n - 1 } else { i - 1 }), v(if i + 1 == n { 0 } else { i + 1 }));
            values.set(to + i, v(i).wrapping_mul(3).wrapping_add(left ^ right).wrapping_add(round));
        });
        block.grid_sync(grid);
    }
}

/// Block `absent` leaves, the others meet and write 1 to `met`.
#[kernel(threads = 64)]
pub fn desert<'a>(block: &Block, grid: Grid, absent: u32, met: Out<'a, u32>) {
    if block.index() == absent {
        return;
    }
    block.grid_sync(grid);
    block.single_nosync(|| met.set(block.index(), 1));
}

//! Parts of the fluid that have no outflow. Their pressure is known up to a constant, and what flows into
//! such a part must flow out of it: the mean of the right-hand side of each part is subtracted.
use super::cells::Cells;
use super::level::Level;
use super::solid::Boundary;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, Each, In, Out, kernel};
use ribbonmesh::sets;

/// Unites the sets of cells on both sides of open faces. `parents` begins with each cell as its own.
#[kernel(threads = 256)]
pub fn unite_cells<'a>(block: &Block, level: Level<'a>, parents: Out<'a, u32>) {
    let steps = [1, level.n[0], level.n[0] * level.n[1]];
    block.for_each_of_tile(level.count(), |cell| {
        let at = level.of(cell);
        let lower = [level.x.get(cell), level.y.get(cell), level.z.get(cell)];
        let mut a = 0;
        while a < 3 {
            if at[a] > 0 && lower[a] > 0.0 {
                sets::unite(parents, cell, cell - steps[a]);
            }
            a += 1;
        }
    });
}
/// Makes the least cell of each set the parent of all, and marks those of sets with an outflow.
#[kernel(threads = 256)]
pub fn find_outflows<'a>(
    block: &Block,
    cells: Cells,
    boundary: Boundary,
    open: In<'a, f32>,
    parents: Out<'a, u32>,
    outflow: Out<'a, u32>,
) {
    block.for_each_of_tile(cells.count(), |cell| {
        sets::flatten(parents, cell);
        let at = cells.of(cell);
        let (mut flows, mut a) = (false, 0);
        while a < 3 {
            let mut beyond = at;
            beyond[a] += 1;
            let is_open = |at: [u32; 3]| open.get(a as u32 * cells.nodes() + cells.node(at)) > 0.0;
            flows |= at[a] == 0 && boundary.flows_out(a, 0) && is_open(at);
            flows |= beyond[a] == cells.n[a] && boundary.flows_out(a, 1) && is_open(beyond);
            a += 1;
        }
        if flows {
            atomic::store(outflow, parents.get(cell), 1, Relaxed, Device);
        }
    });
}
/// Flags unknowns of sets without an outflow.
#[kernel(threads = 256)]
pub fn flag_closed<'a>(
    cell: Each,
    diagonal: In<'a, f32>,
    parents: In<'a, u32>,
    outflow: In<'a, u32>,
    flags: Out<'a, u32>,
) {
    let closed = diagonal.get(cell) > 0.0 && outflow.get(parents.get(cell)) == 0;
    flags.set(cell, u32::from(closed));
}
/// The sets of listed cells, as keys to sort by.
#[kernel(threads = 256)]
pub fn key_closed<'a>(i: Each, list: In<'a, u32>, parents: In<'a, u32>, keys: Out<'a, u64>) {
    keys.set(i, parents.get(list.get(i)).into());
}
/// Subtracts from the values of listed cells the mean of their set.
#[kernel(threads = 256)]
pub fn subtract_means<'a>(
    i: Each,
    list: In<'a, u32>,
    keys: In<'a, u64>,
    sets: In<'a, u64>,
    sums: In<'a, f64>,
    counts: In<'a, f64>,
    r: Out<'a, f32>,
) {
    let key = keys.get(i);
    let (mut low, mut high) = (0, sets.len() as u32 - 1);
    while low < high {
        let middle = (low + high) / 2;
        if sets.get(middle) < key {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let cell = list.get(i);
    r.set(cell, r.get(cell) - (sums.get(low) / counts.get(low)) as f32);
}

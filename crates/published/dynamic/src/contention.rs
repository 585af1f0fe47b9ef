//! Figure 5.7 of the thesis: each patch locks all patches around it.
use crate::change::TRIES;
use crate::copy::{Topology, TopologyLayout};
use crate::view::{ReadStore, StoreView};
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Arena, Block, NONE, Out, kernel};
use ribbonmesh_concurrent::{Locks, Queue};

fn memory(arena: &Arena, capacity: [u32; 3]) -> TopologyLayout<'_> {
    Topology::layout(arena, capacity)
}

/// Takes a patch from the queue, loads it into shared memory, and then locks all patches around, or drops the
/// copy and puts the patch back. `report` counts the patches taken, those that were dropped, and those that
/// were not.
#[kernel(threads = 256, shared = memory(arena, store.limits()))]
pub fn lock_neighbours<'a>(
    block: &Block,
    store: StoreView<'a>,
    locks: Out<'a, u32>,
    queue: Out<'a, u32>,
    report: Out<'a, u32>,
) {
    let memory = memory(block.arena(), store.limits());
    let (locks, values) = (Locks::new(locks, TRIES), Queue::new(queue));
    let p = block.single(|| values.pop().unwrap_or(NONE));
    if p == NONE {
        return;
    }
    let row = store.row(p);
    let own = block.single(|| locks.acquire(p, block.index()) as u32);
    let mut held = 0;
    if own != 0 {
        Topology::load(block, store, row, memory);
        let patch = |i: u32| store.stash(row.stash + i);
        held = block.single(|| {
            let mut held = 0;
            while held < row.neighbours && locks.acquire(patch(held), block.index()) {
                held += 1;
            }
            held
        });
        block.single_nosync(|| {
            let mut i = 0;
            while i < held {
                locks.release(patch(i), block.index());
                i += 1;
            }
            locks.release(p, block.index());
        });
    }
    block.single_nosync(|| {
        atomic::fetch_add(report, 0, 1, Relaxed, Device);
        if own != 0 && held == row.neighbours {
            atomic::fetch_add(report, 2, 1, Relaxed, Device);
            return values.done();
        }
        atomic::fetch_add(report, 1, 1, Relaxed, Device);
        // there is room: each patch is in the queue once
        if values.push(p).is_err() {
            values.done();
        }
    });
}

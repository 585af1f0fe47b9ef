//! Queries whose results are written to memory.
use crate::copy::{Owners, OwnersLayout, Topology, TopologyLayout};
use crate::handle::Handle;
use crate::query::{Ef, Ev, Fe, Ff, Fv, Rows, StoreQuery, Ve, Vf, Vv};
use crate::view::{ReadStore, StoreView};
use core::cell::Cell;
use ribbonmesh::device::{Arena, Block, Each, In, Out, kernel};

fn rows_memory<Q: StoreQuery>(arena: &Arena, capacity: [u32; 3]) -> (TopologyLayout<'_>, Rows<'_>) {
    (Topology::layout(arena, capacity), Rows::layout(arena, Q::transposed(capacity)))
}

/// The length of each row, at the place of its element; places of others are left. One block per patch.
#[kernel(
    for Q in [Vv, Ve, Vf, Ev, Ef, Fv, Fe, Ff],
    threads = 256,
    shared = rows_memory::<Q>(arena, store.limits())
)]
pub fn row_lengths<'a, Q: StoreQuery>(block: &Block, store: StoreView<'a>, lengths: Out<'a, u32>) {
    let row = store.row(block.index());
    let (topology, rows) = rows_memory::<Q>(block.arena(), row.capacity);
    let topology = Topology::load(block, store, row, topology);
    let rows = Q::ask(block, topology, rows);
    let first = row.first[Q::SOURCE as usize];
    topology.for_each_owned_nosync(block, Q::SOURCE as usize, |l| {
        let n = Cell::new(0);
        Q::visit(topology, rows, l, |_| n.set(n.get() + 1));
        lengths.set(first + l, n.get());
    });
}

fn memory<Q: StoreQuery>(
    arena: &Arena,
    capacity: [u32; 3],
) -> (TopologyLayout<'_>, Rows<'_>, OwnersLayout<'_>) {
    let (topology, rows) = rows_memory::<Q>(arena, capacity);
    (topology, rows, Owners::layout(arena, capacity[Q::TARGET as usize]))
}

/// The rows, as places of their elements' owners: the row of an element begins at `offsets` of its place. One
/// block per patch.
#[kernel(
    for Q in [Vv, Ve, Vf, Ev, Ef, Fv, Fe, Ff],
    threads = 256,
    shared = memory::<Q>(arena, store.limits())
)]
pub fn row_entries<'a, Q: StoreQuery>(
    block: &Block,
    store: StoreView<'a>,
    offsets: In<'a, u32>,
    entries: Out<'a, u32>,
) {
    let row = store.row(block.index());
    let (topology, rows, owners) = memory::<Q>(block.arena(), row.capacity);
    let topology = Topology::load(block, store, row, topology);
    let owners = Owners::expand(block, store, topology, Q::TARGET as usize, store.settled != 0, owners);
    let rows = Q::ask(block, topology, rows);
    let first = row.first[Q::SOURCE as usize];
    topology.for_each_owned_nosync(block, Q::SOURCE as usize, |l| {
        let at = Cell::new(offsets.get(first + l));
        Q::visit(topology, rows, l, |x| {
            entries.set(at.get(), owners.slot(x));
            at.set(at.get() + 1);
        });
    });
}

/// The owner of each handle of a kind, as a handle; [`u64::MAX`] for one that has none.
#[kernel(threads = 128, requires(handles.len() >= count as usize, owners.len() >= count as usize, kind < 3))]
pub fn resolve_handles<'a>(
    i: Each,
    store: StoreView<'a>,
    kind: u32,
    handles: In<'a, u64>,
    owners: Out<'a, u64>,
) {
    let handle = Handle::of_word(handles.get(i));
    let owner = if handle.patch() < store.patches {
        store.owner(handle.patch(), kind as usize, handle.local())
    } else {
        None
    };
    owners.set(i, owner.map_or(u64::MAX, |owner| Handle::new(owner.patch, owner.local as u16).word()));
}

/// The handle of each place of a kind that a patch owns; others are left. One
/// block per patch.
#[kernel(threads = 128)]
pub fn handles<'a>(block: &Block, store: StoreView<'a>, kind: u32, handles: Out<'a, u64>) {
    let row = store.row(block.index());
    let kind = kind as usize;
    block.for_each_nosync(row.count[kind], |l| {
        if store.owns(&row, kind, l) {
            handles.set(row.first[kind] + l, Handle::new(block.index(), l as u16).word());
        }
    });
}

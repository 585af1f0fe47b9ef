//! A store laid out again: local indices without gaps, other room, other free patches (thesis 5.3.1).
use crate::row::StoreRow;
use crate::view::{ReadStore, StoreView, StoreViewMut};
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Arena, Block, Each, In, NONE, Out, Parameter, Shared, hi, kernel, lo, pack};
use ribbonmesh_concurrent::{CuckooTable, Entry, First};

/// Numbers of a patch that [`number_elements`] finds: local vertices, edges, faces, patches around, then the
/// owned vertices, edges, faces.
pub const NUMBERS: u32 = 7;

/// New local indices by old place; [`NONE`] for an element that is not there.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct NewLocals<'a> {
    /// Of vertices.
    pub vertices: Out<'a, u32>,
    /// Of edges.
    pub edges: Out<'a, u32>,
    /// Of faces.
    pub faces: Out<'a, u32>,
}
impl<'a> NewLocals<'a> {
    #[inline(always)]
    fn of(&self, kind: usize) -> Out<'a, u32> {
        if kind == 0 {
            self.vertices
        } else if kind == 1 {
            self.edges
        } else {
            self.faces
        }
    }
}

fn scan_memory(arena: &Arena, [v, e, f]: [u32; 3]) -> Shared<'_, u32> {
    arena.take([v, e, f].into_iter().fold(0, |most, n| if n > most { n } else { most }))
}
/// Gives the elements of each patch of a clean store local indices without gaps, the owned ones first. One
/// block per patch.
#[kernel(threads = 256, shared = scan_memory(arena, store.limits()))]
pub fn number_elements<'a>(
    block: &Block,
    store: StoreView<'a>,
    locals: NewLocals<'a>,
    numbers: Out<'a, u32>,
) {
    let scan = scan_memory(block.arena(), store.limits());
    let (row, at) = (store.row(block.index()), NUMBERS * block.index());
    for kind in [0, 1, 2] {
        let mut before = 0;
        for owned in [true, false] {
            let counts = |l: u32| store.has(&row, kind, l) && store.owns(&row, kind, l) == owned;
            block.for_each(row.count[kind], |l| scan.set(l, counts(l) as u32));
            let total = block.exclusive_scan(scan, row.count[kind]);
            block.for_each(row.count[kind], |l| {
                let place = row.first[kind] + l;
                if counts(l) {
                    locals.of(kind).set(place, before + scan.get(l));
                } else if owned && !store.has(&row, kind, l) {
                    locals.of(kind).set(place, NONE);
                }
            });
            before += total;
            if owned {
                block.single_nosync(|| numbers.set(at + 4 + kind as u32, total));
            }
        }
        block.single_nosync(|| numbers.set(at + kind as u32, before));
    }
    block.single_nosync(|| numbers.set(at + 3, row.neighbours));
}

/// Needs of [`relay_patches`] beside the stores.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Relay<'a> {
    /// The old patch of each new one, as far as it is not free.
    pub olds: In<'a, u32>,
    /// The new patch of each old one.
    pub news: In<'a, u32>,
    /// New local indices.
    pub locals: NewLocals<'a>,
    /// The new place of each old one; [`NONE`] where there was no owned element.
    pub vertices: Out<'a, u32>,
    /// The same of edges.
    pub edges: Out<'a, u32>,
    /// The same of faces.
    pub faces: Out<'a, u32>,
    /// Becomes 1 if some table has no room.
    pub full: Out<'a, u32>,
}

fn table_memory(arena: &Arena, table: u32) -> Shared<'_, u32> {
    arena.take(table)
}
/// Writes the patches of a clean store into another one, whose rows are there. One block per new patch that
/// is not free.
#[kernel(threads = 256, shared = table_memory(arena, to.max_table))]
pub fn relay_patches<'a>(block: &Block, from: StoreView<'a>, to: StoreViewMut<'a>, relay: Relay<'a>) {
    let words = table_memory(block.arena(), to.max_table);
    let old = from.row(relay.olds.get(block.index()));
    let row = to.row(block.index());
    block.for_each_nosync(old.neighbours, |i| {
        to.stashes.set(row.stash + i, relay.news.get(from.stash(old.stash + i)));
    });
    let local = |kind: usize, l: u32| relay.locals.of(kind).get(old.first[kind] + l);
    block.for_each_nosync(old.count[1], |e| {
        let at = local(1, e);
        if at != NONE {
            let ends = from.ev(old.first[1] + e);
            to.ev.set(row.first[1] + at, pack(local(0, lo(ends)), local(0, hi(ends))));
        }
    });
    block.for_each_nosync(old.count[2], |f| {
        let at = local(2, f);
        if at != NONE {
            for i in [0, 1, 2] {
                let side = from.fe(3 * (old.first[2] + f) + i);
                let entry = (local(1, side >> 1) << 1 | side & 1) as u16;
                to.fe.set(3 * (row.first[2] + at) + i, entry);
            }
        }
    });
    let mut owned = [0; 3];
    for kind in [0, 1, 2] {
        owned[kind] = block.count_where(old.count[kind], |l| from.owns(&old, kind, l));
        let places = [relay.vertices, relay.edges, relay.faces][kind];
        block.for_each_nosync(old.count[kind], |l| {
            let place = if from.owns(&old, kind, l) { row.first[kind] + local(kind, l) } else { NONE };
            places.set(old.first[kind] + l, place);
        });
    }
    crate::build::masks(block, to, &row, owned);
    for kind in [0, 1, 2] {
        copy_table(block, from, to, relay, kind, (&old, &row), words);
    }
}
/// Makes a table of what an old one has.
#[inline(always)]
fn copy_table(
    block: &Block,
    from: StoreView<'_>,
    to: StoreViewMut<'_>,
    relay: Relay<'_>,
    kind: usize,
    (old, row): (&StoreRow, &StoreRow),
    words: Shared<'_, u32>,
) {
    let (source, len) = (from.table_of(old, kind), row.table_words[kind]);
    let table = CuckooTable::new(First::new(words, len));
    block.for_each(len, |i| table.clear(i));
    block.for_each(old.table_words[kind], |i| {
        let Some(entry) = source.entry(i) else { return };
        let owner = from.row(from.stash(old.stash + entry.slot()));
        let locals = relay.locals.of(kind);
        let key = locals.get(old.first[kind] + entry.key());
        let index = locals.get(owner.first[kind] + entry.index());
        let entry = Entry::new(key, entry.slot(), index);
        if entry.is_none_or(|entry| table.insert(entry).is_err()) {
            atomic::fetch_max(relay.full, 0, 1, Relaxed, Device);
        }
    });
    block.for_each(len, |i| to.tables.set(row.table_at(kind) + i, words.get(i)));
}

/// Moves values of `width` words from old places to new ones, for each old place.
#[kernel(threads = 256, requires(
    places.len() >= count as usize,
    from.len() as u64 >= count as u64 * width as u64
))]
pub fn move_values<'a>(i: Each, places: In<'a, u32>, width: u32, from: In<'a, u32>, to: Out<'a, u32>) {
    let place = places.get(i);
    if place == NONE {
        return;
    }
    let mut k = 0;
    while k < width {
        to.set(width * place + k, from.get(width * i + k));
        k += 1;
    }
}

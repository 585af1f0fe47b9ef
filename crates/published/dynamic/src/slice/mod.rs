//! A patch that has grown too large is cut in two (thesis 5.3.1): ten iterations of Lloyd's method on its own
//! faces, one half to a free patch.
mod lloyd;

use crate::attributes::Attributes;
use crate::draft::{Draft, OWNED, index_of, reason, slot_of};
use crate::handle::Handle;
use crate::row::StoreRow;
use crate::view::{MOST_NEIGHBOURS, ReadStore, StoreViewMut, put_row, store};
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Arena, Block, In, NONE, Out, Parameter, Shared, kernel, pack};
use ribbonmesh_concurrent::{CuckooTable, Entry, First};

/// Needs of a cut.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Cut<'a> {
    /// The store, with room for where elements go.
    pub store: StoreViewMut<'a>,
    /// Patches to be cut, each followed by a free one.
    pub pairs: In<'a, u32>,
    /// [`reason`]s for which a patch was not cut.
    pub failed: Out<'a, u32>,
    /// Values that move with their elements.
    pub attributes: Attributes<'a>,
}

/// Shared memory of a cut.
#[derive(Clone, Copy)]
struct Memory<'b> {
    draft: Draft<'b>,
    degrees: Shared<'b, u32>,
    pairs: Shared<'b, u16>,
    distances: Shared<'b, u32>,
    next: Shared<'b, u32>,
    /// The half of each owned vertex, edge, face: 0 stays.
    halves: [Shared<'b, u32>; 3],
    /// Local indices in the new patch; [`NONE`] for an element that it does not need.
    locals: [Shared<'b, u32>; 3],
    /// Edges of faces of the half that is looked at.
    beside: Shared<'b, u32>,
    scan: Shared<'b, u32>,
    tables: [Shared<'b, u32>; 3],
}
fn memory(arena: &Arena, capacity: [u32; 3], table: u32) -> Memory<'_> {
    let [v, e, f] = capacity;
    Memory {
        draft: Draft::layout(arena, capacity),
        degrees: arena.take(e),
        pairs: arena.take(2 * e),
        distances: arena.take(f),
        next: arena.take(f),
        halves: [arena.take(v), arena.take(e), arena.take(f)],
        locals: [arena.take(v), arena.take(e), arena.take(f)],
        beside: arena.take(e),
        scan: arena.take([v, e, f].into_iter().fold(0, |most, n| if n > most { n } else { most })),
        tables: [arena.take(table), arena.take(table), arena.take(table)],
    }
}

/// Cuts patches in two, where nothing else changes the store, and cleanup follows: what has gone is found by
/// the handles of the store until then. A block for each pair.
#[kernel(threads = 256, shared = memory(arena, cut.store.limits(), cut.store.max_table))]
pub fn cut_patches<'a>(block: &Block, cut: Cut<'a>) {
    let memory = memory(block.arena(), cut.store.limits(), cut.store.max_table);
    let (p, n) = (cut.pairs.get(2 * block.index()), cut.pairs.get(2 * block.index() + 1));
    let draft = memory.draft.of(p, cut.store.row(p));
    let slice = Slice { block, cut, draft, memory, target: n, row: cut.store.row(n) };
    slice.draft.load(block, cut.store, |_| ());
    let mut failed = slice.draft.failures(block);
    if failed == 0 {
        failed = slice.run();
    }
    block.single_nosync(|| {
        if failed != 0 {
            atomic::fetch_or(cut.failed, block.index(), failed, Relaxed, Device);
        }
    });
}

/// A patch that is cut.
#[derive(Clone, Copy)]
struct Slice<'b, 'a> {
    block: &'b Block,
    cut: Cut<'a>,
    draft: Draft<'b>,
    memory: Memory<'b>,
    /// The free patch and its row.
    target: u32,
    row: StoreRow,
}

impl Slice<'_, '_> {
    /// Cuts the patch; the reasons why not.
    #[inline(always)]
    fn run(&self) -> u32 {
        let Self { block, draft, memory, .. } = *self;
        self.find_pairs();
        self.halve();
        self.spread();
        // the other half: a patch with a stash of its own, in which this patch is last
        let neighbours = draft.neighbours(block);
        if neighbours + 1 > self.row.stash_room || neighbours + 1 > MOST_NEIGHBOURS {
            return reason::STASH;
        }
        if !block.any(draft.row.count[2], |f| self.belongs(2, f, 1))
            || !block.any(draft.row.count[2], |f| self.belongs(2, f, 0))
        {
            return reason::ROOM;
        }
        let mut count = [0; 3];
        for half in [0, 1] {
            let row = if half == 0 { draft.row } else { self.row };
            self.look_beside(half);
            for kind in [0, 1, 2] {
                count[kind] = self.number(kind, half);
                let ribbon = block.count_where(draft.row.count[kind], |l| {
                    memory.locals[kind].get(l) != NONE && !self.belongs(kind, l, half)
                });
                // entries are put into a table with this load where there is no other way
                if 10 * ribbon > 9 * row.table_words[kind] {
                    return reason::TABLE;
                }
                if half == 1 && count[kind] > row.capacity[kind] {
                    return reason::ROOM;
                }
            }
        }
        for kind in [0, 1, 2] {
            self.make_table(kind, neighbours);
        }
        let failed = draft.failures(block);
        if failed != 0 {
            return failed;
        }
        self.write_target(count, neighbours);
        self.give_away();
        0
    }
    /// Whether an owned element belongs to a half.
    #[inline(always)]
    fn belongs(&self, kind: usize, l: u32, half: u32) -> bool {
        let other = self.memory.halves[kind].get(l) == 1;
        self.draft.words[kind].get(l) & OWNED != 0 && other == (half == 1)
    }
    /// Edges and vertices stay with an owned face of theirs that stays.
    #[inline(always)]
    fn spread(&self) {
        let Self { block, draft, memory, .. } = *self;
        let [vertices, edges, faces] = draft.row.count;
        block.for_each_nosync(vertices, |v| memory.halves[0].set(v, 2));
        block.for_each(edges, |e| memory.halves[1].set(e, 2));
        block.for_each(faces, |f| {
            if draft.words[2].get(f) & OWNED != 0 {
                let half = memory.halves[2].get(f);
                for i in [0, 1, 2] {
                    memory.halves[1].fetch_min(draft.side(f, i).0, half);
                    memory.halves[0].fetch_min(draft.corner(f, i), half);
                }
            }
        });
    }
    /// Marks the edges of the faces of a half.
    #[inline(always)]
    fn look_beside(&self, half: u32) {
        let Self { block, draft, memory, .. } = *self;
        block.for_each(draft.row.count[1], |e| memory.beside.set(e, 0));
        block.for_each(draft.row.count[2], |f| {
            if self.belongs(2, f, half) {
                for i in [0, 1, 2] {
                    memory.beside.fetch_or(draft.side(f, i).0, 1);
                }
            }
        });
    }
    /// Gives numbers to what a half needs of a kind, with its ribbon; how many there are.
    #[inline(always)]
    fn number(&self, kind: usize, half: u32) -> u32 {
        let Self { block, draft, memory, .. } = *self;
        let (count, needed) = (draft.row.count, memory.locals[kind]);
        block.for_each(count[kind], |l| needed.set(l, self.belongs(kind, l, half) as u32));
        block.for_each(count[2], |f| {
            if !draft.has(2, f) || !self.face_needed(f, half) {
                return;
            }
            for i in [0, 1, 2] {
                let l = [draft.corner(f, i), draft.side(f, i).0, f][kind];
                needed.fetch_or(l, 1);
            }
        });
        block.for_each(count[kind], |l| memory.scan.set(l, needed.get(l)));
        let total = block.exclusive_scan(memory.scan, count[kind]);
        block.for_each(count[kind], |l| {
            needed.set(l, if needed.get(l) != 0 { memory.scan.get(l) } else { NONE });
        });
        total
    }
    /// Whether a query about an element of a half needs a face.
    #[inline(always)]
    fn face_needed(&self, f: u32, half: u32) -> bool {
        let draft = self.draft;
        let mut needed = self.belongs(2, f, half);
        for i in [0, 1, 2] {
            let e = draft.side(f, i).0;
            needed |= self.belongs(0, draft.corner(f, i), half)
                || self.belongs(1, e, half)
                || self.memory.beside.get(e) != 0;
        }
        needed
    }
    /// Makes a table of the new patch in shared memory: of what stays here, and of the ribbon.
    #[inline(always)]
    fn make_table(&self, kind: usize, neighbours: u32) {
        let Self { block, draft, memory, .. } = *self;
        let len = self.row.table_words[kind];
        let table = CuckooTable::new(First::new(memory.tables[kind], len));
        block.for_each(len, |i| table.clear(i));
        block.for_each(draft.row.count[kind], |l| {
            let (key, word) = (memory.locals[kind].get(l), draft.words[kind].get(l));
            if key == NONE || self.belongs(kind, l, 1) {
                return;
            }
            let entry = if word & OWNED != 0 {
                Entry::new(key, neighbours, l)
            } else {
                Entry::new(key, slot_of(word), index_of(word))
            };
            if entry.is_none_or(|entry| table.insert(entry).is_err()) {
                draft.fail(reason::TABLE);
            }
        });
    }
    /// Writes the new patch, with the values of what it owns.
    #[inline(always)]
    fn write_target(&self, count: [u32; 3], neighbours: u32) {
        let Self { block, draft, memory, cut, row, .. } = *self;
        let (to, locals) = (cut.store, memory.locals);
        block.for_each_nosync(neighbours, |i| store(to.stashes, row.stash + i, draft.stash.get(i)));
        block.single_nosync(|| {
            store(to.stashes, row.stash + neighbours, draft.patch);
            put_row(to, self.target, StoreRow { count, neighbours: neighbours + 1, ..row });
        });
        block.for_each_nosync(draft.row.count[1], |e| {
            let at = locals[1].get(e);
            if at != NONE {
                let [a, b] = draft.ends(e).map(|v| locals[0].get(v));
                to.ev.set(row.first[1] + at, pack(a, b));
            }
        });
        block.for_each_nosync(draft.row.count[2], |f| {
            let at = locals[2].get(f);
            if at != NONE {
                for i in [0, 1, 2] {
                    let (e, flipped) = draft.side(f, i);
                    to.fe.set(3 * (row.first[2] + at) + i, (locals[1].get(e) << 1 | flipped as u32) as u16);
                }
            }
        });
        for kind in [0, 1, 2] {
            block.for_each_nosync(row.table_words[kind], |i| {
                store(to.tables, row.table_at(kind) + i, memory.tables[kind].get(i));
            });
            block.for_each(row.mask_words(kind), |w| {
                let left = count[kind].saturating_sub(32 * w);
                let active = if left < 32 { (1 << left) - 1 } else { u32::MAX };
                store(to.masks, row.masks + row.active_at(kind) + w, active);
                store(to.masks, row.masks + row.owned_at(kind) + w, 0);
            });
            let gone = [to.gone_vertices, to.gone_edges, to.gone_faces][kind];
            block.for_each_nosync(draft.row.count[kind], |l| {
                if !self.belongs(kind, l, 1) {
                    return;
                }
                let at = locals[kind].get(l);
                let word = row.masks + row.owned_at(kind) + at / 32;
                atomic::fetch_or(to.masks, word, 1 << (at % 32), Relaxed, Device);
                let (from, place) = (draft.row.first[kind] + l, row.first[kind] + at);
                gone.set(from, Handle::new(self.target, at as u16).word() + 1);
                cut.attributes.relocate(kind, from, place);
            });
        }
        block.sync();
    }
    /// Clears what has gone with this patch, which keeps it in its ribbon.
    #[inline(always)]
    fn give_away(&self) {
        let Self { block, draft, cut, .. } = *self;
        let row = draft.row;
        for kind in [0, 1, 2] {
            let words = draft.words[kind];
            block.for_each(row.count[kind], |l| {
                if self.belongs(kind, l, 1) {
                    words.set(l, words.get(l) & !OWNED);
                }
            });
            draft.write_masks(block, cut.store, kind);
        }
    }
}

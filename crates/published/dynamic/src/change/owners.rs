//! Ownership moves to the patch that fills cavities, and the patch is committed.
use super::attempt::{Attempt, CHOSEN, GONE, TAKEN};
use super::operator::StoreOperator;
use super::{NARROW, add, count};
use crate::draft::{ENTRY, OWNED, index_of, reason, slot_of};
use crate::expand::SOUGHT;
use crate::row::StoreRow;
use crate::view::{MOST_NEIGHBOURS, ReadStore, put_count, put_row, store};
use ribbonmesh::device::atomic::{self, Order::AcqRel, Order::Relaxed, Scope::Device};
use ribbonmesh_concurrent::Entry;

/// Words of a table that one thread counts.
const CHUNK: u32 = 16;

impl Attempt<'_, '_> {
    /// Marks what the patch is to own: vertices, faces and loop of each chosen cavity, and the faces across.
    /// Notes a refusal where the block does not have the owner's lock.
    #[inline(always)]
    pub(super) fn take<O: StoreOperator>(&self) {
        let Self { block, draft, memory, .. } = *self;
        block.for_each_nosync(3 * MOST_NEIGHBOURS, |i| memory.moves.set(i, 0));
        block.for_each(draft.row.capacity[O::SEED], |seed| {
            if memory.states.get(seed) != CHOSEN {
                return;
            }
            self.vertices::<O>(seed, |v| _ = draft.words[0].fetch_or(v, TAKEN));
            self.around::<O>(seed, |kind, l| _ = draft.words[kind].fetch_or(l, TAKEN));
            O::faces(self, seed, |f| {
                draft.words[2].fetch_or(f, GONE);
                for i in [0, 1, 2] {
                    let edge = draft.side(f, i).0;
                    if O::inside(self, seed, edge) {
                        draft.words[1].fetch_or(edge, GONE);
                    }
                }
            });
        });
        for kind in [0, 1, 2] {
            block.for_each_nosync(draft.row.capacity[kind], |l| {
                let word = draft.words[kind].get(l);
                if word & TAKEN == 0 || word & OWNED != 0 {
                    return;
                }
                if word & ENTRY == 0 || !memory.expansion.holds(word) {
                    return draft.fail(reason::REFUSED);
                }
                memory.moves.fetch_add(3 * slot_of(word) + kind as u32, 1);
            });
        }
    }
    /// Finds the patch in the stash of each neighbour that loses elements, or puts it there; notes
    /// [`reason::AROUND`] where one has no room, which waits for a cleanup, too. Collective.
    #[inline(always)]
    pub(super) fn prepare_neighbours(&self) {
        let Self { block, draft, memory, change, .. } = *self;
        let moves = |slot: u32, kind: u32| memory.moves.get(3 * slot + kind);
        let loses = |slot: u32| moves(slot, 0) | moves(slot, 1) | moves(slot, 2) != 0;
        block.for_each_nosync(3 * MOST_NEIGHBOURS, |i| memory.used.set(i, 0));
        block.for_each(MOST_NEIGHBOURS, |slot| {
            if !loses(slot) {
                return;
            }
            let row = change.store.row(draft.stash.get(slot));
            let mut i = 0;
            while i < row.neighbours && change.store.stash(row.stash + i) != draft.patch {
                i += 1;
            }
            memory.back.set(slot, i);
            if i >= row.stash_room {
                self.lacks(slot, reason::STASH);
            }
        });
        let chunks = change.store.max_table.div_ceil(CHUNK);
        block.for_each(3 * MOST_NEIGHBOURS * chunks, |i| {
            let (of, first) = (i / chunks, i % chunks * CHUNK);
            if memory.moves.get(of) == 0 {
                return;
            }
            let row = change.store.row(draft.stash.get(of / 3));
            let table = change.store.table_of(&row, (of % 3) as usize);
            let (mut at, mut used) = (first, 0);
            while at < first + CHUNK && at < table.len() {
                used += table.entry(at).is_some() as u32;
                at += 1;
            }
            memory.used.fetch_add(of, used);
        });
        block.for_each(3 * MOST_NEIGHBOURS, |i| {
            let (slot, kind) = (i / 3, i % 3);
            if moves(slot, kind) > 0 {
                let row = change.store.row(draft.stash.get(slot));
                // a table that is fuller may have no place for an entry; the words behind stay free
                let places = row.table_words[kind as usize].saturating_sub(8);
                if 10 * (memory.used.get(i) + moves(slot, kind)) > 9 * places {
                    self.lacks(slot, reason::TABLE);
                }
            }
        });
    }
    /// Notes that a patch around has no room: it waits for a cleanup, too.
    #[inline(always)]
    fn lacks(&self, slot: u32, reason: u32) {
        self.draft.fail(reason::AROUND);
        if atomic::load(self.change.gate, 1 + self.draft.patch, Relaxed, Device) >= NARROW {
            atomic::fetch_or(self.change.stuck, self.draft.stash.get(slot), reason, Relaxed, Device);
        }
    }
    /// Fills the chosen cavities in the copy, each from faces and edges that no other cavity writes.
    /// Collective, ends with a barrier.
    #[inline(always)]
    pub(super) fn fill<O: StoreOperator>(&self) {
        let Self { block, draft, memory, change, .. } = *self;
        block.for_each(3, |i| memory.grown.set(i, 0));
        block.for_each(draft.row.capacity[O::SEED], |seed| {
            if memory.states.get(seed) != CHOSEN {
                return;
            }
            let fresh =
                |kind: usize, i: u32| memory.fresh[kind].get(O::GROWS[kind] * memory.ranks.get(seed) + i);
            let grown = O::fill(self, seed, fresh);
            for kind in [0, 1, 2] {
                if grown[kind] != 0 {
                    memory.grown.fetch_add(kind as u32, grown[kind] as u32);
                }
            }
        });
        block.single_nosync(|| {
            for kind in [0, 1, 2] {
                add(change.report, count::GROWN + kind, memory.grown.get(kind));
            }
        });
        block.sync();
    }
    /// Moves what is taken: clears it with its owners, puts this patch into their tables, copies values.
    /// Collective, ends with a barrier.
    #[inline(always)]
    pub(super) fn move_owned(&self) {
        let Self { block, draft, memory, change, .. } = *self;
        block.for_each_nosync(MOST_NEIGHBOURS, |slot| {
            let moves = [0, 1, 2].map(|kind| memory.moves.get(3 * slot + kind));
            if moves == [0; 3] {
                return;
            }
            let (q, back) = (draft.stash.get(slot), memory.back.get(slot));
            let row = change.store.row(q);
            if back == row.neighbours {
                store(change.store.stashes, row.stash + back, draft.patch);
                put_row(change.store, q, StoreRow { neighbours: back + 1, ..row });
            }
            add(change.report, count::MOVED, moves[0] + moves[1] + moves[2]);
        });
        self.move_kind::<0>();
        self.move_kind::<1>();
        self.move_kind::<2>();
        block.sync();
    }
    /// Moves what is taken of one kind. No barrier.
    #[inline(always)]
    fn move_kind<const KIND: usize>(&self) {
        let Self { block, draft, memory, change, .. } = *self;
        block.for_each_nosync(draft.row.capacity[KIND], |l| {
            let word = draft.words[KIND].get(l);
            if word & TAKEN == 0 || word & OWNED != 0 {
                return;
            }
            let (q, there) = (draft.stash.get(slot_of(word)), index_of(word));
            let row = change.store.row(q);
            let clear = |at: u32| {
                let mask = !(1 << (there % 32));
                atomic::fetch_and(change.store.masks, row.masks + at + there / 32, mask, Relaxed, Device);
            };
            clear(row.owned_at(KIND));
            if word & GONE != 0 {
                clear(row.active_at(KIND));
            } else {
                let entry = Entry::new(there, memory.back.get(slot_of(word)), l);
                let table = change.store.table_of(&row, KIND);
                if entry.is_none_or(|entry| table.insert(entry).is_err()) {
                    add(change.report, count::BROKEN, 1);
                }
            }
            change.attributes.relocate(KIND, row.first[KIND] + there, draft.row.first[KIND] + l);
            draft.words[KIND].set(l, word & !ENTRY | OWNED);
        });
    }
    /// Writes the copy; its tables only where they have changed, and then nothing is taken any more.
    /// Collective, ends with a barrier.
    #[inline(always)]
    pub(super) fn commit(&self, tables: bool) {
        let Self { block, draft, memory, change, .. } = *self;
        let row = draft.row;
        let count = [0, 1, 2].map(|kind| draft.used(block, kind));
        let neighbours = draft.neighbours(block);
        let to = change.store;
        // who sees that the patch owns an element also sees its values
        atomic::fence(AcqRel, Device);
        block.for_each_nosync(count[1], |e| to.ev.set(row.first[1] + e, draft.ev.get(e)));
        block.for_each_nosync(3 * count[2], |i| to.fe.set(3 * row.first[2] + i, draft.fe.get(i)));
        if tables {
            block.for_each_nosync(neighbours, |i| store(to.stashes, row.stash + i, draft.stash.get(i)));
        }
        for kind in [0, 1, 2] {
            if tables {
                block.for_each_nosync(row.table_words[kind], |i| {
                    store(to.tables, row.table_at(kind) + i, memory.tables[kind].get(i));
                });
            }
            draft.write_masks(block, to, kind);
        }
        block.single_nosync(|| {
            let row = StoreRow { count, neighbours, ..row };
            if tables { put_row(to, draft.patch, row) } else { put_count(to, draft.patch, row) }
        });
        block.sync();
        if tables {
            for kind in [0, 1, 2] {
                let words = draft.words[kind];
                let done = TAKEN | GONE | SOUGHT;
                block.for_each_nosync(row.capacity[kind], |l| words.set(l, words.get(l) & !done));
            }
            block.sync();
        }
    }
}

//! Expansion: a patch gets the stars of vertices that it is about to own from the patches that own them
//! (thesis 5.3.2).
use crate::draft::{ACTIVE, Draft, ENTRY, NEEDED, OWNED, OWNER, UNRESOLVED, USED, index_of, reason, slot_of};
use crate::local::{LocalIndices, PENDING};
use crate::view::{MOST_ELEMENTS, MOST_NEIGHBOURS, ReadStore, StoreViewMut};
use ribbonmesh::device::{Arena, Block, Out, Shared, hi, lo};
use ribbonmesh_concurrent::Locks;

/// Faces that one expansion copies, at most.
pub const STAR: u32 = 768;
/// Elements of such a face: itself, its edges, its vertices.
const ELEMENTS: u32 = 7;
/// A vertex that the patch is about to own.
pub const SOUGHT: u32 = 1 << 24;
/// In a record: the side runs against its edge.
const FLIPPED: u32 = 1 << 24;
/// In a record: this one makes the element.
const NEW: u32 = 1 << 25;

/// Shared memory of an expansion, and the locks that the block has.
#[derive(Clone, Copy)]
pub struct Expansion<'b> {
    /// Places of the stash whose locks are wanted, as bits.
    wanted: Shared<'b, u32>,
    /// ... and those that the block has.
    held: Shared<'b, u32>,
    /// ... and those that own a sought vertex.
    sources: Shared<'b, u32>,
    marks: Shared<'b, u32>,
    /// Number of faces; next free local index.
    counters: Shared<'b, u32>,
    faces: Shared<'b, u32>,
    records: Shared<'b, u32>,
    /// Local index by owner.
    local: [LocalIndices<'b>; 3],
    /// Free local indices.
    free: [Shared<'b, u32>; 2],
}

impl<'b> Expansion<'b> {
    /// Carves its shared memory: 25 KB, and 12 bytes for each element of a patch.
    #[inline(always)]
    pub fn layout(arena: &'b Arena, capacity: [u32; 3]) -> Self {
        let most = capacity.into_iter().fold(0, |most, n| if n > most { n } else { most });
        Self {
            wanted: arena.take(2),
            held: arena.take(2),
            sources: arena.take(2),
            marks: arena.take(MOST_ELEMENTS.div_ceil(32)),
            counters: arena.take(2),
            faces: arena.take(STAR),
            records: arena.take(ELEMENTS * STAR),
            local: capacity.map(|n| LocalIndices::layout(arena, n)),
            free: [arena.take(most), arena.take(most)],
        }
    }
    /// Memory as long as the longest list of a patch, for use outside of an expansion.
    #[inline(always)]
    pub fn scratch(&self) -> Shared<'b, u32> {
        self.free[0]
    }
    /// Wants nothing, has no locks. Collective; a barrier follows.
    #[inline(always)]
    pub fn clear_nosync(&self, block: &Block) {
        block.for_each_nosync(2, |i| {
            self.wanted.set(i, 0);
            self.held.set(i, 0);
            self.sources.set(i, 0);
            self.counters.set(i, 0);
        });
    }
    /// Wants the lock of the owner that a word names.
    #[inline(always)]
    pub fn want(&self, word: u32) {
        let slot = slot_of(word);
        self.wanted.fetch_or(slot / 32, 1 << (slot % 32));
    }
    /// Wants the lock of the owner of a vertex, and the vertex's star.
    #[inline(always)]
    pub fn seek(&self, draft: &Draft<'_>, vertex: u32, word: u32) {
        self.want(word);
        let slot = slot_of(word);
        self.sources.fetch_or(slot / 32, 1 << (slot % 32));
        draft.words[0].fetch_or(vertex, SOUGHT);
    }
    /// Whether the block has the lock of the owner that a word names; after a barrier.
    #[inline(always)]
    pub fn holds(&self, word: u32) -> bool {
        let slot = slot_of(word);
        self.held.get(slot / 32) >> (slot % 32) & 1 == 1
    }
    /// Wants nothing more, and keeps its locks. Collective, begins and ends with a barrier.
    #[inline(always)]
    pub fn begin_again(&self, block: &Block, draft: &Draft<'_>) {
        block.sync();
        block.for_each_nosync(2, |i| {
            self.sources.set(i, 0);
            self.counters.set(i, 0);
        });
        block.for_each(draft.row.capacity[0], |v| {
            draft.words[0].set(v, draft.words[0].get(v) & !SOUGHT);
        });
    }
    /// Number of locks that it has, beside that of the patch.
    #[inline(always)]
    pub fn locked(&self) -> u32 {
        self.held.get(0).count_ones() + self.held.get(1).count_ones()
    }
    /// Takes all locks that are wanted, or notes a refusal where a block with a lesser number has one or
    /// wants it. Collective, begins and ends with a barrier.
    #[inline(always)]
    pub fn acquire(&self, block: &Block, draft: &Draft<'_>, locks: Locks<Out<'_, u32>>) {
        block.sync();
        block.single_nosync(|| {
            let mut slot = 0;
            while slot < MOST_NEIGHBOURS {
                let (word, bit) = (slot / 32, 1 << (slot % 32));
                if self.wanted.get(word) & bit != 0 && self.held.get(word) & bit == 0 {
                    if !locks.acquire(draft.stash.get(slot), block.index()) {
                        draft.fail(reason::REFUSED);
                        return;
                    }
                    self.held.set(word, self.held.get(word) | bit);
                }
                slot += 1;
            }
        });
        block.sync();
    }
    /// Gives all locks back. Collective, begins and ends with a barrier.
    #[inline(always)]
    pub fn release(&self, block: &Block, draft: &Draft<'_>, locks: Locks<Out<'_, u32>>) {
        block.sync();
        block.single_nosync(|| {
            let mut slot = 0;
            while slot < MOST_NEIGHBOURS {
                let (word, bit) = (slot / 32, 1 << (slot % 32));
                if self.held.get(word) & bit != 0 {
                    locks.release(draft.stash.get(slot), block.index());
                }
                slot += 1;
            }
            self.held.set(0, 0);
            self.held.set(1, 0);
        });
        block.sync();
    }
    /// Records the faces at sought vertices, as their owners have them, and wants the locks of all owners of
    /// these faces, their edges and vertices. Notes a refusal where a chain cannot be followed now, and
    /// [`reason::STAR`] where there are more faces than [`STAR`]. Collective; a barrier follows.
    #[inline(always)]
    pub fn record(&self, block: &Block, draft: &Draft<'_>, store: StoreViewMut<'_>) {
        let mut slot = 0;
        while slot < MOST_NEIGHBOURS {
            if self.sources.get(slot / 32) >> (slot % 32) & 1 == 1 {
                self.record_from(block, draft, store, slot);
            }
            slot += 1;
        }
    }
    #[inline(always)]
    fn record_from(&self, block: &Block, draft: &Draft<'_>, store: StoreViewMut<'_>, slot: u32) {
        let q = draft.stash.get(slot);
        let (row, first) = (store.row(q), self.counters.get(0));
        block.for_each(self.marks.len(), |i| self.marks.set(i, 0));
        block.for_each(draft.row.capacity[0], |v| {
            let word = draft.words[0].get(v);
            if word & SOUGHT != 0 && slot_of(word) == slot {
                self.marks.fetch_or(index_of(word) / 32, 1 << (word % 32));
            }
        });
        let marked = |v: u32| self.marks.get(v / 32) >> (v % 32) & 1 == 1;
        let side = |f: u32, i: u32| store.fe(3 * (row.first[2] + f) + i);
        let corner = |f: u32, i: u32| {
            let (side, ends) = (side(f, i), store.ev(row.first[1] + (side(f, i) >> 1)));
            if side & 1 == 0 { lo(ends) } else { hi(ends) }
        };
        block.for_each(row.count[2], |f| {
            if store.has(&row, 2, f) && (marked(corner(f, 0)) || marked(corner(f, 1)) || marked(corner(f, 2)))
            {
                let at = self.counters.fetch_add(0, 1);
                if at < STAR {
                    self.faces.set(at, f);
                } else {
                    draft.fail(reason::STAR);
                }
            }
        });
        let found = self.counters.get(0);
        let last = if found < STAR { found } else { STAR };
        // the owner of an element of q, as a word of this patch
        let word = |kind: usize, local: u32| {
            if store.owns(&row, kind, local) {
                return ENTRY | slot << 13 | local;
            }
            match store.owner(q, kind, local) {
                Some(owner) if owner.patch == draft.patch => OWNED | owner.local,
                Some(owner) => {
                    let word = draft.word_of(owner.patch, owner.local);
                    self.want(word);
                    word
                }
                None => {
                    draft.fail(reason::REFUSED);
                    0
                }
            }
        };
        block.for_each(last.saturating_sub(first), |i| {
            let (at, f) = (ELEMENTS * (first + i), self.faces.get(first + i));
            self.records.set(at, word(2, f));
            for i in [0, 1, 2] {
                let flipped = if side(f, i) & 1 == 1 { FLIPPED } else { 0 };
                self.records.set(at + 1 + i, word(1, side(f, i) >> 1) | flipped);
                self.records.set(at + 4 + i, word(0, corner(f, i)));
            }
        });
    }
    /// Number of recorded faces; after a barrier.
    #[inline(always)]
    fn recorded(&self) -> u32 {
        let n = self.counters.get(0);
        if n < STAR { n } else { STAR }
    }
    /// Notes a refusal unless everything that was read is as it was: each element has the owner that its word
    /// names, and each recorded one an owner whose lock the block has, so that it stays. Collective; after
    /// [`Draft::load_firsts`].
    #[inline(always)]
    pub fn verify(&self, block: &Block, draft: &Draft<'_>, store: StoreViewMut<'_>) {
        for kind in [0, 1, 2] {
            block.for_each_nosync(draft.row.capacity[kind], |l| {
                let word = draft.words[kind].get(l);
                let named = word & NEEDED != 0 && word & OWNED == 0;
                if named && !draft.is_current(store, kind, word) {
                    draft.fail(reason::REFUSED);
                }
            });
        }
        block.for_each(ELEMENTS * self.recorded(), |i| {
            let (word, kind) = (self.records.get(i), kind_of(i));
            let stays = if word & OWNED != 0 {
                draft.words[kind].get(index_of(word)) & OWNED != 0
            } else {
                word & ENTRY != 0 && self.holds(word) && draft.is_current(store, kind, word)
            };
            if !stays {
                draft.fail(reason::REFUSED);
            }
        });
    }
    /// Adds the recorded faces to the copy, with their edges and vertices, as far as it does not have them.
    /// Collective, ends with a barrier.
    #[inline(always)]
    pub fn copy(&self, block: &Block, draft: &Draft<'_>) {
        let n = ELEMENTS * self.recorded();
        for kind in [0, 1, 2] {
            let (local, words) = (self.local[kind], draft.words[kind]);
            local.clear(block);
            // first what lives, then indices by which others may look for an owner: an element that comes
            // back gets the index that it had
            for needed in [NEEDED, 0] {
                block.for_each(draft.row.capacity[kind], |l| {
                    let word = words.get(l);
                    if word & (ENTRY | OWNED | UNRESOLVED) == ENTRY && word & NEEDED == needed {
                        local.insert(word, l);
                    }
                });
            }
            block.for_each(n, |i| {
                let word = self.records.get(i);
                if kind_of(i) == kind && word & OWNED == 0 && local.insert(word, PENDING) {
                    self.records.set(i, word | NEW);
                }
            });
            let [rank, list] = self.free;
            let room = block.compact(draft.row.capacity[kind], rank, list, |l| words.get(l) & USED == 0);
            block.for_each(1, |_| self.counters.set(1, 0));
            block.for_each(n, |i| {
                let word = self.records.get(i);
                if kind_of(i) != kind || word & NEW == 0 {
                    return;
                }
                let at = self.counters.fetch_add(1, 1);
                if at >= room {
                    return draft.fail(reason::ROOM);
                }
                words.set(list.get(at), ENTRY | word & OWNER);
                local.settle(word, list.get(at));
            });
            if draft.failures(block) != 0 {
                return;
            }
            // of all that name an element that did not live, one writes it
            block.for_each(n, |i| {
                let word = self.records.get(i);
                if kind_of(i) == kind && word & OWNED == 0 {
                    let local = local.find(word);
                    let makes = words.fetch_or(local, ACTIVE | NEEDED) & NEEDED == 0;
                    self.records.set(i, if makes { word | NEW } else { word & !NEW });
                }
            });
        }
        let local = |i: u32| {
            let (word, kind) = (self.records.get(i), kind_of(i));
            if word & OWNED != 0 { index_of(word) } else { self.local[kind].find(word) }
        };
        block.for_each(n, |i| {
            if self.records.get(i) & NEW == 0 {
                return;
            }
            let (face, part) = (i / ELEMENTS * ELEMENTS, i % ELEMENTS);
            let flipped = |side: u32| self.records.get(face + 1 + side) & FLIPPED != 0;
            if part == 0 {
                for side in [0, 1, 2] {
                    let entry = local(face + 1 + side) << 1 | flipped(side) as u32;
                    draft.fe.set(3 * local(face) + side, entry as u16);
                }
            } else if part < 4 {
                let (from, to) = (local(face + 4 + part - 1), local(face + 4 + part % 3));
                let (from, to) = if flipped(part - 1) { (to, from) } else { (from, to) };
                draft.set_ends(local(i), from, to);
            }
        });
    }
}

/// The kind of entry `i` of the records.
#[inline(always)]
fn kind_of(i: u32) -> usize {
    let part = i % ELEMENTS;
    if part == 0 {
        2
    } else if part < 4 {
        1
    } else {
        0
    }
}

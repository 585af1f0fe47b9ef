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
    /// The patches that own sought vertices, by place in the stash.
    owners: Shared<'b, u32>,
    marks: Shared<'b, u32>,
    /// Number of faces; next free local index.
    counters: Shared<'b, u32>,
    /// Faces that were found: the place in the stash of the patch that has them, and their local index there.
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
            owners: arena.take(MOST_NEIGHBOURS),
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
                self.find_faces(block, draft, store, slot);
            }
            slot += 1;
        }
        block.for_each(ELEMENTS * self.recorded(), |i| self.record_element(draft, store, i));
    }
    /// Finds the faces of a patch around at the sought vertices that it owns. Collective.
    #[inline(always)]
    fn find_faces(&self, block: &Block, draft: &Draft<'_>, store: StoreViewMut<'_>, slot: u32) {
        let q = draft.stash.get(slot);
        let row = store.row(q);
        block.for_each_nosync(1, |_| self.owners.set(slot, q));
        block.for_each(self.marks.len(), |i| self.marks.set(i, 0));
        block.for_each(draft.row.capacity[0], |v| {
            let word = draft.words[0].get(v);
            if word & SOUGHT != 0 && slot_of(word) == slot {
                self.marks.fetch_or(index_of(word) / 32, 1 << (word % 32));
            }
        });
        let marked = |v: u32| self.marks.get(v / 32) >> (v % 32) & 1 == 1;
        let firsts = draft.firsts_of(slot);
        block.for_each(row.count[2], |f| {
            // what is not there may have any indices
            if !store.has(&row, 2, f) {
                return;
            }
            let found = [0, 1, 2].map(|i| marked(corner_of(store, firsts, f, i)));
            if found[0] || found[1] || found[2] {
                let at = self.counters.fetch_add(0, 1);
                if at < STAR {
                    self.faces.set(at, slot << 16 | f);
                } else {
                    draft.fail(reason::STAR);
                }
            }
        });
    }
    /// Records an element of a face that was found: its owner, as a word of this patch.
    #[inline(always)]
    fn record_element(&self, draft: &Draft<'_>, store: StoreViewMut<'_>, i: u32) {
        let (face, part) = (self.faces.get(i / ELEMENTS), i % ELEMENTS);
        let (slot, f) = (face >> 16, face & 0xffff);
        let (kind, firsts) = (kind_of(i), draft.firsts_of(slot));
        let (local, flipped) = if part == 0 {
            (f, 0)
        } else if part < 4 {
            let side = store.fe(3 * (firsts[1] + f) + part - 1);
            (side >> 1, if side & 1 == 1 { FLIPPED } else { 0 })
        } else {
            (corner_of(store, firsts, f, part - 4), 0)
        };
        let named = ENTRY | slot << 13 | local;
        let word = if draft.is_current(store, kind, named) {
            named
        } else {
            match store.owner(self.owners.get(slot), kind, local) {
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
        self.records.set(i, word | flipped);
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

/// The vertex at which side `i` of a face of another patch begins, whose edges and faces begin at these
/// places.
#[inline(always)]
fn corner_of(store: StoreViewMut<'_>, [edges, faces]: [u32; 2], f: u32, i: u32) -> u32 {
    let side = store.fe(3 * (faces + f) + i);
    let ends = store.ev(edges + (side >> 1));
    if side & 1 == 0 { lo(ends) } else { hi(ends) }
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

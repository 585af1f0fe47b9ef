//! The working copy of a patch that changes: in shared memory, until it is committed or dropped (thesis
//! 5.2.1).
use crate::row::StoreRow;
use crate::view::{MOST_NEIGHBOURS, ReadStore, StoreViewMut, bit};
use ribbonmesh::device::atomic::{self, Order, Scope};
use ribbonmesh::device::{Arena, Block, NONE, Shared, hi, lo, pack};
use ribbonmesh_concurrent::{CuckooTable, Entry, First};

/// The element lives.
pub const ACTIVE: u32 = 1 << 31;
/// The patch owns it.
pub const OWNED: u32 = 1 << 30;
/// The low bits name the owner.
pub const ENTRY: u32 = 1 << 29;
/// The local index is in use: the element lives, or the entry leads others on.
pub const USED: u32 = ACTIVE | OWNED | ENTRY;
/// A query about an owned element needs it.
pub const NEEDED: u32 = 1 << 28;
/// An edge of an owned face.
const OF_OWNED: u32 = 1 << 27;
/// The entry is as it was: no owner was found by it.
pub const UNRESOLVED: u32 = 1 << 23;
/// The low bits: a place in the stash, and the local index there.
pub const OWNER: u32 = (1 << 19) - 1;

/// The place in the stash that a word names.
#[inline(always)]
pub fn slot_of(word: u32) -> u32 {
    (word & OWNER) >> 13
}
/// The local index that a word names.
#[inline(always)]
pub fn index_of(word: u32) -> u32 {
    word & (Entry::INDICES - 1)
}

/// A working copy.
///
/// Each local element has a word: whether it lives, is owned or needed, and where else its owner is. Every
/// word, also one of another use, is read and written as words of shared memory are: by one iteration, or by
/// atomics, or with a barrier between.
#[derive(Clone, Copy)]
pub struct Draft<'b> {
    /// The patch.
    pub patch: u32,
    /// Its row; `count` and `neighbours` are those before the change.
    pub row: StoreRow,
    /// EV by local edge.
    pub ev: Shared<'b, u32>,
    /// FE by local face.
    pub fe: Shared<'b, u16>,
    /// The words of vertices, edges, faces.
    pub words: [Shared<'b, u32>; 3],
    /// The patches around: [`NONE`] where there is room.
    pub stash: Shared<'b, u32>,
    /// The first places of their vertices, edges and faces: three for each.
    firsts: Shared<'b, u32>,
    /// Where their masks of owned elements begin: three for each.
    owned_at: Shared<'b, u32>,
    /// Not 0 if something cannot be read or has no room: see [`Draft::fail`].
    failed: Shared<'b, u32>,
}

/// Reasons why a working copy is dropped.
pub mod reason {
    /// Another block changes what this one reads, or has a lock: it is tried again.
    pub const REFUSED: u32 = 1;
    /// The patch stash is full.
    pub const STASH: u32 = 2;
    /// Local indices have run out.
    pub const ROOM: u32 = 4;
    /// Words of a table have run out.
    pub const TABLE: u32 = 8;
    /// More faces around vertices than one expansion copies.
    pub const STAR: u32 = 16;
    /// A patch around has no room, and is to be cut.
    pub const AROUND: u32 = 32;
}

impl<'b> Draft<'b> {
    /// Carves its shared memory for patches of this room: 8 bytes for each edge, 10 for each face, 4 for each
    /// vertex, and 1 KB.
    #[inline(always)]
    pub fn layout(arena: &'b Arena, capacity: [u32; 3]) -> Self {
        let [v, e, f] = capacity;
        Self {
            patch: NONE,
            row: StoreRow::default(),
            ev: arena.take(e),
            fe: arena.take(3 * f),
            words: [arena.take(v), arena.take(e), arena.take(f)],
            stash: arena.take(MOST_NEIGHBOURS),
            firsts: arena.take(3 * MOST_NEIGHBOURS),
            owned_at: arena.take(3 * MOST_NEIGHBOURS),
            failed: arena.take(1),
        }
    }
    /// The memory for another patch.
    #[inline(always)]
    pub fn of(self, patch: u32, row: StoreRow) -> Self {
        Self { patch, row, ..self }
    }
    /// Notes a reason to drop the copy.
    #[inline(always)]
    pub fn fail(&self, reason: u32) {
        self.failed.fetch_or(0, reason);
    }
    /// The reasons noted so far. Collective, begins and ends with a barrier.
    #[inline(always)]
    pub fn failures(&self, block: &Block) -> u32 {
        block.sync();
        let failed = self.failed.get(0);
        block.sync();
        failed
    }
    /// Loads the patch, finds the owners of its ribbon by their chains, and drops elements of the ribbon that
    /// no query about an owned element needs. A chain that another block is changing is a reason to drop the
    /// copy. `longest` is told of chains of more than one step. Collective, ends with a barrier.
    #[inline(always)]
    pub fn load(&self, block: &Block, store: StoreViewMut<'_>, longest: impl Fn(u32)) {
        let row = &self.row;
        block.for_each_nosync(1, |_| self.failed.set(0, 0));
        block.for_each_nosync(MOST_NEIGHBOURS, |i| {
            self.stash.set(i, if i < row.neighbours { store.stash(row.stash + i) } else { NONE });
        });
        block.for_each_nosync(row.count[1], |e| self.ev.set(e, store.ev(row.first[1] + e)));
        block.for_each_nosync(3 * row.count[2], |i| self.fe.set(i, store.fe(3 * row.first[2] + i) as u16));
        for kind in [0, 1, 2] {
            block.for_each_nosync(row.capacity[kind], |l| {
                let used = l < row.count[kind];
                let active = used && bit(|w| store.mask(row.masks + row.active_at(kind) + w), l);
                let owned = used && bit(|w| store.mask(row.masks + row.owned_at(kind) + w), l);
                self.words[kind].set(l, if active { ACTIVE } else { 0 } | if owned { OWNED } else { 0 });
            });
        }
        self.load_firsts(block, store);
        for kind in [0, 1, 2] {
            let table = store.table_of(row, kind);
            block.for_each_nosync(row.table_words[kind], |i| {
                let Some(entry) = table.entry(i) else { return };
                let named = entry.slot() << 13 | entry.index();
                if entry.slot() < row.neighbours && self.is_current(store, kind, named) {
                    self.words[kind].fetch_or(entry.key(), ENTRY | named);
                    return;
                }
                let from = store.stash(row.stash + entry.slot());
                // the chain may end nowhere: another block is changing it, or nobody needs the element and it
                // was deleted; or end here, where the element has another index. Others may come this way, so
                // the entry stays as it is.
                let owner = store.owner(from, kind, entry.index()).filter(|owner| owner.patch != self.patch);
                let word = match owner {
                    Some(owner) => {
                        if owner.steps > 0 {
                            longest(owner.steps + 1);
                        }
                        self.word_of(owner.patch, owner.local)
                    }
                    None => ENTRY | UNRESOLVED | named,
                };
                self.words[kind].fetch_or(entry.key(), word);
            });
        }
        // values that were moved to the owner's place are read after its mask
        atomic::fence(Order::AcqRel, Scope::Device);
        block.sync();
        for kind in [0, 1, 2] {
            block.for_each_nosync(row.count[kind], |l| {
                let word = self.words[kind].get(l);
                if word & (ACTIVE | OWNED | ENTRY) != ACTIVE {
                    return;
                }
                // given away in a cut
                if let Some(owner) = store.gone(kind, row.first[kind] + l) {
                    self.words[kind].set(l, word | self.word_of(owner.patch(), owner.local()));
                }
            });
        }
        block.sync();
        self.drop_unneeded(block);
    }
    /// The word that names an element of another patch, which gets a place in the stash; 0 where there is no
    /// room.
    #[inline(always)]
    pub fn word_of(&self, patch: u32, local: u32) -> u32 {
        let mut i = 0;
        while i < MOST_NEIGHBOURS {
            let before = self.stash.compare_exchange(i, NONE, patch);
            if before == NONE || before == patch {
                return ENTRY | i << 13 | local;
            }
            i += 1;
        }
        self.fail(reason::STASH);
        0
    }
    /// Loads what the rows of the patches around say. Collective, ends with a barrier.
    #[inline(always)]
    pub fn load_firsts(&self, block: &Block, store: StoreViewMut<'_>) {
        block.sync();
        block.for_each(MOST_NEIGHBOURS, |i| {
            let q = self.stash.get(i);
            if q != NONE {
                let row = store.row(q);
                for kind in [0, 1, 2] {
                    self.firsts.set(3 * i + kind as u32, row.first[kind]);
                    self.owned_at.set(3 * i + kind as u32, row.masks + row.owned_at(kind));
                }
            }
        });
    }
    /// The first places of edges and faces of the patch at a place of the stash, after
    /// [`Draft::load_firsts`].
    #[inline(always)]
    pub fn firsts_of(&self, slot: u32) -> [u32; 2] {
        [self.firsts.get(3 * slot + 1), self.firsts.get(3 * slot + 2)]
    }
    /// The place of an element's owner in attributes, after [`Draft::load_firsts`].
    #[inline(always)]
    pub fn place(&self, kind: usize, local: u32) -> u32 {
        let word = self.words[kind].get(local);
        if word & OWNED != 0 {
            self.row.first[kind] + local
        } else {
            self.firsts.get(3 * slot_of(word) + kind as u32) + index_of(word)
        }
    }
    /// Whether the patch that a word names owns the element now, after [`Draft::load_firsts`].
    #[inline(always)]
    pub fn is_current(&self, store: StoreViewMut<'_>, kind: usize, word: u32) -> bool {
        let at = self.owned_at.get(3 * slot_of(word) + kind as u32);
        bit(|w| store.mask(at + w), index_of(word))
    }
    /// The two vertices of an edge.
    #[inline(always)]
    pub fn ends(&self, edge: u32) -> [u32; 2] {
        let word = self.ev.get(edge);
        [lo(word), hi(word)]
    }
    /// Side `i` of a face: its edge, and whether it runs against it.
    #[inline(always)]
    pub fn side(&self, face: u32, i: u32) -> (u32, bool) {
        let side = self.fe.get(3 * face + i) as u32;
        (side >> 1, side & 1 == 1)
    }
    /// The vertex at which side `i` of a face begins.
    #[inline(always)]
    pub fn corner(&self, face: u32, i: u32) -> u32 {
        let (edge, flipped) = self.side(face, i);
        self.ends(edge)[flipped as usize]
    }
    /// The word of an element, in a loop that changes words by atomics.
    #[inline(always)]
    pub fn word_now(&self, kind: usize, local: u32) -> u32 {
        self.words[kind].fetch_or(local, 0)
    }
    /// Whether an element lives.
    #[inline(always)]
    pub fn has(&self, kind: usize, local: u32) -> bool {
        self.words[kind].get(local) & ACTIVE != 0
    }
    /// Marks what queries about owned elements need: faces with an owned vertex or edge, or beside an owned
    /// face; their edges and vertices. Other elements of the ribbon live no longer. Collective, ends with a
    /// barrier.
    #[inline(always)]
    pub fn drop_unneeded(&self, block: &Block) {
        let [v, e, f] = self.words;
        let count = self.row.count;
        block.for_each(count[2], |face| {
            if f.get(face) & OWNED != 0 {
                for i in [0, 1, 2] {
                    e.fetch_or(self.side(face, i).0, OF_OWNED);
                }
            }
        });
        block.for_each(count[2], |face| {
            let word = f.get(face);
            if word & ACTIVE == 0 {
                return;
            }
            let at = |i: u32| {
                v.get(self.corner(face, i)) & OWNED != 0
                    || e.get(self.side(face, i).0) & (OWNED | OF_OWNED) != 0
            };
            if word & OWNED != 0 || at(0) || at(1) || at(2) {
                f.set(face, word | NEEDED);
            }
        });
        block.for_each(count[2], |face| {
            if f.get(face) & NEEDED != 0 {
                for i in [0, 1, 2] {
                    e.fetch_or(self.side(face, i).0, NEEDED);
                    v.fetch_or(self.corner(face, i), NEEDED);
                }
            }
        });
        for (kind, words) in self.words.into_iter().enumerate() {
            block.for_each_nosync(count[kind], |l| {
                let word = words.get(l);
                let kept = word & (OWNED | NEEDED) != 0;
                words.set(l, if kept { word } else { word & !ACTIVE });
                if word & NEEDED != 0 && word & OWNED == 0 && word & (ENTRY | UNRESOLVED) != ENTRY {
                    self.fail(reason::REFUSED);
                }
            });
        }
        block.sync();
    }
    /// Makes the table of a kind in shared memory, of the entries of all words that have one and are not
    /// owned. Notes [`reason::TABLE`] if they do not fit. Collective, ends with a barrier.
    #[inline(always)]
    pub fn make_table(
        &self,
        block: &Block,
        kind: usize,
        memory: Shared<'_, u32>,
        keep: impl Fn(u32) -> bool,
    ) {
        let len = self.row.table_words[kind];
        let table = CuckooTable::new(First::new(memory, len));
        block.for_each(len, |i| table.clear(i));
        block.for_each(self.row.capacity[kind], |l| {
            let word = self.words[kind].get(l);
            if word & ENTRY == 0 || word & OWNED != 0 || !keep(word) {
                return;
            }
            let entry = Entry::new(l, slot_of(word), index_of(word));
            if entry.is_none_or(|entry| table.insert(entry).is_err()) {
                self.fail(reason::TABLE);
            }
        });
    }
    /// Number of local indices that are in use, of a kind. Collective.
    #[inline(always)]
    pub fn used(&self, block: &Block, kind: usize) -> u32 {
        let words = self.words[kind];
        let above = |l: u32| if words.get(l) & USED != 0 { l + 1 } else { 0 };
        block.reduce(self.row.capacity[kind], 0, above, |a, b| if a > b { a } else { b })
    }
    /// Number of patches in the stash: those at its beginning. Collective.
    #[inline(always)]
    pub fn neighbours(&self, block: &Block) -> u32 {
        block.count_where(MOST_NEIGHBOURS, |i| self.stash.get(i) != NONE)
    }
    /// Word `w` of the masks of active and of owned elements of a kind.
    #[inline(always)]
    pub fn mask_words(&self, kind: usize, w: u32) -> [u32; 2] {
        let (mut active, mut owned, mut i) = (0, 0, 0);
        let left = self.row.capacity[kind] - 32 * w;
        let n = if left < 32 { left } else { 32 };
        while i < n {
            let word = self.words[kind].get(32 * w + i);
            active |= (word >> 31) << i;
            owned |= (word >> 30 & 1) << i;
            i += 1;
        }
        [active, owned]
    }
    /// Writes its masks of a kind. A barrier is before, none after.
    #[inline(always)]
    pub fn write_masks(&self, block: &Block, to: StoreViewMut<'_>, kind: usize) {
        let row = self.row;
        block.for_each_nosync(row.mask_words(kind), |w| {
            let [active, owned] = self.mask_words(kind, w);
            crate::view::store(to.masks, row.masks + row.active_at(kind) + w, active);
            crate::view::store(to.masks, row.masks + row.owned_at(kind) + w, owned);
        });
    }
    /// A word of EV.
    #[inline(always)]
    pub fn set_ends(&self, edge: u32, from: u32, to: u32) {
        self.ev.set(edge, pack(from, to));
    }
}

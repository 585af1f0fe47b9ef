//! The working copy of a patch in shared memory (thesis 5.2.1): EV, FE, masks, and the owners of a kind as a
//! dense word for each local index.
use crate::row::{StoreRow, mask_words};
use crate::view::{MOST_NEIGHBOURS, ReadStore, bit};
use ribbonmesh::device::{Arena, Block, NONE, Shared, hi, lo};

/// Shared memory of [`Topology`].
#[derive(Clone, Copy)]
pub struct TopologyLayout<'b> {
    ev: Shared<'b, u32>,
    fe: Shared<'b, u16>,
    masks: Shared<'b, u32>,
}

/// EV, FE and masks of a patch, in shared memory.
#[derive(Clone, Copy)]
pub struct Topology<'b> {
    memory: TopologyLayout<'b>,
    row: StoreRow,
}

impl<'b> Topology<'b> {
    /// Carves its shared memory for a patch of this room: 4 bytes for each edge, 6 for each face, and the
    /// masks.
    #[inline(always)]
    pub fn layout(arena: &'b Arena, capacity: [u32; 3]) -> TopologyLayout<'b> {
        TopologyLayout {
            ev: arena.take(capacity[1]),
            fe: arena.take(3 * capacity[2]),
            masks: arena.take(mask_words(capacity)),
        }
    }
    /// Loads a patch. Collective, ends with a barrier.
    #[inline(always)]
    pub fn load(block: &Block, store: impl ReadStore, row: StoreRow, memory: TopologyLayout<'b>) -> Self {
        block.for_each_nosync(row.all_mask_words(), |i| memory.masks.set(i, store.mask(row.masks + i)));
        block.for_each_nosync(row.count[1], |e| memory.ev.set(e, store.ev(row.first[1] + e)));
        block.for_each(3 * row.count[2], |i| memory.fe.set(i, store.fe(3 * row.first[2] + i) as u16));
        Self { memory, row }
    }
    /// Its row.
    #[inline(always)]
    pub fn row(&self) -> &StoreRow {
        &self.row
    }
    /// The two vertices of an edge.
    #[inline(always)]
    pub fn ends(&self, edge: u32) -> [u32; 2] {
        let word = self.memory.ev.get(edge);
        [lo(word), hi(word)]
    }
    /// Side `i` of a face: its edge, and whether it runs against it.
    #[inline(always)]
    pub fn side(&self, face: u32, i: u32) -> (u32, bool) {
        let side = self.memory.fe.get(3 * face + i) as u32;
        (side >> 1, side & 1 == 1)
    }
    /// The edge of side `i` of a face.
    #[inline(always)]
    pub fn edge(&self, face: u32, i: u32) -> u32 {
        self.side(face, i).0
    }
    /// The vertex at which side `i` of a face begins.
    #[inline(always)]
    pub fn corner(&self, face: u32, i: u32) -> u32 {
        let (edge, flipped) = self.side(face, i);
        self.ends(edge)[flipped as usize]
    }
    /// Whether there is such an element, owned or in the ribbon.
    #[inline(always)]
    pub fn has(&self, kind: usize, local: u32) -> bool {
        bit(|w| self.memory.masks.get(self.row.active_at(kind) + w), local)
    }
    /// Whether the patch owns it.
    #[inline(always)]
    pub fn owns(&self, kind: usize, local: u32) -> bool {
        bit(|w| self.memory.masks.get(self.row.owned_at(kind) + w), local)
    }
    /// Runs `f` for each owned element of a kind, in parallel; no barrier.
    #[inline(always)]
    #[track_caller]
    pub fn for_each_owned_nosync(&self, block: &Block, kind: usize, f: impl Fn(u32)) {
        block.for_each_nosync(self.row.count[kind], |l| {
            if self.owns(kind, l) {
                f(l);
            }
        });
    }
}

/// Shared memory of [`Owners`].
#[derive(Clone, Copy)]
pub struct OwnersLayout<'b> {
    slots: Shared<'b, u32>,
    first: Shared<'b, u32>,
}

/// Where the elements of a kind have their values: the place of each local element's owner in attributes.
///
/// In global memory the ribbon is in a hash table. Here it is a word for each local index, which takes 1.85
/// times the memory and answers in less than half the time (decision 46).
#[derive(Clone, Copy)]
pub struct Owners<'b> {
    slots: Shared<'b, u32>,
}

impl<'b> Owners<'b> {
    /// Carves its shared memory: 4 bytes for each element, and 256.
    #[inline(always)]
    pub fn layout(arena: &'b Arena, elements: u32) -> OwnersLayout<'b> {
        OwnersLayout { slots: arena.take(elements), first: arena.take(MOST_NEIGHBOURS) }
    }
    /// Expands the table of a patch: a pass over its words, and where the store is not `settled` a look at
    /// the owner for each. [`NONE`] for an element that has none, which is a fault of the store. Collective,
    /// ends with a barrier.
    #[inline(always)]
    pub fn expand(
        block: &Block,
        store: impl ReadStore,
        topology: Topology<'_>,
        kind: usize,
        settled: bool,
        memory: OwnersLayout<'b>,
    ) -> Self {
        let OwnersLayout { slots, first } = memory;
        let row = topology.row();
        block.for_each_nosync(row.neighbours, |i| {
            first.set(i, store.row(store.stash(row.stash + i)).first[kind]);
        });
        block.for_each(row.count[kind], |l| {
            slots.set(l, if topology.owns(kind, l) { row.first[kind] + l } else { NONE });
        });
        let table = store.table_of(row, kind);
        block.for_each(row.table_words[kind], |i| {
            let Some(entry) = table.entry(i) else { return };
            let slot = if settled {
                first.get(entry.slot()) + entry.index()
            } else {
                let owner = store.owner(store.stash(row.stash + entry.slot()), kind, entry.index());
                owner.map_or(NONE, |owner| owner.slot)
            };
            slots.set(entry.key(), slot);
        });
        Self { slots }
    }
    /// The place of a local element's value in attributes.
    #[inline(always)]
    pub fn slot(&self, local: u32) -> u32 {
        self.slots.get(local)
    }
}

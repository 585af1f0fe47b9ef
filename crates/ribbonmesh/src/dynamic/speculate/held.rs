//! The mesh as a block may read it that has locked some patches.
use super::division::NO_PATCH;
use super::memory::SLOTS;
use crate::device::atomic::{self, Order, Scope};
use crate::device::{Arena, Block, Dart, EdgeId, FaceId, HalfEdge, NONE, Out, Quad, Shared, VertexId};
use crate::dynamic::mesh::MeshRef;
use crate::dynamic::rounds::Rounds;
use crate::dynamic::site::{MeshWrite, Site, note_other_filling};
use crate::dynamic::view::Tables;

/// Patches that are missing at a time, at most; others are found out in the next try.
pub const MOST_MISSING: u32 = 64;

/// A set of patches in shared memory: places by a hash, the next free one where that is taken.
#[derive(Clone, Copy)]
pub struct PatchSet<'b> {
    places: Shared<'b, u32>,
}
impl<'b> PatchSet<'b> {
    /// Room for `n` patches, a quarter full.
    #[inline(always)]
    pub fn take(arena: &'b Arena, n: u32) -> Self {
        Self { places: arena.take((4 * n).next_power_of_two()) }
    }
    /// Empties it. Collective.
    #[inline(always)]
    pub fn clear(&self, block: &Block) {
        block.for_each(self.places.len(), |i| self.places.set(i, NO_PATCH));
    }
    #[inline(always)]
    fn first(&self, patch: u32) -> u32 {
        patch.wrapping_mul(0x9E37_79B1) >> 7 & (self.places.len() - 1)
    }
    /// Inserts a patch; whether it was not there. Threads may insert at the same time.
    #[inline(always)]
    pub fn insert(&self, patch: u32) -> bool {
        let (mask, mut place, mut left) = (self.places.len() - 1, self.first(patch), self.places.len());
        while left > 0 {
            let before = self.places.compare_exchange(place, NO_PATCH, patch);
            if before == NO_PATCH {
                return true;
            }
            if before == patch {
                return false;
            }
            place = (place + 1) & mask;
            left -= 1;
        }
        false
    }
    /// Whether a patch is there. Nobody inserts meanwhile.
    #[inline(always)]
    pub fn has(&self, patch: u32) -> bool {
        let (mask, mut place) = (self.places.len() - 1, self.first(patch));
        loop {
            let there = self.places.get(place);
            if there == patch {
                return true;
            }
            if there == NO_PATCH {
                return false;
            }
            place = (place + 1) & mask;
        }
    }
}

/// Patches of which faces were asked for, and which are not held.
#[derive(Clone, Copy)]
pub struct Missing<'b> {
    set: PatchSet<'b>,
    list: Shared<'b, u32>,
    /// How many patches; how often a face was met that has no patch yet.
    counts: Shared<'b, u32>,
}
impl<'b> Missing<'b> {
    /// Carves the memory.
    #[inline(always)]
    pub fn take(arena: &'b Arena) -> Self {
        Self {
            set: PatchSet::take(arena, MOST_MISSING),
            list: arena.take(MOST_MISSING),
            counts: arena.take(2),
        }
    }
    /// Empties it. Collective.
    #[inline(always)]
    pub fn clear(&self, block: &Block) {
        block.for_each_nosync(2, |i| self.counts.set(i, 0));
        self.set.clear(block);
    }
    /// How many patches are missing: as many as there is room for, at most. After a barrier.
    #[inline(always)]
    pub fn len(&self) -> u32 {
        self.counts.get(0).min(MOST_MISSING)
    }
    /// Whether something was asked for in vain. After a barrier.
    #[inline(always)]
    pub fn any(&self) -> bool {
        self.counts.get(0) | self.counts.get(1) != 0
    }
    /// Missing patch `i`.
    #[inline(always)]
    pub fn get(&self, i: u32) -> u32 {
        self.list.get(i)
    }
    /// Whether a face is of a patch that is held, by what was read as its label; notes the patch, if not.
    #[inline(always)]
    fn is_held(self, held: PatchSet, labels: Out<'_, u32>, patch: u32, face: u32, label: u32) -> bool {
        let Self { set, list, counts } = self;
        look_up(held, set, list, counts, labels, patch, face, label)
    }
    #[inline(always)]
    fn note(&self, patch: u32) {
        if patch == NO_PATCH {
            self.counts.fetch_add(1, 1);
            return;
        }
        // a full set: the rest is found out in the next try
        if self.set.insert(patch) {
            let at = self.counts.fetch_add(0, 1);
            if at < MOST_MISSING {
                self.list.set(at, patch);
            }
        }
    }
}

/// [`Missing::is_held`] as a function of its own, with what it needs in registers: an operator asks at a hundred places, and
/// the driver compiles this once.
#[inline(never)]
#[allow(clippy::too_many_arguments)]
fn look_up(
    held: PatchSet<'_>,
    set: PatchSet<'_>,
    list: Shared<'_, u32>,
    counts: Shared<'_, u32>,
    labels: Out<'_, u32>,
    patch: u32,
    face: u32,
    mut label: u32,
) -> bool {
    if label == NO_PATCH {
        // new, or what was cached is from before the face was made
        label = atomic::load(labels, face, Order::Relaxed, Scope::Device);
    }
    if label == patch || label != NO_PATCH && held.has(label) {
        return true;
    }
    Missing { set, list, counts }.note(label);
    false
}

/// The mesh as a block sees it that holds the locks of some patches: faces of other patches are not there, and asking for
/// one is noted.
///
/// Who writes a face has locked its patch. So faces of patches that are held stay as they are, and the label of a face that
/// names such a patch is true: it cannot have changed after the lock was acquired. The half-edge of a dart and the label of its face
/// are all that is read before that is known; they are written by atomic stores. The number of a face of another patch
/// may be old: that patch is locked then, and the question repeated. A dart without a half-edge stays so while the edge's other face stays.
#[derive(Clone, Copy)]
pub struct Held<'a> {
    pub tables: Tables<'a>,
    pub owner: Out<'a, u32>,
    pub patch: u32,
    pub set: PatchSet<'a>,
    pub missing: Missing<'a>,
}

/// A word that others may be storing.
#[inline(always)]
fn peek(memory: Out<'_, u32>, i: u32) -> u32 {
    // On the GPU a plain load: what it gets from the first-level cache was loaded after the last lock was acquired, since that empties
    // the cache, and is true then if it says that its patch is held.
    if cfg!(target_arch = "nvptx64") {
        memory.get(i)
    } else {
        atomic::load(memory, i, Order::Relaxed, Scope::Device)
    }
}
/// Stores a word that others may be reading.
#[inline(always)]
pub fn put(memory: Out<'_, u32>, i: u32, value: u32) {
    atomic::store(memory, i, value, Order::Relaxed, Scope::Device);
}

impl Held<'_> {
    /// A half-edge, if the patch of its face is held.
    #[inline(always)]
    fn within(self, h: u32) -> Option<HalfEdge> {
        let h = HalfEdge::new(h).some()?;
        let face = h.face().index();
        let owner = peek(self.owner, face);
        let held = owner == self.patch || self.missing.is_held(self.set, self.owner, self.patch, face, owner);
        held.then_some(h)
    }
    /// The patch of a face that is held.
    #[inline(always)]
    pub fn owner(self, f: FaceId) -> u32 {
        peek(self.owner, f.index())
    }
    /// The pass that made the face of half-edge `h`, or deleted it.
    #[inline(always)]
    pub fn changed_in(self, h: HalfEdge) -> u32 {
        self.tables.fe.get(h.index() | 3)
    }
}
impl MeshRef for Held<'_> {
    #[inline(always)]
    fn from(self, h: HalfEdge) -> VertexId {
        self.tables.from(h)
    }
    #[inline(always)]
    fn dart(self, h: HalfEdge) -> Dart {
        self.tables.dart(h)
    }
    #[inline(always)]
    fn half_edge(self, dart: Dart) -> Option<HalfEdge> {
        self.within(peek(self.tables.eh, dart.index()))
    }
    /// What was found before the pass, if it still begins there.
    #[inline(always)]
    fn half_edge_at(self, v: VertexId) -> Option<HalfEdge> {
        let h = self.within(self.tables.vh.get(v.index()))?;
        if self.tables.from(h) == v { Some(h) } else { None }
    }
    #[inline(always)]
    fn corners(self, f: FaceId) -> [VertexId; 3] {
        self.tables.corners(f)
    }
}
impl MeshWrite for Held<'_> {
    const OBSERVED: bool = true;
    #[inline(always)]
    fn darts(self, f: FaceId) -> [Dart; 3] {
        self.tables.darts(f)
    }
    #[inline(always)]
    fn cached_patch(self, f: FaceId) -> u32 {
        self.tables.cached_patch(f)
    }
    #[inline(always)]
    fn set_dead(self, v: VertexId, dead: u32) {
        self.tables.set_dead(v, dead);
    }
    #[inline(always)]
    fn set_half_edge(self, dart: Dart, h: u32) {
        put(self.tables.eh, dart.index(), h);
    }
    #[inline(always)]
    fn clear_edge(self, e: EdgeId) {
        put(self.tables.eh, 2 * e.index(), NONE);
        put(self.tables.eh, 2 * e.index() + 1, NONE);
    }
    #[inline(always)]
    fn set_face(self, f: FaceId, vertices: [u32; 4], darts: [u32; 4]) {
        self.tables.fv.wide::<Quad>().set(f.index(), Quad(vertices));
        self.tables.fe.wide::<Quad>().set(f.index(), Quad(darts));
    }
}

/// The same with the claims of the block's round.
#[derive(Clone, Copy)]
pub struct HeldSite<'a> {
    pub mesh: Held<'a>,
    pub rounds: Rounds<'a>,
    pub slots: Shared<'a, u32>,
}
impl<'a> Site for HeldSite<'a> {
    type Mesh = Held<'a>;
    #[inline(always)]
    fn mesh(self) -> Held<'a> {
        self.mesh
    }
    #[inline(always)]
    fn claim(self, f: FaceId) -> u64 {
        self.rounds.claims.get(f.index())
    }
    #[inline(always)]
    fn slots(self) -> u32 {
        SLOTS
    }
    // all claims of a block have the same upper half, and the greatest of the lower ones is the least of their complements
    #[inline(always)]
    fn claim_slot(self, slot: u32, word: u64) {
        self.slots.fetch_min(slot, !(word as u32));
    }
    #[inline(always)]
    fn has_slot(self, slot: u32, word: u64) -> bool {
        self.slots.get(slot) == !(word as u32)
    }
    #[inline(always)]
    fn note_other_filling(self, seed: u32) {
        note_other_filling(self.rounds, seed);
    }
}

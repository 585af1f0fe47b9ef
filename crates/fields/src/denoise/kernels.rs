//! Kernels of bilateral denoising.
use crate::denoise::ball::Rule;
use crate::denoise::rows::{VvRows, sort};
use crate::denoise::stored::{BEYOND, END, LAST, LOCAL, SLICE, StoredRings, slice_of};
use crate::denoise::walk::{Met, moved};
use glam::Vec3;
use ribbonmesh::corners::Positions;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{
    Arena, Block, Counts, Each, Elements, In, MeshView, NONE, Out, Parameter, Patch, Shared, kernel,
};

/// Copies the rows of VV, each sorted.
#[kernel(threads = 128)]
pub fn sort_rows<'a>(v: Each, rows: VvRows<'a>, sorted: Out<'a, u32>) {
    let (start, end) = (rows.offsets.get(v), rows.offsets.get(v + 1));
    let mut k = start;
    while k < end {
        sorted.set(k, rows.values.get(k));
        k += 1;
    }
    sort(sorted, start, end - start);
}

/// Vertices whose rings a block finds at a time.
pub const LANES: u32 = 128;

/// Sizes of the memory in which [`store_rings`] works.
#[repr(C)]
#[derive(Clone, Copy, Debug, Parameter)]
pub struct Sizes {
    /// Number of rings.
    pub rings: u32,
    /// Most surroundings of a patch; nothing is stored for a patch with more.
    pub surroundings: u32,
    /// Slots of the table of the surroundings: a power of two, at least twice as many.
    pub table: u32,
    /// Most entries of a vertex; nothing is stored for a vertex with more.
    pub entries: u32,
}

/// Output of [`store_rings`]: see [`StoredRings`].
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct StoreTo<'a> {
    /// Two words per patch.
    pub patches: Out<'a, u32>,
    /// Ids.
    pub surroundings: Out<'a, u32>,
    /// A word per slice.
    pub slices: Out<'a, u32>,
    /// Entries.
    pub entries: Out<'a, u16>,
    /// Used entries, in units of slices, and used ids; both are counted on beyond the available memory.
    pub used: Out<'a, u32>,
}

/// Shared memory of [`store_rings`].
#[derive(Clone, Copy)]
pub(crate) struct Memory<'b> {
    /// The surroundings: ids in a table with open addressing, and the number of each.
    keys: Shared<'b, u32>,
    numbers: Shared<'b, u32>,
    /// Ids by number.
    ids: Shared<'b, u32>,
    count: Shared<'b, u32>,
    /// A bit per local index, for each lane.
    seen: Shared<'b, u32>,
    /// The entries of each lane, and their number.
    queue: Shared<'b, u16>,
    lengths: Shared<'b, u32>,
    /// Start of the slice of each group of lanes.
    starts: Shared<'b, u32>,
}
impl<'b> Memory<'b> {
    /// Reserves the memory.
    pub(crate) fn layout(arena: &'b Arena, counts: &Counts, sizes: Sizes) -> Self {
        Self {
            keys: arena.take(sizes.table),
            numbers: arena.take(sizes.table),
            ids: arena.take(sizes.surroundings),
            count: arena.take(1),
            seen: arena.take(LANES * (counts.v_owned + sizes.surroundings).div_ceil(32)),
            queue: arena.take(LANES * sizes.entries),
            lengths: arena.take(LANES),
            starts: arena.take(LANES / SLICE),
        }
    }
    #[inline(always)]
    fn slot(&self, id: u32) -> u32 {
        // Knuth's multiplicative hash
        (id.wrapping_mul(2_654_435_769) >> 8) & (self.keys.len() - 1)
    }
    /// Adds a vertex to the surroundings, once. Vertices that do not fit are only counted.
    #[inline(always)]
    fn insert(&self, id: u32) {
        let (mut slot, mut tries) = (self.slot(id), 0);
        while tries < self.keys.len() {
            let old = self.keys.compare_exchange(slot, NONE, id);
            if old == id {
                return;
            }
            if old == NONE {
                let number = self.count.fetch_add(0, 1);
                if number < self.ids.len() {
                    self.ids.set(number, id);
                    self.numbers.set(slot, number);
                }
                return;
            }
            slot = (slot + 1) & (self.keys.len() - 1);
            tries += 1;
        }
        self.count.fetch_add(0, self.keys.len());
    }
    /// The local index of a vertex that is owned or has been inserted.
    #[inline(always)]
    fn local(&self, p: &Patch<'_>, id: u32) -> u32 {
        let l = id.wrapping_sub(p.v.first);
        if l < p.v.owned {
            return l;
        }
        let mut slot = self.slot(id);
        while self.keys.get(slot) != id {
            slot = (slot + 1) & (self.keys.len() - 1);
        }
        p.v.owned + self.numbers.get(slot)
    }
    /// The id of a local index.
    #[inline(always)]
    fn id(&self, p: &Patch<'_>, l: u32) -> u32 {
        if l < p.v.owned { p.v.first + l } else { self.ids.get(l - p.v.owned) }
    }
    /// Marks a local index in a lane; returns whether it was not marked.
    #[inline(always)]
    fn mark(&self, lane: u32, l: u32) -> bool {
        let (at, bit) = (l / 32 * LANES + lane, 1 << (l % 32));
        let word = self.seen.get(at);
        self.seen.set(at, word | bit);
        word & bit == 0
    }
    /// Adds an entry to a lane's `len`; entries that do not fit are only counted.
    #[inline(always)]
    fn push(&self, lane: u32, len: &mut u32, entry: u32) {
        let at = *len * LANES + lane;
        if at < self.queue.len() {
            self.queue.set(at, entry as u16);
        }
        *len += 1;
    }
    #[inline(always)]
    fn entry(&self, lane: u32, k: u32) -> u32 {
        self.queue.get(k * LANES + lane) as u32
    }

    /// Finds the rings of owned vertex `l`; returns the number of entries.
    #[inline(always)]
    fn find_rings(&self, p: &Patch<'_>, vv: VvRows<'_>, sizes: Sizes, lane: u32, l: u32) -> u32 {
        let words = (p.v.owned + self.count.get(0)).div_ceil(32);
        let mut w = 0;
        while w < words {
            self.seen.set(w * LANES + lane, 0);
            w += 1;
        }
        self.mark(lane, l);
        let mut len = 0;
        let visit = |id: u32, len: &mut u32| {
            vv.of(id, |u| {
                let u = self.local(p, u);
                if self.mark(lane, u) {
                    self.push(lane, len, u);
                }
            });
        };
        visit(p.v.first + l, &mut len);
        let (mut from, mut ring) = (0, 1);
        while len > from && len <= sizes.entries {
            self.queue.set((len - 1) * LANES + lane, (self.entry(lane, len - 1) | LAST) as u16);
            if ring == sizes.rings {
                return len;
            }
            let end = len;
            while from < end && len <= sizes.entries {
                visit(self.id(p, self.entry(lane, from) & LOCAL), &mut len);
                from += 1;
            }
            (from, ring) = (end, ring + 1);
        }
        if len < sizes.entries {
            self.push(lane, &mut len, END);
            len
        } else {
            self.queue.set(lane, BEYOND as u16);
            1
        }
    }
}

/// Stores the rings of all vertices. One block per patch, which first collects the patch's surroundings ring
/// by ring.
#[kernel(threads = 128, shared = Memory::layout(arena, &mesh.max, sizes))]
pub fn store_rings<'a>(block: &Block, mesh: MeshView<'a>, vv: VvRows<'a>, sizes: Sizes, to: StoreTo<'a>) {
    let (patch, p) = (block.index(), mesh.patch(block.index()));
    let m = Memory::layout(block.arena(), &p.counts, sizes);
    block.for_each_nosync(sizes.table, |i| m.keys.set(i, NONE));
    block.for_each(1, |_| m.count.set(0, 0));

    let (mut from, mut ring) = (0, 0);
    let mut len = 0;
    while ring < sizes.rings && len <= sizes.surroundings {
        let reached = if ring == 0 { p.v.owned } else { len - from };
        let outside = |id: u32| id.wrapping_sub(p.v.first) >= p.v.owned;
        block.for_each(reached, |i| {
            let v = if ring == 0 { p.v.first + i } else { m.ids.get(from + i) };
            vv.of(v, |u| {
                if outside(u) {
                    m.insert(u);
                }
            });
        });
        from = len;
        len = m.count.get(0);
        // all threads have to read the count before the next ring adds to it
        block.sync();
        ring += 1;
    }
    let stored = len <= sizes.surroundings && p.v.owned + len < LOCAL;
    let (len, slices) = (if stored { len } else { 0 }, p.v.owned.div_ceil(SLICE));

    let base = block.single(|| atomic::fetch_add(to.used, 1, len, Relaxed, Device));
    block.single_nosync(|| {
        to.patches.set(2 * patch, base);
        to.patches.set(2 * patch + 1, len);
    });
    let fits = base as usize + len as usize <= to.surroundings.len();
    block.for_each_nosync(if fits { len } else { 0 }, |i| to.surroundings.set(base + i, m.ids.get(i)));
    if !stored {
        let slice = |i: u32| to.slices.set(slice_of(p.v.first, patch, SLICE * i), NONE);
        return block.for_each_nosync(slices, slice);
    }

    let mut first = 0;
    while first < p.v.owned {
        let lanes = if p.v.owned - first < LANES { p.v.owned - first } else { LANES };
        block.for_each(lanes, |lane| {
            let found = m.find_rings(&p, vv, sizes, lane, first + lane);
            m.lengths.set(lane, found);
        });
        // each slice is as wide as its longest row
        let claim = || {
            let (mut total, mut lane, mut width) = (0, 0, 0);
            while lane < lanes {
                if lane % SLICE == 0 {
                    total += width;
                    width = 0;
                    m.starts.set(lane / SLICE, total);
                }
                let length = m.lengths.get(lane);
                width = if length > width { length } else { width };
                lane += 1;
            }
            total += width;
            let base = atomic::fetch_add(to.used, 0, total, Relaxed, Device);
            // without enough memory nothing is written; the host launches again with more
            if (base as u64 + total as u64) * SLICE as u64 <= to.entries.len() as u64 { base } else { NONE }
        };
        let base = block.single(claim);
        if base != NONE {
            block.for_each_nosync(lanes, |lane| {
                let slice = base + m.starts.get(lane / SLICE);
                if lane % SLICE == 0 {
                    to.slices.set(slice_of(p.v.first, patch, first + lane), slice);
                }
                let (mut k, length) = (0, m.lengths.get(lane));
                while k < length {
                    to.entries.set((slice + k) * SLICE + lane % SLICE, m.entry(lane, k) as u16);
                    k += 1;
                }
            });
        }
        first += LANES;
    }
}

/// Input of an iteration.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Surface<'a> {
    /// Positions.
    pub x: In<'a, Vec3>,
    /// Unit normals; a vertex with 0 stays.
    pub normals: In<'a, Vec3>,
    /// 1 for a vertex that stays; empty if all move.
    pub fixed: In<'a, u32>,
    /// Rule for the radius of balls.
    pub rule: Rule,
}
impl Surface<'_> {
    #[inline(always)]
    fn stays(&self, v: u32, n: Vec3) -> bool {
        n == Vec3::ZERO || (!self.fixed.is_empty() && self.fixed.get(v) != 0)
    }
}

/// The vertices that are left for [`walk`].
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Left<'a> {
    /// Their ids; there is room for all vertices.
    pub list: Out<'a, u32>,
    /// Number of ids, one for each iteration.
    pub counts: Out<'a, u32>,
    /// This iteration.
    pub iteration: u32,
}

/// Positions of a patch and its surroundings.
#[inline(always)]
pub(crate) fn surroundings_memory(arena: &Arena, owned: u32, surroundings: u32) -> Shared<'_, f32> {
    Positions::layout(arena, &Counts { v_near: owned + surroundings, ..Counts::default() })
}

/// Moves the vertices whose balls are within the stored rings; lists the others. One block per patch.
#[kernel(threads = 128, shared = surroundings_memory(arena, mesh.max.v_owned, stored.most))]
pub fn filter<'a>(
    block: &Block,
    mesh: MeshView<'a>,
    stored: StoredRings<'a>,
    surface: Surface<'a>,
    y: Out<'a, Vec3>,
    left: Left<'a>,
) {
    let (patch, p) = (block.index(), mesh.patch(block.index()));
    let (base, len) = (stored.patches.get(2 * patch), stored.patches.get(2 * patch + 1));
    let words = surroundings_memory(block.arena(), p.v.owned, len);
    let around = Elements { ribbon: stored.surroundings.at(base), ..p.v };
    Positions::stage_nosync(block, surface.x, around, p.v.owned + len, words, || ());
    // a ball reads positions that other threads have loaded
    block.sync();
    let x = Positions::new(words, around);
    block.for_each_nosync(p.v.owned, |l| {
        let v = p.v.first + l;
        let n = surface.normals.get(v);
        if surface.stays(v, n) {
            return y.set(v, x.get(l));
        }
        let row = stored.row(p.v.first, patch, l);
        match row.and_then(|row| row.moved(l, x, n, surface.rule, stored.rings)) {
            Some(moved) => y.set(v, moved),
            None => {
                let at = atomic::fetch_add(left.counts, left.iteration, 1, Relaxed, Device);
                left.list.set(at, v);
            }
        }
    });
    if patch + 1 == mesh.patches {
        let end = p.v.first + p.v.owned;
        block.for_each_nosync(mesh.vertices - end, |i| y.set(end + i, surface.x.get(end + i)));
    }
}

/// The memory of the walks.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Walks<'a> {
    /// Memory of all walks that run at the same time: for each a list of vertices, and a table of twice the
    /// size. All 0 at first.
    pub memory: Out<'a, u32>,
    /// Walks per block, at most its threads.
    pub lanes: u32,
    /// Most vertices of each walk: a power of two.
    pub capacity: u32,
    /// Distance from a walk to the next in memory.
    pub lane_pitch: u32,
    /// Distance from an entry to the next.
    pub pitch: u32,
    /// Index into the counts of the iterations at which balls that were cut are counted.
    pub cut: u32,
}

/// Moves the listed vertices, `counts[iteration]` of them, by walking the mesh.
#[kernel(threads = 128)]
pub fn walk<'a>(
    block: &Block,
    vv: VvRows<'a>,
    surface: Surface<'a>,
    list: In<'a, u32>,
    counts: Out<'a, u32>,
    iteration: u32,
    walks: Walks<'a>,
    y: Out<'a, Vec3>,
) {
    let count = counts.get(iteration);
    block.for_each_nosync(walks.lanes, |lane| {
        let walk = block.index() * walks.lanes + lane;
        let met = Met {
            memory: walks.memory,
            first: walk * walks.lane_pitch,
            pitch: walks.pitch,
            capacity: walks.capacity,
        };
        let mut i = walk;
        while i < count {
            let v = list.get(i);
            let (to, cut) = moved(v, vv, surface.x, surface.normals.get(v), surface.rule, met);
            y.set(v, to);
            if cut {
                atomic::fetch_add(counts, walks.cut, 1, Relaxed, Device);
            }
            i += block.count() * walks.lanes;
        }
    });
}

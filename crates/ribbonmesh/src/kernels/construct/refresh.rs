//! Patches of a mesh that has changed, anew: ribbons, local EV and FE, and rows, from half-edge tables.
//!
//! Ids have not changed, and so has not what a patch owns: a range of vertices, of edges, of faces. A patch
//! finds its ribbon from its own elements (faces around its vertices, across its faces' sides, and beside its
//! edges), so that patches are independent of each other and only the patches are made anew near which
//! something has changed. An owned vertex or edge need not have an owned face: changes around it may have
//! left it to faces of others.
use crate::device::atomic::{self, Order::Relaxed, Scope::Device};
use crate::device::patch_row::word;
use crate::device::{
    Arena, Block, Counts, In, NONE, Out, Parameter, PatchRow, Quad, Shared, TILE, hi, kernel, lo, pack,
};
use crate::kernels::construct::id_map::IdMap;
use crate::kernels::construct::ribbon::Bounds;

/// A mesh whose every edge has at most two faces, oriented alike, and every vertex one fan of them.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Tables<'a> {
    /// Four words per face: its vertices, `NONE` if it is deleted, and one that is not read here.
    pub fv: In<'a, u32>,
    /// Four words per face: the darts `2 edge + direction` of its sides, and the number of the pass that made
    /// it.
    pub fe: In<'a, u32>,
    /// The half-edge `4 face + side` of each dart, or `NONE`; an edge without any is deleted.
    pub eh: In<'a, u32>,
    /// 1 for deleted vertices.
    pub dead: In<'a, u32>,
}
impl Tables<'_> {
    /// The vertices of a face and the fourth word.
    #[inline(always)]
    pub(crate) fn vertices(&self, f: u32) -> [u32; 4] {
        self.fv.wide::<Quad>().get(f).0
    }
    /// The darts of a face and its pass.
    #[inline(always)]
    pub(crate) fn darts(&self, f: u32) -> [u32; 4] {
        self.fe.wide::<Quad>().get(f).0
    }
    /// The half-edges of an edge.
    #[inline(always)]
    fn sides(&self, e: u32) -> [u32; 2] {
        let both = self.eh.wide::<u64>().get(e);
        [both as u32, (both >> 32) as u32]
    }
    /// The half-edge on the other side of a dart's.
    #[inline(always)]
    pub(crate) fn across(&self, dart: u32) -> u32 {
        self.eh.get(dart ^ 1)
    }
}
#[inline(always)]
fn next(h: u32) -> u32 {
    if h & 3 == 2 { h - 2 } else { h + 1 }
}
#[inline(always)]
fn prev(h: u32) -> u32 {
    if h & 3 == 0 { h + 2 } else { h - 1 }
}

/// Owned elements of patches: patch `p` owns the ids from `first[p]` to `first[p + 1]` of each kind.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Ranges<'a> {
    /// Vertices.
    pub v: In<'a, u32>,
    /// Edges.
    pub e: In<'a, u32>,
    /// Faces.
    pub f: In<'a, u32>,
    /// Number of patches.
    pub patches: u32,
}
/// A range of ids: the first one, and their number.
#[derive(Clone, Copy)]
struct Span {
    first: u32,
    n: u32,
}
impl Span {
    #[inline(always)]
    fn of(firsts: In<'_, u32>, p: u32) -> Self {
        let first = firsts.get(p);
        Self { first, n: firsts.get(p + 1) - first }
    }
    #[inline(always)]
    fn has(self, id: u32) -> bool {
        id.wrapping_sub(self.first) < self.n
    }
}
impl Ranges<'_> {
    /// The patch that owns an element: the last whose first id is not greater.
    #[inline(always)]
    fn owner(&self, firsts: In<'_, u32>, id: u32) -> u32 {
        let (mut low, mut high) = (0, self.patches);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if firsts.get(middle) <= id { low = middle } else { high = middle }
        }
        low
    }
}

/// Words that a refresh reports to the host.
pub mod summary {
    /// Not 0: a face is deleted.
    pub const DELETED_FACE: u32 = 0;
    /// Not 0: a vertex or an edge is deleted.
    pub const DELETED_OTHER: u32 = 1;
    /// Bits: more ribbon faces, edges, vertices than the launch has shared memory for.
    pub const SHORT: u32 = 2;
    /// Not 0: the arrays are too short; how long they should be, the cursors say.
    pub const FULL: u32 = 3;
    /// A patch with more local elements than 16-bit indices have, plus 1.
    pub const TOO_LARGE: u32 = 4;
    /// Patches that were made anew.
    pub const REFRESHED: u32 = 5;
    /// The largest numbers of ribbon faces, edges, vertices.
    pub const MOST: u32 = 6;
    /// The first fourteen numbers of a patch (`crate::device::Counts`), the largest of each.
    pub const MAX: u32 = 9;
    /// The same numbers, added up.
    pub const TOTAL: u32 = 23;
    /// Words in use of the ribbon tables of vertices, edges, faces, of EV and FE. These last from one refresh
    /// to the next.
    pub const CURSORS: u32 = 37;
    /// Number of words.
    pub const COUNT: u32 = 42;
}

/// Words of a row.
const ROW: u32 = PatchRow::WORDS;
/// Numbers of a patch that are added up.
const NUMBERS: u32 = 14;
/// Local edges of a patch: 14 bits of an entry of FE.
pub const MOST_EDGES: u32 = 1 << 14;
/// Local vertices: 16 bits, the last one means none.
pub const MOST_LOCAL: u32 = (1 << 16) - 1;
/// Local corners: two values more mean something else where queries walk.
pub const MOST_CORNERS: u32 = MOST_LOCAL - 2;

/// Begins a refresh: no half-edges, nothing dirty, an empty summary; and for all patches (`all` = 1) no room.
#[kernel(threads = 256)]
pub fn begin_refresh<'a>(
    block: &Block,
    vertices: u32,
    patches: u32,
    all: u32,
    vh: Out<'a, u32>,
    dirty: Out<'a, u32>,
    rooms: Out<'a, u32>,
    summary: Out<'a, u32>,
) {
    block.for_each_of_tile(vertices, |v| vh.set(v, NONE));
    block.for_each_of_tile(patches, |p| {
        dirty.set(p, all);
        if all != 0 {
            rooms.wide::<Quad>().set(p, Quad([0; 4]));
        }
    });
    let keep = if all != 0 { summary::COUNT } else { summary::CURSORS };
    block.for_each_of_tile(keep, |i| summary.set(i, 0));
}

/// One block per patch: `vh` gets a half-edge of every vertex that has faces of other patches; and, unless
/// `since` is 0, `dirty` is set for all patches that have a face in them that was made in pass `since` or
/// later.
#[kernel(threads = 256)]
pub fn examine_faces<'a>(
    block: &Block,
    mesh: Tables<'a>,
    ranges: Ranges<'a>,
    since: u32,
    vh: Out<'a, u32>,
    dirty: Out<'a, u32>,
    summary: Out<'a, u32>,
) {
    let p = block.index();
    let (v, e, f) = (Span::of(ranges.v, p), Span::of(ranges.e, p), Span::of(ranges.f, p));
    let mark = |q: u32| atomic::store(dirty, q, 1, Relaxed, Device);
    block.for_each_nosync(f.n, |l| {
        let id = f.first + l;
        let [a, b, c, _] = mesh.vertices(id);
        if a == NONE {
            atomic::store(summary, summary::DELETED_FACE, 1, Relaxed, Device);
            return;
        }
        let tell = |u: u32, h: u32| {
            if !v.has(u) {
                atomic::store(vh, u, h, Relaxed, Device);
            }
        };
        tell(a, 4 * id);
        tell(b, 4 * id + 1);
        tell(c, 4 * id + 2);
        if since == 0 {
            return;
        }
        let [x, y, z, made] = mesh.darts(id);
        if made < since {
            return;
        }
        mark(p);
        for u in [a, b, c] {
            if !v.has(u) {
                mark(ranges.owner(ranges.v, u));
            }
        }
        for dart in [x, y, z] {
            if !e.has(dart >> 1) {
                mark(ranges.owner(ranges.e, dart >> 1));
            }
            let across = mesh.across(dart);
            if across != NONE && !f.has(across >> 2) {
                mark(ranges.owner(ranges.f, across >> 2));
            }
        }
    });
}

/// The places at which patches are stored.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Places<'a> {
    /// Rows of patches, see `crate::device::MeshView`.
    pub rows: Out<'a, u32>,
    /// Four words per patch: ribbon vertices, edges, faces that there is room for where the row says.
    pub rooms: Out<'a, u32>,
    /// Ribbon vertices.
    pub ribbon_v: Out<'a, u32>,
    /// Ribbon edges.
    pub ribbon_e: Out<'a, u32>,
    /// Ribbon faces.
    pub ribbon_f: Out<'a, u32>,
    /// EV.
    pub ev: Out<'a, u32>,
    /// FE.
    pub fe: Out<'a, u16>,
    /// See [`summary`].
    pub summary: Out<'a, u32>,
}

/// Counters in shared memory.
mod counter {
    pub const FACES: u32 = 0;
    pub const NEAR_FACES: u32 = 1;
    pub const VERTICES: u32 = 2;
    pub const NEAR_VERTICES: u32 = 3;
    pub const EDGES: u32 = 4;
    /// The first of four counters, one for each group.
    pub const GROUPS: u32 = 5;
    pub const COUNT: u32 = 9;
}
#[derive(Clone, Copy)]
struct Scratch<'b> {
    faces: Shared<'b, u32>,
    edges: Shared<'b, u32>,
    vertices: Shared<'b, u32>,
    face_map: IdMap<'b>,
    edge_map: IdMap<'b>,
    vertex_map: IdMap<'b>,
    counters: Shared<'b, u32>,
    places: Shared<'b, u32>,
    row: Shared<'b, u32>,
}
impl<'b> Scratch<'b> {
    fn take(arena: &'b Arena, most: Bounds) -> Self {
        Self {
            faces: arena.take(most.f.next_power_of_two()),
            edges: arena.take(most.e.next_power_of_two()),
            vertices: arena.take(most.v.next_power_of_two()),
            face_map: IdMap::take(arena, most.f),
            edge_map: IdMap::take(arena, most.e),
            vertex_map: IdMap::take(arena, most.v),
            counters: arena.take(counter::COUNT),
            places: arena.take(6),
            row: arena.take(ROW),
        }
    }
}

/// In the lists of ribbon elements: the group above the id, so that one sort orders groups and ids.
const FAR: u32 = 31;
const EDGE_GROUP: u32 = 29;
const EDGE_ID: u32 = (1 << EDGE_GROUP) - 1;
const ID: u32 = (1 << FAR) - 1;

/// Adds the numbers in a patch's row to the totals.
#[inline(always)]
fn add_up(block: &Block, summary: Out<'_, u32>, word: impl Fn(u32) -> u32) {
    block.for_each_nosync(NUMBERS, |k| {
        let n = match k {
            0..8 => word(8 + k / 2) >> (16 * (k & 1)) & 0xffff,
            8 => lo(word(12)),
            9 => hi(word(12)),
            10..13 => word(3 + k),
            _ => word(19),
        };
        atomic::fetch_max(summary, summary::MAX + k, n, Relaxed, Device);
        atomic::fetch_add(summary, summary::TOTAL + k, n, Relaxed, Device);
    });
}

/// A patch while it is made.
#[derive(Clone, Copy)]
struct Making<'a> {
    mesh: Tables<'a>,
    v: Span,
    e: Span,
    f: Span,
    most: Bounds,
    s: Scratch<'a>,
    to: Places<'a>,
}
impl Making<'_> {
    #[inline(always)]
    fn count(&self, which: u32) -> u32 {
        self.s.counters.fetch_add(which, 1)
    }
    /// A face of the ribbon, if it is not owned and new.
    #[inline(always)]
    fn add_face(&self, g: u32) {
        if self.f.has(g) || !self.s.face_map.try_insert(g) {
            return;
        }
        let [a, b, c, _] = self.mesh.vertices(g);
        let near = self.v.has(a) || self.v.has(b) || self.v.has(c);
        if near {
            self.count(counter::NEAR_FACES);
        }
        let at = self.count(counter::FACES);
        if at < self.most.f {
            self.s.faces.set(at, g | (!near as u32) << FAR);
        }
    }
    /// A vertex of it. Near vertices come first.
    #[inline(always)]
    fn add_vertex(&self, u: u32, near: bool) {
        if self.v.has(u) || !self.s.vertex_map.try_insert(u) {
            return;
        }
        if near {
            self.count(counter::NEAR_VERTICES);
        }
        let at = self.count(counter::VERTICES);
        if at < self.most.v {
            self.s.vertices.set(at, u | (!near as u32) << FAR);
        }
    }
    /// An edge of it. Smaller groups first.
    #[inline(always)]
    fn add_edge(&self, d: u32, group: u32) {
        if self.e.has(d) || !self.s.edge_map.try_insert(d) {
            return;
        }
        self.count(counter::GROUPS + group);
        let at = self.count(counter::EDGES);
        if at < self.most.e {
            self.s.edges.set(at, d | group << EDGE_GROUP);
        }
    }
    #[inline(always)]
    fn deleted(&self) {
        atomic::store(self.to.summary, summary::DELETED_OTHER, 1, Relaxed, Device)
    }
    /// The two faces at an owned edge that has no owned face, and its ends.
    #[inline(always)]
    fn beside(&self, edge: u32) {
        let [h0, h1] = self.mesh.sides(edge);
        if h0 != NONE && self.f.has(h0 >> 2) || h1 != NONE && self.f.has(h1 >> 2) {
            return;
        }
        if h0 == NONE && h1 == NONE {
            self.deleted();
        }
        let mut h = h0;
        let mut k = 0;
        while k < 2 {
            if h != NONE {
                self.add_face(h >> 2);
                self.add_vertex(self.mesh.fv.get(h), true);
                self.add_vertex(self.mesh.fv.get(next(h)), true);
            }
            h = h1;
            k += 1;
        }
    }
    /// The vertices and edges of an owned face, and the faces across these.
    #[inline(always)]
    fn across(&self, face: u32) {
        let (v, d) = (self.mesh.vertices(face), self.mesh.darts(face));
        let mut side = [v[0], d[0]];
        let mut k = 0;
        while k < 3 {
            let [from, dart] = side;
            self.add_vertex(from, true);
            self.add_edge(dart >> 1, 0);
            let h = self.mesh.across(dart);
            if h != NONE {
                self.add_face(h >> 2);
            }
            side = if k == 0 { [v[1], d[1]] } else { [v[2], d[2]] };
            k += 1;
        }
    }
    /// The faces around a vertex, one of whose half-edges is `start`.
    #[inline(always)]
    fn around(&self, start: u32) {
        // counter-clockwise; from the boundary on the other way round, from where this began
        let (mut h, mut forward) = (start, true);
        while h != NONE {
            self.add_face(h >> 2);
            if forward {
                h = self.mesh.across(self.mesh.fe.get(prev(h)));
                if h == start {
                    return;
                }
                if h == NONE {
                    (h, forward) = (start, false);
                }
            }
            if !forward {
                let t = self.mesh.across(self.mesh.fe.get(h));
                h = if t == NONE { NONE } else { next(t) };
            }
        }
    }
    /// The vertices and edges of a ribbon face with an owned vertex (`near`) or without.
    #[inline(always)]
    fn sides(&self, face: u32, near: bool) {
        let (v, d) = (self.mesh.vertices(face), self.mesh.darts(face));
        let mut side = [v[0], v[1], d[0]];
        let mut k = 0;
        while k < 3 {
            let [from, to, dart] = side;
            self.add_vertex(from, near);
            let of_owned = self.v.has(from) || self.v.has(to);
            self.add_edge(
                dart >> 1,
                if !near {
                    3
                } else if of_owned {
                    1
                } else {
                    2
                },
            );
            side = if k == 0 { [v[1], v[2], d[1]] } else { [v[2], v[0], d[2]] };
            k += 1;
        }
    }
    #[inline(always)]
    fn local_v(&self, u: u32) -> u32 {
        if self.v.has(u) { u - self.v.first } else { self.s.vertex_map.get(u) }
    }
    #[inline(always)]
    fn local_e(&self, d: u32) -> u32 {
        if self.e.has(d) { d - self.e.first } else { self.s.edge_map.get(d) }
    }
    /// The entries of FE of a local face, and EV of each of its edges that no other local face writes.
    /// Returns its corners at owned vertices and, above them, the owned ends of those edges.
    #[inline(always)]
    fn write(&self, l: u32, face: u32, at_fe: u32, at_ev: u32) -> u64 {
        let (v, d) = (self.mesh.vertices(face), self.mesh.darts(face));
        let locals = [self.local_v(v[0]), self.local_v(v[1]), self.local_v(v[2])];
        let own = |local: u32| (local < self.v.n) as u64;
        let mut entries = own(locals[0]) + own(locals[1]) + own(locals[2]);
        let mut side = [locals[0], locals[1], d[0]];
        let mut k = 0;
        while k < 3 {
            let [from, to, dart] = side;
            let edge = self.local_e(dart >> 1);
            let twin = if dart & 1 == 0 { NONE } else { self.mesh.across(dart) };
            self.to.fe.set(at_fe + 3 * l + k, (edge << 2 | if twin == NONE { 0 } else { 3 }) as u16);
            let here = twin == NONE || !(self.f.has(twin >> 2) || self.s.face_map.has(twin >> 2));
            if here {
                let ends = if twin == NONE { pack(from, to) } else { pack(to, from) };
                self.to.ev.set(at_ev + edge, ends);
                entries += (own(from) + own(to)) << 32;
            }
            side = if k == 0 { [locals[1], locals[2], d[1]] } else { [locals[2], locals[0], d[2]] };
            k += 1;
        }
        entries
    }
}

/// Makes each dirty patch anew. One block per patch; `most`: what there is shared memory for. Does nothing
/// where a face is deleted.
#[kernel(threads = 256, per_multiprocessor = 7, shared = Scratch::take(arena, most))]
pub fn refresh_patches<'a>(
    block: &Block,
    mesh: Tables<'a>,
    ranges: Ranges<'a>,
    vh: In<'a, u32>,
    dirty: In<'a, u32>,
    most: Bounds,
    to: Places<'a>,
) {
    // set by the launch before this one
    if to.summary.get(summary::DELETED_FACE) != 0 {
        return;
    }
    let p = block.index();
    if dirty.get(p) == 0 {
        add_up(block, to.summary, |i| to.rows.get(ROW * p + i));
        return;
    }
    let (v, e, f) = (Span::of(ranges.v, p), Span::of(ranges.e, p), Span::of(ranges.f, p));
    let s = Scratch::take(block.arena(), most);
    let making = Making { mesh, v, e, f, most, s, to };
    s.face_map.clear_nosync(block);
    s.edge_map.clear_nosync(block);
    s.vertex_map.clear_nosync(block);
    block.for_each_nosync(counter::COUNT, |i| s.counters.set(i, 0));
    block.sync();

    // the faces of the ribbon
    block.for_each_nosync(e.n, |l| making.beside(e.first + l));
    block.for_each_nosync(f.n, |l| making.across(f.first + l));
    block.for_each_nosync(v.n, |l| {
        if mesh.dead.get(v.first + l) != 0 {
            making.deleted();
        }
        making.around(vh.get(v.first + l));
    });
    block.sync();
    let (n_f, n_near) = (s.counters.get(counter::FACES), s.counters.get(counter::NEAR_FACES));
    let short = |bits: u32| {
        block.single_nosync(|| {
            atomic::fetch_or(to.summary, summary::SHORT, bits, Relaxed, Device);
        });
    };
    if n_f > most.f {
        short(1);
        return;
    }
    block.sort(s.faces, n_f);

    // their vertices and edges
    block.for_each(n_near, |i| making.sides(s.faces.get(i), true));
    let near_v = s.counters.get(counter::NEAR_VERTICES);
    block.for_each(n_f - n_near, |i| making.sides(s.faces.get(n_near + i) & ID, false));
    let (n_e, n_v) = (s.counters.get(counter::EDGES), s.counters.get(counter::VERTICES));
    if n_e > most.e || n_v > most.v {
        short(if n_e > most.e { 2 } else { 0 } | if n_v > most.v { 4 } else { 0 });
        return;
    }
    if e.n + n_e > MOST_EDGES || 3 * (f.n + n_f) > MOST_CORNERS || v.n + n_v > MOST_LOCAL {
        block.single_nosync(|| {
            atomic::fetch_max(to.summary, summary::TOO_LARGE, p + 1, Relaxed, Device);
        });
        return;
    }
    block.sort(s.edges, n_e);
    block.sort(s.vertices, n_v);
    block.for_each_nosync(n_e, |i| s.edge_map.set(s.edges.get(i) & EDGE_ID, e.n + i));
    block.for_each_nosync(n_v, |i| s.vertex_map.set(s.vertices.get(i) & ID, v.n + i));

    block.for_each_nosync(1, |_| find_place(p, [n_v, n_e, n_f], [e.n, f.n], to, s.places));
    block.sync();
    let at = |k: u32| s.places.get(k);
    if at(5) == 0 {
        return;
    }
    let (at_v, at_e, at_f, at_ev, at_fe) = (at(0), at(1), at(2), at(3), at(4));
    block.for_each_nosync(n_v, |i| to.ribbon_v.set(at_v + i, s.vertices.get(i) & ID));
    block.for_each_nosync(n_e, |i| to.ribbon_e.set(at_e + i, s.edges.get(i) & EDGE_ID));
    block.for_each_nosync(n_f, |i| to.ribbon_f.set(at_f + i, s.faces.get(i) & ID));

    // local topology, and the numbers of entries of VV, VE and VF
    let write = |l: u32| {
        let face = if l < f.n { f.first + l } else { s.faces.get(l - f.n) & ID };
        making.write(l, face, at_fe, at_ev)
    };
    let entries = block.reduce(f.n + n_f, 0u64, write, |a, b| a + b);
    block.single_nosync(|| {
        let c = |which: u32| s.counters.get(which);
        let e_of_f = e.n + c(counter::GROUPS);
        let e_of_v = e_of_f + c(counter::GROUPS + 1);
        let (ends, corners) = ((entries >> 32) as u32, entries as u32);
        let counts = Counts {
            v_owned: v.n,
            v_near: v.n + near_v,
            v_all: v.n + n_v,
            e_owned: e.n,
            e_of_f,
            e_of_v,
            e_near: e_of_v + c(counter::GROUPS + 2),
            e_all: e.n + n_e,
            f_owned: f.n,
            f_of_v: f.n + n_near,
            f_all: f.n + n_f,
            vv: ends,
            ve: ends,
            vf: corners,
            ef: 0,
            ff: 0,
            ee: 0,
        };
        let row = PatchRow {
            first: [v.first, e.first, f.first],
            ev: at_ev,
            fe: at_fe,
            ribbon: [at_v, at_e, at_f],
            counts,
            bases: [0; 3],
        };
        let (rows, [g0, g1, g2, g3, g4]) = (s.row.wide::<Quad>(), row.encode());
        rows.set(0, Quad(g0));
        rows.set(1, Quad(g1));
        rows.set(2, Quad(g2));
        rows.set(3, Quad(g3));
        rows.set(4, Quad(g4));
        atomic::fetch_max(to.summary, summary::MOST, n_f, Relaxed, Device);
        atomic::fetch_max(to.summary, summary::MOST + 1, n_e, Relaxed, Device);
        atomic::fetch_max(to.summary, summary::MOST + 2, n_v, Relaxed, Device);
        atomic::fetch_add(to.summary, summary::REFRESHED, 1, Relaxed, Device);
    });
    block.sync();
    block.for_each_nosync(ROW, |i| to.rows.set(ROW * p + i, s.row.get(i)));
    add_up(block, to.summary, |i| s.row.get(i));
}

/// Stores in `found` the indices at which a patch is stored: its old ones if there is room for the ribbon
/// vertices, edges and faces, otherwise ones behind all other patches, with a quarter more room than it
/// needs. Entry 5 of `found` tells whether the arrays are long enough.
#[inline(always)]
fn find_place(
    p: u32,
    [n_v, n_e, n_f]: [u32; 3],
    [own_e, own_f]: [u32; 2],
    to: Places<'_>,
    found: Shared<'_, u32>,
) {
    let Quad([v, e, f, known]) = to.rooms.wide::<Quad>().get(p);
    if known != 0 && n_v <= v && n_e <= e && n_f <= f {
        let rows = to.rows.wide::<Quad>();
        let row = PatchRow::decode([0, 1, 2, 3, 4].map(|k| rows.get(PatchRow::GROUPS * p + k).0));
        found.set(0, row.ribbon[0]);
        found.set(1, row.ribbon[1]);
        found.set(2, row.ribbon[2]);
        found.set(3, row.ev);
        found.set(4, row.fe);
        found.set(5, 1);
        return;
    }
    let (v, e, f) = (n_v + n_v / 4 + 8, n_e + n_e / 4 + 8, n_f + n_f / 4 + 8);
    let (ev, fe) = ((own_e + e).next_multiple_of(4), (3 * (own_f + f)).next_multiple_of(8));
    // all of them, so that the cursors tell what is needed
    let fits = claim(to, found, 0, v, to.ribbon_v.len())
        & claim(to, found, 1, e, to.ribbon_e.len())
        & claim(to, found, 2, f, to.ribbon_f.len())
        & claim(to, found, 3, ev, to.ev.len())
        & claim(to, found, 4, fe, to.fe.len());
    if fits {
        to.rooms.wide::<Quad>().set(p, Quad([v, e, f, 1]));
    } else {
        atomic::store(to.summary, summary::FULL, 1, Relaxed, Device);
    }
    found.set(5, fits as u32);
}
/// The next `n` places of an array of `most`; returns whether the array has them.
#[inline(always)]
fn claim(to: Places<'_>, found: Shared<'_, u32>, k: u32, n: u32, most: usize) -> bool {
    let at = atomic::fetch_add(to.summary, summary::CURSORS + k, n, Relaxed, Device);
    found.set(k, at);
    at as usize + n as usize <= most
}

fn one_tile(arena: &Arena) -> Shared<'_, u32> {
    arena.take(TILE)
}

/// The first index of each patch's parts of VV, VE and VF. One block.
#[kernel(threads = 1024, shared = one_tile(arena))]
pub fn place_results<'a>(block: &Block, patches: u32, rows: Out<'a, u32>) {
    let part = one_tile(block.arena());
    let column = |from: u32, to: u32| {
        let (mut base, mut carry) = (0, 0);
        while base < patches {
            let len = if patches - base < TILE { patches - base } else { TILE };
            block.for_each(len, |i| part.set(i, rows.get(ROW * (base + i) + from)));
            let sum = block.exclusive_scan(part, len);
            block.for_each_nosync(len, |i| rows.set(ROW * (base + i) + to, carry + part.get(i)));
            carry += sum;
            base += TILE;
        }
    };
    column(word::LENGTHS[0], word::BASES[0]);
    column(word::LENGTHS[1], word::BASES[1]);
    column(word::LENGTHS[2], word::BASES[2]);
}

/// The first ids of patches, from their rows, and the ends.
#[kernel(threads = 256)]
pub fn read_ranges<'a>(
    block: &Block,
    rows: In<'a, u32>,
    patches: u32,
    vertices: u32,
    edges: u32,
    faces: u32,
    v: Out<'a, u32>,
    e: Out<'a, u32>,
    f: Out<'a, u32>,
) {
    block.for_each_of_tile(patches + 1, |p| {
        let first = |k: u32, end: u32| if p < patches { rows.get(ROW * p + k) } else { end };
        v.set(p, first(word::FIRST, vertices));
        e.set(p, first(word::FIRST + 1, edges));
        f.set(p, first(word::FIRST + 2, faces));
    });
}

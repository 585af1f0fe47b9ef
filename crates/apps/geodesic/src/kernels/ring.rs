//! The neighbours around each vertex, in global memory, for active vertices that are scattered over all
//! patches.
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope};
use ribbonmesh::device::query::{Around, FanRows, Fans, FansLayout, NO_LOCAL, Rows, Vf, VfLayout};
use ribbonmesh::device::{
    Arena, Block, Counts, In, MeshView, NONE, Out, Parameter, Patch, Quad, ResolveRibbon, Shared, kernel,
    tail,
};

/// Flag of an entry: the next neighbour shares no face with this one and the vertex.
pub const BREAK: u32 = 1 << 31;

/// The stored ring.
///
/// The entries of a vertex are neighbours; two that follow each other have a face with it, unless the first
/// has [`BREAK`]. A walk of m faces takes m + 1 entries, whether it closes or not. For a vertex without a
/// walk, each face takes two. A row is padded to whole [`Quad`]s with its last entry.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct RingView<'a> {
    /// For each vertex: the row's first quad, and in the upper half the number of its quads.
    pub rows: In<'a, u64>,
    /// The entries.
    pub entries: In<'a, Quad>,
}

impl RingView<'_> {
    /// Calls `f` with each entry of the row of `quads` quads from `first` on, and with the value of `load`
    /// for its neighbour. Four loads are in flight at a time. The loop is unrolled by hand, since arrays have
    /// to become registers.
    #[inline(always)]
    pub fn each<T: Copy>(&self, first: u32, quads: u32, load: impl Fn(u32) -> T, mut f: impl FnMut(u32, T)) {
        let mut q = 0;
        while q < quads {
            let [a, b, c, d] = self.entries.get(first + q).0;
            let of = |entry: u32| load(entry & !BREAK);
            let (x, y, z, w) = (of(a), of(b), of(c), of(d));
            f(a, x);
            f(b, y);
            f(c, z);
            f(d, w);
            q += 1;
        }
    }
}

/// A ring that is being made.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct NewRing<'a> {
    /// As [`RingView::rows`].
    pub rows: Out<'a, u64>,
    /// As [`RingView::entries`].
    pub entries: Out<'a, u32>,
    /// Room for entries per face: 1, or 2 if not every vertex has a walk.
    pub room: u32,
    /// Set to 1 if `room` should have been 2.
    pub narrow: Out<'a, u32>,
}
impl<'a> NewRing<'a> {
    /// The row of a vertex, whose faces begin at `start` among those of all vertices.
    #[inline(always)]
    pub fn row(&self, id: u32, start: u32) -> NewRow<'a> {
        // room for n + 1 entries and padding to a multiple of 4, without a count of the rows before
        let first = (self.room * start + 4 * id).next_multiple_of(4);
        NewRow { entries: self.entries, first, at: first, last: NONE }
    }
    /// Whether there is no room for two entries per face; sets [`NewRing::narrow`] then.
    #[inline(always)]
    pub fn refuses(&self) -> bool {
        if self.room < 2 {
            atomic::store(self.narrow, 0, 1, Relaxed, Scope::Device);
        }
        self.room < 2
    }
    /// Writes the rows of a patch's owned vertices. `faces` are in the order of the walk, except at
    /// `irregular` vertices; `others` gives the other two vertices of a face, as it is oriented. No barrier.
    #[inline(always)]
    fn write(
        &self,
        block: &Block,
        p: &Patch<'_>,
        faces: Rows<'_>,
        irregular: impl Fn(u32) -> bool,
        others: impl Fn(u32, u32) -> (u32, u32),
    ) {
        block.for_each_nosync(p.v.owned, |v| {
            let (id, n) = (p.v.first + v, faces.len(v));
            if n == 0 {
                return self.rows.set(id, 0);
            }
            let global = |local: u32| p.v.global(local);
            let mut row = self.row(id, p.vf_base + faces.start(v));
            if irregular(v) {
                if self.refuses() {
                    return;
                }
                for face in faces.of(v) {
                    let (a, b) = others(face, v);
                    row.put(global(a), 0);
                    row.put(global(b), BREAK);
                }
            } else {
                let mut end = 0;
                for face in faces.of(v) {
                    let (a, b) = others(face, v);
                    row.put(global(a), 0);
                    end = b;
                }
                row.put(global(end), BREAK);
            }
            self.rows.set(id, row.end());
        });
    }
}

/// A row that is being written.
#[derive(Clone, Copy)]
pub struct NewRow<'a> {
    entries: Out<'a, u32>,
    first: u32,
    at: u32,
    last: u32,
}
impl NewRow<'_> {
    /// Appends a neighbour, with [`BREAK`] or 0.
    #[inline(always)]
    pub fn put(&mut self, id: u32, mark: u32) {
        self.last = id | mark;
        self.entries.set(self.at, self.last);
        self.at += 1;
    }
    /// Pads the row; returns its value in [`RingView::rows`].
    #[inline(always)]
    pub fn end(mut self) -> u64 {
        while !self.at.is_multiple_of(4) {
            self.entries.set(self.at, self.last | BREAK);
            self.at += 1;
        }
        (self.first / 4) as u64 | ((self.at - self.first) as u64 / 4) << 32
    }
}

fn fans_memory<'b>(arena: &'b Arena, counts: &Counts) -> (FansLayout<'b>, Shared<'b, u32>) {
    (Fans::layout(arena, counts, Around::Faces), arena.take(counts.v_owned))
}
/// Makes the ring of an edge-manifold mesh. One block per patch.
#[kernel(threads = 256, shared = fans_memory(arena, &mesh.max))]
pub fn ring_by_walks<'a>(block: &Block, mesh: MeshView<'a>, ring: NewRing<'a>) {
    let p = mesh.patch(block.index());
    let (memory, irregular) = fans_memory(block.arena(), &p.counts);
    let report = |v: u32, problem: bool| irregular.set(v, problem as u32);
    let rows = Fans::walk(block, &p, memory, Around::Faces, 0, report).rows;
    let corner = |f: u32, i: u32| {
        let side = p.fe.get(3 * f + i) as u32;
        tail(side, p.ev.get(side >> 2))
    };
    ring.write(block, &p, rows, |v| irregular.get(v) != 0, |f, v| others([0, 1, 2].map(|i| corner(f, i)), v));
}

fn faces_memory<'b>(arena: &'b Arena, counts: &Counts) -> (VfLayout<'b>, Shared<'b, u32>) {
    (Vf::layout(arena, counts), arena.take(counts.v_owned))
}
/// Makes the ring of any mesh. One block per patch.
#[kernel(threads = 128, shared = faces_memory(arena, &mesh.max))]
pub fn ring_of_any<'a>(block: &Block, mesh: MeshView<'a>, ring: NewRing<'a>) {
    let p = mesh.patch(block.index());
    let (memory, irregular) = faces_memory(block.arena(), &p.counts);
    let vf = Vf::transpose(block, &p, memory, 0);
    FanRows::order(block, &p, vf, Around::Faces, vf.rows, |v, problem| irregular.set(v, problem as u32));
    ring.write(
        block,
        &p,
        vf.rows,
        |v| irregular.get(v) != 0,
        |f, v| others([0, 1, 2].map(|i| vf.corner(f, i)), v),
    );
}

/// The other two vertices of a face. For a face with fewer than three vertices: the other one, or `v`, twice.
#[inline(always)]
fn others([x, y, z]: [u32; 3], v: u32) -> (u32, u32) {
    if y == NO_LOCAL || z == NO_LOCAL {
        let second = if y == NO_LOCAL { z } else { y };
        let other = if x != v || second == NO_LOCAL { x } else { second };
        return (other, other);
    }
    if x == v {
        (y, z)
    } else if y == v {
        (z, x)
    } else {
        (x, y)
    }
}

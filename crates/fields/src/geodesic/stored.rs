//! The neighbours around each vertex, in global memory: what the active vertices, which are scattered over
//! all patches, read at once.
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope};
use ribbonmesh::device::{In, NONE, Out, Parameter, Quad};

/// In an entry: the next neighbour has no face with this one and the vertex.
pub const BREAK: u32 = 1 << 31;

/// The stored ring.
///
/// The entries of a vertex are neighbours; two that follow each other have a face with it, unless the first
/// has [`BREAK`]. A walk of m faces takes m + 1 entries, whether it closes or not; where there is none, each
/// face takes two. A row is filled up to whole [`Quad`]s with its last entry.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct RingView<'a> {
    /// For each vertex: the row's first quad, and in the upper half the number of its quads.
    pub rows: In<'a, u64>,
    /// The entries.
    pub entries: In<'a, Quad>,
}

impl RingView<'_> {
    /// Calls `f` with each entry of the row of `quads` quads from `first` on, and with what `load` gives for
    /// its neighbour. Four loads are under way at a time. Written out: arrays have to become registers.
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
    /// Entries that a face has room for: 1, or 2 if not every vertex has a walk.
    pub room: u32,
    /// Becomes 1 where that should have been 2.
    pub narrow: Out<'a, u32>,
}
impl<'a> NewRing<'a> {
    /// The row of a vertex, whose faces begin at `start` among those of all vertices.
    #[inline(always)]
    pub fn row(&self, id: u32, start: u32) -> NewRow<'a> {
        // room for n + 1 and to the next multiple of 4, without a count of all rows before
        let first = (self.room * start + 4 * id).next_multiple_of(4);
        NewRow { entries: self.entries, first, at: first, last: NONE }
    }
    /// Whether there is no room for two entries of a face; says so.
    #[inline(always)]
    pub fn refuses(&self) -> bool {
        if self.room < 2 {
            atomic::store(self.narrow, 0, 1, Relaxed, Scope::Device);
        }
        self.room < 2
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
    /// Fills the row up; gives its value in [`RingView::rows`].
    #[inline(always)]
    pub fn end(mut self) -> u64 {
        while !self.at.is_multiple_of(4) {
            self.entries.set(self.at, self.last | BREAK);
            self.at += 1;
        }
        (self.first / 4) as u64 | ((self.at - self.first) as u64 / 4) << 32
    }
}

//! Kernels of one closure: a query is asked for the whole patch, and the closure runs for each element that
//! the patch owns, with its neighbourhood in ids of the mesh (thesis 4.3.2, Listing 4.1).
use crate::patch::{Counts, Patch, hi, lo, tail};
use crate::query::{Fv, FvLayout, NO_LOCAL, Reach, Rows, Ve, Vf, VfLayout, Vv, VvLayout};
use crate::{Arena, Block, EdgeId, FaceId, MeshView, ResolveRibbon, VertexId};

/// A query that a kernel of one closure can ask: [`Vv`], [`Ve`], [`Vf`], [`Fv`], [`Ev`]; or a type of one's
/// own, such as a struct of two queries. It borrows the block's memory (`'b`) and the mesh (`'a`).
pub trait PatchQuery<'b, 'a>: Copy {
    /// Its shared memory.
    type Layout: Copy;
    /// Carves its shared memory for a patch with these numbers.
    fn carve(arena: &'b Arena, counts: &Counts) -> Self::Layout;
    /// Computes the query for the elements that a patch owns. Collective, ends with a barrier.
    fn ask(block: &'b Block, patch: &Patch<'a>, layout: Self::Layout) -> Self;
}

macro_rules! transposed { ($($query:ident $layout:ident)*) => { $(
    impl<'b, 'a> PatchQuery<'b, 'a> for $query<'b> {
        type Layout = $layout<'b>;
        #[inline(always)]
        fn carve(arena: &'b Arena, counts: &Counts) -> $layout<'b> {
            $query::layout(arena, counts)
        }
        #[inline(always)]
        fn ask(block: &'b Block, patch: &Patch<'a>, layout: $layout<'b>) -> Self {
            $query::transpose(block, patch, layout, 0)
        }
    }
)* } }
transposed! { Vv VvLayout Ve VvLayout Vf VfLayout }

impl<'b, 'a: 'b> PatchQuery<'b, 'a> for Fv<'b> {
    type Layout = FvLayout<'b>;
    #[inline(always)]
    fn carve(arena: &'b Arena, counts: &Counts) -> FvLayout<'b> {
        Fv::layout(arena, counts, Reach::Owned)
    }
    #[inline(always)]
    fn ask(block: &'b Block, patch: &Patch<'a>, layout: FvLayout<'b>) -> Self {
        let fv = Fv::stage_nosync(block, patch, layout, Reach::Owned);
        block.sync();
        fv
    }
}

/// EV: the two vertices of each edge, which patches store.
#[derive(Clone, Copy, Debug)]
pub struct Ev;
impl<'b, 'a> PatchQuery<'b, 'a> for Ev {
    type Layout = ();
    #[inline(always)]
    fn carve(_: &'b Arena, _: &Counts) {}
    #[inline(always)]
    fn ask(_: &'b Block, _: &Patch<'a>, (): ()) -> Self {
        Self
    }
}

/// A patch and the query about it: the first argument of a kernel of one closure. `StaticMesh::run` launches
/// such a kernel with a block for each patch, and shared memory for the query.
pub struct PerPatch<'b, 'a, Q> {
    block: &'b Block,
    patch: Patch<'a>,
    query: Q,
}
impl<'b, 'a, Q: PatchQuery<'b, 'a>> PerPatch<'b, 'a, Q> {
    /// Computes the query for the patch of this block. Collective. `#[kernel]` writes this call for a kernel
    /// whose first argument is a `PerPatch`; a kernel with several queries calls it, or the queries, itself.
    #[inline(always)]
    pub fn new(block: &'b Block, mesh: MeshView<'a>) -> Self {
        let patch = mesh.patch(block.index());
        let query = Q::ask(block, &patch, Q::carve(block.arena(), &patch.counts));
        Self { block, patch, query }
    }
    /// The block, for work beyond one closure: collectives, the status.
    #[inline(always)]
    pub fn block(&self) -> &'b Block {
        self.block
    }
    /// The patch, in local indices.
    #[inline(always)]
    pub fn patch(&self) -> &Patch<'a> {
        &self.patch
    }
    /// The query, in local indices.
    #[inline(always)]
    pub fn query(&self) -> Q {
        self.query
    }
    #[inline(always)]
    fn vertex(&self, local: u32) -> VertexId {
        VertexId::new(self.patch.v.global(local))
    }
    #[inline(always)]
    fn each_vertex(&self, f: impl Fn(VertexId, u32)) {
        self.block.for_each_nosync(self.patch.v.owned, |v| f(VertexId::new(self.patch.v.first + v), v));
    }
}

impl<'b, 'a> PerPatch<'b, 'a, Vv<'b>> {
    /// Runs `f(vertex, neighbours)` for each vertex, in parallel: the vertices that an edge joins with it, in
    /// any order.
    #[inline(always)]
    pub fn for_each_vertex(&self, f: impl Fn(VertexId, Neighbours<'_, 'a>)) {
        self.each_vertex(|id, v| f(id, Neighbours { patch: &self.patch, row: Row::of(self.query.rows, v) }));
    }
}
impl<'b, 'a> PerPatch<'b, 'a, Ve<'b>> {
    /// Runs `f(vertex, edges)` for each vertex, in parallel: the edges with this end, in any order.
    #[inline(always)]
    pub fn for_each_vertex(&self, f: impl Fn(VertexId, Edges<'_, 'a>)) {
        self.each_vertex(|id, v| f(id, Edges { patch: &self.patch, row: Row::of(self.query.rows, v) }));
    }
}
impl<'b, 'a> PerPatch<'b, 'a, Vf<'b>> {
    /// Runs `f(vertex, faces)` for each vertex, in parallel: the faces with this corner, each once, in any
    /// order.
    #[inline(always)]
    pub fn for_each_vertex(&self, f: impl Fn(VertexId, Faces<'_, 'a>)) {
        self.each_vertex(|id, v| {
            f(id, Faces { patch: &self.patch, query: self.query, row: Row::of(self.query.rows, v) })
        });
    }
}
impl<'b, 'a: 'b> PerPatch<'b, 'a, Fv<'b>> {
    /// Runs `f(face, vertices)` for each face, in parallel: its vertices in the order of the input.
    #[inline(always)]
    pub fn for_each_face(&self, f: impl Fn(FaceId, [VertexId; 3])) {
        let first = self.patch.f.first;
        self.block.for_each_nosync(self.patch.f.owned, |l| {
            let [a, b, c] = self.query.of(l);
            f(FaceId::new(first + l), [self.vertex(a), self.vertex(b), self.vertex(c)]);
        });
    }
}
impl<'a> PerPatch<'_, 'a, Ev> {
    /// Runs `f(edge, ends)` for each edge, in parallel.
    #[inline(always)]
    pub fn for_each_edge(&self, f: impl Fn(EdgeId, [VertexId; 2])) {
        let first = self.patch.e.first;
        self.block.for_each_nosync(self.patch.e.owned, |l| {
            let edge = PatchEdge { patch: &self.patch, local: l };
            f(EdgeId::new(first + l), edge.ends());
        });
    }
}

/// The entries of a row that are still to come.
struct Row<'b> {
    rows: Rows<'b>,
    at: u32,
    end: u32,
}
impl<'b> Row<'b> {
    #[inline(always)]
    fn of(rows: Rows<'b>, i: u32) -> Self {
        let at = rows.start(i);
        Self { rows, at, end: at + rows.len(i) }
    }
    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        if self.at == self.end {
            return None;
        }
        self.at += 1;
        Some(self.rows.entry(self.at - 1))
    }
}

macro_rules! iterators { ($($(#[$doc:meta])* $name:ident $item:ty, |$self:ident, $local:ident| $make:expr, { $($field:ident: $type:ty),* };)*) => { $(
    $(#[$doc])*
    pub struct $name<'p, 'a> {
        patch: &'p Patch<'a>,
        row: Row<'p>,
        $($field: $type),*
    }
    impl $name<'_, '_> {
        /// The number of elements.
        #[inline(always)]
        pub fn len(&self) -> u32 {
            self.row.end - self.row.at
        }
        /// Whether there are none.
        #[inline(always)]
        pub fn is_empty(&self) -> bool {
            self.row.end == self.row.at
        }
    }
    impl<'p, 'a> Iterator for $name<'p, 'a> {
        type Item = $item;
        #[inline(always)]
        fn next(&mut self) -> Option<$item> {
            let $local = self.row.next()?;
            let $self = self;
            Some($make)
        }
    }
)* } }
iterators! {
    /// The neighbours of a vertex.
    Neighbours VertexId, |row, local| VertexId::new(row.patch.v.global(local)), {};
    /// The edges of a vertex.
    Edges PatchEdge<'p, 'a>, |row, local| PatchEdge { patch: row.patch, local }, {};
    /// The faces of a vertex.
    Faces PatchFace<'p, 'a>, |row, local| PatchFace { patch: row.patch, query: row.query, local }, { query: Vf<'p> };
}

/// An edge beside an element that the patch owns.
#[derive(Clone, Copy)]
pub struct PatchEdge<'p, 'a> {
    patch: &'p Patch<'a>,
    local: u32,
}
impl PatchEdge<'_, '_> {
    /// Its id.
    #[inline(always)]
    pub fn id(&self) -> EdgeId {
        EdgeId::new(self.patch.e.global(self.local))
    }
    /// Its two vertices.
    #[inline(always)]
    pub fn ends(&self) -> [VertexId; 2] {
        let ev = self.patch.ev.get(self.local);
        [lo(ev), hi(ev)].map(|v| VertexId::new(self.patch.v.global(v)))
    }
}

/// A face beside a vertex that the patch owns.
#[derive(Clone, Copy)]
pub struct PatchFace<'p, 'a> {
    patch: &'p Patch<'a>,
    query: Vf<'p>,
    local: u32,
}
impl PatchFace<'_, '_> {
    /// Its id.
    #[inline(always)]
    pub fn id(&self) -> FaceId {
        FaceId::new(self.patch.f.global(self.local))
    }
    /// Its vertices, in the order of the input.
    #[inline(always)]
    pub fn corners(&self) -> [VertexId; 3] {
        [0, 1, 2].map(|i| {
            let mut v = self.query.corner(self.local, i);
            if v == NO_LOCAL {
                // a vertex that the face has twice
                let side = self.patch.fe.get(3 * self.local + i) as u32;
                v = tail(side, self.patch.ev.get(side >> 2));
            }
            VertexId::new(self.patch.v.global(v))
        })
    }
}

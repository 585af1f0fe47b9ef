//! FV: M_FV = M_FE M_EV (Listing 4.2, corrected).
use super::split::stage_nosync;
use crate::patch::{Counts, Patch, tail};
use crate::{Arena, Block, In, Quad, Shared};

/// The faces for which a query is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Owned faces.
    Owned,
    /// Owned faces and those with an owned vertex.
    AroundVertices,
    /// All faces of the patch.
    All,
}
impl Reach {
    /// Number of faces, a prefix of the patch's.
    #[inline(always)]
    pub fn faces(self, counts: &Counts) -> u32 {
        match self {
            Self::Owned => counts.f_owned,
            Self::AroundVertices => counts.f_of_v,
            Self::All => counts.f_all,
        }
    }
    /// Number of edges that contains those faces' edges, a prefix of the patch's.
    #[inline(always)]
    pub fn edges(self, counts: &Counts) -> u32 {
        match self {
            Self::Owned => counts.e_of_f,
            Self::AroundVertices => counts.e_near,
            Self::All => counts.e_all,
        }
    }
}

/// Shared memory of [`Fv`].
#[derive(Clone, Copy)]
pub struct FvLayout<'b>(Shared<'b, Quad>);

/// The vertices of faces: EV in shared memory, FE where it is.
#[derive(Clone, Copy)]
pub struct Fv<'a> {
    ev: Shared<'a, u32>,
    fe: In<'a, u16>,
}
impl<'a> Fv<'a> {
    /// Carves its shared memory: 4 bytes per edge.
    #[inline(always)]
    pub fn layout(arena: &'a Arena, counts: &Counts, reach: Reach) -> FvLayout<'a> {
        FvLayout(arena.take(reach.edges(counts).div_ceil(4)))
    }
    /// Loads EV with 16-byte loads; no barrier, which must come before the first use.
    #[inline(always)]
    pub fn stage_nosync(block: &Block, patch: &Patch<'a>, layout: FvLayout<'a>, reach: Reach) -> Self {
        stage_nosync(block, patch.ev.wide(), layout.0, reach.edges(&patch.counts).div_ceil(4));
        Self::from_layout(patch, layout)
    }
    /// The value, before [`Fv::stage_nosync`] fills its memory.
    #[inline(always)]
    pub fn from_layout(patch: &Patch<'a>, layout: FvLayout<'a>) -> Self {
        Self { ev: layout.0.wide(), fe: patch.fe }
    }
    /// The vertex at which the side with entry `fe` begins.
    #[inline(always)]
    pub fn tail(&self, fe: u32) -> u32 {
        tail(fe, self.ev.get(fe >> 2))
    }
    /// The vertices of the face, in the order of the input.
    #[inline(always)]
    pub fn of(&self, face: u32) -> [u32; 3] {
        let v = |i: u32| self.tail(self.fe.get(3 * face + i) as u32);
        [v(0), v(1), v(2)]
    }
    /// The edges of the face; edge `i` goes from vertex `i` to vertex `i + 1`.
    #[inline(always)]
    pub fn edges(&self, face: u32) -> [u32; 3] {
        let e = |i: u32| self.fe.get(3 * face + i) as u32 >> 2;
        [e(0), e(1), e(2)]
    }
    /// The two vertices of an edge, packed as in EV.
    #[inline(always)]
    pub fn ends(&self, edge: u32) -> u32 {
        self.ev.get(edge)
    }
}

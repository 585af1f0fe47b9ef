//! The state of rounds: claims, candidates, records, counters. Operators do not see it.
use crate::device::{Out, Parameter};
use crate::dynamic::control;
use crate::dynamic::view::Tables;

/// A dynamic mesh that is being changed, and what its rounds keep.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Rounds<'a> {
    /// The mesh.
    pub mesh: Tables<'a>,
    /// Claims of faces.
    pub claims: Out<'a, u64>,
    /// Claims of edges to be, by a hash of their ends; a power of two of them.
    pub slots: Out<'a, u64>,
    /// One bit per seed: out of this pass.
    pub out: Out<'a, u32>,
    /// One bit per edge: to be looked at in even passes.
    pub look_even: Out<'a, u32>,
    /// One bit per edge: to be looked at in odd passes.
    pub look_odd: Out<'a, u32>,
    /// For each seed where the record of its cavity begins, plus 1; 0 for none.
    pub place: Out<'a, u32>,
    /// Candidates of even rounds: seed; what is kept of its priority, and above that the number of its faces,
    /// 16 bits each. As long as the other list; a round with more candidates is run again with longer ones.
    pub even: Out<'a, [u32; 2]>,
    /// Candidates of odd rounds.
    pub odd: Out<'a, [u32; 2]>,
    /// Records of cavities.
    pub records: Out<'a, u32>,
    /// Per tile of a card's seeds: new vertices, edges and faces, then where they begin, counted from the
    /// card's first; and the number of winners. Each card has a part.
    pub needs: Out<'a, u32>,
    /// Counters.
    pub control: Out<'a, u32>,
    /// Vertices that there is room for.
    pub most_vertices: u32,
    /// Edges that there is room for.
    pub most_edges: u32,
    /// Faces that there is room for.
    pub most_faces: u32,
    /// Cards that share a round: each has a part of the seeds, of the lists, of the records and of the
    /// counters, in its own memory. The same in all rounds of a run.
    pub parts: u32,
    /// Words from the counters of one part to those of the next.
    pub apart: u32,
}

/// Some words that kernels of an application may write, which the host finds in the report of the next run:
/// it learns something without a wait of its own.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct ReportWords<'a> {
    #[doc(hidden)]
    pub control: Out<'a, u32>,
}
impl ReportWords<'_> {
    /// Number of words.
    pub const LEN: u32 = control::WORDS - control::OWN;
    /// Writes word `i`, below [`ReportWords::LEN`].
    #[inline(always)]
    pub fn set(&self, i: u32, value: u32) {
        debug_assert!(i < Self::LEN);
        self.control.set(control::OWN + i, value);
    }
}

//! VV and VE: EV transposed.
use super::split::{clear_nosync, split, stage_nosync};
use super::{Ahead, Rows};
use crate::patch::{Counts, Patch, hi, lo};
use crate::{Arena, Block, NONE, Quad, Shared};

/// Shared memory of [`Vv`] or [`Ve`].
#[derive(Clone, Copy)]
pub struct VvLayout<'b> {
    starts: Shared<'b, u32>,
    ev: Shared<'b, Quad>,
    list: Shared<'b, u64>,
}
impl<'b> VvLayout<'b> {
    #[inline(always)]
    fn new(arena: &'b Arena, counts: &Counts, entries: u32) -> Self {
        Self {
            starts: arena.take(counts.v_owned + 1),
            ev: arena.take(counts.e_of_v.div_ceil(4)),
            list: arena.take((entries + 3).div_ceil(4)),
        }
    }
}

/// M_VV = M_EV^T M_EV: the neighbours of each owned vertex, each once, never the vertex itself.
#[derive(Clone, Copy)]
pub struct Vv<'b> {
    /// A row per owned vertex.
    pub rows: Rows<'b>,
}
/// M_VE = M_EV^T: the edges of each owned vertex, each once.
#[derive(Clone, Copy)]
pub struct Ve<'b> {
    /// A row per owned vertex.
    pub rows: Rows<'b>,
}

macro_rules! query { ($($name:ident $entries:ident: |$w:ident, $e:ident| [$a:expr, $b:expr], $loops:expr;)*) => { $(
    impl<'b> $name<'b> {
        /// Carves its shared memory: 4 bytes per owned vertex and edge at one, 2 per entry.
        #[inline(always)]
        pub fn layout(arena: &'b Arena, counts: &Counts) -> VvLayout<'b> {
            VvLayout::new(arena, counts, counts.$entries)
        }
        /// Transposes EV; `shift` (at most 3) entries are left free before the rows, see [`Rows::write`].
        /// Work linear in the edges at owned vertices, two atomics per entry. Collective; begins with work
        /// that needs no barrier before it, ends with a barrier.
        #[inline(always)]
        pub fn transpose(block: &Block, patch: &Patch<'_>, layout: VvLayout<'b>, shift: u32) -> Self {
            Self::transpose_ahead(block, patch, layout, shift, ())
        }
        /// The same with loads of `ahead` under way at its start.
        #[inline(always)]
        pub fn transpose_ahead(
            block: &Block,
            patch: &Patch<'_>,
            layout: VvLayout<'b>,
            shift: u32,
            ahead: impl Ahead,
        ) -> Self {
            let VvLayout { starts, ev, list } = layout;
            let (n, edges) = (patch.counts.v_owned, patch.counts.e_of_v);
            ahead.around(block, || {
                clear_nosync(block, starts);
                stage_nosync(block, patch.ev.wide(), ev, edges.div_ceil(4));
            });
            block.sync();
            let (ev, memory) = (ev.wide::<u32>(), (starts, list.wide(), shift));
            let rows = if patch.degenerate_faces() {
                split(block, n, memory, edges, |$e| {
                    let $w = ev.get($e);
                    // a loop edge
                    if lo($w) == hi($w) { $loops } else { [$a, $b] }
                })
            } else {
                split(block, n, memory, edges, |$e| {
                    let $w = ev.get($e);
                    [$a, $b]
                })
            };
            Self { rows }
        }
        /// The entries of owned vertex `v`, as local indices.
        #[inline(always)]
        pub fn of(&self, v: u32) -> impl Iterator<Item = u32> + use<'b> {
            self.rows.of(v)
        }
    }
)* } }
query! {
    Vv vv: |w, e| [(lo(w), hi(w)), (hi(w), lo(w))], [(NONE, 0), (NONE, 0)];
    Ve ve: |w, e| [(lo(w), e), (hi(w), e)], [(lo(w), e), (NONE, 0)];
}

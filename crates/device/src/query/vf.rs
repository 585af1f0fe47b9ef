//! VF: M_VF = M_FV^T.
use super::corners::{face_of, map4};
use super::split::{clear_nosync, stage_nosync};
use super::{Ahead, NO_LOCAL, Rows};
use crate::patch::{Counts, Patch, tail};
use crate::{Arena, Block, Quad, Shared};

/// Shared memory of [`Vf`].
#[derive(Clone, Copy)]
pub struct VfLayout<'b> {
    starts: Shared<'b, u32>,
    /// EV, then the list.
    overlaid: Shared<'b, u64>,
    corners: Shared<'b, u64>,
}

/// M_VF = M_EV^T M_FE^T: the faces of each owned vertex, each once.
#[derive(Clone, Copy)]
pub struct Vf<'b> {
    /// A row per owned vertex.
    pub rows: Rows<'b>,
    corners: Shared<'b, u16>,
}
impl<'b> Vf<'b> {
    /// Carves its shared memory: 4 bytes per owned vertex, 6 per face with an owned vertex, and 4 per edge of
    /// one or 2 per entry, whichever is more.
    #[inline(always)]
    pub fn layout(arena: &'b Arena, counts: &Counts) -> VfLayout<'b> {
        let (ev, list) = (2 * counts.e_near.div_ceil(4), (counts.vf + 3).div_ceil(4));
        VfLayout {
            starts: arena.take(counts.v_owned + 1),
            overlaid: arena.take(if ev > list { ev } else { list }),
            corners: arena.take((3 * counts.f_of_v).div_ceil(4)),
        }
    }
    /// Finds FV and transposes it; `shift` (at most 3) entries are left free before the rows, see
    /// [`Rows::write`]. Work linear in the faces with an owned vertex, two atomics per entry. Collective;
    /// begins with work that needs no barrier before it, ends with a barrier.
    #[inline(always)]
    pub fn transpose(block: &Block, patch: &Patch<'_>, layout: VfLayout<'b>, shift: u32) -> Self {
        Self::transpose_ahead(block, patch, layout, shift, ())
    }
    /// The same with loads of `ahead` under way at its start.
    #[inline(always)]
    pub fn transpose_ahead(
        block: &Block,
        patch: &Patch<'_>,
        layout: VfLayout<'b>,
        shift: u32,
        ahead: impl Ahead,
    ) -> Self {
        let VfLayout { starts, overlaid, corners } = layout;
        let (n, faces) = (patch.counts.v_owned, patch.counts.f_of_v);
        let (words, ev) = ((3 * faces).div_ceil(4), overlaid.wide::<Quad>());
        let prepare = || {
            ahead.around(block, || {
                clear_nosync(block, starts);
                stage_nosync(block, patch.ev.wide(), ev, patch.counts.e_near.div_ceil(4));
            });
            block.sync();
        };
        let ev = ev.wide::<u32>();
        let vertex = |fe: u32| tail(fe, ev.get(fe >> 2));
        let count = |v: u32| {
            if v < n {
                starts.fetch_add(v + 1, 1);
            }
            v
        };
        if patch.degenerate_faces() {
            prepare();
            let each = corners.wide::<u16>();
            block.for_each_nosync(faces, |f| {
                let v = |i: u32| vertex(patch.fe.get(3 * f + i) as u32);
                let (a, b, c) = (v(0), v(1), v(2));
                let again = [false, a == b, c == a || c == b];
                for (i, v) in [a, b, c].into_iter().enumerate() {
                    each.set(3 * f + i as u32, if again[i] { NO_LOCAL } else { count(v) } as u16);
                }
            });
            // the rest of the last word
            block.for_each_nosync(4 * words - 3 * faces, |i| each.set(3 * faces + i, NO_LOCAL as u16));
        } else {
            let fe = patch.fe.wide::<u64>();
            block.for_each_ahead_nosync::<u64, 2>(
                words,
                |q| fe.get(q),
                prepare,
                |q, entries| {
                    let vertices =
                        map4(
                            entries,
                            |k, fe| {
                                if 4 * q + k < 3 * faces { count(vertex(fe)) } else { NO_LOCAL }
                            },
                        );
                    corners.set(q, vertices);
                },
            );
        }
        block.sync();
        let total = block.exclusive_scan(starts, n + 1);
        let list = overlaid.wide::<u16>();
        block.for_each(words, |q| {
            map4(corners.get(q), |k, v| {
                if v < n {
                    list.set(shift + starts.fetch_add(v + 1, 1), face_of(q, k) as u16);
                }
                0
            });
        });
        Self { rows: Rows { starts, list, shift, rows: n, total }, corners: corners.wide() }
    }
    /// The faces of owned vertex `v`, as local indices.
    #[inline(always)]
    pub fn of(&self, v: u32) -> impl Iterator<Item = u32> + use<'b> {
        self.rows.of(v)
    }
    /// Vertex `i` of a face with an owned vertex; [`NO_LOCAL`] where an earlier one of the face is the same.
    #[inline(always)]
    pub fn corner(&self, face: u32, i: u32) -> u32 {
        self.corners.get(3 * face + i) as u32
    }
}

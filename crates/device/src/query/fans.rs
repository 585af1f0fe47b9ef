//! Circulation around vertices, on meshes without degenerate faces whose edges have at most two.
use super::split::{clear_nosync, stage_nosync};
use super::{NO_LOCAL, Rows};
use crate::patch::{Counts, Patch, hi, lo, pack, tail};
use crate::{Arena, Block, Quad, Shared};

/// Kind of the elements in a row around a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Around {
    /// Its neighbours.
    Vertices,
    /// Its edges.
    Edges,
    /// Its faces.
    Faces,
}
impl Around {
    /// Entries of the result of a patch.
    #[inline(always)]
    fn entries(self, counts: &Counts) -> u32 {
        match self {
            Self::Vertices => counts.vv,
            Self::Edges => counts.ve,
            Self::Faces => counts.vf,
        }
    }
}

/// Shared memory of [`Fans`].
#[derive(Clone, Copy)]
pub struct FansLayout<'b> {
    starts: Shared<'b, u32>,
    first: Shared<'b, u32>,
    /// EV, then the list.
    overlaid: Shared<'b, u64>,
    links: Shared<'b, u64>,
    steps: Shared<'b, u32>,
}

/// VV, VE or VF with each row in the order of a walk around the vertex.
///
/// A row runs counterclockwise as its faces are oriented: after the face (v, a, b) comes (v, b, c). It begins
/// at the boundary edge from which the walk passes all faces, or, where there is none, at the face with the
/// smallest local index. A vertex without such a walk (several fans, or neighbouring faces of opposite
/// orientation) keeps a row in no particular order, and is reported. On any other mesh as [`Ef`](super::Ef).
#[derive(Clone, Copy)]
pub struct Fans<'b> {
    /// For each corner: the corner at which a walk goes on, and the entry of a row for the corner's side.
    steps: Shared<'b, u32>,
    first: Shared<'b, u32>,
    /// A row per owned vertex.
    pub rows: Rows<'b>,
}

/// The walk ends here: a boundary edge. Corners are less than this and the next.
const END: u32 = NO_LOCAL;
/// The next face has the opposite orientation.
const TWISTED: u32 = NO_LOCAL - 1;

impl<'b> Fans<'b> {
    /// Carves its shared memory: 8 bytes per owned vertex and per edge (where the entries at 2 bytes each
    /// then find room), 12 per face with an owned vertex.
    #[inline(always)]
    pub fn layout(arena: &'b Arena, counts: &Counts, around: Around) -> FansLayout<'b> {
        let (ev, list) = (2 * counts.e_near.div_ceil(4), (around.entries(counts) + 3).div_ceil(4));
        FansLayout {
            starts: arena.take(counts.v_owned + 1),
            first: arena.take(counts.v_owned),
            overlaid: arena.take(if ev > list { ev } else { list }),
            links: arena.take(counts.e_of_v.div_ceil(2)),
            steps: arena.take(3 * counts.f_of_v),
        }
    }
    /// Walks around every owned vertex; `report(v, problem)` is told for each vertex whether there is no such
    /// walk. Work linear in the faces with an owned vertex (and in the patch, for each vertex without a
    /// walk), two atomics per entry. Collective, ends with a barrier.
    ///
    /// First every corner learns where a walk goes on from it, all at once; a walk is then one load from
    /// shared memory per step.
    #[inline(always)]
    #[track_caller]
    pub fn walk(
        block: &Block,
        patch: &Patch<'_>,
        layout: FansLayout<'b>,
        around: Around,
        shift: u32,
        report: impl Fn(u32, bool),
    ) -> Self {
        block.expect_edge_manifold(patch);
        let FansLayout { starts, first, overlaid, links, steps } = layout;
        let (n, faces, edges) = (patch.counts.v_owned, patch.counts.f_of_v, patch.counts.e_of_v);
        clear_nosync(block, starts);
        block.for_each_nosync(n, |v| first.set(v, u32::MAX));
        block.for_each_nosync(links.len(), |i| links.set(i, u64::MAX));
        stage_nosync(block, patch.ev.wide(), overlaid.wide::<Quad>(), patch.counts.e_near.div_ceil(4));
        block.sync();

        // for each edge and slot, the corner at which its face has the edge
        let (fe, ev, links) = (patch.fe, overlaid.wide::<u32>(), links.wide::<u16>());
        let sides = |f: u32| [0, 1, 2].map(|i| fe.get(3 * f + i) as u32);
        let count = |v: u32| {
            if v < n {
                starts.fetch_add(v, 1);
            }
        };
        block.for_each_nosync(faces, |f| {
            for (i, side) in sides(f).into_iter().enumerate() {
                if side >> 2 < edges {
                    links.set(side >> 1, if twisted(side) { TWISTED } else { 3 * f + i as u32 } as u16);
                }
                if around == Around::Faces {
                    count(tail(side, ev.get(side >> 2)));
                }
            }
        });
        if around != Around::Faces {
            block.for_each_nosync(edges, |e| {
                count(lo(ev.get(e)));
                count(hi(ev.get(e)));
            });
        }
        block.sync();
        block.for_each_nosync(faces, |f| {
            let sides = sides(f);
            for i in 0..3u32 {
                let (side, back) = (sides[i as usize], sides[(i as usize + 2) % 3]);
                let (c, ends) = (3 * f + i, ev.get(side >> 2));
                let v = tail(side, ends);
                let mut after = END;
                if v < n {
                    let inner = links.get((side >> 1) ^ 1) as u32 != NO_LOCAL;
                    first.fetch_min(v, pack(c, inner as u32));
                    after = if twisted(back) { TWISTED } else { links.get((back >> 1) ^ 1) as u32 };
                }
                let entry = match around {
                    Around::Vertices => tail(side ^ 1, ends),
                    Around::Edges => side >> 2,
                    Around::Faces => f,
                };
                steps.set(c, pack(after, entry));
            }
        });
        let total = block.exclusive_scan(starts, n + 1);
        let rows = Rows { starts, list: overlaid.wide(), shift, rows: n, total };
        let fans = Self { steps, first, rows };
        block.for_each(n, |v| {
            let regular = fans.walk_around(v, around);
            if !regular {
                fans.list_around(v, around, patch);
            }
            report(v, !regular);
        });
        fans
    }
    /// Fills row `v` by a walk; whether that passed everything there is.
    #[inline(always)]
    fn walk_around(&self, v: u32, around: Around) -> bool {
        let (at, n) = (self.rows.start(v), self.rows.len(v));
        if n == 0 {
            return true;
        }
        let first = lo(self.first.get(v));
        let (mut c, mut k) = (first, 0);
        while k < n {
            let step = self.steps.get(c);
            self.rows.set_entry(at + k, hi(step));
            k += 1;
            match lo(step) {
                END if around == Around::Faces => return k == n,
                END => {
                    // the side that returns to v; its tail is the head of the one before
                    let f = c - c % 3;
                    let last = f + (c + if around == Around::Vertices { 1 } else { 2 }) % 3;
                    if k < n {
                        self.rows.set_entry(at + k, hi(self.steps.get(last)));
                    }
                    return k + 1 == n;
                }
                TWISTED => return false,
                after if after == first => return k == n,
                after => c = after,
            }
        }
        false
    }
    /// Fills row `v` in no particular order.
    #[cold]
    fn list_around(&self, v: u32, around: Around, patch: &Patch<'_>) {
        let mut at = self.rows.start(v);
        let mut put = |x: u32| {
            self.rows.set_entry(at, x);
            at += 1;
        };
        let n = if around == Around::Faces { patch.counts.f_of_v } else { patch.counts.e_of_v };
        let mut i = 0;
        while i < n {
            if around == Around::Faces {
                let corner = |k: u32| {
                    let side = patch.fe.get(3 * i + k) as u32;
                    tail(side, patch.ev.get(side >> 2))
                };
                if corner(0) == v || corner(1) == v || corner(2) == v {
                    put(i);
                }
            } else {
                let ends = patch.ev.get(i);
                if lo(ends) == v || hi(ends) == v {
                    put(if around == Around::Edges { i } else { lo(ends) ^ hi(ends) ^ v });
                }
            }
            i += 1;
        }
    }
}

/// Whether this side and the other one of its edge run in the same direction. Side 0 of an edge runs with it.
#[inline(always)]
fn twisted(side: u32) -> bool {
    side & 3 == 2
}

//! Circulation around vertices, on meshes without degenerate faces whose edges have at most two.
use super::fv::{Fv, FvLayout, Reach};
use super::split::clear_nosync;
use super::{NO_LOCAL, Rows};
use crate::patch::{Counts, Patch, hi, lo};
use crate::{Arena, Block, In, Shared};

/// What a row around a vertex holds.
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
pub struct FansLayout {
    starts: Shared<u32>,
    first: Shared<u32>,
    fv: FvLayout,
    links: Shared<u64>,
    list: Shared<u64>,
}

/// VV, VE or VF with each row in the order of a walk around the vertex.
///
/// A row runs counterclockwise as its faces are oriented: after the face (v, a, b) comes (v, b, c). It begins at the
/// boundary edge from which the walk passes all faces, or, where there is none, at the face with the smallest local
/// index. A vertex without such a walk (several fans, or neighbouring faces of opposite orientation) keeps a row in
/// no particular order, and is reported.
#[derive(Clone, Copy)]
pub struct Fans<'a> {
    fv: Fv<'a>,
    fe: In<'a, u16>,
    /// For each edge and slot, the corner at which its face has the edge.
    links: Shared<u16>,
    first: Shared<u32>,
    /// A row per owned vertex.
    pub rows: Rows,
}

impl<'a> Fans<'a> {
    /// Carves its shared memory: 8 bytes per owned vertex and per edge, 2 per entry.
    #[inline(always)]
    pub fn layout(arena: &Arena, counts: &Counts, around: Around) -> FansLayout {
        FansLayout {
            starts: arena.take(counts.v_owned + 1),
            first: arena.take(counts.v_owned),
            fv: Fv::layout(arena, counts, Reach::AroundVertices),
            links: arena.take(counts.e_of_v.div_ceil(2)),
            list: arena.take((around.entries(counts) + 3).div_ceil(4)),
        }
    }
    /// Walks around every owned vertex; `report(v, problem)` is told for each whether there is no such walk. Work
    /// linear in the faces with an owned vertex (and in the patch, for each vertex without a walk), two atomics per
    /// entry. Collective, ends with a barrier.
    #[inline(always)]
    pub fn walk(
        block: &Block,
        patch: &Patch<'a>,
        layout: FansLayout,
        around: Around,
        shift: u32,
        report: impl Fn(u32, bool),
    ) -> Self {
        let (n, starts) = (patch.counts.v_owned, layout.starts);
        let (corners, edges) = (3 * patch.counts.f_of_v, patch.counts.e_of_v);
        clear_nosync(block, starts);
        block.for_each_nosync(n, |v| layout.first.set(v, u32::MAX));
        block.for_each_nosync(layout.links.len(), |i| layout.links.set(i, u64::MAX));
        let fv = Fv::stage_nosync(block, patch, layout.fv, Reach::AroundVertices);
        block.sync();

        let (fe, links) = (patch.fe, layout.links.wide::<u16>());
        let count = |v: u32| {
            if v < n {
                starts.fetch_add(v, 1);
            }
        };
        block.for_each_nosync(corners, |c| {
            let fe = fe.get(c) as u32;
            if fe >> 2 < edges {
                links.set(fe >> 1, c as u16);
            }
            if around == Around::Faces {
                count(fv.tail(fe));
            }
        });
        if around != Around::Faces {
            block.for_each_nosync(edges, |e| {
                count(lo(fv.ends(e)));
                count(hi(fv.ends(e)));
            });
        }
        block.sync();
        block.for_each_nosync(corners, |c| {
            let fe = fe.get(c) as u32;
            let v = fv.tail(fe);
            if v < n {
                let inner = links.get((fe >> 1) ^ 1) as u32 != NO_LOCAL;
                layout.first.fetch_min(v, c | (inner as u32) << 16);
            }
        });
        let total = block.exclusive_scan(starts, n + 1);
        let rows = Rows { starts, list: layout.list.wide(), shift, rows: n, total };
        let fans = Self { fv, fe, links, first: layout.first, rows };
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
            // side c leaves v, side `back` returns to it
            let (face, side) = (c / 3, self.fe.get(c) as u32);
            let back = self.fe.get(if c == 3 * face { c + 2 } else { c - 1 }) as u32;
            self.rows.set_entry(
                at + k,
                match around {
                    Around::Vertices if side & 1 == 0 => hi(self.fv.ends(side >> 2)),
                    Around::Vertices => lo(self.fv.ends(side >> 2)),
                    Around::Edges => side >> 2,
                    Around::Faces => face,
                },
            );
            k += 1;
            c = self.links.get((back >> 1) ^ 1) as u32;
            if c == NO_LOCAL {
                let more = around != Around::Faces;
                if more && k < n {
                    self.rows.set_entry(
                        at + k,
                        if around == Around::Edges { back >> 2 } else { self.fv.tail(back) },
                    );
                }
                return k + more as u32 == n;
            }
            if (self.fe.get(c) as u32 ^ back) & 1 == 0 {
                return false;
            }
            if c == first {
                return k == n;
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
                let [a, b, c] = self.fv.of(i);
                if a == v || b == v || c == v {
                    put(i);
                }
            } else {
                let (a, b) = (lo(self.fv.ends(i)), hi(self.fv.ends(i)));
                if a == v || b == v {
                    put(if around == Around::Edges { i } else { a ^ b ^ v });
                }
            }
            i += 1;
        }
    }
}

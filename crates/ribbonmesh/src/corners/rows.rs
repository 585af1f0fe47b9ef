//! The corners of each owned vertex, in shared memory.
use crate::corners::at::Points;
use crate::corners::stage::Vectors;
use crate::device::query::NO_LOCAL;
use crate::device::{Arena, Block, Counts, Patch, Quad, Shared, pack, tail};
use glam::Vec3;

/// Shared memory of [`Rows`].
#[derive(Clone, Copy)]
pub struct RowsLayout<'b> {
    starts: Shared<'b, u32>,
    /// EV, then the corners by vertex.
    overlaid: Shared<'b, Quad>,
    /// The corners by face, then whatever follows.
    corners: Shared<'b, Quad>,
}

/// For each owned vertex the corners of its faces that are not degenerate: the next and the previous local
/// vertex, [`pack`]ed. M_FV transposed, as for VF, but with the corner's vertices in place of the face.
#[derive(Clone, Copy)]
pub struct Rows<'b> {
    starts: Shared<'b, u32>,
    corners: Shared<'b, u32>,
    /// Memory that is free again: enough for a vector per owned vertex, as [`Vectors`] has them.
    pub free: Shared<'b, f32>,
}
impl<'b> Rows<'b> {
    /// Carves its memory: 4 bytes per owned vertex, 4 per corner or edge near one, 2 per corner of the faces
    /// around.
    #[inline(always)]
    pub fn layout(arena: &'b Arena, counts: &Counts) -> RowsLayout<'b> {
        let larger = |a: u32, b: u32| if a > b { a } else { b };
        RowsLayout {
            starts: arena.take(counts.v_owned + 1),
            overlaid: arena.take(larger(counts.e_near.div_ceil(4), counts.vf.div_ceil(4))),
            corners: arena.take(larger((3 * counts.f_of_v).div_ceil(8), Vectors::quads(counts.v_owned))),
        }
    }
    /// Finds them; `between` runs while the first loads are under way, without a barrier before its end.
    /// Collective, ends with a barrier. The order within a row is not determined.
    #[inline(always)]
    pub fn transpose(
        block: &Block,
        patch: &Patch<'_>,
        layout: RowsLayout<'b>,
        between: impl FnOnce(),
    ) -> Self {
        let RowsLayout { starts, overlaid, corners } = layout;
        let (n, faces) = (patch.counts.v_owned, patch.counts.f_of_v);
        let (words, ev) = ((3 * faces).div_ceil(4), overlaid.wide::<u32>());
        let prepare = || {
            between();
            block.for_each_nosync(n + 1, |i| starts.set(i, 0));
            let from = patch.ev.wide::<Quad>();
            let quads = patch.counts.e_near.div_ceil(4);
            block.for_each_ahead_nosync::<Quad, 2>(quads, |i| from.get(i), || (), |i, q| overlaid.set(i, q));
            block.sync();
        };
        let vertex = |fe: u32| tail(fe, ev.get(fe >> 2));
        let count = |v: u32| {
            if v < n {
                starts.fetch_add(v + 1, 1);
            }
            v
        };
        let each = corners.wide::<u16>();
        if patch.degenerate_faces() {
            prepare();
            block.for_each_nosync(faces, |f| {
                let v = |i: u32| vertex(patch.fe.get(3 * f + i) as u32);
                let (a, b, c) = (v(0), v(1), v(2));
                let degenerate = a == b || b == c || c == a;
                let put =
                    |i: u32, v: u32| each.set(3 * f + i, if degenerate { NO_LOCAL } else { count(v) } as u16);
                put(0, a);
                put(1, b);
                put(2, c);
            });
        } else {
            let (fe, to) = (patch.fe.wide::<u64>(), corners.wide::<u64>());
            block.for_each_ahead_nosync::<u64, 2>(
                words,
                |q| fe.get(q),
                prepare,
                |q, entries| {
                    let part = |k: u32| {
                        let fe = (entries >> (16 * k)) as u32 & 0xffff;
                        let v = if 4 * q + k < 3 * faces { count(vertex(fe)) } else { NO_LOCAL };
                        (v as u64) << (16 * k)
                    };
                    to.set(q, part(0) | part(1) | part(2) | part(3));
                },
            );
        }
        block.sync();
        block.exclusive_scan(starts, n + 1);
        let list = overlaid.wide::<u32>();
        block.for_each(faces, |f| {
            let v = |i: u32| each.get(3 * f + i) as u32;
            let (a, b, c) = (v(0), v(1), v(2));
            let put = |v: u32, next: u32, previous: u32| {
                if v < n {
                    list.set(starts.fetch_add(v + 1, 1), pack(next, previous));
                }
            };
            put(a, b, c);
            put(b, c, a);
            put(c, a, b);
        });
        Self { starts, corners: list, free: corners.wide() }
    }
    /// The beginning and the end of the row of owned vertex `v` in [`Rows::corners`].
    #[inline(always)]
    pub fn range(&self, v: u32) -> (u32, u32) {
        (self.starts.get(v), self.starts.get(v + 1))
    }
    /// All rows.
    #[inline(always)]
    pub fn corners(&self) -> Shared<'b, u32> {
        self.corners
    }
}

/// The edge vectors at a vertex, scaled by a power of two so that the first one's largest component is from 1
/// to 2.
#[derive(Clone, Copy)]
pub struct Edges<X> {
    x: X,
    scale: f32,
    origin: Vec3,
}
impl<X: Points> Edges<X> {
    /// The edges at vertex `v`; `first` is a neighbour.
    #[inline(always)]
    pub fn new(x: X, v: u32, first: u32) -> Self {
        let at = x.at(v);
        let greatest = (x.at(first) - at).abs().max_element();
        let exponent = (greatest.to_bits() >> 23) & 0xff;
        // too small or too large: the lengths are out of range, and say so
        let scale = f32::from_bits(254u32.saturating_sub(exponent) << 23);
        Self { x, scale, origin: at * scale }
    }
    /// Factor of all lengths: a power of two, or 0 where the first edge is too long for `f32`.
    #[inline(always)]
    pub fn scale(&self) -> f32 {
        self.scale
    }
    /// The vector to vertex `l`.
    #[inline(always)]
    pub fn to(&self, l: u32) -> Vec3 {
        self.x.at(l) * self.scale - self.origin
    }
}

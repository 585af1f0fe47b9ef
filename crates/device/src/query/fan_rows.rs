//! Circulation around vertices on any mesh: rows of VF put in order by their faces' vertices.
use super::{Around, NO_LOCAL, Rows, Vf};
use crate::Block;
use crate::patch::Patch;

/// Puts the rows of VV, VE or VF of any mesh in the order that [`Fans`](super::Fans) describes. Work
/// quadratic in the faces of a vertex.
#[derive(Clone, Copy)]
pub struct FanRows<'a> {
    vf: Vf<'a>,
    patch: Patch<'a>,
}

impl<'a> FanRows<'a> {
    /// Orders the rows of `vf` in place, and the rows of `rows` (VV or VE) with them. `report` as for
    /// [`Fans::walk`](super::Fans::walk); a vertex of a face with a repeated vertex has no walk. Collective,
    /// ends with a barrier.
    #[inline(always)]
    pub fn order(
        block: &Block,
        patch: &Patch<'a>,
        vf: Vf<'a>,
        around: Around,
        rows: Rows<'_>,
        report: impl Fn(u32, bool),
    ) {
        let fans = Self { vf, patch: *patch };
        block.for_each(patch.counts.v_owned, |v| {
            let regular = match fans.walk_around(v) {
                Some(closed) => around == Around::Faces || fans.fill(v, closed, around, rows),
                None => false,
            };
            report(v, !regular);
        });
    }
    /// The two other vertices of a face at `v`, in order; `None` if the face repeats a vertex.
    #[inline(always)]
    fn others(&self, face: u32, v: u32) -> Option<(u32, u32)> {
        let (x, y, z) = (self.vf.corner(face, 0), self.vf.corner(face, 1), self.vf.corner(face, 2));
        if y == NO_LOCAL || z == NO_LOCAL {
            return None;
        }
        Some(if x == v {
            (y, z)
        } else if y == v {
            (z, x)
        } else {
            (x, y)
        })
    }
    /// Puts the faces of `v` in order: whether they close a cycle, if they form one fan at all.
    #[inline(always)]
    fn walk_around(&self, v: u32) -> Option<bool> {
        let rows = self.vf.rows;
        let (at, n) = (rows.start(v), rows.len(v));
        if n == 0 {
            return Some(true);
        }
        // the place of the face that begins with vertex `a`, from place k on
        let begins = |a: u32, from: u32| {
            let mut k = from;
            while k < n && !matches!(self.others(rows.entry(at + k), v), Some((x, _)) if x == a) {
                k += 1;
            }
            k
        };
        let swap = |k: u32, l: u32| {
            let (a, b) = (rows.entry(at + k), rows.entry(at + l));
            rows.set_entry(at + k, b);
            rows.set_entry(at + l, a);
        };
        // the first face: at a boundary edge, else the smallest
        let (mut first, mut closed, mut k) = (0, true, 0);
        while k < n {
            let (a, _) = self.others(rows.entry(at + k), v)?;
            let mut j = 0;
            while j < n && !matches!(self.others(rows.entry(at + j), v), Some((_, y)) if y == a) {
                j += 1;
            }
            if j == n {
                (first, closed) = (k, false);
            } else if closed && rows.entry(at + k) < rows.entry(at + first) {
                first = k;
            }
            k += 1;
        }
        swap(0, first);
        let (start, mut end) = self.others(rows.entry(at), v)?;
        k = 1;
        while k < n {
            let next = begins(end, k);
            if next == n {
                return None;
            }
            swap(k, next);
            end = self.others(rows.entry(at + k), v)?.1;
            k += 1;
        }
        let back = begins(end, 0);
        if closed { (end == start && back == 0).then_some(true) } else { (back == n).then_some(false) }
    }
    /// Fills row `v` of VV or VE after the faces; false if it has another length.
    #[inline(always)]
    fn fill(&self, v: u32, closed: bool, around: Around, rows: Rows<'_>) -> bool {
        let (from, n) = (self.vf.rows.start(v), self.vf.rows.len(v));
        let to = rows.start(v);
        if rows.len(v) != n + (!closed) as u32 {
            return n == 0;
        }
        let put = |k: u32, face: u32, last: bool| {
            let corner = |i: u32| self.vf.corner(face, i);
            let i = if corner(0) == v {
                0
            } else if corner(1) == v {
                1
            } else {
                2
            };
            // the side that leaves v, or the one that returns to it
            let side = if last { (i + 2) % 3 } else { i };
            rows.set_entry(
                to + k,
                if around == Around::Edges {
                    self.patch.fe.get(3 * face + side) as u32 >> 2
                } else {
                    corner(if last { side } else { (i + 1) % 3 })
                },
            );
        };
        let mut k = 0;
        while k < n {
            put(k, self.vf.rows.entry(from + k), false);
            k += 1;
        }
        if !closed {
            put(n, self.vf.rows.entry(from + n - 1), true);
        }
        true
    }
}

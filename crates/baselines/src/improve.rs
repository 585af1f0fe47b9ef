//! Edge splits and collapses of Chentanez, Müller, Macklin and Kim 2016 (section 3.9), on indexed triangles:
//! the baseline of the operators of `ribbonmesh-track`.
use crate::each::each;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, In, NONE, Out, Parameter, Vec3, kernel};

/// A face that is deleted: all three indices.
pub const DELETED: u32 = NONE;

/// Triangles in room for more.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Surface<'a> {
    /// Positions of vertices.
    pub positions: Out<'a, Vec3>,
    /// Vertices of faces, or [`DELETED`].
    pub faces: Out<'a, u32>,
    /// Numbers of vertices, of faces, and of operations.
    pub counts: Out<'a, u32>,
}

/// Indices of the counts.
pub mod counts {
    /// Vertices.
    pub const VERTICES: u32 = 0;
    /// Faces, deleted ones included.
    pub const FACES: u32 = 1;
    /// Edges split or collapsed in a pass.
    pub const DONE: u32 = 2;
    /// All of them.
    pub const ALL: u32 = 3;
}

/// The lengths at which edges are split and collapsed.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Limits {
    /// The square of the length beyond which an edge is split.
    pub longest: f32,
    /// The square of the length below which it is collapsed.
    pub shortest: f32,
    /// The cosine of the least angle opposite of an edge that is split.
    pub cosine: f32,
}

impl Surface<'_> {
    #[inline(always)]
    fn face(&self, f: u32) -> [u32; 3] {
        [self.faces.get(3 * f), self.faces.get(3 * f + 1), self.faces.get(3 * f + 2)]
    }
    #[inline(always)]
    fn set_face(&self, f: u32, corners: [u32; 3]) {
        self.faces.set(3 * f, corners[0]);
        self.faces.set(3 * f + 1, corners[1]);
        self.faces.set(3 * f + 2, corners[2]);
    }
    #[inline(always)]
    fn square(&self, a: u32, b: u32) -> f32 {
        (self.positions.get(a) - self.positions.get(b)).length_squared()
    }
    /// The ends of side `s`, `3 face + i`, and the vertex opposite of it; `None` for a deleted face.
    #[inline(always)]
    fn side(&self, s: u32) -> Option<[u32; 3]> {
        let (f, i) = (s / 3, s % 3);
        let [a, b, c] = self.face(f);
        if a == DELETED {
            return None;
        }
        Some(if i == 0 {
            [a, b, c]
        } else if i == 1 {
            [b, c, a]
        } else {
            [c, a, b]
        })
    }
    #[inline(always)]
    fn is_long(&self, [a, b, c]: [u32; 3], limits: &Limits) -> bool {
        if self.square(a, b) <= limits.longest {
            return false;
        }
        let (u, v) =
            (self.positions.get(a) - self.positions.get(c), self.positions.get(b) - self.positions.get(c));
        let (dot, squares) = (u.dot(v), u.length_squared() * v.length_squared());
        // the angle at c is above the least one where its cosine is below
        dot <= 0.0 || dot * dot < limits.cosine * limits.cosine * squares
    }
}

/// The edges that are split, with their new vertices: open addressing by linear steps.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct EdgeTable<'a> {
    /// A side of the edge in each slot, or [`NONE`]. The number of slots is a power of two.
    pub sides: Out<'a, u32>,
    /// The new vertex of the edge in each slot.
    pub vertices: Out<'a, u32>,
}

impl EdgeTable<'_> {
    #[inline(always)]
    fn first(&self, low: u32, high: u32) -> u32 {
        let mut x = low.wrapping_mul(0x9e37_79b1) ^ high.wrapping_mul(0x85eb_ca77);
        x ^= x >> 15;
        x = x.wrapping_mul(0xc2b2_ae3d);
        (x ^ x >> 13) & (self.sides.len() as u32 - 1)
    }
    /// The slot of an edge, and whether `side` was written there: this happens if `side` is not [`NONE`] and
    /// the table does not have the edge. `None` if the edge is missing and `side` is [`NONE`], or if the
    /// table is full.
    #[inline(always)]
    fn slot(&self, surface: &Surface<'_>, [a, b]: [u32; 2], side: u32) -> Option<(u32, bool)> {
        let (low, high) = (a.min(b), a.max(b));
        let slots = self.sides.len() as u32;
        let mut slot = self.first(low, high);
        let mut steps = 0;
        while steps < slots {
            let found = if side == NONE {
                self.sides.get(slot)
            } else {
                atomic::compare_exchange(self.sides, slot, NONE, side, Relaxed, Device)
            };
            if found == NONE {
                return if side == NONE { None } else { Some((slot, true)) };
            }
            if let Some([c, d, _]) = surface.side(found)
                && c.min(d) == low
                && c.max(d) == high
            {
                return Some((slot, false));
            }
            slot = (slot + 1) & (slots - 1);
            steps += 1;
        }
        None
    }
}

/// First pass of splitting (3.9.1): enters long edges into the table; the first thread for an edge makes its
/// vertex.
#[kernel(threads = 256)]
pub fn find_long_edges<'a>(
    block: &Block,
    surface: Surface<'a>,
    table: EdgeTable<'a>,
    limits: Limits,
    sides: u32,
) {
    each(block, sides, |s| {
        let Some([a, b, c]) = surface.side(s) else { return };
        if !surface.is_long([a, b, c], &limits) {
            return;
        }
        if let Some((slot, true)) = table.slot(&surface, [a, b], s) {
            let vertex = atomic::fetch_add(surface.counts, counts::VERTICES, 1, Relaxed, Device);
            table.vertices.set(slot, vertex);
            surface.positions.set(vertex, (surface.positions.get(a) + surface.positions.get(b)) * 0.5);
        }
    });
}

/// Second pass: a face of which some edges are split becomes up to four, by the table of figure 3.
#[kernel(threads = 256)]
pub fn split_faces<'a>(block: &Block, surface: Surface<'a>, table: EdgeTable<'a>, faces: u32) {
    each(block, faces, |f| {
        let corners = surface.face(f);
        if corners[0] == DELETED {
            return;
        }
        let [a, b, c] = corners;
        let middle = |ends: [u32; 2]| match table.slot(&surface, ends, NONE) {
            Some((slot, _)) => table.vertices.get(slot),
            None => NONE,
        };
        let (mut p, mut q, mut r) = (middle([a, b]), middle([b, c]), middle([c, a]));
        let (mut x, mut y, mut z) = (a, b, c);
        let split = (p != NONE) as u32 + (q != NONE) as u32 + (r != NONE) as u32;
        if split == 0 {
            return;
        }
        // turned so that of one split edge it is the first, of two the first and the second
        let mut turns = 0;
        while turns < 2 && !(p != NONE && (split != 2 || q != NONE)) {
            (x, y, z) = (y, z, x);
            (p, q, r) = (q, r, p);
            turns += 1;
        }
        let at = atomic::fetch_add(surface.counts, counts::FACES, split + 1, Relaxed, Device);
        surface.set_face(at, [x, p, if split == 3 { r } else { z }]);
        if split == 1 {
            surface.set_face(at + 1, [p, y, z]);
        } else if split == 2 {
            surface.set_face(at + 1, [p, y, q]);
            surface.set_face(at + 2, [p, q, z]);
        } else {
            surface.set_face(at + 1, [p, y, q]);
            surface.set_face(at + 2, [r, q, z]);
            surface.set_face(at + 3, [p, q, r]);
        }
    });
}

/// Deletes the faces that [`split_faces`] has replaced: in a kernel of its own, since the table refers to
/// them.
#[kernel(threads = 256)]
pub fn delete_split_faces<'a>(
    block: &Block,
    surface: Surface<'a>,
    table: EdgeTable<'a>,
    dead: Out<'a, u32>,
    faces: u32,
) {
    each(block, faces, |f| {
        let mut k = 0;
        while k < 3 {
            if let Some([a, b, _]) = surface.side(3 * f + k)
                && table.slot(&surface, [a, b], NONE).is_some()
            {
                dead.set(f, 1);
            }
            k += 1;
        }
    });
}
/// Writes the results of [`delete_split_faces`].
#[kernel(threads = 256)]
pub fn bury_faces<'a>(block: &Block, surface: Surface<'a>, dead: In<'a, u32>, faces: u32) {
    each(block, faces, |f| {
        if dead.get(f) != 0 {
            surface.set_face(f, [DELETED; 3]);
        }
    });
}

/// Locks, marks and targets of vertices in a pass of collapsing.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Locks<'a> {
    /// The greatest side near each vertex that wants to collapse, plus one; 0 for none.
    pub near: Out<'a, u32>,
    /// The same, one ring farther.
    pub next: Out<'a, u32>,
    /// Whether a vertex takes part in this pass.
    pub marks: Out<'a, u32>,
    /// The number of times that a vertex is in the rings of these vertices.
    pub rings: Out<'a, u32>,
    /// The vertex that each vertex becomes.
    pub targets: Out<'a, u32>,
}

#[inline(always)]
fn is_short(surface: &Surface<'_>, [a, b]: [u32; 2], limits: &Limits) -> bool {
    // of the two sides of an edge only the ascending one counts
    a < b && surface.square(a, b) < limits.shortest
}

/// Short edges lock their ends (3.9.2).
#[kernel(threads = 256)]
pub fn lock_ends<'a>(block: &Block, surface: Surface<'a>, locks: Locks<'a>, limits: Limits, sides: u32) {
    each(block, sides, |s| {
        let Some([a, b, _]) = surface.side(s) else { return };
        if is_short(&surface, [a, b], &limits) {
            atomic::fetch_max(locks.near, a, s + 1, Relaxed, Device);
            atomic::fetch_max(locks.near, b, s + 1, Relaxed, Device);
        }
    });
}
/// Copies locks to the neighbours: from `near` to `next`, which begins as a copy of it.
#[kernel(threads = 256)]
pub fn spread_locks<'a>(
    block: &Block,
    surface: Surface<'a>,
    near: In<'a, u32>,
    next: Out<'a, u32>,
    faces: u32,
) {
    each(block, faces, |f| {
        let [a, b, c] = surface.face(f);
        if a == DELETED {
            return;
        }
        let most = near.get(a).max(near.get(b)).max(near.get(c));
        if most > 0 {
            atomic::fetch_max(next, a, most, Relaxed, Device);
            atomic::fetch_max(next, b, most, Relaxed, Device);
            atomic::fetch_max(next, c, most, Relaxed, Device);
        }
    });
}
#[inline(always)]
fn has_locks(locks: &Locks<'_>, [a, b]: [u32; 2], s: u32) -> bool {
    locks.near.get(a) == s + 1 && locks.near.get(b) == s + 1
}
/// Ends of the edges that keep their locks take part.
#[kernel(threads = 256)]
pub fn mark_ends<'a>(block: &Block, surface: Surface<'a>, locks: Locks<'a>, limits: Limits, sides: u32) {
    each(block, sides, |s| {
        let Some([a, b, _]) = surface.side(s) else { return };
        if is_short(&surface, [a, b], &limits) && has_locks(&locks, [a, b], s) {
            locks.marks.set(a, 1);
            locks.marks.set(b, 1);
        }
    });
}
/// Unmarks where the rings of both ends have a vertex in common other than the two opposite of the edge.
///
/// The paper counts both other vertices of each face with one marked vertex, by which each vertex of a ring
/// would be counted twice. Here a face counts the one after its marked vertex, so that each ring counts each
/// of its vertices once, and of the two opposite ones one.
#[kernel(threads = 256)]
pub fn count_rings<'a>(block: &Block, surface: Surface<'a>, locks: Locks<'a>, faces: u32) {
    each(block, faces, |f| {
        let [a, b, c] = surface.face(f);
        if a == DELETED {
            return;
        }
        // marks are taken back while others read them: a face has two marked vertices only of one edge, as
        // `targets` remembers
        let marked = |v: u32| locks.targets.get(v) != NONE;
        let (first, after) = match (marked(a), marked(b), marked(c)) {
            (true, false, false) => (a, b),
            (false, true, false) => (b, c),
            (false, false, true) => (c, a),
            _ => return,
        };
        if atomic::fetch_add(locks.rings, after, 1, Relaxed, Device) >= 1 {
            atomic::store(locks.marks, first, 0, Relaxed, Device);
        }
    });
}
/// Copies the marks to the targets, for [`count_rings`]: 0 for a vertex that is marked.
#[kernel(threads = 256)]
pub fn remember_marks<'a>(block: &Block, locks: Locks<'a>, vertices: u32) {
    each(block, vertices, |v| locks.targets.set(v, if locks.marks.get(v) != 0 { 0 } else { NONE }));
}
/// Every vertex becomes itself.
#[kernel(threads = 256)]
pub fn keep_vertices<'a>(block: &Block, locks: Locks<'a>, vertices: u32) {
    each(block, vertices, |v| locks.targets.set(v, v));
}
/// Collapses the edges of which both ends are still marked, into the middle.
#[kernel(threads = 256)]
pub fn collapse_edges<'a>(block: &Block, surface: Surface<'a>, locks: Locks<'a>, limits: Limits, sides: u32) {
    each(block, sides, |s| {
        let Some([a, b, _]) = surface.side(s) else { return };
        let marked = locks.marks.get(a) != 0 && locks.marks.get(b) != 0;
        if marked && is_short(&surface, [a, b], &limits) && has_locks(&locks, [a, b], s) {
            locks.targets.set(a, b);
            surface.positions.set(b, (surface.positions.get(a) + surface.positions.get(b)) * 0.5);
            atomic::fetch_add(surface.counts, counts::DONE, 1, Relaxed, Device);
        }
    });
}
/// Replaces the vertices of faces by their targets; faces with two equal vertices are deleted.
#[kernel(threads = 256)]
pub fn remap_faces<'a>(block: &Block, surface: Surface<'a>, targets: In<'a, u32>, faces: u32) {
    each(block, faces, |f| {
        let [a, b, c] = surface.face(f);
        if a == DELETED {
            return;
        }
        let (a, b, c) = (targets.get(a), targets.get(b), targets.get(c));
        let gone = a == b || b == c || c == a;
        surface.set_face(f, if gone { [DELETED; 3] } else { [a, b, c] });
    });
}

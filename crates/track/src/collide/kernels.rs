//! Kernels: boxes around the movements of faces, and pairs of faces with a collision.
use crate::collide::elements::{PAIRS, TwoFaces};
use crate::collide::narrow::first_contact;
use glam::Vec3;
use ribbonmesh::bvh::BvhView;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, Each, In, Out, Parameter, kernel};

/// Faces per block: one per thread, since searches take different times.
pub const FACES: u32 = 128;

/// Faces that move, by the indices of their vertices.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Sweep<'a> {
    /// Positions of vertices at the beginning of the step.
    pub before: In<'a, Vec3>,
    /// Positions of vertices at its end.
    pub after: In<'a, Vec3>,
    /// Vertices of faces.
    pub vertices: In<'a, [u32; 3]>,
}

impl Sweep<'_> {
    /// Whether any elements of two faces collide.
    #[inline(always)]
    fn collide(&self, first: u32, second: u32) -> bool {
        let ([a, b, c], [d, e, f]) = (self.vertices.get(first), self.vertices.get(second));
        let vertices = [a, b, c, d, e, f];
        let faces = TwoFaces {
            vertices,
            before: vertices.map(|v| self.before.get(v)),
            after: vertices.map(|v| self.after.get(v)),
        };
        let (mut pair, mut found) = (0, false);
        while pair < PAIRS && !found {
            found = faces.elements(pair).is_some_and(|(elements, _)| first_contact(&elements).is_some());
            pair += 1;
        }
        found
    }
}

#[inline(always)]
fn block_of(block: &Block, n: u32) -> (u32, u32) {
    let base = FACES * block.index();
    (base, if n - base < FACES { n - base } else { FACES })
}
/// Calls `visit` with the face at an index of the tree and each face after it with which it collides.
#[inline(always)]
fn colliding(bvh: BvhView<'_>, sweep: Sweep<'_>, place: u32, mut visit: impl FnMut(u32, u32)) {
    let face = bvh.face_at(place);
    bvh.meeting_after(place, |other| {
        if sweep.collide(face, other) {
            visit(face, other);
        }
    });
}

/// Results of [`check_sweep`], by index: the complement of the first face with a vertex that does not exist,
/// or whose position is not finite before or after.
pub const WRONG: u32 = 0;
/// Index of the bits of the square of the farthest movement of a vertex.
pub const FARTHEST: u32 = 1;
/// Number of these results.
pub const FACTS: u32 = 2;

/// Checks the faces; `facts` begin as 0.
#[kernel(threads = 256)]
pub fn check_sweep<'a>(block: &Block, sweep: Sweep<'a>, n: u32, facts: Out<'a, u32>) {
    let end = sweep.before.len();
    block.for_each_of_tile(n, |i| {
        let [a, b, c] = sweep.vertices.get(i);
        let known = (a.max(b).max(c) as usize) < end;
        let finite = |v: u32| sweep.before.get(v).is_finite() && sweep.after.get(v).is_finite();
        if !(known && finite(a) && finite(b) && finite(c)) {
            atomic::fetch_max(facts, WRONG, !i, Relaxed, Device);
        } else {
            let way = |v: u32| (sweep.after.get(v) - sweep.before.get(v)).length_squared();
            let most = way(a).max(way(b)).max(way(c)).to_bits();
            // numbers that are not negative have the order of their bits; most blocks write nothing
            if most > atomic::load(facts, FARTHEST, Relaxed, Device) {
                atomic::fetch_max(facts, FARTHEST, most, Relaxed, Device);
            }
        }
    });
}
/// Computes the box around the movement of each of `n` faces, as its two ends, and as a triangle of these
/// that has this box.
#[kernel(threads = 256)]
pub fn sweep_boxes<'a>(i: Each, sweep: Sweep<'a>, ends: Out<'a, Vec3>, triangles: Out<'a, u32>) {
    let [a, b, c] = sweep.vertices.get(i);
    let low = |v: u32| sweep.before.get(v).min(sweep.after.get(v));
    let high = |v: u32| sweep.before.get(v).max(sweep.after.get(v));
    ends.set(2 * i, low(a).min(low(b)).min(low(c)));
    ends.set(2 * i + 1, high(a).max(high(b)).max(high(c)));
    triangles.set(3 * i, 2 * i);
    triangles.set(3 * i + 1, 2 * i + 1);
    triangles.set(3 * i + 2, 2 * i + 1);
}
/// Counts, for the face at each index of the tree of boxes, the faces that follow in the tree and collide
/// with it. One block per [`FACES`].
#[kernel(threads = 128)]
pub fn count_colliding<'a>(block: &Block, bvh: BvhView<'a>, sweep: Sweep<'a>, counts: Out<'a, u32>) {
    let (base, len) = block_of(block, bvh.faces());
    block.for_each_nosync(len, |i| {
        let mut n = 0;
        colliding(bvh, sweep, base + i, |_, _| n += 1);
        counts.set(base + i, n);
    });
}
/// Writes these pairs, for the indices in a list, beginning at `offsets`. The first face of a pair, which is
/// the lesser one, is in the high half. One block per [`FACES`].
#[kernel(threads = 128)]
pub fn list_colliding<'a>(
    block: &Block,
    bvh: BvhView<'a>,
    sweep: Sweep<'a>,
    places: In<'a, u32>,
    offsets: In<'a, u32>,
    pairs: Out<'a, u64>,
) {
    let (base, len) = block_of(block, places.len() as u32);
    block.for_each_nosync(len, |i| {
        let mut at = offsets.get(base + i);
        colliding(bvh, sweep, places.get(base + i), |face, other| {
            let (low, high) = if face < other { (face, other) } else { (other, face) };
            pairs.set(at, (low as u64) << 32 | high as u64);
            at += 1;
        });
    });
}

//! Costs of contracting each pair.
use super::Complex;
use crate::simplify::device::price::{error, flat, lowest};
use crate::simplify::device::quadric::{Quadric, wide};
use glam::Vec3;
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{Block, In, Out, Quad, kernel};
use ribbonmesh::features::triangle::{SLIVER, normal, quality, within};

/// A face below this quality must not be worse than the worst one before.
const GOOD: f32 = 0.05;
/// The cost of a pair whose cost is not a number that can be compared.
const MOST: f32 = f32::MAX;
/// Pairs per block: one per thread.
pub const PAIRS: u32 = 128;

/// Changes of the faces around a pair.
struct Change {
    /// Faces that vanish.
    lost: u32,
    /// The area of the sheets that cancel each other.
    cancelled: f32,
    /// Whether one turns by more than it may, or becomes a sliver.
    bad: bool,
    worst_before: f32,
    worst_after: f32,
}

/// Computes the cost of each pair, as the bits of a positive `f32`, and the point to which it is contracted,
/// as three `f32`, with the number of faces that vanish. If the ends are of different kinds, the pair is
/// contracted to the end of the higher kind: to a curve, or to a corner. The cost is the quadric error, and
///
/// - if a face would turn by an angle with a cosine below `turn`, or become a sliver, as much as if its
///   planes were as far away as the pair is long: such pairs come last among those of their size;
/// - where sheets of opposite orientations would cancel each other, the square of their area: the error of
///   planes does not measure a surface that vanishes.
///
/// One block per [`PAIRS`]. Work per pair: the product of the numbers of faces at its ends.
#[kernel(threads = 128)]
pub fn price_pairs<'a>(
    block: &Block,
    s: Complex<'a>,
    pairs: In<'a, [u32; 2]>,
    kinds: In<'a, u32>,
    turn: f32,
    costs: Out<'a, u32>,
    places: Out<'a, Quad>,
) {
    let (n, base) = (pairs.len() as u32, PAIRS * block.index());
    block.for_each_nosync(if n - base < PAIRS { n - base } else { PAIRS }, |i| {
        let [a, b] = pairs.get(base + i);
        let (x, y) = (s.x.get(a), s.x.get(b));
        let middle = 0.5 * (wide(x) + wide(y));
        let (to_a, to_b) = (wide(x) - middle, wide(y) - middle);
        let q = Quadric::read(s.quadrics, a).moved(-to_a).plus(&Quadric::read(s.quadrics, b).moved(-to_b));
        let (of_a, of_b) = (kinds.get(a), kinds.get(b));
        let place = if of_a == of_b {
            lowest(&q, to_b, middle)
        } else if of_a > of_b {
            x
        } else {
            y
        };
        let mut change = Change { lost: 0, cancelled: 0.0, bad: false, worst_before: 1.0, worst_after: 1.0 };
        change.add(s, a, b, place, turn, true);
        change.add(s, b, a, place, turn, false);
        let sliver = change.worst_after < GOOD && change.worst_after < change.worst_before;
        let square = 4.0 * to_a.dot(to_a);
        let mut cost = error(&q, place, middle) + flat(&q, square);
        if change.bad || sliver {
            cost += square * q.area;
        }
        let gone = change.cancelled as f64;
        let cost = (cost + gone * gone) as f32;
        costs.set(base + i, if cost < MOST { cost } else { MOST }.to_bits());
        let [x, y, z] = place.to_array().map(f32::to_bits);
        places.set(base + i, Quad([x, y, z, change.lost]));
    });
}

impl Change {
    /// Adds the faces at end `a` of a pair with end `b` that is contracted to `p`. Faces that vanish are
    /// counted once, at the `first` of both ends.
    #[inline(always)]
    fn add(&mut self, s: Complex<'_>, a: u32, b: u32, p: Vec3, turn: f32, first: bool) {
        let x = s.x.get(a);
        let (mut i, end) = s.range(a);
        while i < end {
            let face = s.around(i);
            i += 1;
            if face.has(b) {
                self.lost += first as u32;
                continue;
            }
            let (y, z) = (s.x.get(face.u), s.x.get(face.w));
            let (old, new) = (normal([x, y, z]), normal([p, y, z]));
            if first {
                let (mut j, last) = s.range(b);
                while j < last {
                    let other = s.around(j);
                    j += 1;
                    if face.opposes(&other) {
                        self.lost += 2;
                        self.cancelled += 0.5 * sqrt(new.length_squared());
                    } else if face.equals(&other) {
                        self.lost += 1;
                    }
                }
            }
            let (before, after) = (quality([x, y, z], old), quality([p, y, z], new));
            self.worst_before = self.worst_before.min(before);
            self.worst_after = self.worst_after.min(after);
            self.bad |= before > SLIVER && !within(old, new, turn);
        }
    }
}

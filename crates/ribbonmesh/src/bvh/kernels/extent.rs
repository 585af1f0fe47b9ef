//! The box around points, as words that grow.
use crate::array::kernels::ordered::{from_ordered, ordered};
use crate::bvh::aabb::Aabb;
use crate::device::atomic::{self, Order::Relaxed, Scope::Device};
use crate::device::{Block, In, Out, Vec3};

/// Words of a box that grows: its smallest coordinates as ordered bits, complemented, and the same of the
/// negatives of its largest. All begin with 0.
pub const BOX: u32 = 6;

/// Extends the box from word `at` on by a tile of points; those that are not finite, or are not there, do not
/// count.
#[inline(always)]
pub fn around(block: &Block, len: u32, point: impl Fn(u32) -> Option<Vec3>, found: Out<'_, u32>, at: u32) {
    // the smallest coordinates, and the smallest of the negatives
    let nothing = [Vec3::INFINITY; 2];
    let of_point = |i: u32| match point(i) {
        Some(p) if p.is_finite() => [p, -p],
        _ => nothing,
    };
    let [low, high] = block.reduce(len, nothing, of_point, |[a, b], [c, d]| [a.min(c), b.min(d)]);
    block.single_nosync(|| {
        if low.x < f32::INFINITY {
            let ends = [low.x, low.y, low.z, high.x, high.y, high.z];
            let mut word = 0;
            while word < BOX {
                atomic::fetch_max(found, at + word, !ordered(ends[word as usize]), Relaxed, Device);
                word += 1;
            }
        }
    });
}
/// The box from word `at` on.
#[inline(always)]
pub fn found_box(found: In<'_, u32>, at: u32) -> Aabb {
    let end = |at: u32| from_ordered(!found.get(at));
    let corner = |at: u32| Vec3::new(end(at), end(at + 1), end(at + 2));
    Aabb { lo: corner(at), hi: -corner(at + 3) }
}

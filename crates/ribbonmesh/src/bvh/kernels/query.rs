//! Closest points of many points.
use crate::bvh::view::{BvhView, Closest};
use crate::device::{Block, In, NONE, Out, Vec3, kernel};

/// Points of a block: one per thread, since a search waits for memory most of the time.
pub const POINTS: u32 = 128;

/// The closest point to each of `points`. `seeds` has a face for each, or is empty. One block per [`POINTS`].
#[kernel(threads = 128)]
pub fn closest_points<'a>(
    block: &Block,
    bvh: BvhView<'a>,
    points: In<'a, Vec3>,
    seeds: In<'a, u32>,
    found: Out<'a, Closest>,
) {
    let (n, base) = (points.len() as u32, POINTS * block.index());
    block.for_each_nosync(if n - base < POINTS { n - base } else { POINTS }, |i| {
        let i = base + i;
        let seed = if seeds.is_empty() { NONE } else { seeds.get(i) };
        bvh.closest_from(points.get(i), seed).store(found, i);
    });
}

/// As [`closest_points`], but nothing where the surface is farther than `radius`.
#[kernel(threads = 128)]
pub fn points_within<'a>(
    block: &Block,
    bvh: BvhView<'a>,
    points: In<'a, Vec3>,
    radius: f32,
    found: Out<'a, Closest>,
) {
    let (n, base) = (points.len() as u32, POINTS * block.index());
    block.for_each_nosync(if n - base < POINTS { n - base } else { POINTS }, |i| {
        let i = base + i;
        bvh.closest_within(points.get(i), radius).store(found, i);
    });
}

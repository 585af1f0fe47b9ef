//! Closest points of many points.
use super::extent::{around, found_box};
use crate::bvh::morton::{BITS, code};
use crate::bvh::view::{BvhView, Closest};
use crate::device::atomic::{self, Order::Relaxed, Scope::Device};
use crate::device::glam::DVec3;
use crate::device::{Block, Each, In, NONE, Out, Parameter, Vec3, kernel};

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

/// Words of what [`examine_points`] and [`closest_to_arrays`] find out. All begin with 0 and only grow.
#[cfg(not(target_arch = "nvptx64"))]
pub const WORDS: usize = 8;
/// The first point that is not finite, complemented; 0: none.
pub(crate) const NOT_FINITE: u32 = 0;
/// The first point without a finite distance, complemented; 0: none.
pub(crate) const WITHOUT: u32 = 1;
/// Three words: the smallest coordinates of points, complemented. Three more: the same of their negatives.
const SMALLEST: u32 = 2;
/// Bits of an axis in the codes of points.
const POINT_BITS: u32 = 8;
/// Bits of the codes of points: as many cells as put neighbours into the same warp.
#[cfg(not(target_arch = "nvptx64"))]
pub const CODE_BITS: u32 = 3 * POINT_BITS;

/// Looks for points that are not finite, and for the box around the others.
#[kernel(threads = 256)]
pub fn examine_points<'a>(block: &Block, points: In<'a, Vec3>, n: u32, found: Out<'a, u32>) {
    block.for_each_tile(n, |base, len| {
        let point = |i: u32| {
            let p = points.get(base + i);
            if !p.is_finite() {
                atomic::fetch_max(found, NOT_FINITE, !(base + i), Relaxed, Device);
            }
            Some(p)
        };
        around(block, len, point, found, SMALLEST);
    });
}

/// The code of every point, along a curve through the box that [`examine_points`] found; `order[i] = i`.
#[kernel(threads = 256)]
pub fn point_codes<'a>(
    i: Each,
    points: In<'a, Vec3>,
    found: In<'a, u32>,
    keys: Out<'a, u64>,
    order: Out<'a, u32>,
) {
    keys.set(i, code(points.get(i), found_box(found, SMALLEST)) >> (3 * (BITS - POINT_BITS)));
    order.set(i, i);
}

/// Where the results go: an array for each of them, in the order of the points.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Results<'a> {
    /// The closest points.
    pub points: Out<'a, Vec3>,
    /// Their faces.
    pub faces: Out<'a, u32>,
    /// Unit normals of the faces.
    pub normals: Out<'a, Vec3>,
    /// Distances.
    pub distances: Out<'a, f32>,
    /// Weights of the corners.
    pub weights: Out<'a, Vec3>,
}

/// The closest point to each of `points`, with the weights of its face's corners. Points are those minus
/// `origin`, and results plus it. They are looked for in `order`, or as they come if that is empty. One block
/// per [`POINTS`].
#[kernel(threads = 128)]
pub fn closest_to_arrays<'a>(
    block: &Block,
    bvh: BvhView<'a>,
    points: In<'a, Vec3>,
    origin: [f64; 3],
    order: In<'a, u32>,
    to: Results<'a>,
    found: Out<'a, u32>,
) {
    let (n, base) = (points.len() as u32, POINTS * block.index());
    let origin = DVec3::from_array(origin);
    block.for_each_nosync(if n - base < POINTS { n - base } else { POINTS }, |i| {
        let i = if order.is_empty() { base + i } else { order.get(base + i) };
        let point = (points.get(i).as_dvec3() - origin).as_vec3();
        let (closest, weights) = bvh.closest_with_weights(point);
        if !closest.distance.is_finite() {
            atomic::fetch_max(found, WITHOUT, !i, Relaxed, Device);
        }
        to.points.set(i, (closest.point.as_dvec3() + origin).as_vec3());
        to.faces.set(i, closest.face);
        to.normals.set(i, closest.normal);
        to.distances.set(i, closest.distance);
        to.weights.set(i, weights);
    });
}

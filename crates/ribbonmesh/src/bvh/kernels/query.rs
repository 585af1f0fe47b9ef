//! Closest points of many points.
use super::extent::{around, found_box};
use crate::bvh::morton::{BITS, code};
use crate::bvh::together::TOGETHER;
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

/// Where points come from: those minus `origin`, in `order`, or as they come if that is empty.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Points<'a> {
    /// Coordinates.
    pub points: In<'a, Vec3>,
    /// Subtracted from points, and added to results.
    pub origin: [f64; 3],
    /// The order.
    pub order: In<'a, u32>,
}

impl Points<'_> {
    /// The number of the `i`-th one.
    #[inline(always)]
    fn number(&self, i: u32) -> u32 {
        if self.order.is_empty() { i } else { self.order.get(i) }
    }
    /// The point with a number.
    #[inline(always)]
    fn point(&self, number: u32) -> Vec3 {
        (self.points.get(number).as_dvec3() - DVec3::from_array(self.origin)).as_vec3()
    }
}

impl Results<'_> {
    /// Writes what was found for the point with a number.
    #[inline(always)]
    fn write(&self, number: u32, of: &Points<'_>, (closest, weights): (Closest, Vec3), found: Out<'_, u32>) {
        if !closest.distance.is_finite() {
            atomic::fetch_max(found, WITHOUT, !number, Relaxed, Device);
        }
        self.points.set(number, (closest.point.as_dvec3() + DVec3::from_array(of.origin)).as_vec3());
        self.faces.set(number, closest.face);
        self.normals.set(number, closest.normal);
        self.distances.set(number, closest.distance);
        self.weights.set(number, weights);
    }
}

/// The closest point to each of some points, with the weights of its face's corners. One block per
/// [`POINTS`].
#[kernel(threads = 128)]
pub fn closest_to_arrays<'a>(
    block: &Block,
    bvh: BvhView<'a>,
    of: Points<'a>,
    to: Results<'a>,
    found: Out<'a, u32>,
) {
    let (n, base) = (of.points.len() as u32, POINTS * block.index());
    block.for_each_nosync(if n - base < POINTS { n - base } else { POINTS }, |i| {
        let number = of.number(base + i);
        to.write(number, &of, bvh.closest_with_weights(of.point(number)), found);
    });
}

/// Points of a block are looked for together if none is farther from the first than this many times the
/// distance of that from the surface. Twice and a thousand million times took the same times on an H200 for
/// points in a box, and the latter three times as long for points at a surface.
const APART: f32 = 4.0;

/// As [`closest_to_arrays`], where the points of a block are looked for together if they are near each other,
/// seen from the surface. One block per [`TOGETHER`].
#[kernel(threads = 32)]
pub fn closest_to_arrays_together<'a>(
    block: &Block,
    bvh: BvhView<'a>,
    of: Points<'a>,
    to: Results<'a>,
    found: Out<'a, u32>,
) {
    let (n, base) = (of.points.len() as u32, TOGETHER * block.index());
    let len = if n - base < TOGETHER { n - base } else { TOGETHER };
    let point = |i: u32| of.point(of.number(base + i));
    let first = point(0);
    let apart = APART * bvh.roughly(first);
    if block.any(len, |i| (point(i) - first).abs().max_element() > apart) {
        block.for_each_nosync(len, |i| {
            let number = of.number(base + i);
            to.write(number, &of, bvh.closest_with_weights(of.point(number)), found);
        });
    } else {
        let seekers = bvh.closest_together(block, len, point);
        seekers.for_each(|i, seeker| to.write(of.number(base + i), &of, bvh.found_by(seeker), found));
    }
}

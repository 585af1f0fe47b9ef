//! Samples of a surface, and how far points are from another.
use super::extent::{BOX, around};
use super::query::POINTS;
use crate::bvh::random::unit;
use crate::bvh::view::BvhView;
use crate::device::atomic::{self, Order::Relaxed, Scope::Device};
use crate::device::{Arena, Block, Each, In, Out, Shared, TILE, Vec3, kernel};

/// The box around all points, in the first words of `found`. Blocks: tiles.
#[kernel(threads = 256)]
pub fn around_points<'a>(block: &Block, points: In<'a, Vec3>, n: u32, found: Out<'a, u32>) {
    block.for_each_tile(n, |base, len| around(block, len, |i| Some(points.get(base + i)), found, 0));
}

/// The box around the vertices that have a face, in the second words of `found`; `corners` are three
/// vertices for each face. Blocks: tiles of corners.
#[kernel(threads = 256)]
pub fn around_corners<'a>(
    block: &Block,
    points: In<'a, Vec3>,
    corners: In<'a, u32>,
    n: u32,
    found: Out<'a, u32>,
) {
    block.for_each_tile(n, |base, len| {
        around(block, len, |i| points.try_get(corners.get(base + i)), found, BOX);
    });
}

/// Coordinates of the first vertex of every `step`-th face, as bits, from word `at` on.
#[kernel(threads = 256)]
pub fn look_at_faces<'a>(
    i: Each,
    points: In<'a, Vec3>,
    corners: In<'a, u32>,
    step: u32,
    at: u32,
    found: Out<'a, u32>,
) {
    let p = points.try_get(corners.get(3 * step * i)).unwrap_or(Vec3::NAN);
    found.set(at + 3 * i, p.x.to_bits());
    found.set(at + 3 * i + 1, p.y.to_bits());
    found.set(at + 3 * i + 2, p.z.to_bits());
}

/// Numbers that one thread adds up.
const RUN: u32 = 32;
type Sums<'b> = (Shared<'b, f64>, Shared<'b, f64>);
fn sums(arena: &Arena) -> Sums<'_> {
    (arena.take(TILE), arena.take(TILE / RUN))
}

/// Replaces each of `len` numbers by the sum of those up to it, in a fixed order; returns the sum of all.
#[inline(always)]
fn add_up(block: &Block, len: u32, (part, before): Sums<'_>) -> f64 {
    let runs = len.div_ceil(RUN);
    block.for_each(runs, |r| {
        let (first, end) = (r * RUN, if (r + 1) * RUN < len { (r + 1) * RUN } else { len });
        let (mut sum, mut i) = (0.0, first);
        while i < end {
            sum += part.get(i);
            part.set(i, sum);
            i += 1;
        }
    });
    let all = block.single(|| {
        let (mut sum, mut r) = (0.0, 0);
        while r < runs {
            before.set(r, sum);
            sum += part.get(if (r + 1) * RUN < len { (r + 1) * RUN } else { len } - 1);
            r += 1;
        }
        sum
    });
    block.for_each(len, |i| part.set(i, before.get(i / RUN) + part.get(i)));
    all
}

/// `areas[i]` is the area of the triangles of the tree up to the `i`-th, from the beginning of its tile on;
/// `tiles[t]` that of the `t`-th tile.
#[kernel(threads = 256, shared = sums(arena))]
pub fn areas_of_tiles<'a>(
    block: &Block,
    bvh: BvhView<'a>,
    points: In<'a, Vec3>,
    corners: In<'a, u32>,
    n: u32,
    areas: Out<'a, f64>,
    tiles: Out<'a, f64>,
) {
    let (part, before) = sums(block.arena());
    block.for_each_tile(n, |base, len| {
        block.for_each(len, |i| {
            let first = 3 * bvh.face_at(base + i);
            let [a, b, c] = [0, 1, 2].map(|k| points.get(corners.get(first + k)).as_dvec3());
            let normal = (b - a).cross(c - a);
            part.set(i, 0.5 * normal.length());
        });
        let all = add_up(block, len, (part, before));
        block.for_each(len, |i| areas.set(base + i, part.get(i)));
        block.single_nosync(|| tiles.set(base / TILE, all));
    });
}

/// `tiles[t]` becomes the sum of the tiles before it, and `tiles[n]` that of all. One block.
#[kernel(threads = 1024, shared = sums(arena))]
pub fn areas_before_tiles<'a>(block: &Block, tiles: Out<'a, f64>, n: u32) {
    let (part, before) = sums(block.arena());
    let (mut base, mut carry) = (0, 0.0);
    while base < n {
        let len = if n - base < TILE { n - base } else { TILE };
        block.for_each(len, |i| part.set(i, tiles.get(base + i)));
        let all = add_up(block, len, (part, before));
        block.for_each(len, |i| tiles.set(base + i, carry + if i == 0 { 0.0 } else { part.get(i - 1) }));
        carry += all;
        base += TILE;
    }
    block.single_nosync(|| tiles.set(n, carry));
}

/// `areas[i]` becomes the area of all triangles of the tree up to the `i`-th.
#[kernel(threads = 256)]
pub fn areas_of_all<'a>(i: Each, tiles: In<'a, f64>, areas: Out<'a, f64>) {
    areas.set(i, tiles.get(i / TILE) + areas.get(i));
}

/// The first corner in the order of the tree that has each vertex, complemented; `first` begins with 0.
#[kernel(threads = 256)]
pub fn first_corners<'a>(face: Each, bvh: BvhView<'a>, corners: In<'a, u32>, first: Out<'a, u32>) {
    let at = 3 * bvh.places.get(face);
    let mut i = 0;
    while i < 3 {
        atomic::fetch_max(first, corners.get(3 * face + i), !(at + i), Relaxed, Device);
        i += 1;
    }
}

/// Marks with 1 the corners in the order of the tree that have a vertex first, and the others with 0.
#[kernel(threads = 256)]
pub fn mark_first_corners<'a>(
    face: Each,
    bvh: BvhView<'a>,
    corners: In<'a, u32>,
    first: In<'a, u32>,
    marks: Out<'a, u32>,
) {
    let at = 3 * bvh.places.get(face);
    let mut i = 0;
    while i < 3 {
        marks.set(at + i, (first.get(corners.get(3 * face + i)) == !(at + i)) as u32);
        i += 1;
    }
}

/// The positions of the vertices in the order of their first corners; `ranks` are the sums of the marks
/// before each corner.
#[kernel(threads = 256)]
pub fn take_first<'a>(
    face: Each,
    bvh: BvhView<'a>,
    corners: In<'a, u32>,
    first: In<'a, u32>,
    ranks: In<'a, u32>,
    points: In<'a, Vec3>,
    to: Out<'a, Vec3>,
) {
    let at = 3 * bvh.places.get(face);
    let mut i = 0;
    while i < 3 {
        let v = corners.get(3 * face + i);
        if first.get(v) == !(at + i) {
            to.set(ranks.get(at + i), points.get(v));
        }
        i += 1;
    }
}

/// `n` random points of a surface, uniform by area and stratified: point `k` lies in the `k`-th of `n` parts
/// of equal area, in the order of the tree. `areas[i]` is the area of the first `i + 1` triangles of the
/// tree.
#[kernel(threads = 256)]
pub fn sample_surface<'a>(
    block: &Block,
    bvh: BvhView<'a>,
    areas: In<'a, f64>,
    seed: u64,
    n: u32,
    points: Out<'a, Vec3>,
) {
    let last = areas.len() as u32 - 1;
    let all = areas.get(last);
    block.for_each_of_tile(n, |k| {
        let area = (k as f64 + unit(seed, k, 0) as f64) / n as f64 * all;
        // the first triangle that ends after it
        let (mut from, mut to) = (0, last);
        while from < to {
            let middle = from + (to - from) / 2;
            if areas.get(middle) > area {
                to = middle;
            } else {
                from = middle + 1;
            }
        }
        let (u, v) = (unit(seed, k, 1), unit(seed, k, 2));
        let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
        points.set(k, bvh.point_of(from, [u, v]));
    });
}

/// Measures the distances of two lists of points from a surface. One block per [`POINTS`] of `points`, then
/// one per [`POINTS`] of `others`: `sums` gets for each the sums of distances and of their squares,
/// `farthest` the largest distance (bits, in the high half) and the first point of its list that has it
/// (complemented).
#[kernel(threads = 128, shared = arena.take::<f32>(POINTS))]
pub fn measure_points<'a>(
    block: &Block,
    bvh: BvhView<'a>,
    points: In<'a, Vec3>,
    others: In<'a, Vec3>,
    sums: Out<'a, [f64; 2]>,
    farthest: Out<'a, u64>,
) {
    let distances = block.shared::<f32>(POINTS);
    let before = blocks_of(points);
    let (list, first) = if block.index() < before { (points, 0) } else { (others, before) };
    let (n, base) = (list.len() as u32, POINTS * (block.index() - first));
    let len = if n - base < POINTS { n - base } else { POINTS };
    // each of the loops has its own iterations' distances only
    block.for_each_nosync(len, |i| distances.set(i, bvh.distance(list.get(base + i))));
    let distance = |i: u32| distances.get(i) as f64;
    let sum = block.reduce(len, 0.0, distance, |a, b| a + b);
    let squares = block.reduce(len, 0.0, |i| distance(i) * distance(i), |a, b| a + b);
    let key = |i: u32| (distances.get(i).to_bits() as u64) << 32 | !(base + i) as u64;
    let most = block.reduce(len, 0, key, |a: u64, b| if a < b { b } else { a });
    block.single_nosync(|| {
        sums.set(block.index(), [sum, squares]);
        farthest.set(block.index(), most);
    });
}

/// Blocks of [`measure_points`] for a list.
#[inline(always)]
fn blocks_of(points: In<'_, Vec3>) -> u32 {
    (points.len() as u32).div_ceil(POINTS)
}

/// Words of what [`sum_up_points`] writes for each list.
pub const SUMMED: u32 = 5;

/// Sums up what [`measure_points`] has found, from word `at` on for `points`, and after these words for
/// `others`: the two sums, the largest distance with the first point that has it, and that point. Two blocks,
/// one for each list.
#[kernel(threads = 256)]
pub fn sum_up_points<'a>(
    block: &Block,
    points: In<'a, Vec3>,
    others: In<'a, Vec3>,
    sums: In<'a, [f64; 2]>,
    farthest: In<'a, u64>,
    at: u32,
    to: Out<'a, u64>,
) {
    let before = blocks_of(points);
    let (list, first, n) =
        if block.index() == 0 { (points, 0, before) } else { (others, before, blocks_of(others)) };
    let sum = block.reduce(n, 0.0, |i| sums.get(first + i)[0], |a, b| a + b);
    let squares = block.reduce(n, 0.0, |i| sums.get(first + i)[1], |a, b| a + b);
    let most = block.reduce(n, 0, |i| farthest.get(first + i), |a: u64, b| if a < b { b } else { a });
    block.single_nosync(|| {
        let p = list.try_get(!(most as u32)).unwrap_or(Vec3::ZERO);
        let at = at + SUMMED * block.index();
        to.set(at, sum.to_bits());
        to.set(at + 1, squares.to_bits());
        to.set(at + 2, most);
        to.set(at + 3, (p.x.to_bits() as u64) << 32 | p.y.to_bits() as u64);
        to.set(at + 4, p.z.to_bits() as u64);
    });
}

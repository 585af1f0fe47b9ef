//! Merging of regions: each chooses the best of its neighbours, and two that choose each other become one.
use super::joints::{Regions, after};
use glam::{DVec3, DVec4};
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Each, In, NONE, Out, Parameter, kernel};

/// Sums over the faces of each region, at its label.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Sums<'a> {
    /// The sum of the faces' normals times their areas, and the sum of areas.
    pub normals: Out<'a, DVec4>,
    /// The length of the border.
    pub borders: Out<'a, f64>,
    /// The number of faces.
    pub faces: Out<'a, u32>,
}

/// Each face as a region of its own. Elements: faces.
#[kernel(threads = 256, requires(
    faces.len() >= 3 * count as usize,
    labels.len() >= count as usize,
    sums.normals.len() >= count as usize && sums.borders.len() >= count as usize,
    sums.faces.len() >= count as usize,
))]
pub fn start_regions<'a>(
    f: Each,
    faces: In<'a, u32>,
    positions: In<'a, DVec3>,
    labels: Out<'a, u32>,
    sums: Sums<'a>,
) {
    let [a, b, c] = [0, 1, 2].map(|k| positions.get(faces.get(3 * f + k)));
    let normal = (b - a).cross(c - a) * 0.5;
    let length = |v: DVec3| libm::sqrt(v.dot(v));
    labels.set(f, f);
    sums.normals.set(f, DVec4::new(normal.x, normal.y, normal.z, length(normal)));
    sums.borders.set(f, length(b - a) + length(c - b) + length(a - c));
    sums.faces.set(f, 1);
}

/// The key of the two regions at each listed side. Elements: sides.
#[kernel(threads = 256, requires(
    sides.len() >= count as usize && keys.len() >= count as usize && places.len() >= count as usize,
))]
pub fn key_sides<'a>(
    i: Each,
    bits: u32,
    regions: Regions<'a>,
    sides: In<'a, u32>,
    keys: Out<'a, u64>,
    places: Out<'a, u32>,
) {
    let side = sides.get(i);
    let (a, b) = (regions.labels.get(side / 3), regions.beyond(side));
    let (a, b) = if a < b { (a, b) } else { (b, a) };
    keys.set(i, (a as u64) << bits | b as u64);
    places.set(i, side);
}

/// For each side in the order of keys: 1 in the uppermost bit, and in the lowest 1 if the common border goes
/// on at its end as seen from the lesser region; and its length. Elements: sides.
#[kernel(threads = 256, requires(
    sides.len() >= count as usize && counts.len() >= count as usize && lengths.len() >= count as usize,
))]
pub fn measure_sides<'a>(
    i: Each,
    regions: Regions<'a>,
    faces: In<'a, u32>,
    positions: In<'a, DVec3>,
    sides: In<'a, u32>,
    counts: Out<'a, u32>,
    lengths: Out<'a, f64>,
) {
    let side = sides.get(i);
    let twin = regions.twins.get(side);
    let seen = if regions.labels.get(side / 3) < regions.labels.get(twin / 3) { side } else { twin };
    counts.set(i, 1 << 31 | regions.goes_on(seen) as u32);
    let along = positions.get(faces.get(after(side))) - positions.get(faces.get(side));
    lengths.set(i, libm::sqrt(along.dot(along)));
}

/// Limits of regions.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Limits {
    /// The greatest mean deviation of normals: 1 minus the length of their mean.
    pub deviation: f64,
    /// The cosine of the greatest angle between the mean normals of two that merge.
    pub cosine: f64,
    /// The part of the greater one's area below which the lesser may have any normal.
    pub scrap: f64,
    /// The weight of a long border.
    pub roundness: f64,
    /// The greatest number of faces.
    pub faces: u32,
    /// The round, for chance.
    pub round: u32,
}

/// A number that looks random.
#[inline(always)]
fn scrambled(mut x: u32) -> u32 {
    x = (x ^ (x >> 16)).wrapping_mul(0x7feb_352d);
    x = (x ^ (x >> 15)).wrapping_mul(0x846c_a68b);
    x ^ (x >> 16)
}

/// The cost of merging two regions; none if it is refused.
#[inline(always)]
fn cost(sums: Sums<'_>, [a, b]: [u32; 2], border: f64, limits: Limits) -> Option<f64> {
    let (of_a, of_b) = (sums.normals.get(a), sums.normals.get(b));
    let (n, m) = (of_a.truncate(), of_b.truncate());
    let length = |v: DVec3| libm::sqrt(v.dot(v));
    let (large, small) = if of_a.w > of_b.w { (of_a.w, of_b.w) } else { (of_b.w, of_a.w) };
    let bent = n.dot(m) < limits.cosine * length(n) * length(m);
    if (bent && small > limits.scrap * large) || sums.faces.get(a) + sums.faces.get(b) > limits.faces {
        return None;
    }
    let area = large + small;
    let deviation = if area > 0.0 { 1.0 - length(n + m) / area } else { 0.0 };
    if deviation > limits.deviation {
        return None;
    }
    let around = sums.borders.get(a) + sums.borders.get(b) - 2.0 * border;
    let shape = around * around / (4.0 * core::f64::consts::PI * area + 1e-3 * around * around);
    Some((if deviation > 0.0 { deviation } else { 0.0 }) + limits.roundness * shape)
}

/// Offers each pair of regions whose common border is one piece to both: `best` is the least offer. An offer
/// is the cost by steps of a twelfth, then a random number, then the pair. Elements: pairs.
#[kernel(threads = 256, requires(
    keys.len() >= count as usize && counts.len() >= count as usize && lengths.len() >= count as usize,
    offers.len() >= count as usize,
))]
pub fn offer_pairs<'a>(
    i: Each,
    bits: u32,
    limits: Limits,
    keys: In<'a, u64>,
    counts: In<'a, u64>,
    lengths: In<'a, f64>,
    sums: Sums<'a>,
    best: Out<'a, u64>,
    offers: Out<'a, u64>,
) {
    let (a, b) = ends(keys.get(i), bits);
    let (sides, joints) = (counts.get(i) >> 31, counts.get(i) & 0x7fff_ffff);
    let cost = if joints + 1 == sides { cost(sums, [a, b], lengths.get(i), limits) } else { None };
    let Some(cost) = cost else {
        offers.set(i, u64::MAX);
        return;
    };
    // the upper bits of a float ascend with it: exponent and three bits
    let coarse = ((cost as f32).to_bits() >> 20) as u64;
    let chance = (scrambled(i ^ limits.round.wrapping_mul(0x9e37_79b9)) >> 8) as u64;
    // pairs below 2^32: the random number loses bits, not the pair
    let offer = coarse << 52 | (chance & 0xf_ffff) << 32 | i as u64;
    offers.set(i, offer);
    atomic::fetch_min(best, a, offer, Relaxed, Device);
    atomic::fetch_min(best, b, offer, Relaxed, Device);
}

/// The two regions of a key.
#[inline(always)]
fn ends(key: u64, bits: u32) -> (u32, u32) {
    ((key >> bits) as u32, (key & ((1 << bits) - 1)) as u32)
}

/// Merges the pairs that are the best of both; `parents` of those that are swallowed; counts them in
/// `merged`. Elements: pairs.
#[kernel(threads = 256, requires(
    keys.len() >= count as usize && offers.len() >= count as usize && lengths.len() >= count as usize,
    !merged.is_empty(),
))]
pub fn merge_pairs<'a>(
    i: Each,
    bits: u32,
    keys: In<'a, u64>,
    lengths: In<'a, f64>,
    best: In<'a, u64>,
    offers: In<'a, u64>,
    sums: Sums<'a>,
    parents: Out<'a, u32>,
    merged: Out<'a, u32>,
) {
    let offer = offers.get(i);
    let (a, b) = ends(keys.get(i), bits);
    if offer == u64::MAX || best.get(a) != offer || best.get(b) != offer {
        return;
    }
    sums.normals.set(a, sums.normals.get(a) + sums.normals.get(b));
    sums.borders.set(a, sums.borders.get(a) + sums.borders.get(b) - 2.0 * lengths.get(i));
    sums.faces.set(a, sums.faces.get(a) + sums.faces.get(b));
    parents.set(b, a);
    atomic::fetch_add(merged, 0, 1, Relaxed, Device);
}

/// The labels after a round. Elements: faces.
#[kernel(threads = 256, requires(labels.len() >= count as usize))]
pub fn relabel<'a>(f: Each, parents: In<'a, u32>, labels: Out<'a, u32>) {
    labels.set(f, parents.get(labels.get(f)));
}

/// Flags sides between two regions, each edge once. Elements: corners.
#[kernel(threads = 256, requires(flags.len() >= count as usize))]
pub fn flag_borders<'a>(c: Each, regions: Regions<'a>, flags: Out<'a, u32>) {
    let twin = regions.twins.get(c);
    flags.set(
        c,
        (twin != NONE && c < twin && regions.labels.get(c / 3) != regions.labels.get(twin / 3)) as u32,
    );
}
/// Flags listed sides that still are between two regions. Elements: sides.
#[kernel(threads = 256, requires(sides.len() >= count as usize && flags.len() >= count as usize))]
pub fn flag_listed<'a>(i: Each, regions: Regions<'a>, sides: In<'a, u32>, flags: Out<'a, u32>) {
    let side = sides.get(i);
    flags.set(i, (regions.labels.get(side / 3) != regions.beyond(side)) as u32);
}

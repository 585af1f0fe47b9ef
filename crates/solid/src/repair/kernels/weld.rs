//! Kernels for vertices at one position, or near each other.
use crate::repair::kernels::NONE;
use glam::DVec3;
use ribbonmesh::array::GroupsView;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Each, In, Out, kernel};

/// Bits of a coordinate; 0 and −0 are the same.
#[inline(always)]
fn bits(x: f64) -> u64 {
    if x == 0.0 { 0 } else { x.to_bits() }
}
/// Mixes the bits of a hash.
#[inline(always)]
fn mix(hash: u64, bits: u64) -> u64 {
    let x = (hash ^ bits).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x ^ x >> 29
}

/// Puts each finite position into a table of a power of two of slots, which begin as [`NONE`]. The slot of a
/// position ends with the first vertex that is there; `at` has the slot of each vertex.
#[kernel(threads = 128)]
pub fn insert_positions<'a>(v: Each, positions: In<'a, DVec3>, slots: Out<'a, u32>, at: Out<'a, u32>) {
    let p = positions.get(v);
    if !p.is_finite() {
        return at.set(v, NONE);
    }
    let hash = mix(mix(mix(0, bits(p.x)), bits(p.y)), bits(p.z));
    let mask = slots.len() as u32 - 1;
    let mut slot = (hash >> 32) as u32 & mask;
    loop {
        let mut other = atomic::load(slots, slot, Relaxed, Device);
        if other == NONE {
            other = atomic::compare_exchange(slots, slot, NONE, v, Relaxed, Device);
            if other == NONE {
                break;
            }
        }
        // a slot's vertices change, but they are all at one position
        if positions.get(other) == p {
            if v < other {
                atomic::fetch_min(slots, slot, v, Relaxed, Device);
            }
            break;
        }
        slot = (slot + 1) & mask;
    }
    at.set(v, slot);
}
/// The first vertex at the position of each, and 1 where that is another one.
#[kernel(threads = 256)]
pub fn first_vertices<'a>(
    v: Each,
    slots: In<'a, u32>,
    at: In<'a, u32>,
    becomes: Out<'a, u32>,
    welded: Out<'a, u32>,
) {
    let slot = at.get(v);
    let first = if slot == NONE { v } else { slots.get(slot) };
    becomes.set(v, first);
    welded.set(v, (first != v) as u32);
}

/// Number of cells beyond which cells are narrower than the rounding of the coordinates.
pub const CELLS: f64 = (1_u64 << 52) as f64;

/// A number for a coordinate's cell, or for the cell `beside` cells along. `None` beside a coordinate that is
/// a cell of its own, since cells are too narrow there.
#[inline(always)]
fn cell(x: f64, distance: f64, beside: i64) -> Option<u64> {
    let cell = libm::floor(x / distance);
    if cell.abs() < CELLS {
        Some((cell as i64 + beside) as u64)
    } else if beside == 0 {
        Some(!bits(x))
    } else {
        None
    }
}
/// The bucket of the cell of a point, or of one beside it.
#[inline(always)]
fn bucket(p: DVec3, distance: f64, beside: [i64; 3], mask: u32) -> Option<u32> {
    let x = cell(p.x, distance, beside[0])?;
    let y = cell(p.y, distance, beside[1])?;
    let z = cell(p.z, distance, beside[2])?;
    Some((mix(mix(mix(0, x), y), z) >> 32) as u32 & mask)
}

/// Marks vertices that are the first at a finite position.
#[kernel(threads = 256)]
pub fn mark_first<'a>(v: Each, at: In<'a, u32>, becomes: In<'a, u32>, first: Out<'a, u32>) {
    first.set(v, (at.get(v) != NONE && becomes.get(v) == v) as u32);
}
/// The bucket of each listed vertex: a hash of its cell, which is as wide as the distance.
#[kernel(threads = 128)]
pub fn hash_cells<'a>(
    i: Each,
    list: In<'a, u32>,
    positions: In<'a, DVec3>,
    distance: f64,
    mask: u32,
    buckets: Out<'a, u32>,
) {
    let p = positions.get(list.get(i));
    buckets.set(i, bucket(p, distance, [0; 3], mask).unwrap_or(0));
}
/// Marks listed vertices from which another one is at most `distance` away along each axis.
#[kernel(threads = 128)]
pub fn find_near<'a>(
    i: Each,
    list: In<'a, u32>,
    positions: In<'a, DVec3>,
    distance: f64,
    mask: u32,
    cells: GroupsView<'a>,
    near: Out<'a, u32>,
) {
    let v = list.get(i);
    let p = positions.get(v);
    // the own cell first: others there are near
    let mut k = 0;
    while k < 27 {
        let n = (k + 13) % 27;
        let beside = [n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1];
        k += 1;
        let Some(bucket) = bucket(p, distance, beside, mask) else { continue };
        let (mut at, end) = cells.range(bucket);
        while at < end {
            let other = cells.places.get(at);
            at += 1;
            let away = (positions.get(list.get(other)) - p).abs();
            if other != i && away.x <= distance && away.y <= distance && away.z <= distance {
                return near.set(v, 1);
            }
        }
    }
}

//! Before the tree: what is wrong with the triangles, how large they are, their codes.
use super::extent::{around, found_box};
use crate::bvh::aabb::Aabb;
use crate::bvh::morton::code;
use crate::device::atomic::{self, Order::Relaxed, Scope::Device};
use crate::device::{Block, In, Out, Vec3, kernel};

/// Words of what [`examine_vertices`] and [`centres`] find out. All begin with 0 and only grow.
#[cfg(not(target_arch = "nvptx64"))]
pub const FACTS: usize = 10;
/// Bits of the largest absolute coordinate.
pub(crate) const LARGEST: u32 = 0;
/// The smallest vertex that is not finite, complemented; 0: none.
pub(crate) const NOT_FINITE: u32 = 1;
/// The smallest face with an index out of range, complemented; 0: none.
pub(crate) const OUT_OF_RANGE: u32 = 2;
/// Three words: the smallest coordinates of centres, complemented. Three more: the same of their negatives.
pub(crate) const SMALLEST: u32 = 3;

/// Bits of the smallest absolute coordinate but 0, complemented; 0 if all are 0.
pub(crate) const LEAST: u32 = 9;

/// The power of two that brings the largest absolute coordinate to between 1 and 2, or near if there is none.
#[inline(always)]
pub(crate) fn scale(largest: u32) -> f32 {
    let exponent = (largest >> 23) as i32;
    // 2 to the power of 127 - exponent, where both it and its inverse are normal numbers
    let power = if exponent > 253 { -126 } else { 127 - if exponent < 1 { 1 } else { exponent } };
    f32::from_bits(((power + 127) as u32) << 23)
}

/// Looks for coordinates that are not finite, for the largest and for the smallest but 0.
#[kernel(threads = 256)]
pub fn examine_vertices<'a>(block: &Block, positions: In<'a, Vec3>, n: u32, facts: Out<'a, u32>) {
    block.for_each_tile(n, |base, len| {
        let largest = block.reduce(
            len,
            0,
            |i| {
                let p = positions.get(base + i);
                if p.is_finite() {
                    p.abs().max_element().to_bits()
                } else {
                    atomic::fetch_max(facts, NOT_FINITE, !(base + i), Relaxed, Device);
                    0
                }
            },
            |a, b| if a < b { b } else { a },
        );
        let least = block.reduce(
            len,
            0,
            |i| {
                let p = positions.get(base + i);
                let of = |x: f32| if x != 0.0 && x.is_finite() { !x.abs().to_bits() } else { 0 };
                of(p.x).max(of(p.y)).max(of(p.z))
            },
            |a, b| if a < b { b } else { a },
        );
        block.single_nosync(|| {
            atomic::fetch_max(facts, LARGEST, largest, Relaxed, Device);
            atomic::fetch_max(facts, LEAST, least, Relaxed, Device);
        });
    });
}

/// The centres of the faces' boxes, scaled, and the box around the centres. Looks for indices out of range.
#[kernel(threads = 256)]
pub fn centres<'a>(
    block: &Block,
    positions: In<'a, Vec3>,
    faces: In<'a, [u32; 3]>,
    n: u32,
    facts: Out<'a, u32>,
    centres: Out<'a, Vec3>,
) {
    let scale = scale(facts.get(LARGEST));
    block.for_each_tile(n, |base, len| {
        block.for_each_nosync(len, |i| {
            let face = faces.get(base + i);
            let [a, b, c] = face;
            let centre = if (a.max(b).max(c) as usize) < positions.len() {
                let Aabb { lo, hi } = Aabb::of(face.map(|v| positions.get(v) * scale));
                0.5 * lo + 0.5 * hi
            } else {
                atomic::fetch_max(facts, OUT_OF_RANGE, !(base + i), Relaxed, Device);
                Vec3::ZERO
            };
            centres.set(base + i, centre);
        });
        // each iteration reads the centre that it wrote
        around(block, len, |i| Some(centres.get(base + i)), facts, SMALLEST);
    });
}

/// The Morton code of every centre; `order[i] = i`.
#[kernel(threads = 256)]
pub fn codes<'a>(
    block: &Block,
    centres: In<'a, Vec3>,
    n: u32,
    facts: In<'a, u32>,
    keys: Out<'a, u64>,
    order: Out<'a, u32>,
) {
    let bounds = found_box(facts, SMALLEST);
    block.for_each_of_tile(n, |i| {
        keys.set(i, code(centres.get(i), bounds));
        order.set(i, i);
    });
}

#[cfg(all(test, not(target_arch = "nvptx64")))]
mod tests {
    use super::*;

    #[test]
    fn scales_are_exact() {
        for x in [f32::MAX, 1e30, 7.0, 1.0, 0.3, 1e-30, f32::MIN_POSITIVE] {
            let s = scale(x.to_bits());
            assert!((1.0..4.0).contains(&(x * s)) && x * s * (1.0 / s) == x, "{x:e}: {s:e}");
            assert!(s.is_normal() && (1.0 / s).is_normal());
        }
        for x in [0.0, 1e-40] {
            assert_eq!(scale(f32::to_bits(x)), f32::from_bits(253 << 23));
        }
    }
}

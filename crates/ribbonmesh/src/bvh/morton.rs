//! Morton codes.
use crate::bvh::aabb::Aabb;
use crate::device::Vec3;

/// Bits of a code for each axis.
pub(crate) const BITS: u32 = 21;
/// Bits of a code.
pub(crate) const KEY_BITS: u32 = 3 * BITS;

/// The 63-bit Morton code of a point of `bounds`: its cell among 2²¹ along the longest side, the axes' bits
/// in turns.
#[inline(always)]
pub(crate) fn code(p: Vec3, bounds: Aabb) -> u64 {
    let cells = (1 << BITS) - 1;
    let side = (bounds.hi - bounds.lo).max_element();
    let scale = if side > 0.0 { cells as f32 / side } else { 0.0 };
    let cell = |x: f32| {
        // conversion takes what is below 0 or no number for 0
        let i = (x * scale) as u32;
        if i < cells { i } else { cells }
    };
    let d = p - bounds.lo;
    spread(cell(d.x)) << 2 | spread(cell(d.y)) << 1 | spread(cell(d.z))
}

/// Moves bit `i` of 21 to bit `3 i`.
#[inline(always)]
fn spread(x: u32) -> u64 {
    let x = x as u64;
    let x = (x | x << 32) & 0x001f_0000_0000_ffff;
    let x = (x | x << 16) & 0x001f_0000_ff00_00ff;
    let x = (x | x << 8) & 0x100f_00f0_0f00_f00f;
    let x = (x | x << 4) & 0x10c3_0c30_c30c_30c3;
    (x | x << 2) & 0x1249_2492_4924_9249
}

#[cfg(all(test, not(target_arch = "nvptx64")))]
mod tests {
    use super::*;

    #[test]
    fn bits_are_spread() {
        for x in [0, 1, 2, 3, 0x155555, 0x1fffff, 0x100001, 0x0abcde] {
            let expected: u64 = (0..21).map(|i| u64::from(x >> i & 1) << (3 * i)).sum();
            assert_eq!(spread(x), expected, "{x:x}");
        }
    }
    #[test]
    fn corners_of_the_box() {
        let bounds = Aabb { lo: Vec3::new(-1.0, 0.0, 5.0), hi: Vec3::new(3.0, 4.0, 9.0) };
        assert_eq!(code(bounds.lo, bounds), 0);
        assert_eq!(code(bounds.hi, bounds), (1 << KEY_BITS) - 1);
        assert_eq!(code(Vec3::new(3.0, 0.0, 5.0), bounds), spread(0x1fffff) << 2);
        let point = Aabb { lo: Vec3::ONE, hi: Vec3::ONE };
        assert_eq!(code(Vec3::ONE, point), 0);
    }
}

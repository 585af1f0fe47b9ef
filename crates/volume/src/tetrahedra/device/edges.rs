//! Test whether a surface is closed and oriented, by the sum of a number for each side of a face.
use super::rows::Faces;
use glam::Vec3;
use ribbonmesh::device::{Block, Out, kernel};

/// Faces per block.
pub const FACES: u32 = 1024;

#[inline(always)]
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
/// A number that looks random for a directed side, by the positions of its ends; the opposite side has its
/// negative.
#[inline(always)]
fn side(a: Vec3, b: Vec3) -> u64 {
    let number = |p: Vec3| {
        // adding 0 turns −0 into 0
        let [x, y, z] = [p.x + 0.0, p.y + 0.0, p.z + 0.0].map(|x| x.to_bits() as u64);
        mix(mix(x << 32 | y).wrapping_add(0x9e37_79b9_7f4a_7c15) ^ z)
    };
    let (a, b) = (number(a), number(b));
    let of = |low: u64, high: u64| mix(mix(low.wrapping_add(0x9e37_79b9_7f4a_7c15)) ^ high.rotate_left(32));
    if a < b {
        of(a, b)
    } else if a > b {
        of(b, a).wrapping_neg()
    } else {
        0
    }
}
/// Sums the numbers of all sides of the faces of each block. The sum of all blocks is 0 if each edge has as
/// many sides in one direction as in the other, and hardly ever otherwise. One block per [`FACES`].
#[kernel(threads = 256)]
pub fn side_sums<'a>(block: &Block, faces: Faces<'a>, n: u32, sums: Out<'a, u64>) {
    let base = FACES * block.index();
    let len = if n - base < FACES { n - base } else { FACES };
    let of_face = |i: u32| {
        let [a, b, c] = faces.corners(base + i);
        side(a, b).wrapping_add(side(b, c)).wrapping_add(side(c, a))
    };
    let sum = block.reduce(len, 0_u64, of_face, |a, b| a.wrapping_add(b));
    block.single_nosync(|| sums.set(block.index(), sum));
}

//! The box around points.
use crate::array::kernels::ordered::ordered;
use crate::device::atomic::{self, Order::Relaxed, Scope::Device};
use crate::device::{Block, In, Out, Vec3, kernel};

/// Words of what [`bounds`] finds. All begin with 0 and only grow.
#[cfg(not(target_arch = "nvptx64"))]
pub const WORDS: usize = 7;
/// Three words: the greatest coordinates, as ordered numbers.
pub const GREATEST: u32 = 0;
/// Three words: the smallest coordinates, as ordered numbers, complemented.
pub const SMALLEST: u32 = 3;
/// The first point that is not finite, complemented; 0 if there is none.
pub const NOT_FINITE: u32 = 6;

/// The greatest and the smallest coordinates of `n` points, without points that are not finite, and the first
/// of these.
#[kernel(threads = 256)]
pub fn bounds<'a>(block: &Block, n: u32, points: In<'a, Vec3>, found: Out<'a, u32>) {
    block.for_each_tile(n, |base, len| {
        let mut axis = 0;
        while axis < 3 {
            let key = |i: u32, flip: u32| {
                let p = points.get(base + i);
                if !p.is_finite() {
                    return 0;
                }
                let x = if axis == 0 {
                    p.x
                } else if axis == 1 {
                    p.y
                } else {
                    p.z
                };
                ordered(x) ^ flip
            };
            let most = |a: u32, b: u32| if a < b { b } else { a };
            let greatest = block.reduce(len, 0, |i| key(i, 0), most);
            let smallest = block.reduce(len, 0, |i| key(i, u32::MAX), most);
            block.single_nosync(|| {
                atomic::fetch_max(found, GREATEST + axis, greatest, Relaxed, Device);
                atomic::fetch_max(found, SMALLEST + axis, smallest, Relaxed, Device);
            });
            axis += 1;
        }
        let wrong = |i: u32| if points.get(base + i).is_finite() { 0 } else { !(base + i) };
        let first = block.reduce(len, 0, wrong, |a: u32, b| if a < b { b } else { a });
        block.single_nosync(|| {
            if first != 0 {
                atomic::fetch_max(found, NOT_FINITE, first, Relaxed, Device);
            }
        });
    });
}

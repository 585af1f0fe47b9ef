//! The greatest component of velocities.
use ribbonmesh::device::atomic::{self, Order, Scope};
use ribbonmesh::device::{Block, In, Out, kernel};

/// Finds the greatest component of velocities, as bits of a number that is not negative; bits of NaN count as
/// greater than those of all numbers.
#[kernel(threads = 256)]
pub fn fastest<'a>(block: &Block, n: u32, velocity: In<'a, f32>, most: Out<'a, u32>) {
    block.for_each_tile(n, |base, len| {
        let of = |i: u32| velocity.get(base + i).abs().to_bits();
        let found = block.reduce(len, 0, of, |a, b| if a > b { a } else { b });
        block.single_nosync(|| {
            atomic::fetch_max(most, 0, found, Order::Relaxed, Scope::Device);
        });
    });
}

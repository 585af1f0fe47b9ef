//! Kernels that build the patches of a mesh.
//!
//! In the order of their use: [`edges`] finds the unique edges, [`components`] labels connected components,
//! [`flat`] numbers them without patches, [`patching`] cuts them into patches, [`numbering`] gives every
//! element its id, [`ribbon`] makes each patch's local topology. [`refresh`] does so anew for a mesh that has
//! changed, which [`renumber`] gives other ids where it has got or lost elements. Prefix sums are from
//! [`array`](crate::array). Faces are addressed by *corner*: corner `3 f + i` is the i-th vertex of face f
//! and the side that leads from there to the next.

pub mod components;
pub mod edges;
pub mod flat;
mod id_map;
pub mod numbering;
pub mod patching;
pub mod refresh;
pub mod renumber;
pub mod ribbon;

use crate::device::atomic::{self, Order::Relaxed, Scope::Device};
use crate::device::{NONE, Out, Pod};

pub use crate::corners::after as next;

#[inline(always)]
fn add(memory: Out<'_, u32>, i: u32, v: u32) -> u32 {
    atomic::fetch_add(memory, i, v, Relaxed, Device)
}
#[inline(always)]
fn min(memory: Out<'_, u32>, i: u32, v: u32) -> u32 {
    atomic::fetch_min(memory, i, v, Relaxed, Device)
}
#[inline(always)]
fn load<T: Pod + atomic::Word>(memory: Out<'_, T>, i: u32) -> T {
    atomic::load(memory, i, Relaxed, Device)
}

/// A bijective scramble of 32 bits.
#[inline(always)]
pub fn scramble(x: u32, seed: u32) -> u32 {
    let mut x = x ^ seed;
    x = (x ^ (x >> 16)).wrapping_mul(0x7feb_352d);
    x = (x ^ (x >> 15)).wrapping_mul(0x846c_a68b);
    x ^ (x >> 16)
}

/// Whether `x` is an element, not [`NONE`].
#[inline(always)]
fn some(x: u32) -> bool {
    x != NONE
}

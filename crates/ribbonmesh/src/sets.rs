//! Disjoint sets that kernels unite: union-find with hooking of the larger root to the smaller and path
//! halving. The root of a set is its least number, whatever the order of events.
use crate::device::Out;
use crate::device::atomic::{self, Order::Relaxed, Scope::Device};

/// The root of the set of `x`; halves the path to it.
#[inline(always)]
fn find(parents: Out<'_, u32>, mut x: u32) -> u32 {
    loop {
        let up = atomic::load(parents, x, Relaxed, Device);
        if up == x {
            return x;
        }
        let top = atomic::load(parents, up, Relaxed, Device);
        if top != up {
            atomic::store(parents, x, top, Relaxed, Device);
        }
        x = top;
    }
}
/// Unites the sets of two numbers. `parents` begins with each number as its own parent.
#[inline(always)]
pub fn unite(parents: Out<'_, u32>, a: u32, b: u32) {
    let (mut a, mut b) = (find(parents, a), find(parents, b));
    while a != b {
        let (small, large) = if a < b { (a, b) } else { (b, a) };
        if atomic::compare_exchange(parents, large, large, small, Relaxed, Device) == large {
            return;
        }
        (a, b) = (find(parents, small), find(parents, large));
    }
}
/// Makes the root of its set the parent of `x`, after all sets are united. No path is halved here: that could
/// write an ancestor over a root.
#[inline(always)]
pub fn flatten(parents: Out<'_, u32>, x: u32) {
    let (mut root, mut up) = (x, atomic::load(parents, x, Relaxed, Device));
    while up != root {
        root = up;
        up = atomic::load(parents, root, Relaxed, Device);
    }
    atomic::store(parents, x, root, Relaxed, Device);
}

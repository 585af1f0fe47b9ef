//! Atomics under contention.
use ribbonmesh::device::atomic::{self, Order::*, Scope::*};
use ribbonmesh::device::{Block, In, Out, Parameter, kernel};

/// Targets of [`contend`].
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Targets<'a> {
    /// Add, min, max, and, or, incremented by compare-exchange.
    pub u32: Out<'a, u32>,
    /// The same, and whatever was exchanged last.
    pub u64: Out<'a, u64>,
    /// Add, min, max.
    pub i32: Out<'a, i32>,
    /// Add, min, max.
    pub f32: Out<'a, f32>,
}

/// Adds every value to every target.
#[kernel(threads = 128)]
pub fn contend<'a>(block: &Block, n: u32, values: In<'a, u32>, to: Targets<'a>) {
    block.for_each_of_tile(n, |i| {
        let v = values.get(i);
        atomic::fetch_add(to.u32, 0, v, Relaxed, Device);
        atomic::fetch_min(to.u32, 1, v, AcqRel, Device);
        atomic::fetch_max(to.u32, 2, v, Release, System);
        atomic::fetch_and(to.u32, 3, v, Acquire, Device);
        atomic::fetch_or(to.u32, 4, v, Relaxed, System);
        let mut old = atomic::load(to.u32, 5, Relaxed, Device);
        loop {
            let seen = atomic::compare_exchange(to.u32, 5, old, old + 1, AcqRel, Device);
            if seen == old {
                break;
            }
            old = seen;
        }
        let w = (v as u64) << 24 | 1;
        atomic::fetch_add(to.u64, 0, w, Relaxed, Device);
        atomic::fetch_min(to.u64, 1, w, Relaxed, Device);
        atomic::fetch_max(to.u64, 2, w, Relaxed, Device);
        atomic::fetch_and(to.u64, 3, w, Relaxed, Device);
        atomic::fetch_or(to.u64, 4, w, Relaxed, Device);
        let mut old = atomic::load(to.u64, 5, Acquire, Device);
        loop {
            let seen = atomic::compare_exchange(to.u64, 5, old, old + 1, Relaxed, System);
            if seen == old {
                break;
            }
            old = seen;
        }
        atomic::exchange(to.u64, 6, w, AcqRel, Device);
        let s = v as i32 - 500;
        atomic::fetch_add(to.i32, 0, s, Relaxed, Device);
        atomic::fetch_min(to.i32, 1, s, Relaxed, Device);
        atomic::fetch_max(to.i32, 2, s, Relaxed, Device);
        // whole numbers: the sum does not depend on the order
        let f = s as f32;
        atomic::fetch_add(to.f32, 0, f, Relaxed, Device);
        atomic::fetch_min(to.f32, 1, f, Relaxed, Device);
        atomic::fetch_max(to.f32, 2, f, Relaxed, Device);
    });
}

/// Per block, on shared memory: sum, minimum, bits, a compare-exchange counter, a float sum.
#[kernel(threads = 128, shared = (arena.take::<u32>(4), arena.take::<f32>(1)))]
pub fn contend_shared<'a>(block: &Block, n: u32, values: In<'a, u32>, out: Out<'a, u32>) {
    let (s, f) = (block.shared::<u32>(4), block.shared::<f32>(1));
    block.for_each_nosync(4, |i| s.set(i, if i == 1 { u32::MAX } else { 0 }));
    block.for_each(1, |_| f.set(0, 0.0));
    block.for_each(n, |i| {
        let v = values.get(i);
        s.fetch_add(0, v);
        s.fetch_min(1, v);
        s.fetch_or(2, v);
        let mut old = 0;
        loop {
            let seen = s.compare_exchange(3, old, old + 1);
            if seen == old {
                break;
            }
            old = seen;
        }
        f.add(0, v as f32);
    });
    block.for_each_nosync(5, |k| {
        let v = if k < 4 { s.get(k) } else { f.get(0).to_bits() };
        out.set(5 * block.index() + k, v);
    });
}

//! A block on the GPU: a thread block; its loops stride over the threads.
//! Documentation of the methods: see the CPU's, which mean the same.
#![allow(missing_docs)]
use super::Block;
use crate::arena::Arena;
use crate::{Grid, Quad, Shared, Status};
use bytemuck::Pod;
use core::arch::{asm, nvptx::*};

pub(crate) struct Raw;
impl Raw {
    #[inline(always)]
    pub(super) fn index(&self) -> u32 {
        // SAFETY: reads a special register.
        unsafe { _block_idx_x() as u32 }
    }
    #[inline(always)]
    pub(super) fn count(&self) -> u32 {
        // SAFETY: reads a special register.
        unsafe { _grid_dim_x() as u32 }
    }
}

/// Ends the thread. Called by all threads of the block alike.
pub(crate) fn end_block() -> ! {
    // SAFETY: ends the thread; the whole block comes here alike.
    unsafe { asm!("exit;", options(noreturn)) }
}

#[allow(improper_ctypes)]
unsafe extern "C" {
    #[link_name = "llvm.nvvm.shfl.sync.up.i32"]
    fn shfl_up(mask: i32, v: i32, delta: i32, clamp: i32) -> i32;
    #[link_name = "llvm.nvvm.shfl.sync.bfly.i32"]
    fn shfl_bfly(mask: i32, v: i32, lane: i32, clamp: i32) -> i32;
    #[link_name = "llvm.nvvm.shfl.sync.idx.i32"]
    fn shfl_idx(mask: i32, v: i32, lane: i32, clamp: i32) -> i32;
    /// A barrier that tells all threads whether `v` holds for one of them.
    #[link_name = "llvm.nvvm.barrier.cta.red.or.aligned.all"]
    fn barrier_or(barrier: i32, v: bool) -> bool;
}
#[inline(always)]
fn thread() -> u32 {
    // SAFETY: reads a special register.
    unsafe { _thread_idx_x() as u32 }
}
#[inline(always)]
fn threads() -> u32 {
    // SAFETY: reads a special register.
    unsafe { _block_dim_x() as u32 }
}
#[inline(always)]
fn shared_memory_size() -> u32 {
    let size;
    // SAFETY: reads a special register.
    unsafe {
        asm!("mov.u32 {s}, %dynamic_smem_size;", s = out(reg32) size, options(pure, nomem, nostack, preserves_flags))
    }
    size
}
/// The value of another lane, by `shuffle` on each 32-bit word; at most 16 of them.
#[inline(always)]
fn by_words<T: Pod>(mut v: T, shuffle: impl Fn(i32) -> i32) -> T {
    let words = (&raw mut v).cast::<i32>();
    // unrolled by hand: the value must stay in registers
    macro_rules! step { ($($k:literal)*) => { $(
        if $k < size_of::<T>() / 4 {
            // SAFETY: a word of the value, which is plain bytes and may begin anywhere.
            unsafe { words.add($k).write_unaligned(shuffle(words.add($k).read_unaligned())) }
        }
    )* } }
    step!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    v
}
#[inline(always)]
fn warp_scan(mut x: u32, lane: u32) -> u32 {
    macro_rules! step { ($($d:literal)*) => { $(
        // SAFETY: all lanes of the warp are here: collectives are called in uniform code.
        let other = unsafe { shfl_up(-1, x as i32, $d, 0) } as u32;
        if lane >= $d { x += other }
    )* } }
    step!(1 2 4 8 16);
    x
}
#[inline(always)]
fn warp_reduce<T: Pod>(mut x: T, op: &impl Fn(T, T) -> T) -> T {
    macro_rules! step { ($($d:literal)*) => { $(
        // SAFETY: all lanes of the warp are here: collectives are called in uniform code.
        x = op(x, by_words(x, |w| unsafe { shfl_bfly(-1, w, $d, 31) }));
    )* } }
    step!(16 8 4 2 1);
    x
}

impl Block {
    /// The block that this thread belongs to.
    /// # Safety
    /// Called once, at the start of an entry point, by all threads. The record of `status` is valid until it
    /// ends.
    #[inline(always)]
    pub unsafe fn enter(status: Status<'_>) -> Self {
        let base = core::intrinsics::gpu::gpu_launch_sized_workgroup_mem::<u128>().cast::<u8>();
        // SAFETY: the launch's own shared memory, of which this is the only arena by this function's
        // contract.
        let arena = unsafe { Arena::new(base, shared_memory_size(), status, Raw.index()) };
        // SAFETY: valid until the entry point ends, by this function's contract.
        let status = unsafe { status.unbound() };
        Self { arena, status, raw: Raw }
    }
    #[inline(always)]
    pub fn sync(&self) {
        // SAFETY: all threads of the block are here: barriers are called in uniform code.
        unsafe { _syncthreads() }
    }
    #[inline(always)]
    pub fn clock(&self) -> u64 {
        let t;
        // not pure: two calls differ
        // SAFETY: reads a clock.
        unsafe {
            core::arch::asm!("mov.u64 {t}, %clock64;", t = out(reg64) t, options(nomem, nostack, preserves_flags))
        }
        t
    }
    #[inline(always)]
    pub fn grid_sync(&self, grid: Grid) {
        self.sync();
        let stalled = thread() == 0 && !grid.meet(self.index(), self.count());
        if stalled {
            self.status.record(crate::StatusCode::Stalled, self.index(), self.count(), 0);
        }
        // SAFETY: all threads of the block are here: barriers are called in uniform code.
        if unsafe { barrier_or(0, stalled) } {
            end_block();
        }
    }
    #[inline(always)]
    pub fn for_each_nosync(&self, n: u32, f: impl Fn(u32)) {
        let mut i = thread();
        while i < n {
            f(i);
            i += threads();
        }
    }
    #[inline(always)]
    pub fn single_nosync(&self, f: impl Fn()) {
        if thread() == 0 {
            f()
        }
    }
    /// Scratch words: 0..64 of the scan (two buffers), 64..128 of the others.
    #[inline(always)]
    fn scratch<T>(&self, word: u32) -> *mut T {
        self.arena.at(4 * word).cast()
    }
    #[inline(always)]
    pub fn single<T: Pod>(&self, f: impl Fn() -> T) -> T {
        const { assert!(size_of::<T>() == 4 || size_of::<T>() == 8) };
        let slot = self.scratch::<T>(64);
        if thread() == 0 {
            // SAFETY: scratch space of the arena, with room for what is indexed; barriers separate writes
            // from reads.
            unsafe { *slot = f() }
        }
        self.sync();
        // SAFETY: scratch space of the arena, with room for what is indexed; barriers separate writes from
        // reads.
        let v = unsafe { *slot };
        self.sync();
        v
    }
    /// Exclusive prefix of one value per thread and the sum, through scratch buffer `buffer` (0 or 1); one
    /// barrier.
    #[inline(always)]
    fn scan_threads(&self, v: u32, buffer: u32) -> (u32, u32) {
        let (lane, warp) = (thread() % 32, thread() / 32);
        let totals = self.scratch::<u32>(32 * buffer);
        let x = warp_scan(v, lane);
        if lane == 31 {
            // SAFETY: scratch space of the arena, with room for what is indexed; barriers separate writes
            // from reads.
            unsafe { *totals.add(warp as usize) = x }
        }
        self.sync();
        // every warp scans the warps' totals for itself: no second barrier
        // SAFETY: scratch space of the arena, with room for what is indexed; barriers separate writes from
        // reads.
        let w = if lane < threads() / 32 { unsafe { *totals.add(lane as usize) } } else { 0 };
        let ws = warp_scan(w, lane);
        // SAFETY: all lanes of the warp are here: collectives are called in uniform code.
        let before = unsafe { shfl_idx(-1, (ws - w) as i32, warp as i32, 31) } as u32;
        // SAFETY: all lanes of the warp are here: collectives are called in uniform code.
        let total = unsafe { shfl_idx(-1, ws as i32, 31, 31) } as u32;
        (before + x - v, total)
    }
    /// Four elements per thread and round.
    #[inline(always)]
    pub fn exclusive_scan(&self, s: Shared<'_, u32>, n: u32) -> u32 {
        let quads = s.wide::<Quad>();
        let (mut base, mut carry, mut buffer) = (0, 0, 0);
        while base < n {
            let i = base + 4 * thread();
            let one = |k: u32| if i + k < n { s.get(i + k) } else { 0 };
            let q = if i + 4 <= n { quads.get(i / 4).0 } else { [one(0), one(1), one(2), one(3)] };
            let (before, total) = self.scan_threads(q[0] + q[1] + q[2] + q[3], buffer);
            let a = carry + before;
            let sums = [a, a + q[0], a + q[0] + q[1], a + q[0] + q[1] + q[2]];
            if i + 4 <= n {
                quads.set(i / 4, Quad(sums));
            } else {
                let put = |k: u32, v: u32| {
                    if i + k < n {
                        s.set(i + k, v)
                    }
                };
                put(0, sums[0]);
                put(1, sums[1]);
                put(2, sums[2]);
            }
            carry += total;
            base += 4 * threads();
            buffer ^= 1;
        }
        self.sync();
        carry
    }
    #[inline(always)]
    pub fn reduce<T: Pod>(&self, n: u32, identity: T, f: impl Fn(u32) -> T, op: impl Fn(T, T) -> T) -> T {
        const { super::assert_reducible::<T>() };
        let parts = self.scratch::<T>(64);
        let (mut i, mut sum) = (thread(), identity);
        while i < n {
            sum = op(sum, f(i));
            i += threads();
        }
        sum = warp_reduce(sum, &op);
        if size_of::<T>() > 8 {
            return self.reduce_warps(sum, identity, &op);
        }
        if thread() % 32 == 0 {
            // SAFETY: scratch space of the arena, with room for what is indexed; barriers separate writes
            // from reads.
            unsafe { *parts.add((thread() / 32) as usize) = sum }
        }
        self.sync();
        let lane = thread() % 32;
        // SAFETY: scratch space of the arena, with room for what is indexed; barriers separate writes from
        // reads.
        let part = if lane < threads() / 32 { unsafe { *parts.add(lane as usize) } } else { identity };
        let result = warp_reduce(part, &op);
        self.sync();
        result
    }
    /// The end of [`Block::reduce`] for values of which the scratch space does not hold one of each warp: as
    /// many warps at a time as it does.
    #[inline(always)]
    fn reduce_warps<T: Pod>(&self, of_warp: T, identity: T, op: &impl Fn(T, T) -> T) -> T {
        let room = 256 / size_of::<T>() as u32;
        let parts = self.scratch::<T>(64);
        let (lane, warp, warps) = (thread() % 32, thread() / 32, threads() / 32);
        let (mut first, mut sum) = (0, identity);
        while first < warps {
            if lane == 0 && warp >= first && warp - first < room {
                // SAFETY: scratch space of the arena, with room for what is indexed; barriers separate writes
                // from reads.
                unsafe { *parts.add((warp - first) as usize) = of_warp }
            }
            self.sync();
            if lane < room && first + lane < warps {
                // SAFETY: scratch space of the arena, with room for what is indexed; barriers separate writes
                // from reads.
                sum = op(sum, unsafe { *parts.add(lane as usize) });
            }
            self.sync();
            first += room;
        }
        warp_reduce(sum, op)
    }
    #[inline(always)]
    pub fn sort(&self, s: Shared<'_, u32>, n: u32) {
        self.bitonic(s, n, u32::MAX)
    }
    #[inline(always)]
    pub fn sort_u64(&self, s: Shared<'_, u64>, n: u32) {
        self.bitonic(s, n, u64::MAX)
    }
    /// Bitonic sort, padded with `greatest` to a power of two.
    #[inline(always)]
    fn bitonic<T: Pod + Ord>(&self, s: Shared<'_, T>, n: u32, greatest: T) {
        // memory that others still read must not change yet
        self.sync();
        if n < 2 {
            return;
        }
        let size = n.next_power_of_two();
        if size > n {
            self.for_each(size - n, |i| s.set(n + i, greatest));
        }
        let mut k = 2;
        while k <= size {
            let mut j = k / 2;
            while j > 0 {
                self.for_each(size / 2, |i| {
                    // the i-th pair (a, a + j)
                    let a = 2 * i - (i & (j - 1));
                    let (x, y) = (s.get(a), s.get(a + j));
                    if (x > y) == (a & k == 0) {
                        s.set(a, y);
                        s.set(a + j, x);
                    }
                });
                j /= 2;
            }
            k *= 2;
        }
    }
    #[inline(always)]
    pub(super) fn append_with<T: Pod>(
        &self,
        n: u32,
        claim: impl Fn(u32) -> u32,
        f: impl Fn(u32) -> Option<T>,
        put: impl Fn(u32, T),
    ) {
        let slot = self.scratch::<u32>(64);
        let (mut base, mut buffer) = (0, 0);
        if n == 0 {
            self.sync();
        }
        while base < n {
            let i = base + thread();
            let found = if i < n { f(i) } else { None };
            let (before, total) = self.scan_threads(found.is_some() as u32, buffer);
            if thread() == 0 && total > 0 {
                // SAFETY: scratch space of the arena, with room for what is indexed; barriers separate writes
                // from reads.
                unsafe { *slot = claim(total) }
            }
            self.sync();
            // SAFETY: scratch space of the arena, with room for what is indexed; barriers separate writes
            // from reads.
            let first = unsafe { *slot };
            if let Some(v) = found {
                put(first + before, v);
            }
            self.sync();
            base += threads();
            buffer ^= 1;
        }
    }
    #[inline(always)]
    pub fn per_thread<T: Pod, const K: usize>(&self, n: u32, f: impl Fn(u32) -> T) -> PerThread<'_, T, K> {
        self.check_per_thread(n, K, threads());
        self.first_per_thread(n, f)
    }
    /// The values of the first `K` rounds, of however many.
    #[inline(always)]
    fn first_per_thread<T: Pod, const K: usize>(&self, n: u32, f: impl Fn(u32) -> T) -> PerThread<'_, T, K> {
        let mut values = [T::zeroed(); K];
        each::<K>(|k, i| {
            if i < n {
                values[k] = f(i)
            }
        });
        PerThread { values, n, block: self }
    }
    #[inline(always)]
    pub fn for_each_ahead_nosync<T: Pod, const K: usize>(
        &self,
        n: u32,
        load: impl Fn(u32) -> T,
        between: impl FnOnce(),
        f: impl Fn(u32, T),
    ) {
        let values = self.first_per_thread::<T, K>(n, &load).values;
        between();
        each::<K>(|k, i| {
            if i < n {
                f(i, values[k])
            }
        });
        let mut i = thread() + K as u32 * threads();
        while i < n {
            f(i, load(i));
            i += threads();
        }
    }
}

/// `f(k, i)` for the block's k-th round, unrolled by hand: the arrays must become registers.
#[inline(always)]
fn each<const K: usize>(mut f: impl FnMut(usize, u32)) {
    const { assert!(K <= 8) };
    let (t, d) = (thread(), threads());
    macro_rules! step { ($($k:literal)*) => { $(if $k < K { f($k, t + $k * d) })* } }
    step!(0 1 2 3 4 5 6 7);
}

/// See the CPU's `PerThread`.
pub struct PerThread<'b, T, const K: usize> {
    values: [T; K],
    n: u32,
    block: &'b Block,
}
impl<'b, T: Pod, const K: usize> PerThread<'b, T, K> {
    #[inline(always)]
    pub fn map<U: Pod>(&self, f: impl Fn(u32, T) -> U) -> PerThread<'b, U, K> {
        let mut values = [U::zeroed(); K];
        each::<K>(|k, i| {
            if i < self.n {
                values[k] = f(i, self.values[k])
            }
        });
        PerThread { values, n: self.n, block: self.block }
    }
    #[inline(always)]
    pub fn any(&self, f: impl Fn(u32, T) -> bool) -> bool {
        let mut any = false;
        each::<K>(|k, i| {
            if i < self.n {
                any |= f(i, self.values[k])
            }
        });
        // SAFETY: all threads of the block are here: collectives are called in uniform code.
        unsafe { barrier_or(0, any) }
    }
    #[inline(always)]
    pub fn for_each(&self, f: impl Fn(u32, T)) {
        each::<K>(|k, i| {
            if i < self.n {
                f(i, self.values[k])
            }
        });
        self.block.sync();
    }
}

//! A block on the CPU: one thread runs its loops in order.
use super::Block;
use crate::arena::Arena;
use crate::fault::{self, Faults};
use crate::{Grid, Shared, Status};
use bytemuck::Pod;
use core::cell::{Cell, RefCell};

pub(crate) struct Raw {
    index: u32,
    count: u32,
    /// Threads that the block has on a GPU.
    threads: u32,
    /// Whether a loop's closure runs.
    in_loop: Cell<bool>,
}
impl Raw {
    #[inline(always)]
    pub(super) fn index(&self) -> u32 {
        self.index
    }
    #[inline(always)]
    pub(super) fn count(&self) -> u32 {
        self.count
    }
}

/// Ends the block that runs on this thread.
pub(crate) fn end_block() -> ! {
    std::panic::resume_unwind(Box::new(EndOfBlock))
}
struct EndOfBlock;
/// Whether this is what a panic carries that [`end_block`] began.
pub(crate) fn is_end_of_block(payload: &(dyn core::any::Any + Send)) -> bool {
    payload.is::<EndOfBlock>()
}

thread_local! {
    /// Shared memory of the blocks that this worker runs, one after the other.
    static ARENA: RefCell<Vec<u128>> = const { RefCell::new(Vec::new()) };
}

#[cfg(not(feature = "race-check"))]
#[inline(always)]
fn as_iteration<R>(_i: u32, f: impl FnOnce() -> R) -> R {
    f()
}
#[cfg(feature = "race-check")]
use crate::race::as_iteration;

impl Block {
    /// Runs `work` as block `index` of `count` on this thread, as if it had `threads` threads, with
    /// `shared_bytes` of shared memory. A block that ends early has recorded why in `status` or `faults`.
    /// Launches call it; values from the block borrow it, so that nothing of its memory is left when it has
    /// ended.
    #[doc(hidden)]
    pub fn run_on_cpu(
        (index, count): (u32, u32),
        threads: u32,
        shared_bytes: u32,
        (status, faults): (Status<'_>, &Faults),
        work: impl FnOnce(&Block),
    ) {
        ARENA.with_borrow_mut(|memory| {
            let words = (shared_bytes as usize).div_ceil(16);
            if memory.len() < words {
                memory.resize(words, 0);
            }
            let base = memory.as_mut_ptr().cast::<u8>();
            // SAFETY: long enough, aligned, and borrowed for this block, which ends before `status` does.
            let arena = unsafe { Arena::new(base, shared_bytes, status, index) };
            #[cfg(feature = "race-check")]
            crate::race::begin_block(base.addr(), arena.size());
            // SAFETY: `status` is valid until this function ends, and the block lives no longer.
            let status = unsafe { status.unbound() };
            let block =
                Block { arena, status, raw: Raw { index, count, threads, in_loop: Cell::new(false) } };
            let run = std::panic::AssertUnwindSafe(|| fault::during(faults, index, || work(&block)));
            if let Err(payload) = std::panic::catch_unwind(run)
                && !is_end_of_block(&*payload)
            {
                std::panic::resume_unwind(payload);
            }
        })
    }
    /// Runs the closures of a loop or collective. Inside of another one that is a fault: a GPU would wait for
    /// ever.
    #[inline(always)]
    #[track_caller]
    fn closures<R>(&self, call: &'static str, run: impl FnOnce() -> R) -> R {
        self.uniform(call);
        self.raw.in_loop.set(true);
        let result = run();
        self.raw.in_loop.set(false);
        result
    }
    /// Checks that no closure of a loop is running.
    #[inline(always)]
    #[track_caller]
    fn uniform(&self, call: &'static str) {
        if self.raw.in_loop.get() {
            fault::nested(call);
        }
    }
    /// A barrier: writes of the block before it are visible to the whole block after it.
    #[inline(always)]
    #[track_caller]
    pub fn sync(&self) {
        self.uniform("sync");
        #[cfg(feature = "race-check")]
        crate::race::barrier();
    }
    /// A clock: cycles of the multiprocessor on the GPU, nanoseconds on the CPU; differences between two
    /// calls of one block count.
    #[inline(always)]
    pub fn clock(&self) -> u64 {
        static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
        START.get_or_init(std::time::Instant::now).elapsed().as_nanos() as u64
    }
    /// A barrier between all blocks of a resident launch: writes of all blocks before it are visible to all
    /// of them after. Every block of the launch gets there, equally often. A block that waits longer than the
    /// grid's patience records [`StatusCode::Stalled`](crate::StatusCode::Stalled) and ends.
    #[inline(always)]
    #[track_caller]
    pub fn grid_sync(&self, _grid: Grid) {
        self.uniform("grid_sync");
        if self.count() > 1 {
            self.stop(crate::StatusCode::Stalled, self.count(), 0);
        }
        self.sync();
    }
    /// The barrier at the end of a collective.
    #[inline(always)]
    fn collective_sync(&self) {
        #[cfg(feature = "race-check")]
        crate::race::collective();
    }
    /// Runs `f(i)` for every `i < n` in parallel, no barrier.
    #[inline(always)]
    #[track_caller]
    pub fn for_each_nosync(&self, n: u32, f: impl Fn(u32)) {
        self.closures("for_each", || {
            for i in 0..n {
                as_iteration(i, || f(i));
            }
        });
    }
    /// Runs `f` once, as iteration 0 of a loop, no barrier.
    #[inline(always)]
    #[track_caller]
    pub fn single_nosync(&self, f: impl Fn()) {
        self.closures("single", || as_iteration(0, f));
    }
    /// Runs `f` once and gives its result (4 or 8 bytes) to the whole block. Collective, with barriers.
    #[inline(always)]
    #[track_caller]
    pub fn single<T: Pod>(&self, f: impl Fn() -> T) -> T {
        const { assert!(size_of::<T>() == 4 || size_of::<T>() == 8) };
        let v = self.closures("single", || as_iteration(0, f));
        self.collective_sync();
        v
    }
    /// Sums `s[0..n]` in place so that `s[i]` becomes the sum of the elements before `i`; returns the sum of
    /// all. Writes to `s` before must be followed by a barrier. Collective, ends with a barrier.
    #[inline(always)]
    #[track_caller]
    pub fn exclusive_scan(&self, s: Shared<'_, u32>, n: u32) -> u32 {
        self.uniform("exclusive_scan");
        // any thread may read any element: a barrier must separate it from earlier writes
        for i in 0..n {
            s.get(i);
        }
        self.collective_sync();
        let mut sum = 0;
        for i in 0..n {
            as_iteration(i, || {
                let v = s.get(i);
                s.set(i, sum);
                sum += v;
            });
        }
        self.collective_sync();
        sum
    }
    /// `op` over `f(i)` for `i < n`, beginning with `identity`; values of whole words of 32 bits, at most 64
    /// bytes. The same result in the whole block, in an order that depends on the machine: `op` is
    /// commutative and associative, and leaves what it combines with `identity` as it is. Collective, with
    /// barriers: two, and for values of more than 8 bytes two for every 256 bytes of the warps' values.
    #[inline(always)]
    #[track_caller]
    pub fn reduce<T: Pod>(&self, n: u32, identity: T, f: impl Fn(u32) -> T, op: impl Fn(T, T) -> T) -> T {
        const { super::assert_reducible::<T>() };
        let all = || (0..n).fold(identity, |sum, i| op(sum, as_iteration(i, || f(i))));
        let result = self.closures("reduce", all);
        self.collective_sync();
        result
    }
    /// Sorts `s[0..n]`, ascending. `s` has room for `n` rounded up to a power of two. What was written before
    /// must be separated by a barrier. Collective, ends with a barrier.
    #[track_caller]
    pub fn sort(&self, s: Shared<'_, u32>, n: u32) {
        self.sort_any(s, n)
    }
    /// As [`Block::sort`], for 64-bit keys.
    #[track_caller]
    pub fn sort_u64(&self, s: Shared<'_, u64>, n: u32) {
        self.sort_any(s, n)
    }
    #[track_caller]
    fn sort_any<T: Pod + Ord>(&self, s: Shared<'_, T>, n: u32) {
        self.uniform("sort");
        // as above
        for i in 0..n {
            s.get(i);
        }
        self.collective_sync();
        s.sort_prefix(n);
        for i in 0..n {
            as_iteration(i, || s.set(i, s.get(i)));
        }
        self.collective_sync();
    }
    /// The general append: `claim(k)` reserves `k` consecutive places and returns the first, `put(at, v)`
    /// writes.
    #[track_caller]
    pub(super) fn append_with<T: Pod>(
        &self,
        n: u32,
        claim: impl Fn(u32) -> u32,
        f: impl Fn(u32) -> Option<T>,
        put: impl Fn(u32, T),
    ) {
        self.closures("append", || {
            let found: Vec<T> = (0..n).filter_map(|i| as_iteration(i, || f(i))).collect();
            if !found.is_empty() {
                let first = claim(found.len() as u32);
                for (at, v) in (first..).zip(found) {
                    put(at, v);
                }
            }
        });
        self.collective_sync();
    }
    /// Values that live in registers across barriers: see [`PerThread`]. For more than `K` times the threads
    /// of the block it records [`StatusCode::PerThread`](crate::StatusCode::PerThread) and the block ends, on
    /// both machines.
    #[inline(always)]
    #[track_caller]
    pub fn per_thread<T: Pod, const K: usize>(&self, n: u32, f: impl Fn(u32) -> T) -> PerThread<'_, T, K> {
        self.check_per_thread(n, K, self.raw.threads);
        let values = self.closures("per_thread", || (0..n).map(|i| as_iteration(i, || f(i))).collect());
        PerThread { values, block: self }
    }
    /// Runs `f(i, load(i))` for every `i < n` in parallel, no barrier. On the GPU the first `K` loads of each
    /// thread are under way while `between`, which is uniform code and may hold barriers, runs. `load` reads
    /// global memory that nothing writes.
    #[inline(always)]
    #[track_caller]
    pub fn for_each_ahead_nosync<T: Pod, const K: usize>(
        &self,
        n: u32,
        load: impl Fn(u32) -> T,
        between: impl FnOnce(),
        f: impl Fn(u32, T),
    ) {
        between();
        self.closures("for_each_ahead", || {
            for i in 0..n {
                as_iteration(i, || f(i, load(i)));
            }
        });
    }
}

/// One value per iteration of a loop, kept for later loops of the same length: in registers on the GPU, at
/// most `K` per thread (so `n` is at most `K` times the threads of the block), `K` at most 8.
pub struct PerThread<'b, T, const K: usize> {
    values: Vec<T>,
    block: &'b Block,
}
impl<'b, T: Pod, const K: usize> PerThread<'b, T, K> {
    /// New values from these; no barrier.
    #[inline(always)]
    #[track_caller]
    pub fn map<U: Pod>(&self, f: impl Fn(u32, T) -> U) -> PerThread<'b, U, K> {
        let all = || (0..).zip(&self.values).map(|(i, &v)| as_iteration(i, || f(i, v))).collect();
        PerThread { values: self.block.closures("per_thread", all), block: self.block }
    }
    /// Whether `f` holds for some value; the same answer in the whole block. Collective, with a barrier.
    #[inline(always)]
    #[track_caller]
    pub fn any(&self, f: impl Fn(u32, T) -> bool) -> bool {
        let any = || (0..).zip(&self.values).any(|(i, &v)| as_iteration(i, || f(i, v)));
        let any = self.block.closures("per_thread", any);
        self.block.collective_sync();
        any
    }
    /// Uses the values, then a barrier.
    #[inline(always)]
    #[track_caller]
    pub fn for_each(&self, f: impl Fn(u32, T)) {
        self.block.closures("per_thread", || {
            for (i, &v) in (0..).zip(&self.values) {
                as_iteration(i, || f(i, v));
            }
        });
        self.block.sync();
    }
}

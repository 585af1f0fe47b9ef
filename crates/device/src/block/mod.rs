//! The block: the execution model of kernels.
#[cfg(not(target_arch = "nvptx64"))]
mod cpu;
#[cfg(target_arch = "nvptx64")]
mod gpu;
#[cfg(not(target_arch = "nvptx64"))]
use cpu as imp;
#[cfg(target_arch = "nvptx64")]
use gpu as imp;

use crate::view::Out;
use crate::{Arena, Patch, Shared, Status, StatusCode, atomic, fault};
use bytemuck::Pod;
pub use imp::PerThread;
pub(crate) use imp::end_block;
#[cfg(not(target_arch = "nvptx64"))]
pub(crate) use imp::is_end_of_block;

/// Counts an arrival at a word, which is 0 again after the last one: whether this is the last of so many. It
/// releases what came before in its thread, and acquires what the others have released; the barriers of
/// [`Block::single`] pass on both.
#[inline(always)]
#[track_caller]
fn arrive(arrived: Out<'_, u32>, which: u32, expected: u32) -> bool {
    let others = atomic::fetch_add(arrived, which, 1, atomic::Order::AcqRel, atomic::Scope::Device);
    let last = others + 1 == expected;
    if last {
        arrived.set(which, 0);
    }
    last
}

/// Groups in which many blocks arrive.
const GROUPS: u32 = 512;
/// Words from the counter of a group of blocks to that of the next: 32 bytes, so that they are apart.
const GROUP_WORDS: u32 = 8;
/// Words of memory, at least, in which the blocks of a launch arrive, see [`Block::reduce_blocks`].
pub const GROUPED_ARRIVALS: usize = 1 + (GROUPS * GROUP_WORDS) as usize;

/// Elements of a flat array that one block takes, see [`Block::for_each_of_tile`].
pub const TILE: u32 = 1024;

/// Number of blocks that cover `n` elements of a flat array.
pub const fn tiles(n: u32) -> u32 {
    n.div_ceil(TILE)
}

/// The index of an element: the first argument of a kernel that does the same for each element of a flat
/// array.
///
/// [`kernel`](crate::kernel) writes the loop, [`Block::for_each_of_tile`], and the launch gives the number of
/// elements: `device.launch_each(n, Kernel { … })`. `&Block` may be the second argument.
pub type Each = u32;

/// Refuses types that [`Block::reduce`] does not take.
const fn assert_reducible<T: Pod>() {
    let (size, align) = (size_of::<T>(), align_of::<T>());
    assert!(size.is_multiple_of(4) && size > 0 && size <= 64, "values of 1 to 16 words of 32 bits");
    assert!(align <= 16, "values that stand at multiples of 16 bytes at most");
}

/// A thread block, the first argument of a kernel.
///
/// Code outside the closures is *block-uniform*: all threads compute the same. Parallel work is a closure
/// over an index: `block.for_each(n, |i| …)` runs it for every `i < n` and ends with a barrier. On the GPU
/// iteration `i` runs on thread `i mod threads`; on the CPU one thread runs them all in order. Hence
/// * closures are `Fn`: they change memory (shared slices, buffers, atomics), not captured variables;
/// * two iterations of one loop must not touch the same memory unless both only read or both are atomic;
/// * iteration `i` of a loop sees what iteration `i` of an earlier loop wrote, and nothing else of it until a
///   barrier: `for_each` ends with one, `for_each_nosync` does not;
/// * loops and barriers are called in uniform code only, never inside a closure.
pub struct Block {
    arena: Arena,
    /// Valid while the block runs, by the contract of the code that makes blocks.
    status: Status<'static>,
    raw: imp::Raw,
}

impl Block {
    /// Number of this block in the launch.
    #[inline(always)]
    pub fn index(&self) -> u32 {
        self.raw.index()
    }
    /// Number of blocks in the launch.
    #[inline(always)]
    pub fn count(&self) -> u32 {
        self.raw.count()
    }
    /// The block's shared memory.
    #[inline(always)]
    pub fn arena(&self) -> &Arena {
        &self.arena
    }
    /// `n` elements of shared memory, uninitialised: [`Arena::take`].
    #[inline(always)]
    #[track_caller]
    pub fn shared<T: Pod>(&self, n: u32) -> Shared<'_, T> {
        self.arena.take(n)
    }
    /// The record in which the launch stores its errors.
    #[inline(always)]
    pub fn status(&self) -> Status<'_> {
        self.status
    }
    /// Records a status and ends the block. Uniform code.
    #[inline(always)]
    #[track_caller]
    pub(crate) fn stop(&self, code: StatusCode, first: u32, second: u32) -> ! {
        self.status.record(code, self.index(), first, second);
        #[cfg(not(target_arch = "nvptx64"))]
        fault::ends(
            self.index(),
            core::panic::Location::caller(),
            format_args!("{code:?}, {first}, {second}"),
        );
        end_block()
    }
    /// Ends the block if each of its threads would have to keep more than `k` of `n` values.
    #[inline(always)]
    #[track_caller]
    fn check_per_thread(&self, n: u32, k: usize, threads: u32) {
        let room = k as u32 * threads;
        if n > room {
            self.stop(StatusCode::PerThread, n, room);
        }
    }
    /// Ends the block if the mesh is not edge-manifold, which the query relies on. Crates that promise to
    /// check before they launch (`ribbonmesh_unchecked`) do not ask again.
    #[inline(always)]
    #[track_caller]
    pub(crate) fn expect_edge_manifold(&self, patch: &Patch<'_>) {
        if fault::CHECKED && !patch.edge_manifold() {
            self.stop(StatusCode::NotEdgeManifold, 0, 0);
        }
    }
    /// Runs `f(i)` for every `i < n` in parallel, then a barrier.
    #[inline(always)]
    #[track_caller]
    pub fn for_each(&self, n: u32, f: impl Fn(u32)) {
        self.for_each_nosync(n, f);
        self.sync();
    }
    /// Runs `f(i)` for the elements `i < n` of a flat array that fall to this block, no barrier after it. The
    /// launch has [`tiles`]`(n)` blocks, or fewer: then the blocks stride.
    #[inline(always)]
    #[track_caller]
    pub fn for_each_of_tile(&self, n: u32, f: impl Fn(u32)) {
        self.for_each_tile(n, |base, len| self.for_each_nosync(len, |i| f(base + i)));
    }
    /// The tiles `(first, length)` of a flat array of `n` elements that fall to this block. Uniform code.
    #[inline(always)]
    pub fn for_each_tile(&self, n: u32, mut f: impl FnMut(u32, u32)) {
        let mut tile = self.index();
        while tile < tiles(n) {
            let base = tile * TILE;
            f(base, if n - base < TILE { n - base } else { TILE });
            tile += self.count();
        }
    }
    /// Whether `f(i)` holds for some `i < n`; the same answer in the whole block. Collective, with barriers.
    #[inline(always)]
    #[track_caller]
    pub fn any(&self, n: u32, f: impl Fn(u32) -> bool) -> bool {
        self.reduce(n, 0, |i| f(i) as u32, |a, b| a | b) != 0
    }
    /// Whether `f(i)` holds for all `i < n`. Collective, with barriers.
    #[inline(always)]
    #[track_caller]
    pub fn all(&self, n: u32, f: impl Fn(u32) -> bool) -> bool {
        !self.any(n, |i| !f(i))
    }
    /// For how many `i < n` `f(i)` holds. Collective, with barriers.
    #[inline(always)]
    #[track_caller]
    pub fn count_where(&self, n: u32, f: impl Fn(u32) -> bool) -> u32 {
        self.reduce(n, 0, |i| f(i) as u32, |a, b| a + b)
    }
    /// Writes the indices `i < n` for which `keep(i)` holds to `list`, in order; returns their number. `rank`
    /// is scratch space for `n` words. Collective, with barriers.
    #[inline(always)]
    #[track_caller]
    pub fn compact(
        &self,
        n: u32,
        rank: Shared<'_, u32>,
        list: Shared<'_, u32>,
        keep: impl Fn(u32) -> bool,
    ) -> u32 {
        self.for_each(n, |i| rank.set(i, keep(i) as u32));
        let total = self.exclusive_scan(rank, n);
        self.for_each(n, |i| {
            let at = rank.get(i);
            if at != if i + 1 < n { rank.get(i + 1) } else { total } {
                list.set(at, i);
            }
        });
        total
    }
    /// Whether this block is the last of the launch that comes here. It then sees the writes of the others
    /// before they came; a barrier must separate the call from this block's own writes. `arrived[which]` is 0
    /// before the launch and after it. Collective, with barriers.
    #[inline(always)]
    #[track_caller]
    pub fn comes_last(&self, arrived: Out<'_, u32>, which: u32) -> bool {
        self.comes_last_of(self.count(), arrived, which)
    }
    /// As [`Block::comes_last`], of `blocks` of the launch, which alone come here with this word.
    #[inline(always)]
    #[track_caller]
    pub fn comes_last_of(&self, blocks: u32, arrived: Out<'_, u32>, which: u32) -> bool {
        self.single(|| arrive(arrived, which, blocks) as u32) != 0
    }
    /// `op` over the `part` of every block of the launch, beginning with `identity`: `then` gets the result
    /// once, on the block that comes last. `parts` has an element for each block, `arrived` has
    /// [`GROUPED_ARRIVALS`] words, which are 0 before the launch and after it, or both have more: blocks use
    /// all of both, so that several cards each have their own blocks' parts and arrivals in their memory. Up
    /// to 1,024 blocks arrive at one word, and the order is that of [`Block::reduce`] over them. More blocks
    /// arrive in 512 groups; the last one of a group reduces the parts of its group, and the last one of all
    /// the groups. The result is the same every time, and depends on the number of blocks alone. Collective,
    /// with barriers.
    #[inline(always)]
    #[track_caller]
    pub fn reduce_blocks<T: Pod>(
        &self,
        part: T,
        identity: T,
        (parts, arrived): (Out<'_, T>, Out<'_, u32>),
        op: impl Fn(T, T) -> T,
        then: impl Fn(T),
    ) {
        let count = self.count();
        let apart = if parts.len() as u32 > count { parts.len() as u32 / count } else { 1 };
        let words = (arrived.len() as u32 - 1) / GROUPS;
        let size = if count > 2 * GROUPS { count.div_ceil(GROUPS) } else { 1 };
        let (first, mut part) = (self.index() / size * size, part);
        if size > 1 {
            let members = if count - first < size { count - first } else { size };
            let last = self.single(|| {
                parts.set(self.index() * apart, part);
                arrive(arrived, 1 + self.index() / size * words, members) as u32
            });
            if last == 0 {
                return;
            }
            part = self.reduce(members, identity, |i| parts.get((first + i) * apart), &op);
        }
        let groups = count.div_ceil(size);
        let last = self.single(|| {
            parts.set(first * apart, part);
            arrive(arrived, 0, groups) as u32
        });
        if last != 0 {
            let all = self.reduce(groups, identity, |i| parts.get(i * size * apart), &op);
            self.single_nosync(|| then(all));
        }
    }
    /// Appends what `f(i)` returns, for `i < n`, to `list` in global memory, whose length is the counter
    /// `counters[which]`: one atomic for all. The order within the list is not determined. What does not fit
    /// is counted but not written: the host compares the counter with the capacity. Collective, with
    /// barriers.
    #[inline(always)]
    #[track_caller]
    pub fn append<T: Pod>(
        &self,
        n: u32,
        list: Out<'_, T>,
        counters: Out<'_, u32>,
        which: u32,
        f: impl Fn(u32) -> Option<T>,
    ) {
        let claim = |k| atomic::fetch_add(counters, which, k, atomic::Order::Relaxed, atomic::Scope::Device);
        self.append_with(n, claim, f, |at, v| {
            if (at as usize) < list.len() {
                list.set(at, v)
            }
        });
    }
    /// As [`Block::append`], to a part of the list: its first place, and the number of its places.
    #[inline(always)]
    #[track_caller]
    pub fn append_within<T: Pod>(
        &self,
        n: u32,
        list: Out<'_, T>,
        [first, places]: [u32; 2],
        counters: Out<'_, u32>,
        which: u32,
        f: impl Fn(u32) -> Option<T>,
    ) {
        self.append_within_or(n, (list, [first, places]), (counters, which), f, |_| ());
    }
    /// As [`Block::append_within`]; `beyond` gets what is counted but has no place.
    #[inline(always)]
    #[track_caller]
    pub fn append_within_or<T: Pod>(
        &self,
        n: u32,
        (list, [first, places]): (Out<'_, T>, [u32; 2]),
        (counters, which): (Out<'_, u32>, u32),
        f: impl Fn(u32) -> Option<T>,
        beyond: impl Fn(T),
    ) {
        let claim = |k| atomic::fetch_add(counters, which, k, atomic::Order::Relaxed, atomic::Scope::Device);
        self.append_with(n, claim, f, |at, v| if at < places { list.set(first + at, v) } else { beyond(v) });
    }
}

//! The race checker (feature `race-check`, CPU only): every access to shared memory is checked against the
//! others since the last barrier, as if each iteration of a loop were a thread.
//!
//! Iteration `i` of any loop runs on one thread of the GPU, so two accesses conflict when their iterations
//! differ and one of them writes, unless both are atomic. To test the checker and the kernels' barriers,
//! [`leave_out`] makes every block skip its n-th barrier.
use crate::arena::Access;
use std::cell::RefCell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// Code outside the loops: all threads at once.
const ALL: u32 = u32::MAX;
/// More than one iteration.
const MANY: u32 = u32::MAX - 1;
/// Bytes per cell of the shadow memory: the smallest elements are 16-bit.
const CELL: usize = 2;

static RACES: AtomicU64 = AtomicU64::new(0);
static LEFT_OUT: AtomicU32 = AtomicU32::new(u32::MAX);
static BARRIERS: AtomicU32 = AtomicU32::new(0);
static FIRST: Mutex<Option<String>> = Mutex::new(None);

/// Observations of the checker since the last report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Number of conflicting accesses.
    pub races: u64,
    /// Largest number of barriers that a block has passed, except for barriers within collectives.
    pub barriers: u32,
    /// The first conflict in words.
    pub first: Option<String>,
}

/// Makes every block skip its `n`-th barrier (counting from 0); `None`: as written.
pub fn leave_out(n: Option<u32>) {
    LEFT_OUT.store(n.unwrap_or(u32::MAX), Relaxed);
}
/// Returns the observations, and starts anew.
pub fn take_report() -> Report {
    Report {
        races: RACES.swap(0, Relaxed),
        barriers: BARRIERS.swap(0, Relaxed),
        first: FIRST.lock().map_or(None, |mut f| f.take()),
    }
}

#[derive(Clone, Copy, Default)]
struct Cell {
    /// For reads, writes, atomics: the epoch of the last one and the iteration that did it.
    last: [(u32, u32); 3],
}
#[derive(Default)]
struct State {
    barriers: u32,
    epoch: u32,
    iteration: Option<u32>,
    base: usize,
    cells: Vec<Cell>,
}
thread_local! { static STATE: RefCell<State> = RefCell::default() }

pub(crate) fn begin_block(base: usize, size: u32) {
    STATE.with_borrow_mut(|s| {
        s.cells.clear();
        s.cells.resize((size as usize).div_ceil(CELL), Cell::default());
        (s.base, s.epoch, s.barriers, s.iteration) = (base, 1, 0, None);
    })
}
pub(crate) fn barrier() {
    STATE.with_borrow_mut(|s| {
        if s.barriers != LEFT_OUT.load(Relaxed) {
            s.epoch += 1;
        }
        s.barriers += 1;
        BARRIERS.fetch_max(s.barriers, Relaxed);
    })
}
/// The barrier that belongs to a collective: a kernel cannot do without it, so it is not counted or left out.
pub(crate) fn collective() {
    STATE.with_borrow_mut(|s| s.epoch += 1)
}
pub(crate) fn as_iteration<R>(i: u32, f: impl FnOnce() -> R) -> R {
    STATE.with_borrow_mut(|s| s.iteration = Some(i));
    let r = f();
    STATE.with_borrow_mut(|s| s.iteration = None);
    r
}
pub(crate) fn touch(address: usize, size: usize, access: Access) {
    STATE.with_borrow_mut(|s| {
        let (epoch, i) = (s.epoch, s.iteration.unwrap_or(ALL));
        let from = (address - s.base) / CELL;
        for cell in &mut s.cells[from..from + size.div_ceil(CELL)] {
            for (kind, &(e, other)) in [Access::Read, Access::Write, Access::Atomic].iter().zip(&cell.last) {
                let harmless = *kind == access && access != Access::Write;
                let same = other == i && (i != ALL || access != Access::Write);
                if !harmless && e == epoch && !same {
                    report(access, i, *kind, other);
                }
            }
            // uniform code that writes is all threads writing at once
            if access != Access::Read && i == ALL {
                report(access, ALL, access, ALL);
            }
            let last = &mut cell.last[access as usize];
            *last = (epoch, if last.0 == epoch && last.1 != i { MANY } else { i });
        }
    })
}
fn report(access: Access, i: u32, other_access: Access, other: u32) {
    let name = |i| match i {
        ALL => "uniform code".to_owned(),
        MANY => "several iterations".to_owned(),
        i => format!("iteration {i}"),
    };
    if RACES.fetch_add(1, Relaxed) == 0
        && let Ok(mut first) = FIRST.lock()
    {
        *first = Some(format!(
            "{access:?} by {} and {other_access:?} by {} of the same shared memory, no barrier between",
            name(i),
            name(other)
        ));
    }
}

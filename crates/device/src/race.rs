//! The race checker (feature `race-check`, CPU only): every access to shared memory is checked against the
//! others since the last barrier, as if each iteration of a loop were a thread.
//!
//! Iteration `i` of any loop runs on one thread of the GPU, so two accesses conflict when their iterations
//! differ and one of them writes, unless both are atomic. To test the checker and the kernels' barriers,
//! [`leave_out`] makes every block skip its n-th barrier.
//!
//! A test calls [`assert_none`], or [`assert_each_barrier_needed`], with some work. The observations are
//! those of the process, so that a program must not launch kernels of other work meanwhile: such tests are
//! programs of their own. Several of them in one program wait for each other.
use crate::arena::Access;
use std::cell::RefCell;
use std::fmt::{Debug, Display};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

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

/// Runs work, in which there must be no race, and returns the observations; `name` is for messages.
///
/// # Panics
/// At a race.
#[track_caller]
pub fn assert_none<T>(name: impl Display, work: impl FnOnce() -> T) -> Report {
    let _alone = alone();
    observed(&name, work)
}

/// Waits for other tests of this process. One that has failed leaves nothing behind.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[track_caller]
fn observed<T>(name: &impl Display, work: impl FnOnce() -> T) -> Report {
    leave_out(None);
    take_report();
    drop(work());
    let report = take_report();
    let first = report.first.as_deref().unwrap_or_default();
    assert_eq!(report.races, 0, "{name}: {first}");
    report
}

/// Runs work as written, then once without each of its barriers, and says of each barrier whether it is
/// needed: without it there is a race, or the work fails.
///
/// # Panics
/// If the work as written fails, or has a race.
#[track_caller]
pub fn needed_barriers<E: Debug>(name: impl Display, mut work: impl FnMut() -> Result<(), E>) -> Vec<bool> {
    let _alone = alone();
    let mut outcome = Ok(());
    let report = observed(&name, || outcome = work());
    if let Err(error) = outcome {
        panic!("{name}: {error:?}");
    }
    let needed = |barrier| {
        leave_out(Some(barrier));
        let outcome = work();
        leave_out(None);
        take_report().races > 0 || outcome.is_err()
    };
    (0..report.barriers).map(needed).collect()
}

/// Checks that work has barriers, and needs each of them ([`needed_barriers`]).
///
/// # Panics
/// If the work as written fails, or has a race; if there is a barrier without which it has none.
#[track_caller]
pub fn assert_each_barrier_needed<E: Debug>(name: impl Display, work: impl FnMut() -> Result<(), E>) {
    let needed = needed_barriers(&name, work);
    assert!(!needed.is_empty(), "{name} has no barriers");
    if let Some(spare) = needed.iter().position(|needed| !needed) {
        panic!("{name}: no race without barrier {spare} of {}", needed.len());
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

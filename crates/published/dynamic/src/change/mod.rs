//! Changes of a store, as the thesis writes them (5.2.3): a queue of patches, a working copy in shared
//! memory, cavities registered and a maximal independent set of them, locks on the patches around, expansion,
//! ownership moved and the others released, filling, commit.
mod attempt;
mod cavities;
mod cheap;
mod collapse;
mod flip;
mod operator;
mod owners;
mod shapes;
mod split;

use crate::attributes::Attributes;
use crate::draft::reason;
use crate::view::{ReadStore, StoreViewMut};
use attempt::memory;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, NONE, Out, Parameter, kernel};
use ribbonmesh_concurrent::{Gate, Locks, Queue};

pub use attempt::Attempt;
pub use cheap::CollapseCheap;
pub use collapse::CollapseShort;
pub use flip::{FlipDelaunay, FlipValences};
pub use operator::StoreOperator;
pub use split::SplitLong;

/// Tries of a lock before a block looks who else wants it.
pub(crate) const TRIES: u32 = 16;
/// Refusals after which a patch is processed alone.
const PATIENCE: u32 = 16;
/// Refusals after which one cavity at the border is filled at once.
const NARROW: u32 = 8;

/// Words of the report.
pub mod count {
    /// Cavities filled.
    pub const FILLED: u32 = 0;
    /// Patches taken from the queue.
    pub const SCHEDULED: u32 = 1;
    /// ... and dropped, since a lock was missing or another block was changing what was read.
    pub const DISCARDED: u32 = 2;
    /// ... and processed alone.
    pub const ALONE: u32 = 3;
    /// ... and dropped, since something had no room.
    pub const STUCK: u32 = 4;
    /// Locks of other patches that were taken for patches with cavities.
    pub const LOCKED: u32 = 5;
    /// Elements whose owner changed.
    pub const MOVED: u32 = 6;
    /// A table of a neighbour had no room after it was found to have some: the store is broken.
    pub const BROKEN: u32 = 7;
    /// Most steps of a chain of owners; 0 if there was none of more than one.
    pub const LONGEST: u32 = 8;
    /// Patches that need no more work, or wait for a cleanup.
    pub const DONE: u32 = 9;
    /// Vertices, edges and faces made, less those deleted: three words.
    pub const GROWN: u32 = 10;
    /// Ticks of the block's clock in each [`phase`](super::phase), in units of 256.
    pub const TICKS: u32 = 13;
    /// Number of words.
    pub const WORDS: u32 = TICKS + super::phase::NUMBER as u32;
}

/// Phases of a patch that is processed (thesis 5.4.5).
pub mod phase {
    /// Waiting for the patch's own lock.
    pub const OWN: u32 = 0;
    /// Loading the working copy, with the owners of its ribbon.
    pub const LOAD: u32 = 1;
    /// Registering cavities and choosing among them.
    pub const CHOOSE: u32 = 2;
    /// Waiting for the locks of patches around.
    pub const LOCK: u32 = 3;
    /// Copying stars from them.
    pub const EXPAND: u32 = 4;
    /// Looking which cavities can be filled.
    pub const REJECT: u32 = 5;
    /// Room with others, and tables.
    pub const PLAN: u32 = 6;
    /// Moving ownership and values.
    pub const MOVE: u32 = 7;
    /// Filling, and writing the copy.
    pub const COMMIT: u32 = 8;
    /// Number of phases.
    pub const NUMBER: usize = 9;
    /// Their names.
    pub const NAMES: [&str; NUMBER] =
        ["own lock", "load", "choose", "locks around", "expand", "reject", "plan", "move", "fill and commit"];
}

/// The time since the last look at a block's clock, for the report.
pub(crate) struct Laps<'b, 'a> {
    block: &'b Block,
    report: Out<'a, u32>,
    last: core::cell::Cell<u64>,
}
impl<'b, 'a> Laps<'b, 'a> {
    #[inline(always)]
    fn begin(block: &'b Block, report: Out<'a, u32>) -> Self {
        Self { block, report, last: core::cell::Cell::new(block.clock()) }
    }
    /// The time until now was spent in this phase.
    #[inline(always)]
    pub(crate) fn end(&self, phase: u32) {
        let (now, last) = (self.block.clock(), self.last.get());
        self.last.set(now);
        self.block.single_nosync(|| add(self.report, count::TICKS + phase, ((now - last) >> 8) as u32));
    }
}

/// Lengths that operators compare with.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Parameter)]
pub struct Criteria {
    /// Edges shorter than this are collapsed.
    pub shortest: f32,
    /// Longer ones are split, and no collapse makes one.
    pub longest: f32,
    /// Edges that cost as much or more stay.
    pub costliest: f32,
}

/// Needs of a change.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Change<'a> {
    /// The store.
    pub store: StoreViewMut<'a>,
    /// The lock of each patch.
    pub locks: Out<'a, u32>,
    /// Patches to be processed.
    pub queue: Out<'a, u32>,
    /// The gate, then the refusals of each patch since it was processed.
    pub gate: Out<'a, u32>,
    /// [`reason`]s for which each patch waits for a cleanup.
    pub stuck: Out<'a, u32>,
    /// Words of [`count`].
    pub report: Out<'a, u32>,
    /// Values that move with elements, and that what is made gets.
    pub attributes: Attributes<'a>,
    /// Lengths.
    pub criteria: Criteria,
}

/// Fills the cavities of an operator: each block takes a patch from the queue and processes it once. What is
/// put back is for the next launch (thesis 5.2.3).
#[kernel(
    for O in [FlipDelaunay, FlipValences, SplitLong, CollapseShort, CollapseCheap],
    threads = 256,
    shared = memory::<O>(arena, change.store.limits(), change.store.max_table)
)]
pub fn change_patches<'a, O: StoreOperator>(block: &Block, change: Change<'a>) {
    let memory = memory::<O>(block.arena(), change.store.limits(), change.store.max_table);
    let queue = Queue::new(change.queue);
    let gate = Gate::new(change.gate, 0);
    let locks = Locks::new(change.locks, TRIES);
    let p = block.single(|| queue.pop().unwrap_or(NONE));
    if p == NONE {
        return;
    }
    let laps = Laps::begin(block, change.report);
    let entered = block.single(|| enter(change, gate, locks, block.index(), p));
    laps.end(phase::OWN);
    let mut failed = reason::REFUSED;
    let mut again = false;
    if entered & LOCKED_SELF != 0 {
        let draft = memory.draft.of(p, change.store.row(p));
        let attempt = Attempt { block, change, locks, draft, memory };
        failed = attempt.run::<O>(&laps, &mut again);
        attempt.memory.expansion.release(block, &draft, locks);
    }
    block.single_nosync(|| {
        if entered & LOCKED_SELF != 0 {
            locks.release(p, block.index());
        }
        if entered == ALONE {
            gate.open();
        } else if entered & INSIDE != 0 {
            gate.leave();
        }
        if entered == OUTSIDE {
            put_back(change, queue, p);
        } else {
            conclude(change, queue, p, failed, again);
        }
    });
}

/// The gate is closed.
const OUTSIDE: u32 = 8;
const INSIDE: u32 = 1;
const LOCKED_SELF: u32 = 2;
const ALONE: u32 = LOCKED_SELF | 4;

/// Enters the gate, or closes it after too many refusals, and locks the patch: how it is inside, 0 where the
/// patch's own lock is missing.
#[inline(always)]
fn enter(
    change: Change<'_>,
    gate: Gate<Out<'_, u32>>,
    locks: Locks<Out<'_, u32>>,
    number: u32,
    p: u32,
) -> u32 {
    if atomic::load(change.gate, 1 + p, Relaxed, Device) >= PATIENCE {
        if !gate.close() {
            return OUTSIDE;
        }
        locks.acquire_alone(p);
        add(change.report, count::ALONE, 1);
        return ALONE;
    }
    if !gate.enter() {
        return OUTSIDE;
    }
    if !locks.acquire(p, number) {
        gate.leave();
        return 0;
    }
    INSIDE | LOCKED_SELF
}
/// Puts a patch back to be tried again.
#[inline(always)]
fn put_back(change: Change<'_>, queue: Queue<Out<'_, u32>>, p: u32) {
    // there is room: each patch is in the queue once
    if queue.push(p).is_err() {
        done(change, queue);
    }
}
/// The patch needs no more work in this run.
#[inline(always)]
fn done(change: Change<'_>, queue: Queue<Out<'_, u32>>) {
    queue.done();
    add(change.report, count::DONE, 1);
}
/// Puts the patch back, or ends its work.
#[inline(always)]
fn conclude(change: Change<'_>, queue: Queue<Out<'_, u32>>, p: u32, failed: u32, again: bool) {
    add(change.report, count::SCHEDULED, 1);
    let refused = atomic::load(change.gate, 1 + p, Relaxed, Device);
    let full = failed & !reason::REFUSED;
    if full != 0 && refused >= NARROW {
        atomic::fetch_or(change.stuck, p, full, Relaxed, Device);
        add(change.report, count::STUCK, 1);
        return done(change, queue);
    }
    if failed != 0 {
        add(change.report, count::DISCARDED, 1);
        // where something has no room, one cavity may have
        let least = if full != 0 { NARROW } else { 0 };
        let refused = if refused + 1 < least { least } else { refused + 1 };
        atomic::store(change.gate, 1 + p, refused, Relaxed, Device);
    } else {
        // where few cavities had room, not many have at once
        atomic::store(change.gate, 1 + p, refused / 2, Relaxed, Device);
    }
    if failed != 0 || again {
        put_back(change, queue, p);
    } else {
        done(change, queue);
    }
}
#[inline(always)]
fn add(report: Out<'_, u32>, which: u32, n: u32) {
    atomic::fetch_add(report, which, n, Relaxed, Device);
}

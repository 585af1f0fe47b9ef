//! A pass: which patches are worked on, and what comes after it.
use super::division::{ALONE_AFTER, Division, MOST_WAITS, row, state, statistics};
use super::memory::{Memory, word};
use super::patch::{Outcome, work_on};
use crate::device::atomic::{self, Order, Scope};
use crate::device::{Block, NONE};
use crate::dynamic::control;
use crate::dynamic::operator::Operator;
use crate::dynamic::rejection::Rejection;
use crate::dynamic::rounds::Rounds;
use ribbonmesh_concurrent::{Gate, Queue, Words};

/// No patch now; the end of the pass: instead of a patch.
const NOT_NOW: u32 = NONE;
const NEVER: u32 = NONE - 1;

#[inline(always)]
pub fn atomic_get(rounds: Rounds<'_>, i: u32) -> u32 {
    atomic::load(rounds.control, i, Order::Relaxed, Scope::Device)
}
#[inline(always)]
pub fn atomic_add(rounds: Rounds<'_>, i: u32, n: u32) -> u32 {
    atomic::fetch_add(rounds.control, i, n, Order::Relaxed, Scope::Device)
}
/// The state of the run, the same for all threads of the block. Collective.
#[inline(always)]
pub fn state_of(block: &Block, rounds: Rounds<'_>) -> u32 {
    block.single(|| atomic_get(rounds, control::STATE))
}
/// Counts something in the row of the pass. One thread.
#[inline(always)]
pub fn count(rounds: Rounds<'_>, d: Division<'_>, column: u32, n: u32) {
    let pass = atomic_get(rounds, control::PASSES).min(statistics::PASSES - 1);
    let at = statistics::COLUMNS * pass + column;
    atomic::fetch_add(d.statistics, at, n, Order::Relaxed, Scope::Device);
}
/// Notes the time since the last call, in units of 256 clock cycles, as that of a step. Collective.
#[inline(always)]
pub fn clock(block: &Block, d: Division<'_>, m: Memory<'_>, step: u32) {
    block.single_nosync(|| {
        let now = (block.clock() >> 8) as u32;
        let since = now.wrapping_sub(m.words.get(word::CLOCK));
        m.words.set(word::CLOCK, now);
        let at = statistics::STEPS + step;
        atomic::fetch_add(d.statistics, at, since, Order::Relaxed, Scope::Device);
    });
}
/// The run stops, since there is no room for something; the host sees how much was wanted. Collective.
#[inline(always)]
pub fn stop(block: &Block, rounds: Rounds<'_>, d: Division<'_>, why: u32, wanted: u32, much: u32) {
    block.single_nosync(|| {
        atomic::fetch_max(d.state, wanted, much, Order::Relaxed, Scope::Device);
        atomic::compare_exchange(
            rounds.control,
            control::STATE,
            control::RUNNING,
            why,
            Order::Relaxed,
            Scope::Device,
        );
    });
}

/// Pushes a patch whose work is new. There is room for each patch once.
#[inline(always)]
pub fn begin_patch<W: Words>(queue: Queue<W>, patch: u32) {
    while queue.begin(patch).is_err() {}
}
/// Pushes a patch again.
#[inline(always)]
fn push<W: Words>(queue: Queue<W>, patch: u32) {
    while queue.push(patch).is_err() {}
}

/// Whether a seed is out of the pass: its cavity was filled or rejected, or has lost faces.
#[inline(always)]
pub fn is_out(rounds: Rounds<'_>, seed: u32) -> bool {
    atomic::load(rounds.out, seed / 32, Order::Relaxed, Scope::Device) >> (seed % 32) & 1 != 0
}
/// A seed is out of the pass.
#[inline(always)]
pub fn put_out(rounds: Rounds<'_>, seed: u32) {
    atomic::fetch_or(rounds.out, seed / 32, 1 << (seed % 32), Order::Relaxed, Scope::Device);
}
/// Looks so often whether what a patch waits for is out, before the patch is pushed again.
const LOOKS: u32 = 64;
/// Whether a patch that was popped still waits for a seed of another one. One thread, which has the patch, since it is not in the queue.
#[inline(always)]
fn waits(rounds: Rounds<'_>, d: Division<'_>, patch: u32) -> bool {
    let seed = d.row(patch, row::WAITS_FOR);
    if seed == 0 {
        return false;
    }
    let waits = d.row(patch, row::WAITS);
    let mut looks = if waits < MOST_WAITS { LOOKS } else { 0 };
    while looks > 0 && !is_out(rounds, seed - 1) {
        d.state.pause();
        looks -= 1;
    }
    let still = looks == 0 && waits < MOST_WAITS;
    d.set_row(patch, row::WAITS, if still { waits + 1 } else { 0 });
    if !still {
        d.set_row(patch, row::WAITS_FOR, 0);
    }
    still
}

/// Works on patches until there are none in the queue and nobody works on one, or the run stops.
///
/// A patch that has come back [`ALONE_AFTER`] times is worked on alone: blocks that work are behind a gate, and who closes it is refused no lock. So each patch
/// ends, whatever others need.
#[inline(always)]
pub fn work<O: Operator>(block: &Block, rounds: Rounds<'_>, d: Division<'_>, operator: O, m: Memory<'_>) {
    let (queue, gate) = (Queue::new(d.queue), Gate::new(d.state, state::GATE));
    block.single(|| {
        m.words.set(word::CLOCK, (block.clock() >> 8) as u32);
        0u32
    });
    // the patch that this block works on alone
    let mut alone = NOT_NOW;
    loop {
        let patch = block.single(|| {
            if atomic_get(rounds, control::STATE) != control::RUNNING {
                if alone != NOT_NOW {
                    push(queue, alone);
                    gate.open();
                }
                return NEVER;
            }
            m.words.set(word::ALONE, (alone != NOT_NOW) as u32);
            if alone != NOT_NOW {
                return alone;
            }
            // who waits writes nothing
            if queue.seems_empty() && queue.open() != 0 || !gate.enter() {
                d.state.pause();
                return NOT_NOW;
            }
            if let Some(patch) = queue.pop() {
                if !waits(rounds, d, patch) {
                    return patch;
                }
                push(queue, patch);
                gate.leave();
                return NOT_NOW;
            }
            gate.leave();
            if queue.open() == 0 {
                return NEVER;
            }
            d.state.pause();
            NOT_NOW
        });
        if patch == NEVER {
            clock(block, d, m, statistics::WAIT);
            return;
        }
        if patch == NOT_NOW {
            continue;
        }
        clock(block, d, m, statistics::WAIT);
        #[cfg(not(target_arch = "nvptx64"))]
        let fault = OnFault(rounds, gate, alone != NOT_NOW);
        let outcome = work_on(block, rounds, d, operator, m, patch);
        #[cfg(not(target_arch = "nvptx64"))]
        core::mem::forget(fault);
        alone = block.single(|| {
            let leave = || if alone == NOT_NOW { gate.leave() } else { gate.open() };
            if outcome == Outcome::Done {
                count(rounds, d, statistics::PROCESSED, 1);
                d.set_row(patch, row::RETURNS, 0);
                queue.done();
                leave();
                return NOT_NOW;
            }
            // nobody else has it, since it is not in the queue
            let returns = d.row(patch, row::RETURNS) + 1;
            d.set_row(patch, row::RETURNS, returns);
            leave();
            if returns >= ALONE_AFTER && gate.close() {
                count(rounds, d, statistics::ALONE, 1);
                return patch;
            }
            push(queue, patch);
            NOT_NOW
        });
    }
}

/// A block that ends by a fault has locks that nobody will release: the others stop, also who waits to be alone. On a GPU a fault ends
/// them all.
#[cfg(not(target_arch = "nvptx64"))]
struct OnFault<'a>(Rounds<'a>, Gate<crate::device::Out<'a, u32>>, bool);
#[cfg(not(target_arch = "nvptx64"))]
impl Drop for OnFault<'_> {
    fn drop(&mut self) {
        let Self(rounds, gate, alone) = self;
        atomic::store(rounds.control, control::STATE, control::FAULT, Order::Relaxed, Scope::Device);
        if *alone { gate.open() } else { gate.leave() }
    }
}

/// What comes after a pass. One thread, when all blocks are through.
#[inline(always)]
pub fn end(rounds: Rounds<'_>, d: Division<'_>) {
    let get = |i: u32| atomic_get(rounds, i);
    let c = rounds.control;
    let set = |i: u32, value: u32| atomic::store(c, i, value, Order::Relaxed, Scope::Device);
    let tickets = atomic::load(d.state, state::TICKET, Order::Relaxed, Scope::Device);
    set(control::ROUNDS, tickets);
    if get(control::DIFFERED) != 0 {
        set(control::STATE, control::BROKEN);
        return;
    }
    if get(control::STATE) != control::RUNNING {
        return;
    }
    let (of_pass, passes) = (get(control::OF_PASS), get(control::PASSES) + 1);
    set(control::EXECUTED, get(control::EXECUTED) + of_pass);
    set(control::OF_PASS, 0);
    set(control::PASS, get(control::PASS) + 1);
    set(control::PASSES, passes);
    if of_pass == 0 {
        set(control::STATE, control::DONE);
        return;
    }
    if passes >= get(control::MOST_PASSES) {
        set(control::STATE, control::STOPPED);
        return;
    }
    let mut reason = 0;
    while reason < Rejection::COUNT {
        let (of_pass, before) = (control::REJECTED + reason, control::REJECTED_BEFORE + reason);
        set(before, get(before) + get(of_pass));
        set(of_pass, 0);
        reason += 1;
    }
}

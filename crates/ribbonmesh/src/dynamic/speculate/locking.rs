//! Acquiring and releasing the locks of patches.
use super::division::{Division, PATIENCE, STASH, row, state, statistics};
use super::held::MOST_MISSING;
use super::memory::{Memory, word};
use super::pass::{count, stop};
use crate::device::atomic::{self, Order, Scope};
use crate::device::{Block, Out};
use crate::dynamic::control;
use crate::dynamic::rounds::Rounds;
use ribbonmesh_concurrent::Locks;

/// Why a block does not go on with a patch.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Given {
    /// All that was asked for.
    All,
    /// A lock is another block's: the patch is to be pushed again.
    Refused,
}

/// The locks of patches. One number for each patch that is worked on: no two blocks have the same.
#[inline(always)]
pub fn locks<'a>(division: Division<'a>) -> Locks<Out<'a, u32>> {
    Locks::new(division.locks, 0)
}
/// Acquires a lock, or not; who works alone is refused none, also none that others have reserved.
#[inline(always)]
fn try_acquire(d: Division<'_>, m: Memory<'_>, lock: u32, patch: u32, reserve: bool) -> bool {
    if m.words.get(word::ALONE) != 0 {
        return locks(d).acquire_alone(lock);
    }
    locks(d).try_acquire(lock, patch, reserve)
}

/// Locks a patch and those of its stash, or none of them; returns how many are held, none if one was refused. Collective.
#[inline(always)]
pub fn lock_with_stash(block: &Block, rounds: Rounds<'_>, d: Division<'_>, m: Memory<'_>, patch: u32) -> u32 {
    let own = block.single(|| {
        // whoever holds it will release it: the number may stay until then
        let acquired = try_acquire(d, m, patch, patch, true);
        if acquired {
            m.held.set(0, patch);
            let n = d.row(patch, row::STASH).min(d.most_held - 1);
            n + 1
        } else {
            0
        }
    });
    if own == 0 {
        block.single_nosync(|| count(rounds, d, statistics::REFUSED, 1));
        return 0;
    }
    block.for_each(own - 1, |i| m.held.set(i + 1, d.stash.get(STASH * patch + i)));
    m.set.clear(block);
    if acquire(block, rounds, d, m, patch, 1, own) == Given::Refused {
        block.single_nosync(|| {
            count(rounds, d, statistics::REFUSED, 1);
            d.set_row(patch, row::REFUSALS, d.row(patch, row::REFUSALS) + 1);
        });
        release(block, d, m, patch, 1);
        return 0;
    }
    block.single_nosync(|| d.set_row(patch, row::REFUSALS, 0));
    block.for_each(own, |i| _ = m.set.insert(m.held.get(i)));
    own
}

/// Acquires the locks of the held patches from `first` to `end`, or none of these. Collective.
#[inline(always)]
fn acquire(
    block: &Block,
    rounds: Rounds<'_>,
    d: Division<'_>,
    m: Memory<'_>,
    patch: u32,
    first: u32,
    end: u32,
) -> Given {
    let locks = locks(d);
    // only what stands in the stash is tried again under the same number, so that only this is reserved
    let reserve = d.row(patch, row::REFUSALS) >= PATIENCE && end <= STASH + 1;
    block.for_each(end - first, |i| {
        let acquired = try_acquire(d, m, m.held.get(first + i), patch, reserve);
        m.acquired.set(first + i, acquired as u32);
    });
    let refused = block.any(end - first, |i| m.acquired.get(first + i) == 0);
    if !refused {
        block.single_nosync(|| count(rounds, d, statistics::LOCKS, end - first));
        return Given::All;
    }
    block.for_each(end - first, |i| {
        if m.acquired.get(first + i) != 0 {
            locks.release(m.held.get(first + i), patch);
        }
    });
    Given::Refused
}

/// Locks the patches that are missing, too; the new number of those held, or none if one was refused or there is no room. Those
/// are in the stash then. Collective.
#[inline(always)]
pub fn extend(
    block: &Block,
    rounds: Rounds<'_>,
    d: Division<'_>,
    m: Memory<'_>,
    patch: u32,
    held: u32,
) -> Option<u32> {
    let more = m.missing.len().min(MOST_MISSING);
    block.single_nosync(|| count(rounds, d, statistics::EXTENDED, 1));
    let end = held + more;
    if end > d.most_held {
        stop(block, rounds, d, control::NO_LOCKS, state::WANTED_HELD, end);
        return None;
    }
    if more == 0 {
        // only a face whose label is not seen yet: look again at memory, not at the cache
        atomic::fence(Order::Acquire, Scope::Device);
    }
    block.for_each(more, |i| m.held.set(held + i, m.missing.get(i)));
    let given = acquire(block, rounds, d, m, patch, held, end);
    store_stash(block, d, m, patch, end);
    if given == Given::Refused {
        return None;
    }
    block.for_each(more, |i| _ = m.set.insert(m.held.get(held + i)));
    Some(end)
}

/// Writes the stash: all that is held, as far as there is room. Collective.
#[inline(always)]
pub fn store_stash(block: &Block, d: Division<'_>, m: Memory<'_>, patch: u32, held: u32) {
    let n = (held - 1).min(STASH);
    block.for_each_nosync(n, |i| d.stash.set(STASH * patch + i, m.held.get(i + 1)));
    block.single_nosync(|| d.set_row(patch, row::STASH, n));
    block.sync();
}

/// Releases the first `held` patches. Collective.
#[inline(always)]
pub fn release(block: &Block, d: Division<'_>, m: Memory<'_>, patch: u32, held: u32) {
    block.sync();
    block.for_each(held, |i| locks(d).release(m.held.get(i), patch));
}

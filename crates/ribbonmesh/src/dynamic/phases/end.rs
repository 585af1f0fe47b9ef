//! The end of a round.
use super::atomic_get;
use crate::device::{Shared, several_cards};
use crate::dynamic::control;
use crate::dynamic::rejection::Rejection;
use crate::dynamic::rounds::Rounds;

/// A counter at the end of a round: the sum over the parts, whose own counters begin anew. Of room that parts
/// lack it is what all need if each gets as much as the greatest of them.
#[inline(always)]
pub fn of_all_parts(m: Rounds<'_>, counter: u32, lacks: u32) -> u32 {
    let c = m.control;
    if !several_cards() || m.parts < 2 {
        return atomic_get(c, counter);
    }
    if counter == control::LAST {
        // written below, and not asked for
        return 0;
    }
    let first = atomic_get(c, counter);
    let (list, records) = (counter == control::CANDIDATES, counter == control::RECORDED);
    let (mut sum, mut most, mut part) = (0, 0, 0);
    while part < m.parts {
        let n = atomic_get(c, part * m.apart + counter);
        if list && lacks == control::RUNNING {
            c.set(part * m.apart + control::LAST, n);
        }
        if part > 0 && n > 0 {
            c.set(part * m.apart + counter, 0);
        }
        sum += n;
        most = if n > most { n } else { most };
        part += 1;
    }
    let result = if records || list && lacks == control::NO_LIST { most * m.parts } else { sum };
    if result != first {
        c.set(counter, result);
    }
    result
}

/// The next round, or the next pass, or the end.
#[inline(always)]
pub fn end_round(m: Rounds<'_>, words: Shared<'_, u32>, lacks: u32) {
    let c = m.control;
    let get = |i: u32| words.get(i);
    let (candidates, winners, left) = (get(control::CANDIDATES), get(control::WINNERS), get(control::LEFT));
    c.set(control::CANDIDATES, 0);
    c.set(control::WINNERS, 0);
    c.set(control::LEFT, 0);
    // a round that did nothing is run again; with the same claims if rounds had too little memory for their
    // own, so that the result does not depend on that
    let counts = lacks == control::RUNNING;
    if lacks != control::NO_LIST && lacks != control::NO_ROOM {
        c.set(control::STAMP, get(control::STAMP) + 1);
        c.set(control::ROUNDS, get(control::ROUNDS) + 1);
    }
    let mut reason = 0;
    while reason < Rejection::COUNT {
        let (prechecked, rejected) = (control::PRECHECKED + reason, control::REJECTED + reason);
        let n = get(prechecked);
        if n > 0 {
            c.set(prechecked, 0);
            if counts {
                words.set(rejected, get(rejected) + n);
                c.set(rejected, get(rejected));
            }
        }
        reason += 1;
    }
    if !counts {
        if lacks == control::NO_LIST {
            c.set(control::CANDIDATES, candidates);
        }
        if lacks != control::NO_ROOM {
            c.set(control::RECORDED, 0);
        }
        c.set(control::STATE, lacks);
        return;
    }
    if get(control::DIFFERED) != 0 {
        c.set(control::STATE, control::BROKEN);
        return;
    }
    if cfg!(all(debug_assertions, not(target_arch = "nvptx64"))) && get(control::STALE_SEED) != 0 {
        c.set(control::STATE, control::STALE);
        return;
    }
    c.set(control::RECORDED, 0);
    let mut kind = 0;
    while kind < 3 {
        c.set(control::COUNT + kind, get(control::COUNT + kind) + get(control::NEEDED + kind));
        c.set(control::NEEDED + kind, 0);
        kind += 1;
    }
    let (of_pass, passes) = (get(control::OF_PASS) + winners, get(control::PASSES) + 1);
    c.set(control::EXECUTED, get(control::EXECUTED) + winners);
    if candidates > winners + left {
        c.set(control::OF_PASS, of_pass);
        // each of several parts has its own already
        if !several_cards() || m.parts < 2 {
            c.set(control::LAST, candidates);
        }
        c.set(control::ROUND, get(control::ROUND) + 1);
        let first = if get(control::ROUND) == 0 { candidates } else { get(control::FIRST) };
        c.set(control::FIRST, first);
        if winners + left == 0 || get(control::ROUND) + 1 >= first {
            c.set(control::STATE, control::STALLED);
        }
        return;
    }
    let mut kind = 0;
    while kind < 3 {
        c.set(control::BEGAN + kind, get(control::COUNT + kind) + get(control::NEEDED + kind));
        kind += 1;
    }
    c.set(control::OF_PASS, 0);
    c.set(control::ROUND, 0);
    c.set(control::PASS, get(control::PASS) + 1);
    c.set(control::PASSES, passes);
    if of_pass == 0 {
        c.set(control::STATE, control::DONE);
        return;
    }
    if passes >= get(control::MOST_PASSES) {
        c.set(control::STATE, control::STOPPED);
        return;
    }
    let mut reason = 0;
    while reason < Rejection::COUNT {
        let (of_pass, before) = (control::REJECTED + reason, control::REJECTED_BEFORE + reason);
        c.set(before, get(before) + get(of_pass));
        c.set(of_pass, 0);
        reason += 1;
    }
}

//! Allocation: which plans may be made, and where the ids of what they make begin.
use super::{CHUNK, Part, add, atomic_get, beyond, lists, recorded, records_overflow, seeds, word};
use crate::device::{Block, Shared, TILE, tiles};
use crate::dynamic::cavity::Cavity;
use crate::dynamic::control;
use crate::dynamic::operator::{Memory, Operator};
use crate::dynamic::plan::has_slots;
use crate::dynamic::rounds::Rounds;

/// Allocates new ids, if fillings need them: candidates whose edges to be belong to others withdraw; then the
/// last block allocates.
#[inline(always)]
pub fn allocate<O: Operator>(block: &Block, m: Rounds<'_>, memory: Memory<'_>) {
    if !O::GROWS {
        return;
    }
    let stamp = m.control.get(control::STAMP);
    let (list, _) = lists(m);
    let part = Part::of(block, m);
    // before it is needed: loads at the same time
    let candidates = part.candidates(m);
    if !records_overflow(m) {
        part.for_each(block, candidates, CHUNK, |base, len| {
            let winners = block.count_where(len, |i| {
                let candidate = list.get(base + i);
                let seed = candidate[0];
                let place = m.place.get(seed);
                if !recorded(place) {
                    return false;
                }
                let (cavity, made) = Cavity::<O::Seed>::read(m.records, place - 1);
                if O::CHORDS && !has_slots::<O>(m, &cavity, word(stamp, candidate)) {
                    m.place.set(seed, 0);
                    return false;
                }
                let [v, e, f] = beyond(&cavity, made);
                let tile = 3 * (seed / TILE);
                add(m.needs, tile, v);
                add(m.needs, tile + 1, e);
                add(m.needs, tile + 2, f);
                true
            });
            block.single_nosync(|| {
                if winners > 0 {
                    add(m.control, part.counters(m) + control::WINNERS, winners);
                }
            });
        });
    }
    block.sync();
    if block.comes_last(m.control, control::FINISHED) {
        begin_ids::<O>(block, m, memory.counts[0]);
    }
}

/// The first new ids of each tile of seeds. One block.
#[inline(always)]
fn begin_ids<O: Operator>(block: &Block, m: Rounds<'_>, part: Shared<'_, u32>) {
    let n = tiles(seeds::<O>(m));
    let mut kind = 0;
    while kind < 3 {
        let (mut base, mut carry) = (0, 0);
        while base < n {
            let len = if n - base < TILE { n - base } else { TILE };
            block.for_each(len, |i| part.set(i, atomic_get(m.needs, 3 * (base + i) + kind)));
            let total = block.exclusive_scan(part, len);
            block.for_each(len, |i| m.needs.set(3 * (base + i) + kind, carry + part.get(i)));
            carry += total;
            base += TILE;
        }
        block.single_nosync(|| m.control.set(control::NEEDED + kind, carry));
        kind += 1;
    }
    block.sync();
}

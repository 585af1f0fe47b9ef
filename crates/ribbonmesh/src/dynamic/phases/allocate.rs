//! Allocation: which plans may be made, and where the ids of what they make begin.
use super::{CHUNK, NEEDS, Part, add, atomic_get, beyond, lists, recorded, records_overflow, seeds, word};
use crate::device::{Block, Shared, TILE};
use crate::dynamic::cavity::Cavity;
use crate::dynamic::control;
use crate::dynamic::operator::{Memory, Operator};
use crate::dynamic::plan::has_slots;
use crate::dynamic::rounds::Rounds;

/// Allocates new ids, if fillings need them: candidates whose edges to be belong to others withdraw; then the
/// last block of each card allocates for the seeds of its card.
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
    let [at, first_tile] = part.needs(m, seeds::<O>(m));
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
                let tile = at + NEEDS * (seed / TILE - first_tile);
                add(m.needs, tile, v);
                add(m.needs, tile + 1, e);
                add(m.needs, tile + 2, f);
                add(m.needs, tile + 3, 1);
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
    if block.comes_last_of(part.blocks(), m.control, part.counters(m) + control::FINISHED) {
        begin_ids::<O>(block, m, part, memory.counts);
    }
}

/// Where the new ids of each tile of a card's seeds begin, counted from the card's first, and how many there
/// are. One block of the card.
#[inline(always)]
fn begin_ids<O: Operator>(block: &Block, m: Rounds<'_>, part: Part, [v, e, f]: [Shared<'_, u32>; 3]) {
    let [begin, end] = part.tiles(m, seeds::<O>(m));
    let at = part.share(m, m.needs.len())[0];
    let n = end - begin;
    let get = |tile: u32| [0, 1, 2].map(|kind| atomic_get(m.needs, at + NEEDS * tile + kind));
    let put = |i: u32, [of_v, of_e, of_f]: [u32; 3]| {
        v.set(i, of_v);
        e.set(i, of_e);
        f.set(i, of_f);
    };
    let length = |base: u32| {
        if base >= n {
            0
        } else if n - base < TILE {
            n - base
        } else {
            TILE
        }
    };
    block.for_each_ahead_nosync::<[u32; 3], 4>(length(0), get, || (), put);
    let (mut base, mut first) = (0, [0; 3]);
    while base < n {
        block.sync();
        let len = length(base);
        // the next tiles are under way meanwhile
        block.for_each_ahead_nosync::<[u32; 3], 4>(
            length(base + TILE),
            |i| get(base + TILE + i),
            || {
                let totals = [v, e, f].map(|counts| block.exclusive_scan(counts, len));
                block.for_each_nosync(len, |i| {
                    let to = at + NEEDS * (base + i);
                    m.needs.set(to, first[0] + v.get(i));
                    m.needs.set(to + 1, first[1] + e.get(i));
                    m.needs.set(to + 2, first[2] + f.get(i));
                });
                first = [first[0] + totals[0], first[1] + totals[1], first[2] + totals[2]];
            },
            put,
        );
        base += TILE;
    }
    block.single_nosync(|| {
        let to = part.counters(m) + control::NEEDED;
        m.control.set(to, first[0]);
        m.control.set(to + 1, first[1]);
        m.control.set(to + 2, first[2]);
    });
    block.sync();
}

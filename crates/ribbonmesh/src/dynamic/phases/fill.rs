//! Filling: winners write.
use super::end::{end_round, of_all_parts};
use super::{
    CHUNK, NEEDS, Part, REJECTED, add, beyond, by_looks, lists, lists_overflow, look_around, looks,
    needed_of_parts, recorded, records_overflow, seeds, word,
};
use crate::device::atomic::{self, Order, Scope};
use crate::device::{Block, TILE, several_cards};
use crate::dynamic::cavity::Cavity;
use crate::dynamic::control;
use crate::dynamic::operator::{Memory, Operator};
use crate::dynamic::plan::has_slots;
use crate::dynamic::rounds::Rounds;
use crate::dynamic::write::write;

/// Tests whether the round has enough room: the state of what is full, or `RUNNING`.
#[inline(always)]
fn lacks<O: Operator>(m: Rounds<'_>) -> u32 {
    if lists_overflow(m) {
        return control::NO_LIST;
    }
    if records_overflow(m) {
        return control::NO_ROOM;
    }
    let over = |kind: u32, most: u32| {
        let parts = if several_cards() { m.parts } else { 1 };
        m.control.get(control::COUNT + kind) + needed_of_parts(m, kind, parts) > most
    };
    if O::GROWS && (over(0, m.most_vertices) || over(1, m.most_edges) || over(2, m.most_faces)) {
        return control::FULL;
    }
    control::RUNNING
}

/// Counts of a chunk, side by side in one word: of winners, and of candidates that left the pass.
const WON: u32 = 1;
const OUT: u32 = 1 << 16;

/// Winners write, rejected candidates leave the pass, and the last block ends the round. If fillings need no
/// new ids, a candidate that has its edges to be has won: writes of other candidates in this phase do not
/// matter.
#[inline(always)]
pub fn fill<O: Operator>(block: &Block, m: Rounds<'_>, operator: O, memory: Memory<'_>) {
    let lacks = lacks::<O>(m);
    let good = lacks == control::RUNNING;
    let (stamp, pass) = (m.control.get(control::STAMP), m.control.get(control::PASS));
    let (list, _) = lists(m);
    let part = Part::of(block, m);
    let (candidates, counters) = (part.candidates(m), part.counters(m));
    if by_looks::<O>() && good && m.control.get(control::ROUND) == 0 {
        // not before: a round without room is run again
        let (look, _) = looks(m);
        block.for_each_of_tile(seeds::<O>(m).div_ceil(32), |i| look.set(i, 0));
    }
    let won_or_left = |i: u32| {
        let candidate = list.get(i);
        let seed = candidate[0];
        let place = place_of::<O>(m, seed);
        if recorded(place) && O::GROWS && good {
            return 0;
        }
        if place != 0 {
            clear_place::<O>(m, seed);
        }
        if place == 0 || !good {
            return 0;
        }
        if recorded(place) {
            let (cavity, made) = Cavity::<O::Seed>::read(m.records, place - 1);
            if O::CHORDS && !has_slots::<O>(m, &cavity, word(stamp, candidate)) {
                return 0;
            }
            write(m, operator, &cavity, made, [0; 3], pass);
            look_around::<O>(m, &cavity, made, 0);
            return WON;
        }
        atomic::fetch_or(m.out, seed / 32, 1 << (seed % 32), Order::Relaxed, Scope::Device);
        add(m.control, counters + control::REJECTED + (REJECTED - place), 1);
        OUT
    };
    part.for_each(block, candidates, CHUNK, |base, len| {
        let counts = block.reduce(len, 0, |i| won_or_left(base + i), |a, b| a + b);
        block.single_nosync(|| {
            let (won, left) = (counts % OUT, counts / OUT);
            if won > 0 {
                add(m.control, counters + control::WINNERS, won);
            }
            if left > 0 {
                add(m.control, counters + control::LEFT, left);
            }
        });
    });
    if O::GROWS && good {
        fill_in_order::<O>(block, m, operator, memory, (part, pass));
    }
    block.sync();
    if block.comes_last(m.control, control::FINISHED) {
        let words = memory.counts[0];
        block.for_each(control::WORDS, |i| words.set(i, of_all_parts(m, i, lacks)));
        block.single_nosync(|| end_round(m, words, lacks));
    }
}

/// The same for operators whose fillings need new ids: these ascend with the seeds.
#[inline(always)]
fn fill_in_order<O: Operator>(
    block: &Block,
    m: Rounds<'_>,
    operator: O,
    memory: Memory<'_>,
    (part, pass): (Part, u32),
) {
    let count = |kind: u32| m.control.get(control::COUNT + kind) + part.needed_before(m, kind);
    let counts = [count(0), count(1), count(2)];
    let [at_v, at_e, at_f] = memory.counts;
    let n = seeds::<O>(m);
    let at = part.share(m, m.needs.len())[0];
    let [first_tile, end_tile] = part.tiles(m, n);
    let needs = |tile: u32| at + NEEDS * (tile - first_tile);
    let fill = |tile: u32| {
        let base = tile * TILE;
        let len = if n - base < TILE { n - base } else { TILE };
        block.for_each(len, |i| {
            let place = place_of::<O>(m, base + i);
            let mut more = [0; 3];
            if recorded(place) {
                let (cavity, made) = Cavity::<O::Seed>::read(m.records, place - 1);
                more = beyond(&cavity, made);
            }
            at_v.set(i, more[0]);
            at_e.set(i, more[1]);
            at_f.set(i, more[2]);
        });
        block.exclusive_scan(at_v, len);
        block.exclusive_scan(at_e, len);
        block.exclusive_scan(at_f, len);
        let need = |kind: u32| m.needs.get(needs(tile) + kind);
        let first = [counts[0] + need(0), counts[1] + need(1), counts[2] + need(2)];
        block.for_each(len, |i| {
            let place = place_of::<O>(m, base + i);
            if recorded(place) {
                let (cavity, made) = Cavity::<O::Seed>::read(m.records, place - 1);
                let [v, e, f] = first;
                let first = [v + at_v.get(i), e + at_e.get(i), f + at_f.get(i)];
                write(m, operator, &cavity, made, first, pass);
                look_around::<O>(m, &cavity, made, e + at_e.get(i));
                clear_place::<O>(m, base + i);
            }
        });
    };
    // tiles with winners, a list of this block's at a time: most tiles have none in most rounds
    let [rank, list] = memory.walks.scratch();
    let [of_block, blocks] = part.place(block);
    let mut first = first_tile + of_block;
    while first < end_tile {
        let own = (end_tile - first).div_ceil(blocks);
        let own = if own < CHUNK { own } else { CHUNK };
        let won = block.compact(own, rank, list, |i| m.needs.get(needs(first + i * blocks) + NEEDS - 1) != 0);
        let mut k = 0;
        while k < won {
            fill(first + list.get(k) * blocks);
            k += 1;
        }
        first += own * blocks;
    }
}

/// The place of a seed. Where fillings need new ids, one block may look at it while another one clears it:
/// both find nothing to do there.
#[inline(always)]
fn place_of<O: Operator>(m: Rounds<'_>, seed: u32) -> u32 {
    if O::GROWS { atomic::load(m.place, seed, Order::Relaxed, Scope::Device) } else { m.place.get(seed) }
}
/// Sets the place of a seed to none.
#[inline(always)]
fn clear_place<O: Operator>(m: Rounds<'_>, seed: u32) {
    if O::GROWS {
        atomic::store(m.place, seed, 0, Order::Relaxed, Scope::Device);
    } else {
        m.place.set(seed, 0);
    }
}

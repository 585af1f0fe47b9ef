//! Working on one patch.
use super::candidates::{Question, WAITS, ask_again, ask_all, first_of_others, take_over};
use super::division::{Division, row, state, statistics};
use super::held::{Held, HeldSite, put};
use super::locking::{extend, lock_with_stash, release, store_stash};
use super::memory::{Memory, word};
use super::pass::{atomic_add, atomic_get, clock, count, put_out, stop};
use super::slice::{is_large, slice};
use crate::device::atomic::{self, Order, Scope};
use crate::device::{Block, EdgeId, Element, ElementId, ElementKind, FaceId, NONE, VertexId};
use crate::dynamic::cavity::{Cavity, Lengths};
use crate::dynamic::control;
use crate::dynamic::decision::Decision;
use crate::dynamic::mesh::MeshRef;
use crate::dynamic::operator::Operator;
use crate::dynamic::phases::{CHUNK, REJECTED, beyond, look_around, measure, recorded, recorded_and_planned};
use crate::dynamic::plan::has_slots;
use crate::dynamic::rejection::rejections;
use crate::dynamic::rounds::Rounds;
use crate::dynamic::site::MeshWrite;
use crate::dynamic::write::write;

/// What becomes of a patch.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All its seeds have been asked in this pass.
    Done,
    /// It is to be pushed again.
    Again,
    /// The same, since a seed of another patch comes before those that are left.
    Waits,
}

/// How a chunk of candidates ended.
enum Ended {
    /// What could be filled was filled; so many candidates are done.
    Filled(u32),
    /// The patch has no room for more faces: it is sliced, and worked on later.
    Large,
    /// Work on the patch ends: a lock was refused, or the run stops.
    Dropped,
}

/// In what is kept of a priority: another candidate has one of its faces.
const LOST: u32 = 1 << 30;
/// In counts of a chunk: one that was rejected.
const OUT: u32 = 1 << 16;

/// Works on a patch: all of it, or up to where a lock is refused. Collective.
#[inline(always)]
pub fn work_on<O: Operator>(
    block: &Block,
    rounds: Rounds<'_>,
    d: Division<'_>,
    operator: O,
    m: Memory<'_>,
    patch: u32,
) -> Outcome {
    let mut held = lock_with_stash(block, rounds, d, m, patch);
    clock(block, d, m, statistics::LOCK);
    if held == 0 {
        return Outcome::Again;
    }
    let mesh = Held { tables: rounds.mesh, owner: d.owner, patch, set: m.set, missing: m.missing };
    let mut n = load(block, d, m, mesh);
    clock(block, d, m, statistics::LOAD);
    let (pass, passes) = (rounds.control.get(control::PASS), rounds.control.get(control::PASSES));
    let question = Question { rounds, division: d, mesh, pass, passes };
    let mut outcome = Outcome::Done;
    let (mut listed, mut first) = (0, true);
    'rounds: loop {
        // ask, and lock what is missing, until nothing is
        loop {
            m.missing.clear(block);
            block.for_each_nosync(crate::dynamic::Rejection::COUNT, |i| m.reasons.set(i, 0));
            if first {
                block.single_nosync(|| m.words.set(word::CANDIDATES, 0));
                block.sync();
                ask_all(block, question, operator, m, n);
            } else {
                block.sync();
                ask_again(block, question, operator, m, listed);
            }
            if !m.missing.any() {
                break;
            }
            block.sync();
            match extend(block, rounds, d, m, patch, held) {
                Some(more) => held = more,
                None => {
                    outcome = Outcome::Again;
                    break 'rounds;
                }
            }
        }
        if first {
            listed = m.words.get(word::CANDIDATES);
            first = false;
        }
        let [left, ready] = take_over(block, question, m, listed);
        clock(block, d, m, statistics::ASK);
        if left == 0 {
            break;
        }
        if ready == 0 {
            outcome = wait(block, question, operator, m, listed);
            break;
        }
        block.single_nosync(|| count(rounds, d, statistics::CANDIDATES, ready));
        let ticket =
            block.single(|| atomic::fetch_add(d.state, state::TICKET, 1, Order::Relaxed, Scope::Device) + 1);
        block.for_each(listed, |k| {
            let seed = m.seeds.get(k);
            if seed != NONE {
                let word = claim_word(ticket, k, m.ranks.get(k));
                operator.faces(mesh, <O::Seed as Element>::Id::new(seed), |h| {
                    atomic::fetch_max(rounds.claims, h.face().index(), word, Order::Relaxed, Scope::Device);
                });
            }
        });
        if listed > CHUNK {
            // seeds that have lost may be deleted before their chunk comes
            block.for_each(listed, |k| {
                let (seed, rank) = (m.seeds.get(k), m.ranks.get(k));
                if seed != NONE {
                    let (word, mut all) = (claim_word(ticket, k, rank), true);
                    operator.faces(mesh, <O::Seed as Element>::Id::new(seed), |h| {
                        all &= rounds.claims.get(h.face().index()) == word;
                    });
                    if !all {
                        m.ranks.set(k, rank | LOST);
                    }
                }
            });
        }
        let (mut base, mut done) = (0, 0);
        while base < listed {
            let len = (listed - base).min(CHUNK);
            let chunk = Chunk { rounds, d, mesh, patch, ticket, pass, base, len };
            match chunk.run(block, operator, m, &mut held, &mut n) {
                Ended::Filled(more) => done += more,
                Ended::Large => {
                    // two patches with seeds left
                    slice(block, rounds, d, m, mesh, &mut held, &mut n, true);
                    outcome = Outcome::Again;
                    break 'rounds;
                }
                Ended::Dropped => {
                    outcome = Outcome::Again;
                    break 'rounds;
                }
            }
            base += len;
        }
        if done == 0 && ready < left {
            outcome = wait(block, question, operator, m, listed);
            break;
        }
        if done == 0 {
            // the greatest claim always gets all its faces, if they are the same when they are named again
            stop(block, rounds, d, control::STALLED, state::WANTED_HELD, 0);
            outcome = Outcome::Again;
            break;
        }
    }
    if outcome == Outcome::Again {
        block.single_nosync(|| count(rounds, d, statistics::DROPPED, 1));
    } else if outcome == Outcome::Done && is_large(d, n) {
        slice(block, rounds, d, m, mesh, &mut held, &mut n, false);
    }
    store_stash(block, d, m, patch, held);
    clock(block, d, m, statistics::STORE);
    release(block, d, m, patch, held);
    clock(block, d, m, statistics::LOCK);
    outcome
}

/// The patch is pushed again, and worked on when the first of the seeds is out of the pass for which its first `n` candidates wait. Collective.
#[inline(always)]
fn wait<O: Operator>(block: &Block, q: Question<'_>, operator: O, m: Memory<'_>, n: u32) -> Outcome {
    let first = first_of_others(block, q, operator, m, n);
    block.single_nosync(|| {
        // 0 for none
        q.division.set_row(q.mesh.patch, row::WAITS_FOR, first.wrapping_add(1));
        count(q.rounds, q.division, statistics::WAITED, 1);
    });
    Outcome::Waits
}

/// Reads the list of the patch's faces, and drops those that were deleted or are another patch's; their number. Collective.
#[inline(always)]
fn load(block: &Block, d: Division<'_>, m: Memory<'_>, mesh: Held<'_>) -> u32 {
    let patch = mesh.patch;
    let listed = d.row(patch, row::FACES);
    // a place in the list for each face that is kept
    block.for_each(listed, |i| {
        let f = d.faces.get(d.place(patch, i));
        let kept = mesh.owner(FaceId::new(f)) == patch && mesh.tables.fv.get(4 * f) != NONE;
        m.ranks.set(i, kept as u32);
        m.seeds.set(i, f);
    });
    let n = block.exclusive_scan(m.ranks, listed);
    block.for_each(listed, |i| {
        let at = m.ranks.get(i);
        if at != if i + 1 < listed { m.ranks.get(i + 1) } else { n } {
            let f = m.seeds.get(i);
            m.faces.set(at, f);
            if n < listed {
                d.faces.set(d.place(patch, at), f);
            }
        }
    });
    block.single_nosync(|| d.set_row(patch, row::FACES, n));
    n
}

/// The claim of candidate `k` of a round: by round, then rank, then chance; all different.
#[inline(always)]
fn claim_word(ticket: u32, k: u32, rank: u32) -> u64 {
    let chance = (k ^ ticket).wrapping_mul(0x9E37) & 0xFFFF;
    (ticket as u64) << 32 | (rank as u64 & 0xFFFF) << 16 | chance as u64
}

/// Some candidates of a round, one for each thread.
#[derive(Clone, Copy)]
struct Chunk<'a> {
    rounds: Rounds<'a>,
    d: Division<'a>,
    mesh: Held<'a>,
    patch: u32,
    ticket: u32,
    pass: u32,
    base: u32,
    len: u32,
}
impl Chunk<'_> {
    /// Plans and fills.
    #[inline(always)]
    fn run<O: Operator>(
        self,
        block: &Block,
        operator: O,
        m: Memory<'_>,
        held: &mut u32,
        n: &mut u32,
    ) -> Ended {
        let Self { rounds, d, patch, .. } = self;
        loop {
            m.missing.clear(block);
            if !self.plan(block, operator, m) {
                return Ended::Dropped;
            }
            if !m.missing.any() {
                break;
            }
            block.sync();
            match extend(block, rounds, d, m, patch, *held) {
                Some(more) => *held = more,
                None => return Ended::Dropped,
            }
        }
        let Some(needed) = self.choose::<O>(block, m, *n) else { return Ended::Large };
        if !self.allocate(block, m, needed) {
            return Ended::Dropped;
        }
        clock(block, d, m, statistics::PLAN);
        let counts = self.fill(block, operator, m, *n);
        let (filled, rejected) = (counts % OUT, counts / OUT);
        *n += needed[2];
        block.single_nosync(|| {
            d.set_row(patch, row::FACES, *n);
            if filled > 0 {
                atomic_add(rounds, control::OF_PASS, filled);
                count(rounds, d, statistics::EXECUTED, filled);
            }
        });
        clock(block, d, m, statistics::FILL);
        Ended::Filled(filled + rejected)
    }

    #[inline(always)]
    fn site<'s>(&'s self, m: Memory<'s>) -> HeldSite<'s> {
        HeldSite { mesh: self.mesh, rounds: self.rounds, slots: m.slots }
    }
    #[inline(always)]
    fn word(&self, m: Memory<'_>, i: u32) -> u64 {
        claim_word(self.ticket, self.base + i, m.ranks.get(self.base + i))
    }

    /// Candidates that have their faces record their cavities and plan; false if there is no room for the first record. Collective.
    #[inline(always)]
    fn plan<O: Operator>(&self, block: &Block, operator: O, m: Memory<'_>) -> bool {
        let (d, site) = (self.d, self.site(m));
        let [at, face_counts, side_counts] = m.counts;
        block.for_each_nosync(m.slots.len(), |i| m.slots.set(i, NONE));
        block.for_each(self.len, |i| {
            let seed = m.seeds.get(self.base + i);
            let (mut words, mut place) = (0, 0);
            if seed != NONE
                && m.ranks.get(self.base + i) & (LOST | WAITS) == 0
                && let Some((faces, sides)) = measure(site, operator, seed, self.word(m, i), m.walks.of(i))
            {
                face_counts.set(i, faces);
                side_counts.set(i, sides);
                match Lengths::of_disc(faces, sides) {
                    Some(lengths) => words = lengths.words() + O::Decision::WORDS,
                    None => place = REJECTED - rejections::NOT_A_DISC.index(),
                }
            }
            at.set(i, words);
            m.place.set(i, place);
        });
        let first = block.reduce(self.len, NONE, |i| if at.get(i) > 0 { i } else { NONE }, |a, b| a.min(b));
        let longest = if first == NONE { 0 } else { at.get(first) };
        block.sync();
        if longest > d.records {
            stop(block, self.rounds, d, control::NO_ROOM, state::WANTED_RECORDS, longest);
            return false;
        }
        let total = block.exclusive_scan(at, self.len);
        let start = block.index() * d.records;
        block.for_each(self.len, |i| {
            let end = if i + 1 < self.len { at.get(i + 1) } else { total };
            // what does not fit waits for the next round
            if at.get(i) == end || end > d.records {
                return;
            }
            let Some(lengths) = Lengths::of_disc(face_counts.get(i), side_counts.get(i)) else { return };
            let (seed, word) = (m.seeds.get(self.base + i), self.word(m, i));
            let records = self.rounds.records;
            let cavity = Cavity::new(records, start + at.get(i) + O::Decision::WORDS, seed, lengths);
            let place = match recorded_and_planned(site, operator, &cavity, word, m.walks.of(i)) {
                Ok(made) => {
                    cavity.put_head(made);
                    cavity.at + 1
                }
                Err(reason) => REJECTED - reason.index(),
            };
            m.place.set(i, place);
        });
        true
    }

    /// Those that have all that they claimed are to be filled, as many as the patch has room for: how many vertices, edges and
    /// faces they need; none if there is no room for the first. Collective.
    #[inline(always)]
    fn choose<O: Operator>(&self, block: &Block, m: Memory<'_>, n: u32) -> Option<[u32; 3]> {
        let site = self.site(m);
        let [at_v, at_e, at_f] = m.counts;
        block.for_each(self.len, |i| {
            let mut more = [0; 3];
            let place = m.place.get(i);
            if recorded(place) {
                let (cavity, made) = Cavity::<O::Seed>::read(self.rounds.records, place - 1);
                if O::CHORDS && !has_slots::<O>(site, &cavity, self.word(m, i)) {
                    m.place.set(i, 0);
                } else {
                    more = beyond(&cavity, made);
                }
            }
            at_v.set(i, more[0]);
            at_e.set(i, more[1]);
            at_f.set(i, more[2]);
        });
        if !O::GROWS {
            return Some([0; 3]);
        }
        let needed = [
            block.exclusive_scan(at_v, self.len),
            block.exclusive_scan(at_e, self.len),
            block.exclusive_scan(at_f, self.len),
        ];
        let room = self.d.capacity - n;
        if needed[2] <= room {
            return Some(needed);
        }
        // those at the end wait
        let end = |i: u32| if i + 1 < self.len { at_f.get(i + 1) } else { needed[2] };
        let cut =
            block.reduce(self.len, self.len, |i| if end(i) > room { i } else { self.len }, |a, b| a.min(b));
        let any = block.any(cut, |i| recorded(m.place.get(i)));
        if !any {
            return None;
        }
        let needed = [at_v.get(cut), at_e.get(cut), at_f.get(cut)];
        block.sync();
        block.for_each(self.len - cut, |i| {
            if recorded(m.place.get(cut + i)) {
                m.place.set(cut + i, 0);
            }
        });
        Some(needed)
    }

    /// Takes new ids; false if there is no room for these. Collective.
    #[inline(always)]
    fn allocate(&self, block: &Block, m: Memory<'_>, needed: [u32; 3]) -> bool {
        let [v, e, f] = needed;
        if v | e | f == 0 {
            return true;
        }
        let r = self.rounds;
        block.single_nosync(|| {
            let take = |kind: u32, n: u32, most: u32| {
                let first = take_ids(r, kind, n, most);
                m.words.set(word::FIRST + kind, first);
                first
            };
            let first = [take(0, v, r.most_vertices), take(1, e, r.most_edges), take(2, f, r.most_faces)];
            let have = first[0] != NONE && first[1] != NONE && first[2] != NONE;
            m.words.set(word::HAVE, have as u32);
            if !have {
                waste_ids(r, self.mesh, first, needed);
                let state = control::STATE;
                let running = control::RUNNING;
                atomic::compare_exchange(
                    r.control,
                    state,
                    running,
                    control::FULL,
                    Order::Relaxed,
                    Scope::Device,
                );
            }
        });
        block.sync();
        m.words.get(word::HAVE) != 0
    }

    /// Fills what was chosen; how many, and of those rejected as multiples of [`OUT`]. Collective.
    #[inline(always)]
    fn fill<O: Operator>(&self, block: &Block, operator: O, m: Memory<'_>, n: u32) -> u32 {
        let (r, d, patch) = (self.rounds, self.d, self.patch);
        let [at_v, at_e, at_f] = m.counts;
        let counts = block.reduce(
            self.len,
            0,
            |i| {
                let place = m.place.get(i);
                if place == 0 {
                    return 0;
                }
                let seed = m.seeds.get(self.base + i);
                m.seeds.set(self.base + i, NONE);
                if !recorded(place) {
                    put_out(r, seed);
                    atomic_add(r, control::REJECTED + (REJECTED - place), 1);
                    return OUT;
                }
                let (cavity, made) = Cavity::<O::Seed>::read(r.records, place - 1);
                let mut first = [0; 3];
                if O::GROWS {
                    let id = |kind: u32, at: u32| m.words.get(word::FIRST + kind) + at;
                    first = [id(0, at_v.get(i)), id(1, at_e.get(i)), id(2, at_f.get(i))];
                    let more = made[2].saturating_sub(cavity.faces);
                    let mut k = 0;
                    while k < more {
                        let (f, at) = (first[2] + k, n + at_f.get(i) + k);
                        put(d.owner, f, patch);
                        m.faces.set(at, f);
                        d.faces.set(d.place(patch, at), f);
                        k += 1;
                    }
                }
                self.put_out(&cavity);
                write(self.site(m), operator, &cavity, made, first, self.pass);
                look_around::<O>(r, &cavity, made, first[1]);
                1
            },
            |a, b| a + b,
        );
        block.sync();
        counts
    }

    /// The seeds at the faces of a cavity that is filled are out of the pass: their cavities have lost a face.
    #[inline(always)]
    fn put_out<E: Element>(&self, cavity: &Cavity<'_, E>) {
        let mut i = 0;
        while i < cavity.faces {
            let f = cavity.deleted_face(i);
            match E::KIND {
                ElementKind::Face => put_out(self.rounds, f.index()),
                ElementKind::Vertex => {
                    for v in self.mesh.corners(f) {
                        put_out(self.rounds, v.index());
                    }
                }
                ElementKind::Edge => {
                    for dart in self.mesh.darts(f) {
                        put_out(self.rounds, dart.edge().index());
                    }
                }
            }
            i += 1;
        }
    }
}

/// Takes `n` ids of a kind: the first, or `NONE` if there is no room for them, which is noted. One thread.
#[inline(always)]
fn take_ids(r: Rounds<'_>, kind: u32, n: u32, most: u32) -> u32 {
    let mut first = atomic_get(r, control::COUNT + kind);
    loop {
        if first + n > most {
            atomic::fetch_max(r.control, control::NEEDED + kind, n, Order::Relaxed, Scope::Device);
            return NONE;
        }
        let (count, after) = (control::COUNT + kind, first + n);
        let before = atomic::compare_exchange(r.control, count, first, after, Order::Relaxed, Scope::Device);
        if before == first {
            return first;
        }
        first = before;
    }
}
/// Ids that were taken and are of no use, since those of another kind are missing, count as deleted. One thread.
#[inline(always)]
fn waste_ids(r: Rounds<'_>, mesh: Held<'_>, first: [u32; 3], needed: [u32; 3]) {
    let pass = r.control.get(control::PASS);
    let taken =
        |kind: usize| if first[kind] == NONE { 0..0 } else { first[kind]..first[kind] + needed[kind] };
    for v in taken(0) {
        mesh.set_dead(VertexId::new(v), 1);
    }
    for e in taken(1) {
        mesh.clear_edge(EdgeId::new(e));
    }
    for f in taken(2) {
        mesh.set_face(FaceId::new(f), [NONE; 4], [NONE, NONE, NONE, pass]);
    }
}

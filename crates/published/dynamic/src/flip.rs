//! Delaunay flips in a store (thesis 5.4.2), as the thesis writes a change: a queue of patches, a working copy
//! in shared memory, cavities registered and a maximal independent set of them, locks on the patches around,
//! expansion, filling, commit.
use crate::draft::{ACTIVE, Draft, ENTRY, OWNED, index_of, reason, slot_of};
use crate::expand::{Expansion, scrambled};
use crate::row::StoreRow;
use crate::view::{MOST_NEIGHBOURS, ReadStore, StoreViewMut, store};
use ribbonmesh::device::atomic::{self, Order::AcqRel, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Arena, Block, NONE, Out, Parameter, Shared, Vec3, kernel};
use ribbonmesh::features::triangle::{not_delaunay, smallest_sine};
use ribbonmesh_concurrent::{Entry, Gate, Locks, Queue};

/// Tolerance of the criterion, as of the flips by claims.
const TOLERANCE: f32 = 2e-6;
/// Part of the sine of the smallest angle by which it may decrease: rounding.
const ROUNDING: f32 = 1e-5;
/// Refusals after which a patch is processed alone.
const PATIENCE: u32 = 64;
/// Cavities at the border of a patch that are filled at once, at most; fewer after refusals.
const BORDER: u32 = 24;

/// Words of the report.
pub mod count {
    /// Edges flipped.
    pub const FLIPS: u32 = 0;
    /// Patches taken from the queue.
    pub const SCHEDULED: u32 = 1;
    /// ... and dropped, since a lock was missing or another block was changing what was read.
    pub const DISCARDED: u32 = 2;
    /// ... and processed alone.
    pub const ALONE: u32 = 3;
    /// ... and dropped, since something had no room.
    pub const STUCK: u32 = 4;
    /// Patches whose locks were taken beside that of the patch.
    pub const LOCKED: u32 = 5;
    /// Elements whose owner changed.
    pub const MOVED: u32 = 6;
    /// A table of a neighbour had no room after it was found to have some: the store is broken.
    pub const BROKEN: u32 = 7;
    /// Most steps of a chain of owners; 0 if there was none of more than one.
    pub const LONGEST: u32 = 8;
    /// Number of words.
    pub const WORDS: u32 = 9;
}

/// What flips need beside positions.
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
    /// Input index of each place of vertices.
    pub vertex_inputs: Out<'a, u32>,
    /// Input index of each place of faces.
    pub face_inputs: Out<'a, u32>,
}

/// The element is to be owned by the patch.
const TAKEN: u32 = 1 << 26;
/// The face is taken only to be deleted.
const GONE: u32 = 1 << 25;
/// Key bits of a claim that are the edge.
const EDGE: u32 = 0xffff;

/// States of an edge.
const IDLE: u32 = 0;
const CANDIDATE: u32 = 1;
const CHOSEN: u32 = 2;
const LOST: u32 = 3;

/// Shared memory of a change.
#[derive(Clone, Copy)]
struct Memory<'b> {
    draft: Draft<'b>,
    expansion: Expansion<'b>,
    /// Number of faces of each edge, and the first two of them.
    degrees: Shared<'b, u32>,
    pairs: Shared<'b, u16>,
    states: Shared<'b, u32>,
    claims: Shared<'b, u32>,
    taken: Shared<'b, u32>,
    /// Edges that are to be made, by their vertices: the vertices, and the edge that is flipped plus 1.
    made: Shared<'b, u32>,
    makers: Shared<'b, u32>,
    /// Elements that move from each patch around, of each kind.
    moves: Shared<'b, u32>,
    /// The place of this patch in the stash of each patch around.
    back: Shared<'b, u32>,
    tables: [Shared<'b, u32>; 3],
    /// Chosen at the border; candidates that lost; flips.
    counters: Shared<'b, u32>,
}
/// Places for edges that are to be made.
const MADE: u32 = 1024;
/// Instead of the edge that makes it: it exists.
const EXISTS: u32 = 0;

fn memory(arena: &Arena, capacity: [u32; 3], table: u32) -> Memory<'_> {
    let [_, e, f] = capacity;
    Memory {
        draft: Draft::layout(arena, capacity),
        expansion: Expansion::layout(arena, capacity),
        degrees: arena.take(e),
        pairs: arena.take(2 * e),
        states: arena.take(e),
        claims: arena.take(f),
        taken: arena.take(f),
        made: arena.take(MADE),
        makers: arena.take(MADE),
        moves: arena.take(3 * MOST_NEIGHBOURS),
        back: arena.take(MOST_NEIGHBOURS),
        tables: [arena.take(table), arena.take(table), arena.take(table)],
        counters: arena.take(3),
    }
}

/// Flips edges that are not Delaunay, patch after patch, until the queue is empty. Any number of blocks.
#[kernel(threads = 256, shared = memory(arena, change.store.limits(), change.store.max_table))]
pub fn flip_patches<'a>(block: &Block, change: Change<'a>, x: Out<'a, Vec3>) {
    let memory = memory(block.arena(), change.store.limits(), change.store.max_table);
    let queue = Queue::new(change.queue);
    let gate = Gate::new(change.gate, 0);
    let locks = Locks::new(change.locks, 0);
    loop {
        let p = block.single(|| queue.pop().unwrap_or(NONE));
        if p == NONE {
            return;
        }
        let entered = block.single(|| enter(change, gate, locks, block.index(), p));
        let mut failed = reason::REFUSED;
        let mut again = false;
        if entered & LOCKED_SELF != 0 {
            let draft = memory.draft.of(p, change.store.row(p));
            let attempt = Attempt { block, change, x, locks, draft, memory };
            failed = attempt.run(&mut again);
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
        block.sync();
    }
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
    if !locks.try_acquire(p, number, false) {
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
        queue.done();
    }
    ribbonmesh_concurrent::Words::pause(change.queue);
}
/// Puts the patch back, or ends its work.
#[inline(always)]
fn conclude(change: Change<'_>, queue: Queue<Out<'_, u32>>, p: u32, failed: u32, again: bool) {
    add(change.report, count::SCHEDULED, 1);
    if failed & (reason::STASH | reason::ROOM) != 0 {
        atomic::fetch_or(change.stuck, p, failed, Relaxed, Device);
        add(change.report, count::STUCK, 1);
        return queue.done();
    }
    if failed != 0 {
        add(change.report, count::DISCARDED, 1);
        atomic::fetch_add(change.gate, 1 + p, 1, Relaxed, Device);
    } else {
        atomic::store(change.gate, 1 + p, 0, Relaxed, Device);
    }
    if failed != 0 || again {
        put_back(change, queue, p);
    } else {
        queue.done();
    }
}
#[inline(always)]
fn add(report: Out<'_, u32>, which: u32, n: u32) {
    atomic::fetch_add(report, which, n, Relaxed, Device);
}

/// One patch that is processed, under its lock.
#[derive(Clone, Copy)]
struct Attempt<'b, 'a> {
    block: &'b Block,
    change: Change<'a>,
    x: Out<'a, Vec3>,
    locks: Locks<Out<'a, u32>>,
    draft: Draft<'b>,
    memory: Memory<'b>,
}

/// An edge with two faces: ends a and b, opposite vertices c and d, faces a b c and b a d.
#[derive(Clone, Copy)]
struct Diamond {
    corners: [u32; 4],
    faces: [u32; 2],
    /// Where the edge is in each face.
    sides: [u32; 2],
}

impl<'b> Attempt<'b, '_> {
    /// Flips what can be flipped at once; the reasons why the copy is dropped, 0 if it was committed or
    /// nothing is to be done. Sets `again` if more may be flipped.
    #[inline(always)]
    fn run(&self, again: &mut bool) -> u32 {
        let Self { block, draft, memory, .. } = *self;
        let (expansion, store) = (memory.expansion, self.change.store);
        expansion.clear_nosync(block);
        block.for_each_nosync(3, |i| memory.counters.set(i, 0));
        draft.load(block, store, |steps| {
            atomic::fetch_max(self.change.report, count::LONGEST, steps, Relaxed, Device);
        });
        draft.load_firsts(block, store);
        let failed = draft.failures(block);
        if failed != 0 {
            return failed;
        }
        self.find_pairs();
        self.register();
        if !block.any(draft.row.count[1], |e| memory.states.get(e) == CANDIDATE) {
            return 0;
        }
        loop {
            self.choose();
            let most = self.limit_border();
            expansion.acquire(block, &draft, self.locks);
            let failed = draft.failures(block);
            if failed != 0 {
                return failed;
            }
            // the star of one vertex that has no room is refused for good
            expansion.record(block, &draft, store, if most > 1 { reason::REFUSED } else { reason::ROOM });
            expansion.acquire(block, &draft, self.locks);
            draft.load_firsts(block, store);
            expansion.verify(block, &draft, store);
            let failed = draft.failures(block);
            if failed != 0 {
                return failed;
            }
            expansion.copy(block, &draft);
            let failed = draft.failures(block);
            if failed != 0 {
                return failed;
            }
            self.find_pairs();
            self.reject();
            let (lost, flips) = (memory.counters.get(1), memory.counters.get(2));
            if flips > 0 {
                break;
            }
            if lost == 0 {
                return 0;
            }
            // those that lost to cavities that cannot be filled
            expansion.begin_again(block, &draft);
            block.for_each_nosync(3, |i| memory.counters.set(i, 0));
            block.for_each(draft.row.capacity[1], |e| {
                if memory.states.get(e) == LOST {
                    memory.states.set(e, CANDIDATE);
                }
            });
        }
        let flips = memory.counters.get(2);
        self.take();
        let failed = draft.failures(block);
        if failed != 0 {
            return failed;
        }
        for kind in [0, 1, 2] {
            draft.make_table(block, kind, memory.tables[kind], |word| word & TAKEN == 0);
        }
        self.prepare_neighbours();
        let failed = draft.failures(block);
        if failed != 0 {
            return failed;
        }
        // nothing fails from here on
        self.fill();
        self.move_owned();
        block.single_nosync(|| add(self.change.report, count::FLIPS, flips));
        expansion.release(block, &draft, self.locks);
        self.commit();
        *again = true;
        0
    }
    /// The faces of each edge.
    #[inline(always)]
    fn find_pairs(&self) {
        let Self { block, draft, memory, .. } = *self;
        let [_, edges, faces] = draft.row.capacity;
        block.for_each(edges, |e| memory.degrees.set(e, 0));
        block.for_each(faces, |f| {
            if draft.has(2, f) {
                for i in [0, 1, 2] {
                    let e = draft.side(f, i).0;
                    let k = memory.degrees.fetch_add(e, 1);
                    if k < 2 {
                        memory.pairs.set(2 * e + k, f as u16);
                    }
                }
            }
        });
    }
    /// The diamond of an edge with two faces that run along it in opposite directions.
    #[inline(always)]
    fn diamond(&self, e: u32) -> Option<Diamond> {
        let (draft, memory) = (self.draft, self.memory);
        if memory.degrees.get(e) != 2 {
            return None;
        }
        let faces = [0, 1].map(|k| memory.pairs.get(2 * e + k) as u32);
        let [i, j] = faces.map(|f| side_of(draft, f, e));
        let (flipped, other) = (draft.side(faces[0], i).1, draft.side(faces[1], j).1);
        if faces[0] == faces[1] || flipped == other {
            return None;
        }
        let [a, b] = [draft.corner(faces[0], i), draft.corner(faces[0], (i + 1) % 3)];
        let [c, d] = [draft.corner(faces[0], (i + 2) % 3), draft.corner(faces[1], (j + 2) % 3)];
        let apart = a != b && c != d && c != a && c != b && d != a && d != b;
        apart.then_some(Diamond { corners: [a, b, c, d], faces, sides: [i, j] })
    }
    /// Registers cavities: owned edges that are to be flipped, by their positions.
    #[inline(always)]
    fn register(&self) {
        let Self { block, draft, memory, x, .. } = *self;
        block.for_each(draft.row.capacity[1], |e| {
            let owned = draft.words[1].get(e) & (ACTIVE | OWNED) == ACTIVE | OWNED;
            let corners = if owned { self.diamond(e).map(|diamond| diamond.corners) } else { None };
            let wanted =
                corners.is_some_and(|corners| to_be_flipped(corners.map(|v| x.get(draft.place(0, v)))));
            memory.states.set(e, if wanted { CANDIDATE } else { IDLE });
        });
    }
    /// A maximal set of cavities without common faces: greedily, in an order that looks random. All cavities
    /// of which no face has an earlier one are chosen at once, until none is left (Blelloch et al. 2012).
    #[inline(always)]
    fn choose(&self) {
        let Self { block, draft, memory, .. } = *self;
        let [_, edges, faces] = draft.row.capacity;
        block.for_each_nosync(faces, |f| memory.taken.set(f, 0));
        let key = |e: u32| scrambled(e ^ draft.patch << 7) & !EDGE | e;
        let of = |e: u32| [0, 1].map(|k| memory.pairs.get(2 * e + k) as u32);
        while block.any(edges, |e| memory.states.get(e) == CANDIDATE) {
            block.for_each(faces, |f| memory.claims.set(f, NONE));
            block.for_each(edges, |e| {
                if memory.states.get(e) == CANDIDATE {
                    for f in of(e) {
                        memory.claims.fetch_min(f, key(e));
                    }
                }
            });
            block.for_each(edges, |e| {
                if memory.states.get(e) == CANDIDATE && of(e).map(|f| memory.claims.get(f)) == [key(e); 2] {
                    memory.states.set(e, CHOSEN);
                    for f in of(e) {
                        memory.taken.set(f, 1);
                    }
                }
            });
            block.for_each(edges, |e| {
                let [f, g] = of(e);
                if memory.states.get(e) == CANDIDATE && memory.taken.get(f) | memory.taken.get(g) != 0 {
                    self.lose(e);
                }
            });
        }
    }
    #[inline(always)]
    fn lose(&self, e: u32) {
        self.memory.states.set(e, LOST);
        self.memory.counters.fetch_add(1, 1);
    }
    /// Wants the locks of the owners around each chosen cavity, and the stars of its vertices. Cavities at
    /// the border beyond a number, which is returned, lose.
    #[inline(always)]
    fn limit_border(&self) -> u32 {
        let Self { block, draft, memory, change, .. } = *self;
        let refused = atomic::load(change.gate, 1 + draft.patch, Relaxed, Device);
        let most = if refused < 2 {
            BORDER
        } else if refused < 8 {
            BORDER / 6
        } else {
            1
        };
        block.for_each(draft.row.capacity[1], |e| {
            if memory.states.get(e) != CHOSEN {
                return;
            }
            let Some(diamond) = self.diamond(e) else { return };
            let foreign = |kind: usize, l: u32| draft.word_now(kind, l) & OWNED == 0;
            let mut inside = true;
            for v in diamond.corners {
                inside &= !foreign(0, v);
            }
            self.around(&diamond, |kind, l| inside &= !foreign(kind, l));
            if !inside && memory.counters.fetch_add(0, 1) >= most {
                return self.lose(e);
            }
            for v in diamond.corners {
                let word = draft.word_now(0, v);
                if word & OWNED == 0 {
                    memory.expansion.seek(&draft, v, word);
                }
            }
            self.around(&diamond, |kind, l| {
                let word = draft.word_now(kind, l);
                if word & OWNED == 0 {
                    memory.expansion.want(word);
                }
            });
        });
        most
    }
    /// Visits the faces of a cavity, the edges of its loop, and the faces across them that the copy has.
    #[inline(always)]
    fn around(&self, diamond: &Diamond, mut f: impl FnMut(usize, u32)) {
        let (draft, memory) = (self.draft, self.memory);
        let mut k = 0;
        while k < 2 {
            let (face, side) = (diamond.faces[k], diamond.sides[k]);
            f(2, face);
            for step in [1, 2] {
                let edge = draft.side(face, (side + step) % 3).0;
                f(1, edge);
                let mut i = 0;
                while i < 2 && i < memory.degrees.get(edge) {
                    let across = memory.pairs.get(2 * edge + i) as u32;
                    if across != face {
                        f(2, across);
                    }
                    i += 1;
                }
            }
            k += 1;
        }
    }
    /// Rejects chosen cavities whose new edge exists, or is made twice, those with an edge of three or more
    /// faces on their loop, and those that positions read under locks do not want; counts the others.
    #[inline(always)]
    fn reject(&self) {
        let Self { block, draft, memory, .. } = *self;
        let edges = draft.row.capacity[1];
        block.for_each(MADE, |i| {
            memory.made.set(i, NONE);
            memory.makers.set(i, NONE);
        });
        block.for_each(edges, |e| {
            if memory.states.get(e) != CHOSEN {
                return;
            }
            let Some(diamond) = self.diamond(e) else { return memory.states.set(e, IDLE) };
            let mut two_sided = true;
            let mut k = 0;
            while k < 2 {
                for step in [1, 2] {
                    let edge = draft.side(diamond.faces[k], (diamond.sides[k] + step) % 3).0;
                    two_sided &= memory.degrees.get(edge) <= 2;
                }
                k += 1;
            }
            if !two_sided {
                return memory.states.set(e, IDLE);
            }
            // the values of all owners whose locks the block has
            if !to_be_flipped(diamond.corners.map(|v| self.x.get(draft.place(0, v)))) {
                return memory.states.set(e, IDLE);
            }
            let [_, _, c, d] = diamond.corners;
            match self.place_made(c, d, true) {
                Some(at) => _ = memory.makers.fetch_min(at, e + 1),
                // no room in the list
                None => self.lose(e),
            }
        });
        block.for_each(edges, |e| {
            if draft.has(1, e) {
                let [a, b] = draft.ends(e);
                if let Some(at) = self.place_made(a, b, false) {
                    memory.makers.fetch_min(at, EXISTS);
                }
            }
        });
        block.for_each(edges, |e| {
            if memory.states.get(e) != CHOSEN {
                return;
            }
            let Some(diamond) = self.diamond(e) else { return };
            let [_, _, c, d] = diamond.corners;
            let maker = self.place_made(c, d, false).map_or(EXISTS, |at| memory.makers.get(at));
            if maker == EXISTS {
                memory.states.set(e, IDLE);
            } else if maker == e + 1 {
                memory.counters.fetch_add(2, 1);
            } else {
                self.lose(e);
            }
        });
    }
    /// The place of the edge between two vertices in the list of those to be made; `insert` puts it there.
    #[inline(always)]
    fn place_made(&self, c: u32, d: u32, insert: bool) -> Option<u32> {
        let key = if c < d { c << 16 | d } else { d << 16 | c };
        let mut at = scrambled(key) % MADE;
        let mut tried = 0;
        while tried < MADE {
            let made = self.memory.made;
            let seen = if insert { made.compare_exchange(at, NONE, key) } else { made.get(at) };
            if seen == key || (insert && seen == NONE) {
                return Some(at);
            }
            if seen == NONE {
                return None;
            }
            at = (at + 1) % MADE;
            tried += 1;
        }
        None
    }
    /// Marks what the patch is to own: vertices, faces and loop of each chosen cavity, and the faces across.
    /// Notes a refusal where the block does not have the owner's lock.
    #[inline(always)]
    fn take(&self) {
        let Self { block, draft, memory, .. } = *self;
        block.for_each_nosync(3 * MOST_NEIGHBOURS, |i| memory.moves.set(i, 0));
        block.for_each(draft.row.capacity[1], |e| {
            if memory.states.get(e) != CHOSEN {
                return;
            }
            let Some(diamond) = self.diamond(e) else { return };
            for v in diamond.corners {
                draft.words[0].fetch_or(v, TAKEN);
            }
            self.around(&diamond, |kind, l| _ = draft.words[kind].fetch_or(l, TAKEN));
            for f in diamond.faces {
                draft.words[2].fetch_or(f, GONE);
            }
        });
        for kind in [0, 1, 2] {
            block.for_each_nosync(draft.row.capacity[kind], |l| {
                let word = draft.words[kind].get(l);
                if word & TAKEN == 0 || word & OWNED != 0 {
                    return;
                }
                if word & ENTRY == 0 || !memory.expansion.holds(word) {
                    return draft.fail(reason::REFUSED);
                }
                memory.moves.fetch_add(3 * slot_of(word) + kind as u32, 1);
            });
        }
    }
    /// Finds the patch in the stash of each neighbour that loses elements, or puts it there; notes
    /// [`reason::STASH`] and [`reason::ROOM`] of neighbours. Collective.
    #[inline(always)]
    fn prepare_neighbours(&self) {
        let Self { block, draft, memory, change, .. } = *self;
        let mut slot = 0;
        while slot < MOST_NEIGHBOURS {
            let moves = [0, 1, 2].map(|kind| memory.moves.get(3 * slot + kind));
            if moves != [0; 3] {
                let row = change.store.row(draft.stash.get(slot));
                block.single_nosync(|| {
                    let mut i = 0;
                    while i < row.neighbours && change.store.stash(row.stash + i) != draft.patch {
                        i += 1;
                    }
                    memory.back.set(slot, i);
                    if i >= row.stash_room {
                        draft.fail(reason::STASH);
                    }
                });
                for kind in [0, 1, 2] {
                    let table = change.store.table_of(&row, kind);
                    let used = block.count_where(row.table_words[kind], |i| table.entry(i).is_some());
                    // the words behind the places stay free
                    if moves[kind] > 0 && used + moves[kind] + 8 > row.table_words[kind] {
                        block.single_nosync(|| draft.fail(reason::ROOM));
                    }
                }
            }
            slot += 1;
        }
    }
    /// Fills the chosen cavities in the copy: the new edge and faces have the local indices of the old ones.
    #[inline(always)]
    fn fill(&self) {
        let Self { block, draft, memory, .. } = *self;
        // from faces and edges that no other cavity writes
        block.for_each(draft.row.capacity[1], |e| {
            if memory.states.get(e) != CHOSEN {
                return;
            }
            let Some(Diamond { corners: [_, _, c, d], faces: [f, g], sides: [i, j] }) = self.diamond(e)
            else {
                return;
            };
            let side = |face: u32, i: u32| draft.fe.get(3 * face + i % 3);
            let (bc, ca) = (side(f, i + 1), side(f, i + 2));
            let (ad, db) = (side(g, j + 1), side(g, j + 2));
            draft.set_ends(e, c, d);
            for (at, entry) in [(3 * f, [(e << 1) as u16, db, bc]), (3 * g, [(e << 1 | 1) as u16, ca, ad])] {
                draft.fe.set(at, entry[0]);
                draft.fe.set(at + 1, entry[1]);
                draft.fe.set(at + 2, entry[2]);
            }
        });
    }
    /// Moves what is taken: clears it with its owners, puts this patch into their tables, copies values.
    #[inline(always)]
    fn move_owned(&self) {
        let Self { block, draft, memory, change, x, .. } = *self;
        let mut slot = 0;
        while slot < MOST_NEIGHBOURS {
            let moves = [0, 1, 2].map(|kind| memory.moves.get(3 * slot + kind));
            if moves != [0; 3] {
                block.single_nosync(|| {
                    let (q, back) = (draft.stash.get(slot), memory.back.get(slot));
                    let row = change.store.row(q);
                    if back == row.neighbours {
                        store(change.store.stashes, row.stash + back, draft.patch);
                        put_row(change.store, q, StoreRow { neighbours: back + 1, ..row });
                    }
                    add(change.report, count::MOVED, moves[0] + moves[1] + moves[2]);
                });
            }
            slot += 1;
        }
        for kind in [0, 1, 2] {
            block.for_each_nosync(draft.row.capacity[kind], |l| {
                let word = draft.words[kind].get(l);
                if word & TAKEN == 0 || word & OWNED != 0 {
                    return;
                }
                let (q, there) = (draft.stash.get(slot_of(word)), index_of(word));
                let row = change.store.row(q);
                let clear = |at: u32| {
                    let mask = !(1 << (there % 32));
                    atomic::fetch_and(change.store.masks, row.masks + at + there / 32, mask, Relaxed, Device);
                };
                clear(row.owned_at(kind));
                if word & GONE != 0 {
                    clear(row.active_at(kind));
                } else {
                    let entry = Entry::new(there, memory.back.get(slot_of(word)), l);
                    let table = change.store.table_of(&row, kind);
                    if entry.is_none_or(|entry| table.insert(entry).is_err()) {
                        add(change.report, count::BROKEN, 1);
                    }
                }
                let (from, to) = (row.first[kind] + there, draft.row.first[kind] + l);
                if kind == 0 {
                    x.set(to, x.get(from));
                    change.vertex_inputs.set(to, change.vertex_inputs.get(from));
                    change.vertex_inputs.set(from, NONE);
                } else if kind == 2 {
                    change.face_inputs.set(to, change.face_inputs.get(from));
                    change.face_inputs.set(from, NONE);
                }
                draft.words[kind].set(l, word & !ENTRY | OWNED);
            });
        }
        block.sync();
    }
    /// Writes the copy. Collective, ends with a barrier.
    #[inline(always)]
    fn commit(&self) {
        let Self { block, draft, memory, change, .. } = *self;
        let row = draft.row;
        let count = [0, 1, 2].map(|kind| draft.used(block, kind));
        let neighbours = draft.neighbours(block);
        let to = change.store;
        // who sees that the patch owns an element also sees its values
        atomic::fence(AcqRel, Device);
        block.for_each_nosync(count[1], |e| to.ev.set(row.first[1] + e, draft.ev.get(e)));
        block.for_each_nosync(3 * count[2], |i| to.fe.set(3 * row.first[2] + i, draft.fe.get(i)));
        block.for_each_nosync(neighbours, |i| store(to.stashes, row.stash + i, draft.stash.get(i)));
        for kind in [0, 1, 2] {
            block.for_each_nosync(row.table_words[kind], |i| {
                store(to.tables, row.table_at(kind) + i, memory.tables[kind].get(i));
            });
            block.for_each_nosync(row.mask_words(kind), |w| {
                store(to.masks, row.masks + row.active_at(kind) + w, draft.mask_word(kind, w, ACTIVE));
                store(to.masks, row.masks + row.owned_at(kind) + w, draft.mask_word(kind, w, OWNED));
            });
        }
        block.single_nosync(|| put_row(to, draft.patch, StoreRow { count, neighbours, ..row }));
        block.sync();
    }
}

/// Writes the words of a row that change.
#[inline(always)]
fn put_row(to: StoreViewMut<'_>, patch: u32, row: StoreRow) {
    let (words, at) = (row.encode(), StoreRow::WORDS * patch);
    store(to.rows, at + 9, words[9]);
    store(to.rows, at + 10, words[10]);
    store(to.rows, at + 11, words[11]);
}

/// The side of a face that is an edge.
#[inline(always)]
fn side_of(draft: Draft<'_>, face: u32, edge: u32) -> u32 {
    if draft.side(face, 0).0 == edge {
        0
    } else if draft.side(face, 1).0 == edge {
        1
    } else {
        2
    }
}

/// Whether the edge ab of faces a b c and b a d is not Delaunay, and the flipped faces have no smaller angle.
#[inline(always)]
fn to_be_flipped([a, b, c, d]: [Vec3; 4]) -> bool {
    if !not_delaunay([a, b, c, d], TOLERANCE) {
        return false;
    }
    let smaller = |x: f32, y: f32| if x < y { x } else { y };
    let before = smaller(smallest_sine([a, b, c]), smallest_sine([b, a, d]));
    let after = smaller(smallest_sine([c, d, b]), smallest_sine([d, c, a]));
    after != 0.0 && after >= before * (1.0 - ROUNDING)
}

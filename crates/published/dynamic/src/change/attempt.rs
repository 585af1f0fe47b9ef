//! One patch that is processed: in what order, and its shared memory.
use super::operator::StoreOperator;
use super::{Change, Laps, add, count, phase};
use crate::draft::Draft;
use crate::expand::Expansion;
use crate::view::MOST_NEIGHBOURS;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Arena, Block, Out, Shared};
use ribbonmesh_concurrent::Locks;

/// The element is to be owned by the patch.
pub(super) const TAKEN: u32 = 1 << 26;
/// The element is taken only to be deleted.
pub(super) const GONE: u32 = 1 << 25;
/// States of a seed.
pub(super) const IDLE: u32 = 0;
pub(super) const CANDIDATE: u32 = 1;
pub(super) const CHOSEN: u32 = 2;
pub(super) const LOST: u32 = 3;
/// A candidate that needs locks, while others are filled.
pub(super) const ASIDE: u32 = 4;

/// Words of [`Memory::counters`]: cavities chosen at the border, or tickets given; candidates that lost to
/// others; cavities to be filled.
pub(super) const TICKETS: u32 = 0;
pub(super) const LOSERS: u32 = 1;
pub(super) const FILLED: u32 = 2;
const COUNTERS: u32 = 3;

/// Shared memory of a change.
#[derive(Clone, Copy)]
pub(super) struct Memory<'b> {
    pub(super) draft: Draft<'b>,
    pub(super) expansion: Expansion<'b>,
    /// Number of faces of each edge, and the first two of them.
    pub(super) degrees: Shared<'b, u32>,
    pub(super) pairs: Shared<'b, u16>,
    /// Number of faces of each vertex, and one of them; only where seeds are vertices.
    pub(super) fans: Shared<'b, u32>,
    pub(super) starts: Shared<'b, u32>,
    /// The end that each vertex is collapsed onto, likewise.
    pub(super) targets: Shared<'b, u32>,
    pub(super) states: Shared<'b, u32>,
    pub(super) ranks: Shared<'b, u32>,
    /// By face, and by vertex where cavities are to be apart.
    pub(super) claims: [Shared<'b, u32>; 2],
    pub(super) taken: [Shared<'b, u32>; 2],
    /// Edges that are to be made, by their vertices: the vertices, and the seed plus 1.
    pub(super) made: Shared<'b, u32>,
    pub(super) makers: Shared<'b, u32>,
    /// Local indices for what is made, where fillings grow.
    pub(super) fresh: [Shared<'b, u32>; 3],
    /// Elements that move from each patch around, of each kind.
    pub(super) moves: Shared<'b, u32>,
    /// Words of their tables that are in use, likewise.
    pub(super) used: Shared<'b, u32>,
    /// The place of this patch in the stash of each patch around.
    pub(super) back: Shared<'b, u32>,
    pub(super) tables: [Shared<'b, u32>; 3],
    pub(super) counters: Shared<'b, u32>,
    /// Elements made beyond those deleted, of each kind.
    pub(super) grown: Shared<'b, u32>,
}
/// Places for edges that are to be made.
pub(super) const MADE: u32 = 1024;
/// Instead of the seed that makes it: it exists.
pub(super) const EXISTS: u32 = 0;

pub(super) fn memory<O: StoreOperator>(arena: &Arena, capacity: [u32; 3], table: u32) -> Memory<'_> {
    let [v, e, f] = capacity;
    let grows = O::GROWS != [0; 3];
    let if_grows = |n: u32| arena.take(if grows { n } else { 0 });
    let if_stars = |n: u32| arena.take(if O::SEED == 0 { n } else { 0 });
    let if_apart = |n: u32| arena.take(if O::APART { n } else { 0 });
    Memory {
        draft: Draft::layout(arena, capacity),
        expansion: Expansion::layout(arena, capacity),
        degrees: arena.take(e),
        pairs: arena.take(2 * e),
        fans: if_stars(v),
        starts: if_stars(v),
        targets: if_stars(v),
        states: arena.take(capacity[O::SEED]),
        ranks: arena.take(capacity[O::SEED]),
        claims: [arena.take(f), if_apart(v)],
        taken: [arena.take(f), if_apart(v)],
        made: arena.take(MADE),
        makers: arena.take(MADE),
        fresh: [if_grows(v), if_grows(e), if_grows(f)],
        moves: arena.take(3 * MOST_NEIGHBOURS),
        used: arena.take(3 * MOST_NEIGHBOURS),
        back: arena.take(MOST_NEIGHBOURS),
        tables: [arena.take(table), arena.take(table), arena.take(table)],
        counters: arena.take(COUNTERS),
        grown: arena.take(3),
    }
}

/// One patch that is processed, under its lock.
#[derive(Clone, Copy)]
pub struct Attempt<'b, 'a> {
    pub(super) block: &'b Block,
    pub(super) change: Change<'a>,
    pub(super) locks: Locks<Out<'a, u32>>,
    pub(super) draft: Draft<'b>,
    pub(super) memory: Memory<'b>,
}

impl Attempt<'_, '_> {
    /// Fills what cavities can be filled at once; the reasons why the copy is dropped, 0 if it was committed
    /// or nothing is to be done. Sets `again` if there may be more.
    #[inline(always)]
    pub(super) fn run<O: StoreOperator>(&self, laps: &Laps<'_, '_>, again: &mut bool) -> u32 {
        let Self { block, draft, memory, .. } = *self;
        let (expansion, store) = (memory.expansion, self.change.store);
        expansion.clear_nosync(block);
        draft.load(block, store, |steps| {
            atomic::fetch_max(self.change.report, count::LONGEST, steps, Relaxed, Device);
        });
        draft.load_firsts(block, store);
        let failed = draft.failures(block);
        if failed != 0 {
            return failed;
        }
        laps.end(phase::LOAD);
        // cavities around which the patch owns everything need no lock; they come first
        let (mut inside, mut look, mut changed, mut bordered) = (true, true, false, false);
        loop {
            let failed = self.find::<O>(inside, look, laps);
            if failed != 0 {
                return failed;
            }
            look = false;
            let (lost, filled) = (memory.counters.get(LOSERS), memory.counters.get(FILLED));
            if filled == 0 && lost > 0 {
                // those that lost to cavities that cannot be filled
                if !inside {
                    expansion.begin_again(block, &draft);
                }
                self.bring_back::<O>(LOST);
                continue;
            }
            if filled == 0 {
                if !inside {
                    return 0;
                }
                self.keep(changed, laps);
                (inside, changed) = (false, false);
                let left = self.bring_back::<O>(ASIDE);
                if !left || bordered {
                    *again = left;
                    return 0;
                }
                continue;
            }
            let fit = self.fit::<O>(filled);
            if fit == 0 {
                self.keep(changed, laps);
                return draft.failures(block);
            }
            if !inside {
                let failed = self.take_over::<O>(fit, laps);
                if failed != 0 {
                    return failed;
                }
            }
            block.single_nosync(|| add(self.change.report, count::FILLED, fit));
            self.fill::<O>();
            (look, changed) = (true, inside);
            if !inside {
                self.commit(true);
                (inside, bordered) = (true, true);
            }
            laps.end(phase::COMMIT);
        }
    }
    /// Chooses cavities, `inside` or at the border, among candidates that it looks for first if it is to
    /// `look`, and rejects those that cannot be filled; the reasons why the copy is dropped.
    #[inline(always)]
    fn find<O: StoreOperator>(&self, inside: bool, look: bool, laps: &Laps<'_, '_>) -> u32 {
        let Self { block, draft, memory, .. } = *self;
        block.sync();
        block.for_each(COUNTERS, |i| memory.counters.set(i, 0));
        if look {
            self.find_faces::<O>();
            self.register::<O>();
            self.set_aside::<O>();
        }
        if !block.any(draft.row.capacity[O::SEED], |seed| memory.states.get(seed) == CANDIDATE) {
            laps.end(phase::CHOOSE);
            return 0;
        }
        self.choose::<O>();
        if !inside {
            self.limit_border::<O>();
            laps.end(phase::CHOOSE);
            let failed = self.expand(laps);
            laps.end(phase::EXPAND);
            if failed != 0 {
                return failed;
            }
            self.find_faces::<O>();
        }
        laps.end(phase::CHOOSE);
        self.reject::<O>();
        laps.end(phase::REJECT);
        0
    }
    /// Writes what was filled inside, if anything was.
    #[inline(always)]
    fn keep(&self, changed: bool, laps: &Laps<'_, '_>) {
        if changed {
            self.commit(false);
            laps.end(phase::COMMIT);
        }
    }
    /// For how many of the chosen cavities there is room, and a budget; the others lose.
    #[inline(always)]
    fn fit<O: StoreOperator>(&self, chosen: u32) -> u32 {
        let granted = if O::COUNTED { self.granted(chosen) } else { chosen };
        let all = O::GROWS == [0; 3] && granted == chosen;
        if all || granted == 0 { granted } else { self.allot::<O>(granted) }
    }
    /// Becomes the owner of everything around the chosen cavities, and releases the others; the reasons why
    /// not.
    #[inline(always)]
    fn take_over<O: StoreOperator>(&self, chosen: u32, laps: &Laps<'_, '_>) -> u32 {
        let (block, expansion) = (self.block, self.memory.expansion);
        let failed = self.plan::<O>();
        laps.end(phase::PLAN);
        if failed != 0 {
            if O::COUNTED {
                self.give_back(chosen);
            }
            return failed;
        }
        // nothing fails from here on
        self.move_owned();
        block.single_nosync(|| add(self.change.report, count::LOCKED, expansion.locked()));
        expansion.release(block, &self.draft, self.locks);
        laps.end(phase::MOVE);
        0
    }
    /// How many of these cavities the budget has, which has so many fewer then. Collective.
    #[inline(always)]
    fn granted(&self, wanted: u32) -> u32 {
        let budget = self.change.attributes.budget;
        self.block.single(|| {
            let before = atomic::fetch_add(budget, 0, wanted.wrapping_neg(), Relaxed, Device) as i32;
            let granted = if before < 0 { 0 } else { before as u32 };
            let granted = if granted < wanted { granted } else { wanted };
            atomic::fetch_add(budget, 0, wanted - granted, Relaxed, Device);
            granted
        })
    }
    /// Cavities that are not filled after all.
    #[inline(always)]
    fn give_back(&self, granted: u32) {
        let budget = self.change.attributes.budget;
        self.block.single_nosync(|| _ = atomic::fetch_add(budget, 0, granted, Relaxed, Device));
    }
    /// Marks what is taken, makes the tables without it, and looks for room with others; the reasons why not.
    #[inline(always)]
    fn plan<O: StoreOperator>(&self) -> u32 {
        let Self { block, draft, memory, .. } = *self;
        self.take::<O>();
        let failed = draft.failures(block);
        if failed != 0 {
            return failed;
        }
        for kind in [0, 1, 2] {
            draft.make_table(block, kind, memory.tables[kind], |word| word & TAKEN == 0);
        }
        self.prepare_neighbours();
        draft.failures(block)
    }
    /// Locks the owners that are wanted, records the stars that are sought, locks their owners, and adds the
    /// stars to the copy; the reasons why not.
    #[inline(always)]
    fn expand(&self, laps: &Laps<'_, '_>) -> u32 {
        let Self { block, draft, memory, .. } = *self;
        let (expansion, store) = (memory.expansion, self.change.store);
        expansion.acquire(block, &draft, self.locks);
        let failed = draft.failures(block);
        laps.end(phase::LOCK);
        if failed != 0 {
            return failed;
        }
        expansion.record(block, &draft, store);
        laps.end(phase::EXPAND);
        expansion.acquire(block, &draft, self.locks);
        laps.end(phase::LOCK);
        draft.load_firsts(block, store);
        expansion.verify(block, &draft, store);
        let failed = draft.failures(block);
        if failed != 0 {
            return failed;
        }
        expansion.copy(block, &draft);
        draft.failures(block)
    }
}

//! One patch that is processed: in what order, and its shared memory.
use super::{Change, add, count};
use crate::draft::Draft;
use crate::expand::Expansion;
use crate::view::MOST_NEIGHBOURS;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Arena, Block, Out, Shared, Vec3};
use ribbonmesh_concurrent::Locks;

/// The element is to be owned by the patch.
pub(super) const TAKEN: u32 = 1 << 26;
/// The face is taken only to be deleted.
pub(super) const GONE: u32 = 1 << 25;
/// States of an edge.
pub(super) const IDLE: u32 = 0;
pub(super) const CANDIDATE: u32 = 1;
pub(super) const CHOSEN: u32 = 2;
pub(super) const LOST: u32 = 3;

/// Shared memory of a change.
#[derive(Clone, Copy)]
pub(super) struct Memory<'b> {
    pub(super) draft: Draft<'b>,
    pub(super) expansion: Expansion<'b>,
    /// Number of faces of each edge, and the first two of them.
    pub(super) degrees: Shared<'b, u32>,
    pub(super) pairs: Shared<'b, u16>,
    pub(super) states: Shared<'b, u32>,
    pub(super) claims: Shared<'b, u32>,
    pub(super) taken: Shared<'b, u32>,
    /// Edges that are to be made, by their vertices: the vertices, and the edge that is flipped plus 1.
    pub(super) made: Shared<'b, u32>,
    pub(super) makers: Shared<'b, u32>,
    /// Elements that move from each patch around, of each kind.
    pub(super) moves: Shared<'b, u32>,
    /// The place of this patch in the stash of each patch around.
    pub(super) back: Shared<'b, u32>,
    pub(super) tables: [Shared<'b, u32>; 3],
    /// Chosen at the border; candidates that lost; flips.
    pub(super) counters: Shared<'b, u32>,
}
/// Places for edges that are to be made.
pub(super) const MADE: u32 = 1024;
/// Instead of the edge that makes it: it exists.
pub(super) const EXISTS: u32 = 0;

pub(super) fn memory(arena: &Arena, capacity: [u32; 3], table: u32) -> Memory<'_> {
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

/// One patch that is processed, under its lock.
#[derive(Clone, Copy)]
pub(super) struct Attempt<'b, 'a> {
    pub(super) block: &'b Block,
    pub(super) change: Change<'a>,
    pub(super) x: Out<'a, Vec3>,
    pub(super) locks: Locks<Out<'a, u32>>,
    pub(super) draft: Draft<'b>,
    pub(super) memory: Memory<'b>,
}

impl Attempt<'_, '_> {
    /// Flips what can be flipped at once; the reasons why the copy is dropped, 0 if it was committed or
    /// nothing is to be done. Sets `again` if more may be flipped.
    #[inline(always)]
    pub(super) fn run(&self, again: &mut bool) -> u32 {
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
            self.limit_border();
            expansion.acquire(block, &draft, self.locks);
            let failed = draft.failures(block);
            if failed != 0 {
                return failed;
            }
            expansion.record(block, &draft, store);
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
        block.single_nosync(|| {
            add(self.change.report, count::FLIPS, flips);
            add(self.change.report, count::LOCKED, expansion.locked());
        });
        expansion.release(block, &draft, self.locks);
        self.commit();
        *again = true;
        0
    }
}

//! Cleanup: chains of owners become single steps, and what nobody needs of ribbons is forgotten.
use crate::draft::{Draft, ENTRY, NEEDED, OWNED, OWNER, index_of, reason, slot_of};
use crate::row::StoreRow;
use crate::view::{MOST_NEIGHBOURS, ReadStore, StoreViewMut, store};
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Arena, Block, Out, Parameter, Shared, kernel};

/// New rows, tables and stashes, which replace those of the store: other blocks still follow chains there.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Renewed<'a> {
    /// Rows.
    pub rows: Out<'a, u32>,
    /// Tables.
    pub tables: Out<'a, u32>,
    /// Stashes.
    pub stashes: Out<'a, u32>,
    /// [`reason`]s for which some patch could not be cleaned.
    pub failed: Out<'a, u32>,
}

fn memory(arena: &Arena, capacity: [u32; 3], table: u32) -> (Draft<'_>, Shared<'_, u32>, Shared<'_, u32>) {
    (Draft::layout(arena, capacity), arena.take(table), arena.take(2))
}

/// Makes the tables and stashes of a store again, where nothing else changes it: each entry names the owner,
/// and elements that no query about an owned element needs are gone, also those by which others found an
/// owner. One block per patch.
#[kernel(threads = 256, shared = memory(arena, store.limits(), store.max_table))]
pub fn clean_patches<'a>(block: &Block, store: StoreViewMut<'a>, to: Renewed<'a>) {
    let (draft, table, used) = memory(block.arena(), store.limits(), store.max_table);
    let (patch, row) = (block.index(), store.row(block.index()));
    let draft = draft.of(patch, row);
    block.for_each_nosync(2, |i| used.set(i, 0));
    draft.load(block, store, |_| ());
    let kept = |word: u32| word & (OWNED | NEEDED) != 0;
    for (kind, words) in draft.words.into_iter().enumerate() {
        block.for_each_nosync(row.capacity[kind], |l| {
            let word = words.get(l);
            if !kept(word) {
                words.set(l, 0);
            } else if word & OWNED == 0 {
                used.fetch_or(slot_of(word) / 32, 1 << (slot_of(word) % 32));
            }
        });
    }
    block.sync();
    let in_use = [used.get(0), used.get(1)];
    let rank = |slot: u32| {
        let below = |bits: u32, n: u32| (bits & ((1 << n) - 1)).count_ones();
        if slot < 32 { below(in_use[0], slot) } else { in_use[0].count_ones() + below(in_use[1], slot - 32) }
    };
    let neighbours = in_use[0].count_ones() + in_use[1].count_ones();
    if neighbours > row.stash_room {
        block.single_nosync(|| draft.fail(reason::STASH));
    }
    block.for_each_nosync(MOST_NEIGHBOURS, |slot| {
        if in_use[(slot / 32) as usize] >> (slot % 32) & 1 == 1 && rank(slot) < row.stash_room {
            to.stashes.set(row.stash + rank(slot), draft.stash.get(slot));
        }
    });
    for (kind, words) in draft.words.into_iter().enumerate() {
        block.for_each(row.capacity[kind], |l| {
            let word = words.get(l);
            if word & ENTRY != 0 && word & OWNED == 0 {
                words.set(l, word & !OWNER | rank(slot_of(word)) << 13 | index_of(word));
            }
        });
        draft.make_table(block, kind, table, |_| true);
        block.for_each(row.table_words[kind], |i| to.tables.set(row.table_at(kind) + i, table.get(i)));
        block.for_each_nosync(row.mask_words(kind), |w| {
            // others read masks of owned elements alone
            self::store(store.masks, row.masks + row.active_at(kind) + w, draft.mask_words(kind, w)[0]);
        });
    }
    let count = [0, 1, 2].map(|kind| draft.used(block, kind));
    let failed = draft.failures(block);
    block.single_nosync(|| {
        if failed != 0 {
            atomic::fetch_or(to.failed, 0, failed, Relaxed, Device);
        }
        for (i, word) in (StoreRow { count, neighbours, ..row }).encode().into_iter().enumerate() {
            to.rows.set(StoreRow::WORDS * patch + i as u32, word);
        }
    });
}

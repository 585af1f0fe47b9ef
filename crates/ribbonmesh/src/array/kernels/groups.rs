//! Places by key: counted, put into their groups in any order, and sorted there.
use crate::device::atomic::{self, Order::Relaxed, Scope::Device};
use crate::device::{Arena, Block, In, Out, Shared, StatusCode, kernel};

/// Groups with more places than this are sorted otherwise.
pub const LONG: u32 = 1024;
/// Largest number that is sorted by insertion.
const SHORT: u32 = 24;

/// Counts the occurrences of each of `n` keys; a key that is not below `count` is recorded.
#[kernel(threads = 256)]
pub fn count_keys<'a>(block: &Block, n: u32, count: u32, keys: In<'a, u32>, counts: Out<'a, u32>) {
    block.for_each_of_tile(n, |i| {
        let key = keys.get(i);
        if key >= count {
            return block.status().record(StatusCode::Index, block.index(), i, key);
        }
        atomic::fetch_add(counts, key, 1, Relaxed, Device);
    });
}

/// Puts each place into its key's group. `cursors[k]` begins as the start of group `k`, and becomes its end.
#[kernel(threads = 256)]
pub fn scatter_keys<'a>(
    block: &Block,
    n: u32,
    count: u32,
    keys: In<'a, u32>,
    cursors: Out<'a, u32>,
    places: Out<'a, u32>,
) {
    block.for_each_of_tile(n, |i| {
        let key = keys.get(i);
        if key < count {
            places.set(atomic::fetch_add(cursors, key, 1, Relaxed, Device), i);
        }
    });
}

/// Groups of a block of [`sort_groups`].
pub const GROUPS: u32 = 128;

/// Sorts the groups of at most [`LONG`] places, and writes where each of `count` begins, and the end;
/// `long[0]` becomes 1 where there is a longer one. `ends[k]` is the end of group `k`. A thread sorts a short
/// group, all threads sort longer ones, one after the other. Blocks: [`GROUPS`] groups each, and the end.
#[kernel(threads = 128, shared = sort_room(arena))]
pub fn sort_groups<'a>(
    block: &Block,
    count: u32,
    ends: In<'a, u32>,
    places: Out<'a, u32>,
    starts: Out<'a, u32>,
    long: Out<'a, u32>,
) {
    let first = GROUPS * block.index();
    let groups = if count + 1 - first < GROUPS { count + 1 - first } else { GROUPS };
    let range = |k: u32| {
        let start = if k == 0 { 0 } else { ends.get(k - 1) };
        (start, if k < count { ends.get(k) - start } else { 0 })
    };
    block.for_each_nosync(groups, |i| {
        let (start, n) = range(first + i);
        starts.set(first + i, start);
        if n <= SHORT {
            let mut i = 1;
            while i < n {
                let (value, mut j) = (places.get(start + i), i);
                while j > 0 && places.get(start + j - 1) > value {
                    places.set(start + j, places.get(start + j - 1));
                    j -= 1;
                }
                places.set(start + j, value);
                i += 1;
            }
        } else if n > LONG {
            atomic::store(long, 0, 1, Relaxed, Device);
        }
    });
    let is_longer = |i: u32| {
        let n = range(first + i).1;
        n > SHORT && n <= LONG
    };
    if !block.any(groups, is_longer) {
        return;
    }
    let SortRoom { ranks, list, values } = sort_room(block.arena());
    let longer = block.compact(groups, ranks, list, is_longer);
    let mut k = 0;
    while k < longer {
        let (start, n) = range(first + list.get(k));
        block.for_each(n, |i| values.set(i, places.get(start + i)));
        block.sort(values, n);
        block.for_each(n, |i| places.set(start + i, values.get(i)));
        k += 1;
    }
}
struct SortRoom<'b> {
    ranks: Shared<'b, u32>,
    list: Shared<'b, u32>,
    values: Shared<'b, u32>,
}
fn sort_room(arena: &Arena) -> SortRoom<'_> {
    SortRoom { ranks: arena.take(GROUPS), list: arena.take(GROUPS), values: arena.take(LONG) }
}

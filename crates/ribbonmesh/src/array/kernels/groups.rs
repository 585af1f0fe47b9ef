//! Places by key: counted, put into their groups in any order, and sorted there.
use crate::device::atomic::{self, Order::Relaxed, Scope::Device};
use crate::device::{Block, In, Out, StatusCode, kernel};

/// Groups with more places than this are sorted otherwise: by one thread it would take too long.
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

/// Sorts the groups of at most [`LONG`] places, and writes where each of `count` begins, and the end;
/// `long[0]` becomes 1 where there is a longer one. `ends[k]` is the end of group `k`.
#[kernel(threads = 128)]
pub fn sort_groups<'a>(
    block: &Block,
    count: u32,
    ends: In<'a, u32>,
    places: Out<'a, u32>,
    starts: Out<'a, u32>,
    long: Out<'a, u32>,
) {
    block.for_each_of_tile(count + 1, |k| {
        let start = if k == 0 { 0 } else { ends.get(k - 1) };
        starts.set(k, start);
        if k == count {
            return;
        }
        let n = ends.get(k) - start;
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
        } else if n <= LONG {
            crate::corners::sort_by_heap(
                n,
                |i| places.get(start + i),
                |i, value| places.set(start + i, value),
            );
        } else {
            atomic::store(long, 0, 1, Relaxed, Device);
        }
    });
}

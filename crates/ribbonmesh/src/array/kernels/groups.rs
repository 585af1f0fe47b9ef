//! Where the places of each key begin.
use crate::device::{Block, In, Out, StatusCode, kernel};

/// Where the places of each key begin, and the end; `places` is the order of the `n` keys, which are below `count`.
#[kernel(threads = 256)]
pub fn group_starts<'a>(
    block: &Block,
    n: u32,
    count: u32,
    keys: In<'a, u32>,
    places: In<'a, u32>,
    starts: Out<'a, u32>,
) {
    block.for_each_of_tile(n + 1, |i| {
        let key = |i: u32| keys.get(places.get(i));
        let last = if i == n { count } else { key(i) };
        if i < n && last >= count {
            return block.status().record(StatusCode::Index, block.index(), places.get(i), last);
        }
        let before = if i == 0 { None } else { Some(key(i - 1)) };
        let mut k = match before {
            Some(before) if before < count => before + 1,
            // told by its own iteration
            Some(_) => return,
            None => 0,
        };
        while k <= last {
            starts.set(k, i);
            k += 1;
        }
    });
}

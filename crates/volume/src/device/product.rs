//! Products of relations: what is reached by two steps, each element once, ascending.
//!
//! A short row is found by looking for the least candidate above the last, again and again: all candidates
//! are in the first-level cache, and no memory is written but the result. The candidates of a long row are
//! listed, sorted and made unique in scratch memory.
use super::tcsr::TcsrView;
use ribbonmesh::corners::sort_by_heap;
use ribbonmesh::device::{Each, In, NONE, Out, Parameter, kernel};

/// Rows of more candidates than this are sorted in scratch memory.
const SHORT: u32 = 128;

/// The entries of the rows of `second` that a row of `first` names.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Product<'a> {
    /// The first step.
    pub first: TcsrView<'a>,
    /// The second step.
    pub second: TcsrView<'a>,
    /// 1 if an element is not reached from itself.
    pub others: u32,
}
impl Product<'_> {
    /// Runs `f` for each candidate of row `i`.
    #[inline(always)]
    fn of(&self, i: u32, mut f: impl FnMut(u32)) {
        self.first.of(i, |middle, _| {
            self.second.of(middle, |found, _| {
                if self.others == 0 || found != i {
                    f(found);
                }
            });
        });
    }
    /// The number of candidates of row `i`, itself included; the largest number if 32 bits cannot count them.
    #[inline(always)]
    fn candidates(&self, i: u32) -> u32 {
        let mut sum = 0_u32;
        self.first.of(i, |middle, _| sum = sum.saturating_add(self.second.row_len(middle)));
        sum
    }
    /// Runs `f` for each element of row `i` once, ascending.
    #[inline(always)]
    fn ascending(&self, i: u32, mut f: impl FnMut(u32)) {
        let mut least = 0;
        loop {
            let mut next = NONE;
            self.of(i, |found| {
                if found >= least && found < next {
                    next = found;
                }
            });
            if next == NONE {
                return;
            }
            f(next);
            least = next + 1;
        }
    }
}

/// The lengths of short rows; for long ones 0, and in `long` the number of candidates. Blocks: tiles.
#[kernel(threads = 128)]
pub fn count_product<'a>(i: Each, product: Product<'a>, counts: Out<'a, u32>, long: Out<'a, u32>) {
    let (candidates, mut count) = (product.candidates(i), 0);
    if candidates <= SHORT {
        product.ascending(i, |_| count += 1);
        long.set(i, 0);
    } else {
        long.set(i, candidates);
    }
    counts.set(i, count);
}

/// Lists, sorts and counts the elements of long rows; `places` are the prefix sums of `long`. Blocks: tiles.
#[kernel(threads = 128)]
pub fn list_long<'a>(
    i: Each,
    product: Product<'a>,
    places: In<'a, u32>,
    scratch: Out<'a, u32>,
    counts: Out<'a, u32>,
) {
    let start = places.get(i);
    if places.get(i + 1) == start {
        return;
    }
    let mut len = 0;
    product.of(i, |found| {
        scratch.set(start + len, found);
        len += 1;
    });
    sort_by_heap(len, |k| scratch.get(start + k), |k, value| scratch.set(start + k, value));
    let (mut k, mut unique) = (0, 0);
    while k < len {
        let value = scratch.get(start + k);
        if unique == 0 || scratch.get(start + unique - 1) != value {
            scratch.set(start + unique, value);
            unique += 1;
        }
        k += 1;
    }
    counts.set(i, unique);
}

/// Writes the rows; `starts` are the prefix sums of the counts. Blocks: tiles.
#[kernel(threads = 128)]
pub fn fill_product<'a>(
    i: Each,
    product: Product<'a>,
    starts: In<'a, u32>,
    places: In<'a, u32>,
    scratch: In<'a, u32>,
    to: Out<'a, i32>,
) {
    let (start, end, place) = (starts.get(i), starts.get(i + 1), places.get(i));
    if places.get(i + 1) == place {
        let mut k = start;
        product.ascending(i, |found| {
            to.set(k, found as i32);
            k += 1;
        });
    } else {
        let mut k = start;
        while k < end {
            to.set(k, scratch.get(place + k - start) as i32);
            k += 1;
        }
    }
}

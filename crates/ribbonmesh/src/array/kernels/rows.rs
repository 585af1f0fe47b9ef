//! Filling and permuting rows of 1, 2, 3, 4 or 6 words, and of any other number.
//!
//! Kernels whose name has `within` compare each index with the number of rows, for indices that come from
//! callers.
use crate::device::atomic::{self, Order::Relaxed, Scope::Device};
use crate::device::{Block, Each, In, Out, Parameter, Pod, StatusCode, kernel};

/// `K` words that a kernel takes by value.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Words {
    /// The words; words beyond a value's width are not used.
    pub words: [u32; 6],
}

#[inline(always)]
fn each_word<const W: u32>(block: &Block, n: u32, f: impl Fn(u32, u32, u32)) {
    block.for_each_tile(n, |base, len| {
        block.for_each_nosync(W * len, |k| f(base + k / W, k % W, W * base + k));
    });
}
#[inline(always)]
fn copy<T: Pod>(from: In<'_, T>, i: u32, to: Out<'_, T>, j: u32) {
    to.set(j, from.get(i))
}

/// The index at place `i` if there is a row for it; else its place and itself are recorded.
#[inline(always)]
fn within(block: &Block, index: In<'_, u32>, i: u32, rows: u32) -> Option<u32> {
    let at = index.get(i);
    if at < rows {
        return Some(at);
    }
    block.status().record(StatusCode::Index, block.index(), i, at);
    None
}

/// Sets each of `n` values of `W` words to the first words of `value`.
#[kernel(for W in [1, 2, 3, 4, 6], threads = 256)]
pub fn fill<'a, const W: u32>(block: &Block, n: u32, value: Words, to: Out<'a, u32>) {
    each_word::<W>(block, n, |_, c, k| {
        // no array that is indexed: it would not live in registers
        let [a, b, d, e, f, g] = value.words;
        to.set(
            k,
            match c {
                0 => a,
                1 => b,
                2 => d,
                3 => e,
                4 => f,
                _ => g,
            },
        );
    });
}
/// `to[i] = from[index[i]]` for values of `W` words, i < n.
#[kernel(for W in [1, 2, 3, 4, 6], threads = 256)]
pub fn gather<'a, const W: u32>(
    block: &Block,
    n: u32,
    index: In<'a, u32>,
    from: In<'a, u32>,
    to: Out<'a, u32>,
) {
    each_word::<W>(block, n, |i, c, k| copy(from, W * index.get(i) + c, to, k));
}
/// `to[index[i]] = from[i]` for values of `W` words, i < n; no index occurs twice.
#[kernel(for W in [1, 2, 3, 4, 6], threads = 256)]
pub fn scatter<'a, const W: u32>(
    block: &Block,
    n: u32,
    index: In<'a, u32>,
    from: In<'a, u32>,
    to: Out<'a, u32>,
) {
    each_word::<W>(block, n, |i, c, k| copy(from, k, to, W * index.get(i) + c));
}
/// `to[i] = from[index[i]]` for values of `W` words, i < n, where `from` has `rows` rows.
#[kernel(for W in [1, 2, 3, 4, 6], threads = 256)]
pub fn gather_within<'a, const W: u32>(
    block: &Block,
    n: u32,
    rows: u32,
    index: In<'a, u32>,
    from: In<'a, u32>,
    to: Out<'a, u32>,
) {
    each_word::<W>(block, n, |i, c, k| {
        if let Some(at) = within(block, index, i, rows) {
            copy(from, W * at + c, to, k);
        }
    });
}
/// `to[index[i]] = from[i]` for values of `W` words, i < n, where `to` has `rows` rows.
/// Indices may occur twice.
#[kernel(for W in [1, 2, 3, 4, 6], threads = 256)]
pub fn scatter_within<'a, const W: u32>(
    block: &Block,
    n: u32,
    rows: u32,
    index: In<'a, u32>,
    from: In<'a, u32>,
    to: Out<'a, u32>,
) {
    each_word::<W>(block, n, |i, c, k| {
        if let Some(at) = within(block, index, i, rows) {
            atomic::store(to, W * at + c, from.get(k), Relaxed, Device);
        }
    });
}

/// Sets each of `n` values of `words` words to the first one of `value`.
#[kernel(threads = 256)]
pub fn fill_rows<'a>(block: &Block, n: u32, words: u32, value: In<'a, u32>, to: Out<'a, u32>) {
    each(block, n, words, |_, c, k| copy(value, c, to, k));
}
/// `to[i] = from[index[i]]` for values of `words` words, i < n.
#[kernel(threads = 256)]
pub fn gather_rows<'a>(
    block: &Block,
    n: u32,
    words: u32,
    index: In<'a, u32>,
    from: In<'a, u32>,
    to: Out<'a, u32>,
) {
    each(block, n, words, |i, c, k| copy(from, words * index.get(i) + c, to, k));
}
/// `to[index[i]] = from[i]` for values of `words` words, i < n; no index occurs twice.
#[kernel(threads = 256)]
pub fn scatter_rows<'a>(
    block: &Block,
    n: u32,
    words: u32,
    index: In<'a, u32>,
    from: In<'a, u32>,
    to: Out<'a, u32>,
) {
    each(block, n, words, |i, c, k| copy(from, k, to, words * index.get(i) + c));
}
/// `to[i] = from[index[i]]` for values of `words` words, i < n, where `from` has `rows` rows.
#[kernel(threads = 256)]
pub fn gather_rows_within<'a>(
    block: &Block,
    n: u32,
    words: u32,
    rows: u32,
    index: In<'a, u32>,
    from: In<'a, u32>,
    to: Out<'a, u32>,
) {
    each(block, n, words, |i, c, k| {
        if let Some(at) = within(block, index, i, rows) {
            copy(from, words * at + c, to, k);
        }
    });
}
/// `to[index[i]] = from[i]` for values of `words` words, i < n, where `to` has `rows` rows. Indices may
/// occur twice.
#[kernel(threads = 256)]
pub fn scatter_rows_within<'a>(
    block: &Block,
    n: u32,
    words: u32,
    rows: u32,
    index: In<'a, u32>,
    from: In<'a, u32>,
    to: Out<'a, u32>,
) {
    each(block, n, words, |i, c, k| {
        if let Some(at) = within(block, index, i, rows) {
            atomic::store(to, words * at + c, from.get(k), Relaxed, Device);
        }
    });
}
/// The lower halves of 64-bit numbers, which are two words each; `wide[0]` becomes 1 where an upper one is
/// not 0.
#[kernel(threads = 256)]
pub fn lower_halves<'a>(i: Each, from: In<'a, u32>, to: Out<'a, u32>, wide: Out<'a, u32>) {
    to.set(i, from.get(2 * i));
    if from.get(2 * i + 1) != 0 {
        atomic::store(wide, 0, 1, Relaxed, Device);
    }
}
/// Copies `n` words.
#[kernel(threads = 256)]
pub fn copy_words<'a>(i: Each, from: In<'a, u32>, to: Out<'a, u32>) {
    copy(from, i, to, i);
}
#[inline(always)]
fn each(block: &Block, n: u32, words: u32, f: impl Fn(u32, u32, u32)) {
    block.for_each_tile(n, |base, len| {
        block.for_each_nosync(words * len, |k| f(base + k / words, k % words, words * base + k));
    });
}

/// `to[i] = first + i`.
#[kernel(threads = 256)]
pub fn count_up<'a>(i: Each, first: u32, to: Out<'a, u32>) {
    to.set(i, first + i);
}

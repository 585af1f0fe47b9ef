//! Cutting the faces into patches by Lloyd's algorithm (thesis 4.3.3.2), deterministically: a face that
//! several patches reach at the same distance joins the one with the smallest number, whichever thread comes
//! first.
//!
//! Each face has a word, `distance << 32 | patch`; the smallest word wins.
use crate::device::atomic::{self, Order::Relaxed, Scope::Device};
use crate::device::{Block, Each, In, NONE, Out, kernel};
use crate::kernels::construct::{add, load, scramble};

/// No patch yet.
pub const UNREACHED: u64 = u64::MAX;
/// At an edge of many faces, a face hands its patch on to this many of them; they reach the rest.
pub const REACH: u32 = 8;
/// ... and looks at this many of them at most.
pub const LOOK: u32 = 64;

/// Initial seeds, in the components that are not a patch already (`whole[label]` is `NONE`): the smallest
/// face of each, and one face out of each `stride` faces with consecutive numbers, at random. `flags[f]` = 1
/// for a seed.
///
/// Consecutive faces are mostly near each other, so that seeds are spread more evenly than by chance alone.
#[kernel(threads = 256)]
pub fn pick_seeds<'a>(
    f: Each,
    labels: In<'a, u32>,
    whole: In<'a, u32>,
    stride: u32,
    seed: u32,
    flags: Out<'a, u32>,
) {
    let label = labels.get(f);
    let chosen = f % stride == scramble(f / stride, seed) % stride;
    flags.set(f, (whole.get(label) == NONE && (f == label || chosen)) as u32);
}

/// Every face unreached, except those whose component is a patch already (`whole[label]`, or none).
#[kernel(threads = 256)]
pub fn reset_words<'a>(f: Each, labels: In<'a, u32>, whole: In<'a, u32>, words: Out<'a, u64>) {
    let patch = whole.get(labels.get(f));
    words.set(f, if patch == NONE { UNREACHED } else { patch as u64 });
}

/// The seeds get their patch, at distance 0, and are the first front. Patch numbers begin at `first`.
#[kernel(threads = 256)]
pub fn plant_seeds<'a>(i: Each, seeds: In<'a, u32>, first: u32, words: Out<'a, u64>, front: Out<'a, u32>) {
    words.set(seeds.get(i), (first + i) as u64);
    front.set(i, seeds.get(i));
}

/// One step of a breadth-first search: from the front, of length `lengths[step % 3]`, to the faces next to
/// it, which become the next front. Where `within` has entries, only between faces for which they are equal.
#[kernel(threads = 256)]
pub fn grow<'a>(
    block: &Block,
    step: u32,
    ring: In<'a, u32>,
    within: In<'a, u32>,
    words: Out<'a, u64>,
    front: In<'a, u32>,
    next: Out<'a, u32>,
    lengths: Out<'a, u32>,
) {
    let n = load(lengths, step % 3);
    block.for_each_tile(3 * n, |base, len| {
        block.append(len, next, lengths, (step + 1) % 3, |i| {
            let k = base + i;
            let f = front.get(k / 3);
            let word = load(words, f) + (1 << 32);
            let c = 3 * f + k % 3;
            let mut d = ring.get(c);
            let mut found = NONE;
            let (mut reach, mut look) = (0, 0);
            while d != c && reach < REACH && look < LOOK {
                let g = d / 3;
                let open = within.is_empty() || within.get(f) == within.get(g);
                reach += open as u32;
                if open && load(words, g) > word {
                    let old = atomic::fetch_min(words, g, word, Relaxed, Device);
                    if old == UNREACHED {
                        if found == NONE {
                            found = g;
                            if ring.get(d) == c {
                                break;
                            }
                        } else {
                            // an edge of many faces: the faces that do not fit this iteration's place
                            next.set(add(lengths, (step + 1) % 3, 1), g);
                        }
                    }
                }
                d = ring.get(d);
                look += 1;
            }
            (found != NONE).then_some(found)
        });
    });
    // no thread reads or writes this one now
    if block.index() == 0 {
        block.single_nosync(|| atomic::store(lengths, (step + 2) % 3, 0, Relaxed, Device));
    }
}

/// `patch[f]` from the words, and the patches' sizes (which are 0 before). A face that was not reached keeps
/// its patch.
#[kernel(threads = 256)]
pub fn take_patches<'a>(f: Each, words: In<'a, u64>, patch: Out<'a, u32>, sizes: Out<'a, u32>) {
    let word = words.get(f);
    let p = if word == UNREACHED { patch.get(f) } else { word as u32 };
    patch.set(f, p);
    add(sizes, p, 1);
}

/// Starts the search inwards: faces next to another patch are the first front, at distance 0; all others are
/// unreached. `lengths[0]` counts them. (Thesis: "constructing the patch boundary faces".)
#[kernel(threads = 256)]
pub fn boundary_front<'a>(
    block: &Block,
    faces: u32,
    ring: In<'a, u32>,
    patch: In<'a, u32>,
    words: Out<'a, u64>,
    front: Out<'a, u32>,
    lengths: Out<'a, u32>,
) {
    block.for_each_tile(faces, |base, len| {
        block.append(len, front, lengths, 0, |i| {
            let f = base + i;
            let p = patch.get(f);
            let mut boundary = false;
            for c in 3 * f..3 * f + 3 {
                boundary |= patch.get(ring.get(c) / 3) != p;
            }
            words.set(f, if boundary { 0 } else { UNREACHED });
            boundary.then_some(f)
        });
    });
}

/// For each patch its farthest face, and among several the one with the largest scrambled number, as
/// `distance << 32 | scrambled face`, 0 before. A face that was not reached is farther than all others.
#[kernel(threads = 256)]
pub fn find_farthest<'a>(f: Each, salt: u32, patch: In<'a, u32>, words: In<'a, u64>, farthest: Out<'a, u64>) {
    let (p, word) = (patch.get(f), words.get(f));
    let key = (word >> 32) << 32 | code(f, salt) as u64;
    if load(farthest, p) < key {
        atomic::fetch_max(farthest, p, key, Relaxed, Device);
    }
}
/// A face's number, scrambled so that it can be told back by [`decode`].
#[inline(always)]
pub fn code(f: u32, salt: u32) -> u32 {
    (f ^ salt).wrapping_mul(0x9E37_79B1)
}
/// The face of a [`code`].
pub fn decode(x: u32, salt: u32) -> u32 {
    // the inverse of an odd number modulo 2^32, by Newton's iteration
    let mut inverse = 0x9E37_79B1u32;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u32.wrapping_sub(0x9E37_79B1u32.wrapping_mul(inverse)));
    }
    x.wrapping_mul(inverse) ^ salt
}

/// Faces of patches with more than `limit` faces become unreached, to be divided anew; the others keep their
/// words, whose distances order them later.
#[kernel(threads = 256)]
pub fn reset_large<'a>(f: Each, limit: u32, patch: In<'a, u32>, sizes: In<'a, u32>, words: Out<'a, u64>) {
    let p = patch.get(f);
    if sizes.get(p) > limit {
        words.set(f, UNREACHED);
    }
}

/// Seeds with given patches, at distance 0; the first front.
#[kernel(threads = 256)]
pub fn plant_pairs<'a>(i: Each, pairs: In<'a, u32>, words: Out<'a, u64>, front: Out<'a, u32>) {
    words.set(pairs.get(2 * i), pairs.get(2 * i + 1) as u64);
    front.set(i, pairs.get(2 * i));
}

/// Pairs of neighbouring patches `smaller << 32 | larger`, with repetitions.
#[kernel(threads = 256)]
pub fn neighbour_pairs<'a>(
    block: &Block,
    corners: u32,
    ring: In<'a, u32>,
    patch: In<'a, u32>,
    pairs: Out<'a, u64>,
    counters: Out<'a, u32>,
) {
    block.for_each_tile(corners, |base, len| {
        block.append(len, pairs, counters, 0, |i| {
            let c = base + i;
            let (p, q) = (patch.get(c / 3), patch.get(ring.get(c) / 3));
            (p < q).then_some((p as u64) << 32 | q as u64)
        });
    });
}

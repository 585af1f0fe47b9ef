//! Cutting the faces into patches by Lloyd's algorithm (thesis 4.3.3.2), deterministically: a face that
//! several patches reach at the same distance joins the one with the smallest number, whichever thread comes
//! first.
//!
//! Each face has a word, `distance << 32 | patch`; the smallest word wins.
//!
//! Of several cards each has a front of its own, a part of the list, with faces that its blocks have reached.
//! These are near faces in its memory, and mostly there themselves.
use crate::device::atomic::{self, Order::Relaxed, Scope::Device};
use crate::device::{
    Block, CardBlocks, Each, In, NONE, Out, Parameter, Shared, TILE, card_of, first_of_card, kernel,
};
use crate::kernels::construct::{add, load, scramble};

/// Fronts of a search: a part of each of two lists for each card, and their lengths.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Fronts<'a> {
    /// The faces of the step's front.
    pub front: Out<'a, u32>,
    /// The faces of the next one.
    pub next: Out<'a, u32>,
    /// For each card the lengths of its parts of the fronts before steps 0, 1 and 2 modulo 3.
    pub lengths: Out<'a, u32>,
    /// Words from the lengths of one card to those of the next.
    pub apart: u32,
    /// Cards that have parts.
    pub cards: u32,
}
impl Fronts<'_> {
    /// Places of a card's part. All parts together have one for each face.
    #[inline(always)]
    fn places(&self) -> u32 {
        self.front.len() as u32 / self.cards
    }
    /// Where the first front has the `i`-th of `n` faces: cards have equal parts, in order.
    #[inline(always)]
    fn place(&self, i: u32, n: u32) -> u32 {
        let card = card_of(i, n, self.cards);
        card * self.places() + i - first_of_card(card, n, self.cards)
    }
    /// Appends a face to the list of the front before `step`, in the part of `card`, or where it is full in
    /// that of the first card after it which has room: some card has, since a front has no face twice.
    #[inline(always)]
    fn append(&self, list: Out<'_, u32>, step: u32, mut card: u32, face: u32) {
        let (places, mut tries) = (self.places(), 0);
        while tries < self.cards {
            let at = add(self.lengths, card * self.apart + step % 3, 1);
            if at < places {
                list.set(card * places + at, face);
                return;
            }
            card = if card + 1 < self.cards { card + 1 } else { 0 };
            tries += 1;
        }
    }
}

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
pub fn plant_seeds<'a>(i: Each, seeds: In<'a, u32>, first: u32, words: Out<'a, u64>, fronts: Fronts<'a>) {
    words.set(seeds.get(i), (first + i) as u64);
    fronts.front.set(fronts.place(i, seeds.len() as u32), seeds.get(i));
}

/// One step of a breadth-first search: from the front to the faces next to it, which become the next front.
/// Where `within` has entries, only between faces for which they are equal.
#[kernel(threads = 256)]
pub fn grow<'a>(
    block: &Block,
    step: u32,
    ring: In<'a, u32>,
    within: In<'a, u32>,
    words: Out<'a, u64>,
    fronts: Fronts<'a>,
) {
    let blocks = CardBlocks::of(block, fronts.cards);
    let (card, places) = (blocks.card(), fronts.places());
    let (first, lengths) = (card * places, card * fronts.apart);
    let n = load(fronts.lengths, lengths + step % 3);
    // more were counted, where others have what did not fit
    let n = if n < places { n } else { places };
    let to_other = |face: u32| {
        let other = if card + 1 < fronts.cards { card + 1 } else { 0 };
        fronts.append(fronts.next, step + 1, other, face);
    };
    blocks.for_each(block, [0, 3 * n], TILE, |base, len| {
        let next = (fronts.next, [first, places]);
        let counter = (fronts.lengths, lengths + (step + 1) % 3);
        block.append_within_or(
            len,
            next,
            counter,
            |i| {
                let k = base + i;
                let f = fronts.front.get(first + k / 3);
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
                                fronts.append(fronts.next, step + 1, card, g);
                            }
                        }
                    }
                    d = ring.get(d);
                    look += 1;
                }
                (found != NONE).then_some(found)
            },
            to_other,
        );
    });
    // no thread reads or writes this one now
    if block.index() == blocks.first() {
        block.single_nosync(|| {
            atomic::store(fronts.lengths, lengths + (step + 2) % 3, 0, Relaxed, Device);
        });
    }
}

/// The runs of faces of the same patch in a tile, `(first, length)` each, one after the other in memory for
/// the tile: `of` has their patches, `rank` and `starts` are scratch space.
#[inline(always)]
fn for_each_run(
    block: &Block,
    len: u32,
    of: Shared<'_, u32>,
    (rank, starts): (Shared<'_, u32>, Shared<'_, u32>),
    f: impl Fn(u32, u32),
) {
    let runs = block.compact(len, rank, starts, |i| i == 0 || of.get(i) != of.get(i - 1));
    block.for_each(runs, |k| {
        let first = starts.get(k);
        f(first, if k + 1 < runs { starts.get(k + 1) } else { len } - first);
    });
}

/// The shared memory of kernels that visit runs.
type Runs<'b> = (Shared<'b, u32>, (Shared<'b, u32>, Shared<'b, u32>));
/// Carves it.
#[inline(always)]
fn runs(arena: &crate::device::Arena) -> Runs<'_> {
    (arena.take(TILE), (arena.take(TILE), arena.take(TILE)))
}

/// `patch[f]` from the words, and the patches' sizes (which are 0 before). A face that was not reached keeps
/// its patch. Faces that follow each other are counted together: they are mostly of the same patch.
#[kernel(threads = 256, shared = runs(arena))]
pub fn take_patches<'a>(
    block: &Block,
    faces: u32,
    words: In<'a, u64>,
    patch: Out<'a, u32>,
    sizes: Out<'a, u32>,
) {
    let (of, scratch) = runs(block.arena());
    block.for_each_tile(faces, |base, len| {
        block.for_each(len, |i| {
            let f = base + i;
            let word = words.get(f);
            let p = if word == UNREACHED { patch.get(f) } else { word as u32 };
            patch.set(f, p);
            of.set(i, p);
        });
        for_each_run(block, len, of, scratch, |first, n| {
            add(sizes, of.get(first), n);
        });
    });
}

/// Starts the search inwards: faces next to another patch are the first front, at distance 0; all others are
/// unreached. (Thesis: "constructing the patch boundary faces".)
#[kernel(threads = 256)]
pub fn boundary_front<'a>(
    block: &Block,
    faces: u32,
    ring: In<'a, u32>,
    patch: In<'a, u32>,
    words: Out<'a, u64>,
    fronts: Fronts<'a>,
) {
    let (card, places) = (CardBlocks::of(block, fronts.cards).card(), fronts.places());
    let part = (fronts.front, [card * places, places]);
    let counter = (fronts.lengths, card * fronts.apart);
    let to_other = |face: u32| {
        let other = if card + 1 < fronts.cards { card + 1 } else { 0 };
        fronts.append(fronts.front, 0, other, face);
    };
    let of_boundary = |f: u32| {
        let p = patch.get(f);
        let mut boundary = false;
        for c in 3 * f..3 * f + 3 {
            boundary |= patch.get(ring.get(c) / 3) != p;
        }
        words.set(f, if boundary { 0 } else { UNREACHED });
        boundary.then_some(f)
    };
    block.for_each_tile(faces, |base, len| {
        block.append_within_or(len, part, counter, |i| of_boundary(base + i), to_other);
    });
}

/// For each patch its farthest face, and among several the one with the largest scrambled number, as
/// `distance << 32 | scrambled face`, 0 before. A face that was not reached is farther than all others.
#[kernel(threads = 256, shared = (runs(arena), arena.take::<u64>(TILE)))]
pub fn find_farthest<'a>(
    block: &Block,
    faces: u32,
    salt: u32,
    patch: In<'a, u32>,
    words: In<'a, u64>,
    farthest: Out<'a, u64>,
) {
    let (of, scratch) = runs(block.arena());
    let keys = block.shared::<u64>(TILE);
    block.for_each_tile(faces, |base, len| {
        block.for_each(len, |i| {
            let f = base + i;
            of.set(i, patch.get(f));
            keys.set(i, (words.get(f) >> 32) << 32 | code(f, salt) as u64);
        });
        for_each_run(block, len, of, scratch, |first, n| {
            let (p, mut most, mut i) = (of.get(first), 0, first);
            while i < first + n {
                let key = keys.get(i);
                most = if key > most { key } else { most };
                i += 1;
            }
            if load(farthest, p) < most {
                atomic::fetch_max(farthest, p, most, Relaxed, Device);
            }
        });
    });
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
pub fn plant_pairs<'a>(i: Each, pairs: In<'a, u32>, words: Out<'a, u64>, fronts: Fronts<'a>) {
    words.set(pairs.get(2 * i), pairs.get(2 * i + 1) as u64);
    fronts.front.set(fronts.place(i, pairs.len() as u32 / 2), pairs.get(2 * i));
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

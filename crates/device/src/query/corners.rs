//! Reading FE several entries at a time.
use super::Run;
use crate::{Block, In, patch::Patch};

/// Four consecutive faces' entries of FE: three 8-byte words.
#[derive(Clone, Copy)]
pub struct FaceGroup([u64; 3]);
impl FaceGroup {
    /// Runs `f(face, entries)` for the first `n` faces of a patch, four faces per iteration, loads ahead of
    /// `between` (see [`Block::for_each_ahead_nosync`]); no barrier.
    #[inline(always)]
    pub fn for_each_nosync(
        block: &Block,
        patch: &Patch<'_>,
        n: u32,
        between: impl FnOnce(),
        f: impl Fn(u32, [u32; 3]),
    ) {
        let fe = patch.fe.wide::<u64>();
        let words = (3 * n).div_ceil(4);
        let word = |i: u32| if i < words { fe.get(i) } else { 0 };
        let load = |g: u32| [word(3 * g), word(3 * g + 1), word(3 * g + 2)];
        block.for_each_ahead_nosync::<[u64; 3], 2>(n.div_ceil(4), load, between, |g, words| {
            let group = Self(words);
            let one = |k: u32| {
                if 4 * g + k < n {
                    f(4 * g + k, [group.entry(3 * k), group.entry(3 * k + 1), group.entry(3 * k + 2)]);
                }
            };
            one(0);
            one(1);
            one(2);
            one(3);
        });
    }
    #[inline(always)]
    fn entry(&self, c: u32) -> u32 {
        (self.0[c as usize / 4] >> (16 * (c % 4))) as u32 & 0xffff
    }
}

/// The entries of FE of owned faces, four at a time, as they are stored in a result with three entries per
/// face.
#[derive(Clone, Copy)]
pub struct FeWindow<'a> {
    fe: In<'a, u32>,
    words: u32,
    back: u32,
    odd: u32,
}
impl<'a> FeWindow<'a> {
    /// The windows of a patch's owned faces onto `run`.
    #[inline(always)]
    pub fn new(patch: &Patch<'a>, run: &Run<'_>) -> Self {
        let shift = run.shift();
        Self { fe: patch.fe.wide(), words: run.n.div_ceil(2), back: shift.div_ceil(2), odd: shift % 2 }
    }
    /// The words that hold group `g` of the run.
    #[inline(always)]
    pub fn load(&self, g: u32) -> [u32; 3] {
        let word = |k: u32| {
            let i = (2 * g + k).wrapping_sub(self.back);
            if i < self.words { self.fe.get(i) } else { 0 }
        };
        [word(0), word(1), if self.odd != 0 { word(2) } else { 0 }]
    }
    /// The four entries in them, 16 bits each.
    #[inline(always)]
    pub fn entries(&self, [a, b, c]: [u32; 3]) -> u64 {
        let from = |x: u32, y: u32| (((x as u64) | (y as u64) << 32) >> (16 * self.odd)) as u32 as u64;
        from(a, b) | from(b, c) << 32
    }
}

/// `f(k, entry)` for the four 16-bit parts of a word, packed again.
#[inline(always)]
pub(super) fn map4(word: u64, f: impl Fn(u32, u32) -> u32) -> u64 {
    let part = |k: u32| (f(k, (word >> (16 * k)) as u32 & 0xffff) as u64) << (16 * k);
    part(0) | part(1) | part(2) | part(3)
}

/// The face of corner `4 q + k`.
#[inline(always)]
pub(super) fn face_of(q: u32, k: u32) -> u32 {
    let (f, r) = (4 * q / 3, 4 * q % 3);
    f + (r + k >= 3) as u32 + (r + k >= 6) as u32
}

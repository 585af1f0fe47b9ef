//! Writing consecutive entries of a result with 16-byte stores.
use crate::{Out, Quad};

/// `n` consecutive entries of a result, from `base` on, written four at a time.
///
/// Group `g` holds entries `4 g - shift()` to `4 g - shift() + 3` of the run: the entries that share a
/// 16-byte word of `out`. The first and the last group may reach beyond the run; entries beyond it are not
/// written.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// The result.
    pub out: Out<'a, u32>,
    /// First entry.
    pub base: u32,
    /// Number of entries.
    pub n: u32,
}
impl Run<'_> {
    /// Entries of group 0 that are before the run.
    #[inline(always)]
    pub fn shift(&self) -> u32 {
        self.base % 4
    }
    /// Number of groups.
    #[inline(always)]
    pub fn quads(&self) -> u32 {
        (self.base + self.n).div_ceil(4) - self.base / 4
    }
    /// Writes group `g`: the ids that `global` makes of four 16-bit values, the first lowest. Entries beyond
    /// the run are not read.
    #[inline(always)]
    pub fn put(&self, g: u32, locals: u64, global: impl Fn(u32) -> u32) {
        let at = self.base / 4 + g;
        let id = |k: u32| global((locals >> (16 * k)) as u32 & 0xffff);
        if 4 * at >= self.base && 4 * at + 4 <= self.base + self.n {
            self.out.wide().set(at, Quad([id(0), id(1), id(2), id(3)]));
            return;
        }
        let one = |k: u32| {
            let i = 4 * at + k;
            if i >= self.base && i < self.base + self.n {
                self.out.set(i, id(k));
            }
        };
        one(0);
        one(1);
        one(2);
        one(3);
    }
}

//! Rows of different lengths in shared memory.
use super::Run;
use crate::{Block, Out, Shared};

/// Rows of local indices, of different lengths, one after the other in shared memory.
#[derive(Clone, Copy)]
pub struct Rows<'b> {
    /// `starts[i]` is where row `i` begins; one more entry than rows.
    pub(super) starts: Shared<'b, u32>,
    /// The rows, from entry `shift` on.
    pub(super) list: Shared<'b, u16>,
    /// Entries left free before the first row, so that the rows have the same alignment in shared memory as
    /// in a result.
    pub(super) shift: u32,
    /// Number of rows.
    pub(super) rows: u32,
    /// Entries of all rows.
    pub(super) total: u32,
}
impl<'b> Rows<'b> {
    /// Number of rows.
    #[inline(always)]
    pub fn rows(&self) -> u32 {
        self.rows
    }
    /// Number of entries of all rows.
    #[inline(always)]
    pub fn total(&self) -> u32 {
        self.total
    }
    /// Number of entries before row `i`.
    #[inline(always)]
    pub fn start(&self, i: u32) -> u32 {
        self.starts.get(i)
    }
    /// Length of row `i`.
    #[inline(always)]
    pub fn len(&self, i: u32) -> u32 {
        self.starts.get(i + 1) - self.starts.get(i)
    }
    /// Whether row `i` has no entries.
    #[inline(always)]
    pub fn is_empty(&self, i: u32) -> bool {
        self.len(i) == 0
    }
    /// Entry `k` of all rows together.
    #[inline(always)]
    pub fn entry(&self, k: u32) -> u32 {
        self.list.get(self.shift + k) as u32
    }
    #[inline(always)]
    pub(super) fn set_entry(&self, k: u32, local: u32) {
        self.list.set(self.shift + k, local as u16)
    }
    /// The entries of row `i`.
    #[inline(always)]
    pub fn of(&self, i: u32) -> impl Iterator<Item = u32> + use<'b> {
        let rows = *self;
        (self.starts.get(i)..self.starts.get(i + 1)).map(move |k| rows.entry(k))
    }
    /// Writes `base` + start of each row to `offsets[first..]`; no barrier.
    #[inline(always)]
    pub fn write_offsets(&self, block: &Block, base: u32, first: u32, offsets: Out<'_, u32>) {
        block.for_each_nosync(self.rows, |i| offsets.set(first + i, base + self.starts.get(i)));
    }
    /// Writes all entries, as ids, to `values[base..]`, with 16-byte stores; no barrier. The rows were made
    /// with a shift of `base % 4`.
    #[inline(always)]
    pub fn write(&self, block: &Block, base: u32, values: Out<'_, u32>, global: impl Fn(u32) -> u32) {
        let run = Run { out: values, base, n: self.total };
        let list = self.list.wide::<u64>();
        block.for_each_nosync(run.quads(), |g| run.put(g, list.get(g), &global));
    }
    /// Writes row `i` alone, as ids, to its place in `values[base..]`.
    #[inline(always)]
    pub fn write_row(&self, i: u32, base: u32, values: Out<'_, u32>, global: impl Fn(u32) -> u32) {
        let (mut k, end) = (self.starts.get(i), self.starts.get(i + 1));
        while k < end {
            values.set(base + k, global(self.entry(k)));
            k += 1;
        }
    }
}

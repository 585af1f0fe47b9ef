//! Sparse matrices of -1, 0 and 1 without an array of values (Mueller-Roemer 2020, section 3.4): TCSR,
//! ternary compressed sparse rows.
use ribbonmesh::device::{In, Parameter};

/// The largest number of rows or columns: a sign and a column share 32 bits.
#[cfg(not(target_arch = "nvptx64"))]
pub const MOST: u32 = 1 << 31;

/// A column with a sign as one word: the column itself for +1, its complement for -1. `column` is below 2³¹.
#[inline(always)]
pub const fn encode(column: u32, negative: bool) -> i32 {
    column as i32 ^ -(negative as i32)
}
/// The column and the sign, 1 or -1, of an encoded word.
#[inline(always)]
pub const fn decode(entry: i32) -> (u32, i32) {
    let sign = entry >> 31;
    ((entry ^ sign) as u32, sign | 1)
}
/// Sort key of an entry: the column, then the sign, +1 first.
#[inline(always)]
pub const fn key(entry: i32) -> u32 {
    let (column, sign) = decode(entry);
    column << 1 | (sign < 0) as u32
}
/// The entry of a [`key`].
#[inline(always)]
pub const fn of_key(key: u32) -> i32 {
    encode(key >> 1, key & 1 == 1)
}

/// A [`Tcsr`](crate::Tcsr) as kernels see it.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct TcsrView<'a> {
    /// The index in `entries` of the first entry of each row, and the end. Empty if all rows have `stride`
    /// entries.
    pub starts: In<'a, u32>,
    /// Encoded columns.
    pub entries: In<'a, i32>,
    /// Entries of each row; 0 where rows differ in length.
    pub stride: u32,
}
impl TcsrView<'_> {
    /// The beginning and the end of row `i` in `entries`.
    #[inline(always)]
    pub fn range(&self, i: u32) -> (u32, u32) {
        if self.stride > 0 {
            (i * self.stride, (i + 1) * self.stride)
        } else {
            (self.starts.get(i), self.starts.get(i + 1))
        }
    }
    /// The number of entries of row `i`.
    #[inline(always)]
    pub fn row_len(&self, i: u32) -> u32 {
        let (start, end) = self.range(i);
        end - start
    }
    /// The column and the sign of entry `k`.
    #[inline(always)]
    pub fn entry(&self, k: u32) -> (u32, i32) {
        decode(self.entries.get(k))
    }
    /// The column of entry `k`.
    #[inline(always)]
    pub fn column(&self, k: u32) -> u32 {
        self.entry(k).0
    }
    /// Runs `f(column, sign)` for each entry of row `i`, in order.
    #[inline(always)]
    pub fn of(&self, i: u32, mut f: impl FnMut(u32, i32)) {
        let (mut k, end) = self.range(i);
        while k < end {
            let (column, sign) = self.entry(k);
            f(column, sign);
            k += 1;
        }
    }
}

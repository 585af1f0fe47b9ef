//! VV in memory, with rows that are sorted.
use ribbonmesh::corners::sort_by_heap;
use ribbonmesh::device::{In, Out, Parameter};

/// The neighbours of every vertex, as ids.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct VvRows<'a> {
    /// Start of each row, and the end.
    pub offsets: In<'a, u32>,
    /// The neighbours.
    pub values: In<'a, u32>,
}
impl VvRows<'_> {
    /// Runs `f` for each neighbour of `v`, in order.
    #[inline(always)]
    pub fn of(&self, v: u32, mut f: impl FnMut(u32)) {
        let (mut k, end) = (self.offsets.get(v), self.offsets.get(v + 1));
        while k < end {
            f(self.values.get(k));
            k += 1;
        }
    }
}

/// Sorts `s[start..start + n]`; the work of one thread. Insertion sort, or heap sort for long rows.
#[inline(always)]
pub fn sort(s: Out<'_, u32>, start: u32, n: u32) {
    if n > 24 {
        return heapsort(s, start, n);
    }
    let mut i = 1;
    while i < n {
        let (value, mut j) = (s.get(start + i), i);
        while j > 0 && s.get(start + j - 1) > value {
            s.set(start + j, s.get(start + j - 1));
            j -= 1;
        }
        s.set(start + j, value);
        i += 1;
    }
}

#[cold]
#[inline(never)]
fn heapsort(s: Out<'_, u32>, start: u32, n: u32) {
    sort_by_heap(n, |i| s.get(start + i), |i, value| s.set(start + i, value));
}

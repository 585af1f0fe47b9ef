//! Corners as chains: the stored form, see [`ribbonmesh::corners::RingView`].
use crate::corners::{BREAK, sort_row};
use crate::device::{Shared, hi, lo};

/// Reorders `s[start..end]`, one vertex's corners, so that the corners of a chain follow each other; one
/// thread's work, quadratic in the corners. The order is the same whatever it was before.
pub fn join(s: Shared<'_, u32>, start: u32, end: u32) {
    sort_row(s, start, end);
    let find = |from: u32, wanted: &dyn Fn(u32) -> bool| {
        let mut k = from;
        while k < end && !wanted(s.get(k)) {
            k += 1;
        }
        k
    };
    let swap = |i: u32, j: u32| {
        let (a, b) = (s.get(i), s.get(j));
        s.set(i, b);
        s.set(j, a);
    };
    let mut at = start;
    while at < end {
        // back to where this chain begins, or around it
        let (mut first, mut steps) = (at, at);
        while steps < end {
            let wanted = lo(s.get(first));
            let before = find(at, &|corner| hi(corner) == wanted);
            if before == end || before == at {
                break;
            }
            first = before;
            steps += 1;
        }
        swap(at, first);
        loop {
            let wanted = hi(s.get(at));
            at += 1;
            let after = find(at, &|corner| lo(corner) == wanted);
            if after >= end {
                break;
            }
            swap(at, after);
        }
    }
}

/// Gives the entries of joined corners `s[start..end]` to `put`, in order; returns their number.
#[inline(always)]
pub fn entries(s: Shared<'_, u32>, start: u32, end: u32, put: impl Fn(u32, u16)) -> u32 {
    let (mut n, mut k, mut last) = (0, start, BREAK as u32);
    while k < end {
        let corner = s.get(k);
        if k == start || lo(corner) != last {
            if k > start {
                put(n, BREAK);
                n += 1;
            }
            put(n, lo(corner) as u16);
            n += 1;
        }
        last = hi(corner);
        put(n, last as u16);
        n += 1;
        k += 1;
    }
    n
}

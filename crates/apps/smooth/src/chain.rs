//! The corners around a vertex as chains of its neighbours.
//!
//! The corners of a vertex, each from a next to a previous neighbour, are joined end to end where they can: a vertex
//! inside of a manifold surface has one closed chain, whose first neighbour stands at its end again; one on the
//! boundary an open chain; others several, with [`BREAK`] between.
use crate::cotangent::Corner;
use glam::Vec3;
use ribbonmesh::device::{Shared, hi, lo};

/// Between chains, and after the last of a patch.
pub const BREAK: u16 = 0xffff;

/// Puts `s[start..end]`, the corners of one vertex, each the next and the previous neighbour packed, in an order in which
/// those of a chain follow each other. One thread's work, quadratic. The order does not depend on that before.
pub fn join(s: Shared<u32>, start: u32, end: u32) {
    sort(s, start, end);
    let find = |from: u32, wanted: &dyn Fn(u32) -> bool| {
        let mut k = from;
        while k < end && !wanted(s.get(k)) {
            k += 1;
        }
        k
    };
    let mut done = start;
    while done < end {
        let mut first = done;
        let mut left = end - done;
        while left > 0 {
            let wanted = lo(s.get(first));
            let before = find(done, &|corner| hi(corner) == wanted);
            // the chain begins here, or is closed and begins anywhere
            if before == end || before == done {
                break;
            }
            first = before;
            left -= 1;
        }
        let mut following = first;
        while following < end {
            let (a, b) = (s.get(done), s.get(following));
            s.set(done, b);
            s.set(following, a);
            done += 1;
            following = find(done, &|corner| lo(corner) == hi(b));
        }
    }
}

fn sort(s: Shared<u32>, start: u32, end: u32) {
    let mut i = start + 1;
    while i < end {
        let (value, mut j) = (s.get(i), i);
        while j > start && s.get(j - 1) > value {
            s.set(j, s.get(j - 1));
            j -= 1;
        }
        s.set(j, value);
        i += 1;
    }
}

/// Gives the entries of joined corners `s[start..end]` to `put`, in order; returns their number.
#[inline(always)]
pub fn entries(s: Shared<u32>, start: u32, end: u32, put: impl Fn(u32, u16)) -> u32 {
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

/// Runs `f(corner, (a, z_a), (b, z_b))` for each corner of chains `s[start..end]` of the vertex at `at`; `x` and `z` give a
/// position and a value for a neighbour, once for each entry.
#[inline(always)]
pub fn for_each_corner<Z: Copy>(
    s: Shared<u16>,
    (start, end): (u32, u32),
    at: Vec3,
    x: impl Fn(u32) -> Vec3,
    z: impl Fn(u32) -> Z,
    mut f: impl FnMut(Corner, (u32, Z), (u32, Z)),
) {
    if start >= end || s.get(start) == BREAK {
        return;
    }
    let first = s.get(start) as u32;
    let mut a = first;
    let (mut xa, mut za) = (x(first), z(first));
    let mut u = xa - at;
    let mut uu = u.dot(u);
    let (mut k, mut joined) = (start + 1, true);
    while k < end {
        let entry = s.get(k);
        k += 1;
        if entry == BREAK {
            joined = false;
            continue;
        }
        let b = entry as u32;
        let (xb, zb) = (x(b), z(b));
        let w = xb - at;
        let ww = w.dot(w);
        if joined {
            f(Corner::new(u, w, xb - xa, uu, ww), (a, za), (b, zb));
        }
        (a, xa, za, u, uu, joined) = (b, xb, zb, w, ww, true);
    }
}

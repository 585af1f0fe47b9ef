//! Sets of parts that all threads join.
use crate::arrange::pool::GRAIN;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Disjoint sets of numbers, each on one of two sides of its set, that several threads may join. The root of
/// each set is its least number. As long as no two numbers are joined both ways, the sets and sides do not
/// depend on the order of threads.
pub(crate) struct Sides {
    /// `parent << 1 | other side than the parent`; a root is its own parent. A link is always true, so that
    /// threads need no order among several.
    links: Vec<AtomicU32>,
}

impl Sides {
    /// Makes sets of the numbers that have the same root, all on one side of it. A root is the least number
    /// of its set.
    pub(crate) fn of_roots(roots: &[u32]) -> Self {
        Self { links: roots.par_iter().with_min_len(GRAIN).map(|root| AtomicU32::new(root << 1)).collect() }
    }
    /// The least number of the set of `x`, and whether `x` is on the other side than it.
    pub(crate) fn find(&self, mut x: u32) -> (u32, bool) {
        let mut side = 0;
        loop {
            let link = self.links[x as usize].load(Relaxed);
            if link >> 1 == x {
                return (x, side == 1);
            }
            let up = self.links[(link >> 1) as usize].load(Relaxed);
            let turn = (link ^ up) & 1;
            // half of the way; another thread may have gone farther
            let shorter = up & !1 | turn;
            if shorter != link {
                _ = self.links[x as usize].compare_exchange(link, shorter, Relaxed, Relaxed);
            }
            side ^= turn;
            x = up >> 1;
        }
    }
    /// Joins the sets of two numbers, so that they are on the same side, or on opposite ones. False, and
    /// nothing is done, if they are in one set the other way.
    pub(crate) fn join(&self, a: u32, b: u32, opposite: bool) -> bool {
        loop {
            let [(a, side_a), (b, side_b)] = [a, b].map(|x| self.find(x));
            let turn = side_a ^ side_b ^ opposite;
            if a == b {
                return !turn;
            }
            let (least, other) = (a.min(b), a.max(b));
            let link = least << 1 | u32::from(turn);
            if self.links[other as usize].compare_exchange(other << 1, link, Relaxed, Relaxed).is_ok() {
                return true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ribbonmesh_mesh::{SidedUnionFind, SplitMix64 as Random};

    #[test]
    fn threads_join_the_same_sets_as_one() {
        let mut random = Random::new(5);
        let n = 20_000;
        let side = |x: u32| x & 4 == 0;
        let mut number = || (random.unit() * f64::from(n)) as u32;
        let pairs: Vec<[u32; 2]> = (0..n).map(|_| [number(), number()]).collect();
        let numbers: Vec<u32> = (0..n).collect();
        let (shared, mut one) = (Sides::of_roots(&numbers), SidedUnionFind::of_roots(&numbers));
        assert!(pairs.par_iter().all(|&[a, b]| shared.join(a, b, side(a) != side(b))));
        assert!(pairs.iter().all(|&[a, b]| one.join(a, b, side(a) != side(b))));
        assert!(numbers.iter().all(|&x| shared.find(x) == one.find(x)));
        // two numbers of one set, the other way
        assert!(!shared.join(0, one.find(0).0, !one.find(0).1));
    }
}

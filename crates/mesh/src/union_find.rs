//! Disjoint sets (union-find).
//!
//! Tarjan and van Leeuwen, *Worst-case analysis of set union algorithms*, 1984: path halving. The lesser root
//! becomes the root of both sets, so that sets do not depend on the order in which they are joined.
use rayon::prelude::*;

/// Disjoint sets of the numbers below a length. The root of each set is its least number.
#[derive(Debug, Clone)]
pub struct UnionFind {
    parents: Vec<u32>,
    count: usize,
}

impl UnionFind {
    /// Makes a set of each number.
    pub fn new(len: usize) -> Self {
        Self { parents: (0..len as u32).collect(), count: len }
    }

    /// Number of sets.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Least number of the set of `x`. Almost constant time.
    ///
    /// # Panics
    /// If `x` is out of range.
    pub fn root(&mut self, mut x: u32) -> u32 {
        loop {
            let parent = self.parents[x as usize];
            if parent == x {
                return x;
            }
            x = self.parents[parent as usize];
            self.parents[parent as usize] = self.parents[x as usize];
        }
    }

    /// Joins the sets of two numbers; false if they were one set already.
    ///
    /// # Panics
    /// If a number is out of range.
    pub fn join(&mut self, a: u32, b: u32) -> bool {
        let [a, b] = [a, b].map(|x| self.root(x));
        self.parents[a.max(b) as usize] = a.min(b);
        self.count -= usize::from(a != b);
        a != b
    }

    /// Joins the sets of the vertices of each face.
    ///
    /// # Panics
    /// If an index of a face is out of range.
    pub fn join_faces(&mut self, faces: &[[u32; 3]]) {
        for &[a, b, c] in faces {
            self.join(a, b);
            self.join(b, c);
        }
    }

    /// Root of each number.
    pub fn roots(&mut self) -> Vec<u32> {
        (0..self.parents.len() as u32).map(|x| self.root(x)).collect()
    }
}

/// Disjoint sets of the numbers below a length, at most 2³¹; each number is on one of two sides of its set,
/// as a face has one of two orientations. The root of each set is its least number.
#[derive(Debug, Clone)]
pub struct SidedUnionFind {
    /// `parent << 1 | other side than the parent`; a root is its own parent.
    links: Vec<u32>,
    count: usize,
}

impl SidedUnionFind {
    /// Makes a set of each number.
    pub fn new(len: usize) -> Self {
        Self { links: (0..len as u32).map(|x| x << 1).collect(), count: len }
    }

    /// Number of sets.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Makes sets of the numbers that have the same root, all on one side of it. A root is the least number
    /// of its set.
    pub fn of_roots(roots: &[u32]) -> Self {
        let count = (0..).zip(roots).filter(|&(x, &root)| x == root).count();
        Self { links: roots.par_iter().map(|root| root << 1).collect(), count }
    }

    /// As [`Self::root`], without changing the links: slower where many numbers were joined since.
    ///
    /// # Panics
    /// If `x` is out of range.
    pub fn find(&self, mut x: u32) -> (u32, bool) {
        let mut side = 0;
        loop {
            let link = self.links[x as usize];
            side ^= link & 1;
            if link >> 1 == x {
                return (x, side == 1);
            }
            x = link >> 1;
        }
    }

    /// Least number of the set of `x`, and whether `x` is on the other side than it. Almost constant time.
    ///
    /// # Panics
    /// If `x` is out of range.
    pub fn root(&mut self, mut x: u32) -> (u32, bool) {
        let mut side = 0;
        loop {
            let link = self.links[x as usize];
            if link >> 1 == x {
                return (x, side == 1);
            }
            let up = self.links[(link >> 1) as usize];
            let turn = (link ^ up) & 1;
            self.links[x as usize] = up & !1 | turn;
            side ^= turn;
            x = up >> 1;
        }
    }

    /// Joins the sets of two numbers, so that they are on the same side, or on opposite ones. False, and
    /// nothing is done, if they are in one set the other way.
    ///
    /// # Panics
    /// If a number is out of range.
    pub fn join(&mut self, a: u32, b: u32, opposite: bool) -> bool {
        let [(a, side_a), (b, side_b)] = [a, b].map(|x| self.root(x));
        let turn = side_a ^ side_b ^ opposite;
        if a == b {
            return !turn;
        }
        self.links[a.max(b) as usize] = a.min(b) << 1 | u32::from(turn);
        self.count -= 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{SidedUnionFind, UnionFind};
    use crate::SplitMix64;

    /// Pairs of numbers below `len`.
    fn pairs(len: u32, seed: u64) -> Vec<[u32; 2]> {
        let mut random = SplitMix64::new(seed);
        (0..len * 3 / 4).map(|_| [random.below(len), random.below(len)]).collect()
    }

    #[test]
    fn sets_of_roots_are_joined() {
        for len in [1_u32, 2, 10, 200, 20_000] {
            let mut sets = UnionFind::new(len as usize);
            pairs(len, len.into()).iter().for_each(|&[a, b]| _ = sets.join(a, b));
            let mut sided = SidedUnionFind::of_roots(&sets.roots());
            assert_eq!(sided.count(), sets.count());
            assert!(sided.join(len - 1, 0, false) && !sided.join(len - 1, 0, true));
            sets.join(len - 1, 0);
            assert!((0..len).all(|x| sided.find(x) == (sets.root(x), false)));
        }
    }

    #[test]
    fn roots_are_least_numbers_in_any_order() {
        for len in [1, 2, 10, 200] {
            let pairs = pairs(len, len.into());
            let (mut sets, mut reversed) = (UnionFind::new(len as usize), UnionFind::new(len as usize));
            pairs.iter().for_each(|&[a, b]| _ = sets.join(a, b));
            pairs.iter().rev().for_each(|&[a, b]| _ = reversed.join(b, a));
            // least numbers, by brute force
            let mut least: Vec<u32> = (0..len).collect();
            for _ in 0..len {
                for &[a, b] in &pairs {
                    let low = least[a as usize].min(least[b as usize]);
                    (least[a as usize], least[b as usize]) = (low, low);
                }
            }
            assert_eq!(sets.roots(), least);
            assert_eq!(reversed.roots(), least);
            assert_eq!(sets.count(), (0..len).filter(|&x| least[x as usize] == x).count());
        }
    }

    #[test]
    fn sides_follow_from_pairs() {
        let mut random = SplitMix64::new(5);
        let sides: Vec<bool> = (0..100).map(|_| random.below(2) == 1).collect();
        let (mut sets, mut plain) = (SidedUnionFind::new(100), UnionFind::new(100));
        for [a, b] in pairs(100, 6) {
            assert!(sets.join(a, b, sides[a as usize] != sides[b as usize]));
            plain.join(a, b);
        }
        assert_eq!(sets.count(), plain.count());
        for x in 0..100 {
            let (root, opposite) = sets.root(x);
            assert_eq!(root, plain.root(x));
            assert_eq!(opposite, sides[x as usize] != sides[root as usize]);
            assert!(!sets.join(x, root, !opposite), "the other way");
        }
    }
}

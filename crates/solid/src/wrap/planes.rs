//! Sets of nodes of a block, as bits.
use crate::wrap::grid::BLOCK;

/// Words of a set.
const WORDS: usize = BLOCK as usize;

/// A set of nodes of a block: a word for each plane across z, in which bit `i + 8 j` is the node at x = i, y
/// = j. In memory, rows of nodes along x are bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Planes(pub [u64; WORDS]);
/// The nodes of a plane at the ends of x.
const X_FIRST: u64 = 0x0101_0101_0101_0101;
const X_LAST: u64 = X_FIRST << (BLOCK - 1);
const _: () = assert!(BLOCK == 8, "a plane is a word");

impl Planes {
    /// No nodes.
    pub const NONE: Self = Self([0; WORDS]);

    /// Its first node; 512 without any.
    #[inline(always)]
    pub fn first(&self) -> u32 {
        let (mut node, mut k) = (64 * WORDS as u32, WORDS);
        while k > 0 {
            k -= 1;
            if self.0[k] != 0 {
                node = 64 * k as u32 + self.0[k].trailing_zeros();
            }
        }
        node
    }
    /// Whether it has no node.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        let mut all = 0;
        let mut k = 0;
        while k < WORDS {
            all |= self.0[k];
            k += 1;
        }
        all == 0
    }
    /// Whether it has a node in common with another one.
    #[inline(always)]
    pub fn meets(&self, other: &Self) -> bool {
        let mut all = 0;
        let mut k = 0;
        while k < WORDS {
            all |= self.0[k] & other.0[k];
            k += 1;
        }
        all != 0
    }
    /// The nodes of both.
    #[inline(always)]
    pub fn with(mut self, other: &Self) -> Self {
        let mut k = 0;
        while k < WORDS {
            self.0[k] |= other.0[k];
            k += 1;
        }
        self
    }
    /// Calls `f` with each part: a maximal set of nodes that are connected along edges of cubes. In the order
    /// of their first nodes.
    #[inline(always)]
    pub fn parts(mut self, mut f: impl FnMut(Self)) {
        let mut first = 0;
        while first < WORDS {
            let plane = self.0[first];
            if plane == 0 {
                first += 1;
                continue;
            }
            let mut part = Self::NONE;
            part.0[first] = plane & plane.wrapping_neg();
            part.spread(&self);
            let mut k = 0;
            while k < WORDS {
                self.0[k] &= !part.0[k];
                k += 1;
            }
            f(part);
        }
    }
    /// Adds all nodes of `open` that can be reached from its own along edges of cubes.
    #[inline(always)]
    fn spread(&mut self, open: &Self) {
        loop {
            let mut new = 0;
            let mut k = 0;
            while k < WORDS {
                let below = if k > 0 { self.0[k - 1] } else { 0 };
                let above = if k + 1 < WORDS { self.0[k + 1] } else { 0 };
                let mut plane = (self.0[k] | below | above) & open.0[k];
                loop {
                    let along_x = (plane & !X_LAST) << 1 | (plane & !X_FIRST) >> 1;
                    let more = (plane | along_x | plane << BLOCK | plane >> BLOCK) & open.0[k];
                    if more == plane {
                        break;
                    }
                    plane = more;
                }
                new |= plane ^ self.0[k];
                self.0[k] = plane;
                k += 1;
            }
            if new == 0 {
                return;
            }
        }
    }
    /// The nodes of the block beside this one that are next to nodes of the set.
    #[inline(always)]
    pub fn across(&self, way: [i32; 3]) -> Self {
        let mut to = Self::NONE;
        let mut k = 0;
        while k < WORDS {
            let plane = self.0[k];
            match way {
                [1, 0, 0] => to.0[k] = (plane & X_LAST) >> (BLOCK - 1),
                [-1, 0, 0] => to.0[k] = (plane & X_FIRST) << (BLOCK - 1),
                [0, 1, 0] => to.0[k] = plane >> (BLOCK * (BLOCK - 1)),
                [0, -1, 0] => to.0[k] = plane << (BLOCK * (BLOCK - 1)),
                _ => {}
            }
            k += 1;
        }
        match way {
            [0, 0, 1] => to.0[0] = self.0[WORDS - 1],
            [0, 0, -1] => to.0[WORDS - 1] = self.0[0],
            _ => {}
        }
        to
    }
}

#[cfg(all(test, not(target_arch = "nvptx64")))]
mod tests {
    use super::*;
    use crate::wrap::grid::{NODES, SIDES, local, number};

    impl Planes {
        fn has(&self, node: u32) -> bool {
            self.0[(node / 64) as usize] >> (node % 64) & 1 != 0
        }
    }

    #[test]
    fn planes_spread_as_nodes_do() {
        let mut bits = 1_u64;
        for sparse in [3, 1, 3, 1, 0].repeat(10) {
            let mut open = Planes::NONE;
            for node in 0..NODES {
                bits = bits.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                open.0[(node / 64) as usize] |= u64::from(bits >> 33 & sparse != 0) << (node % 64);
            }
            let mut expected = vec![];
            let mut seen = vec![false; NODES as usize];
            for start in (0..NODES).filter(|&node| open.has(node)) {
                if std::mem::replace(&mut seen[start as usize], true) {
                    continue;
                }
                let (mut part, mut list) = (Planes::NONE, vec![start]);
                while let Some(node) = list.pop() {
                    part.0[(node / 64) as usize] |= 1 << (node % 64);
                    for side in SIDES {
                        let place = local(node);
                        let next = std::array::from_fn(|axis| place[axis].wrapping_add(side[axis] as u32));
                        if next.iter().all(|i| *i < BLOCK) {
                            let next = number(next);
                            if open.has(next) && !std::mem::replace(&mut seen[next as usize], true) {
                                list.push(next);
                            }
                        }
                    }
                }
                expected.push(part);
            }
            let mut found = vec![];
            open.parts(|part| found.push(part));
            assert!(found == expected);
            for part in found {
                for side in SIDES {
                    let across = part.across(side);
                    for node in 0..NODES {
                        let place = local(node);
                        let from: [u32; 3] =
                            std::array::from_fn(|axis| place[axis].wrapping_sub(side[axis] as u32));
                        let outside = from.iter().any(|i| *i >= BLOCK);
                        let is_there = outside && part.has(number(from.map(|i| i % BLOCK)));
                        assert_eq!(across.has(node), is_there);
                    }
                }
            }
        }
    }
}

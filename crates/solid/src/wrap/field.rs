//! Distances of nodes from the triangles, computed near the surface.
use crate::inside::InsideTest;
use crate::wrap::grid::{BLOCK, Grid, NODES, local, ways};
use glam::Vec3;
use rayon::prelude::*;
use ribbonmesh::{Device, Result};

/// Accuracy of winding numbers, see [`InsideTest::winding`].
const BETA: f32 = 1.25;
/// Most points that are searched for at once.
const AT_ONCE: usize = 1 << 21;
/// Blocks without values.
const OUTSIDE: u32 = u32::MAX;
const INSIDE: u32 = u32::MAX - 1;

/// Values at the nodes of the blocks near the surface: positive outside, negative inside. A value is the
/// distance from the surface at `offset` cubes from the triangles, in cubes. All nodes of other blocks are on
/// the same side.
pub(crate) struct Field {
    pub grid: Grid,
    /// For each block the start of its values, in units of [`NODES`]; or the side on which it is.
    state: Vec<u32>,
    /// The blocks with values, in the order of the values.
    pub near: Vec<usize>,
    values: Vec<f32>,
}

/// Source of the values.
pub(crate) struct Source<'a> {
    pub test: InsideTest<'a>,
    pub device: &'a Device,
    /// Distance of the surface from the triangles, in cubes.
    pub offset: f64,
    /// The box of the triangles. Points outside of it are outside, whatever their winding numbers.
    pub low: Vec3,
    pub high: Vec3,
    /// Whether points whose winding number is more than one half, in either orientation, are inside.
    pub winding: bool,
}

impl Source<'_> {
    /// Signed distances in cubes, at most `reach` from the triangles; also tells for each point whether it
    /// was in reach.
    fn values(&mut self, points: &[Vec3], grid: &Grid, reach: f64) -> Result<Vec<(f32, bool)>> {
        let mut values = Vec::with_capacity(points.len());
        for chunk in points.chunks(AT_ONCE) {
            let (low, high, offset) = (self.low, self.high, self.offset);
            let within = |p: Vec3| p.cmpge(low).all() && p.cmple(high).all();
            let radius = (reach * grid.cell) as f32;
            let found = self.test.tree().distances_within(&self.device.upload(chunk)?, radius)?.read()?;
            let distance = |found: f32| match found.is_finite() {
                true => f64::from(found) / grid.cell,
                false => reach,
            };
            let mut solid = vec![false; chunk.len()];
            if self.winding {
                // points nearer than the offset are inside in any case
                let asked: Vec<u32> = (0..chunk.len() as u32)
                    .into_par_iter()
                    .filter(|&i| within(chunk[i as usize]) && distance(found[i as usize]) > offset)
                    .collect();
                let points: Vec<Vec3> = asked.par_iter().map(|&i| chunk[i as usize]).collect();
                let winding = self.test.winding(&self.device.upload(&points)?, BETA)?.read()?;
                asked.iter().zip(winding).for_each(|(&i, w)| solid[i as usize] = w.abs() > 0.5);
            }
            values.par_extend(found.par_iter().zip(solid).map(|(&found, solid)| {
                let distance = distance(found);
                let value = if solid { -distance - offset } else { distance - offset };
                (value as f32, found.is_finite())
            }));
        }
        Ok(values)
    }
}

impl Field {
    /// Computes values near the surface, and where it passes between blocks that are far from the triangles:
    /// across holes.
    pub fn new(grid: Grid, source: &mut Source<'_>) -> Result<Self> {
        let blocks = grid.count();
        // from the middle of a block to the far corner of its last cube, and one cube more
        let reach = 0.5 * 3_f64.sqrt() * BLOCK as f64 + source.offset + 1.0;
        let middles: Vec<Vec3> = (0..blocks).into_par_iter().map(|block| grid.middle(block)).collect();
        let mut state = Vec::with_capacity(blocks);
        let mut waiting = vec![];
        for (block, (value, near)) in source.values(&middles, &grid, reach)?.into_iter().enumerate() {
            state.push(if value > 0.0 { OUTSIDE } else { INSIDE });
            if near {
                waiting.push(block);
            }
        }
        let mut waits = vec![false; blocks];
        waiting.iter().for_each(|&block| waits[block] = true);
        for block in 0..blocks {
            let other = |way: [isize; 3]| grid.beside(block, way).is_some_and(|b| state[b] != state[block]);
            if !waits[block]
                && [[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 0, 0], [0, -1, 0], [0, 0, -1]]
                    .map(other)
                    .contains(&true)
            {
                waits[block] = true;
                waiting.push(block);
            }
        }
        let mut field = Self { grid, state, near: vec![], values: vec![] };
        while !waiting.is_empty() {
            waiting.sort_unstable();
            let nodes = |&block: &usize| (0..NODES).map(move |node| grid.place(block, node));
            let points: Vec<Vec3> = waiting.par_iter().flat_map_iter(nodes).collect();
            let first = field.near.len();
            for &block in &waiting {
                field.state[block] = field.near.len() as u32;
                field.near.push(block);
            }
            let found = source.values(&points, &grid, source.offset + 2.0)?;
            field.values.par_extend(found.into_par_iter().map(|(value, _)| value));
            waiting = field.contradicted(first, &mut waits);
        }
        Ok(field)
    }
    /// Blocks without values next to one from `first` on, whose nodes at the common border are on another
    /// side.
    fn contradicted(&self, first: usize, waits: &mut [bool]) -> Vec<usize> {
        let beside = |(at, &block): (usize, &usize)| {
            let values = &self.values[at * NODES..(at + 1) * NODES];
            ways().filter_map(move |way| {
                let other = self.grid.beside(block, way)?;
                let inside = match self.state[other] {
                    OUTSIDE => false,
                    INSIDE => true,
                    _ => return None,
                };
                let facing = |node: &usize| {
                    let place = local(*node);
                    (0..3).all(|axis| match way[axis] {
                        -1 => place[axis] == 0,
                        1 => place[axis] == BLOCK - 1,
                        _ => true,
                    })
                };
                (0..NODES).filter(facing).any(|node| (values[node] <= 0.0) != inside).then_some(other)
            })
        };
        let found: Vec<usize> = self.near.par_iter().enumerate().skip(first).flat_map_iter(beside).collect();
        found.into_iter().filter(|&other| !std::mem::replace(&mut waits[other], true)).collect()
    }

    /// Makes all values negative at nodes that cannot be reached from the border of the grid along edges of
    /// cubes: this closes cavities.
    pub fn close_cavities(&mut self) {
        let (grid, blocks) = (self.grid, self.grid.count());
        let open: Vec<Planes> = self.values.par_chunks_exact(NODES).map(Planes::positive).collect();
        let mut out = vec![Planes([0; BLOCK]); open.len()];
        // blocks without values that were reached, and blocks from which it goes on
        let mut seen = vec![false; blocks];
        let (mut waiting, mut waits) = (vec![], vec![false; blocks]);
        let mut enter = |block: usize,
                         entered: Planes,
                         out: &mut [Planes],
                         waiting: &mut Vec<usize>,
                         waits: &mut [bool]| {
            let goes_on = match self.state[block] {
                INSIDE => false,
                OUTSIDE => !std::mem::replace(&mut seen[block], true),
                at => out[at as usize].add(entered, &open[at as usize]),
            };
            if goes_on && !std::mem::replace(&mut waits[block], true) {
                waiting.push(block);
            }
        };
        // the grid has a margin: its first node is outside
        enter(0, Planes::FIRST, &mut out, &mut waiting, &mut waits);
        while let Some(block) = waiting.pop() {
            waits[block] = false;
            let reached = match self.state[block] {
                INSIDE | OUTSIDE => Planes([u64::MAX; BLOCK]),
                at => {
                    out[at as usize].spread(&open[at as usize]);
                    out[at as usize]
                }
            };
            for way in [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]] {
                if let Some(other) = grid.beside(block, way) {
                    enter(other, reached.across(way), &mut out, &mut waiting, &mut waits);
                }
            }
        }
        self.values.par_chunks_exact_mut(NODES).zip(&out).for_each(|(values, out)| {
            for (node, value) in values.iter_mut().enumerate() {
                if !out.has(node) {
                    *value = -value.abs();
                }
            }
        });
        for (state, seen) in self.state.iter_mut().zip(seen) {
            if *state == OUTSIDE && !seen {
                *state = INSIDE;
            }
        }
    }
    /// Number of nodes that have values.
    pub fn nodes(&self) -> usize {
        self.values.len()
    }
    /// The value at a node of a block.
    pub fn value(&self, block: usize, node: usize) -> f32 {
        match self.state[block] {
            OUTSIDE => 1.0,
            INSIDE => -1.0,
            at => self.values[at as usize * NODES + node],
        }
    }
}

/// A set of nodes of a block: a word for each plane across z, in which bit `i + 8 j` is the node at x = i, y
/// = j.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Planes([u64; BLOCK]);
/// The nodes of a plane at the ends of x.
const X_FIRST: u64 = 0x0101_0101_0101_0101;
const X_LAST: u64 = X_FIRST << (BLOCK - 1);
const _: () = assert!(BLOCK == 8, "a plane is a word");

impl Planes {
    /// The first node of a block.
    const FIRST: Self = {
        let mut planes = [0; BLOCK];
        planes[0] = 1;
        Self(planes)
    };
    /// The nodes with a positive value.
    fn positive(values: &[f32]) -> Self {
        let plane =
            |values: &[f32]| (0..).zip(values).fold(0, |bits, (i, x)| bits | u64::from(*x > 0.0) << i);
        let mut planes = [0; BLOCK];
        planes.iter_mut().zip(values.chunks(BLOCK * BLOCK)).for_each(|(to, of)| *to = plane(of));
        Self(planes)
    }
    /// Whether it has a node.
    fn has(&self, node: usize) -> bool {
        self.0[node / (BLOCK * BLOCK)] >> (node % (BLOCK * BLOCK)) & 1 != 0
    }
    /// Adds the nodes of another set that are open; whether there was a new one.
    fn add(&mut self, other: Self, open: &Self) -> bool {
        let before = *self;
        (0..BLOCK).for_each(|k| self.0[k] |= other.0[k] & open.0[k]);
        *self != before
    }
    /// Adds all open nodes that can be reached from its own along edges of cubes.
    fn spread(&mut self, open: &Self) {
        loop {
            let before = *self;
            for k in 0..BLOCK {
                let (below, above) = (k.checked_sub(1).map_or(0, |k| self.0[k]), self.0.get(k + 1).copied());
                let mut plane = (self.0[k] | below | above.unwrap_or(0)) & open.0[k];
                loop {
                    let along_x = (plane & !X_LAST) << 1 | (plane & !X_FIRST) >> 1;
                    let more = (plane | along_x | plane << BLOCK | plane >> BLOCK) & open.0[k];
                    if more == plane {
                        break;
                    }
                    plane = more;
                }
                self.0[k] = plane;
            }
            if *self == before {
                return;
            }
        }
    }
    /// The nodes of the block beside this one that are next to nodes of the set.
    fn across(&self, way: [isize; 3]) -> Self {
        let (far, last) = (BLOCK * (BLOCK - 1), BLOCK - 1);
        let planes = |f: fn(u64) -> u64| Self(self.0.map(f));
        let mut one = [0; BLOCK];
        match way {
            [1, 0, 0] => return planes(|plane| (plane & X_LAST) >> (BLOCK - 1)),
            [-1, 0, 0] => return planes(|plane| (plane & X_FIRST) << (BLOCK - 1)),
            [0, 1, 0] => return Self(self.0.map(|plane| plane >> far)),
            [0, -1, 0] => return Self(self.0.map(|plane| plane << far)),
            [0, 0, 1] => one[0] = self.0[last],
            _ => one[last] = self.0[0],
        }
        Self(one)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wrap::grid::number;

    #[test]
    fn planes_spread_as_nodes_do() {
        let mut bits = 1_u64;
        for _ in 0..50 {
            let mut value = || {
                bits = bits.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                if bits >> 33 & 3 == 0 { -1.0_f32 } else { 1.0 }
            };
            let values: Vec<f32> = (0..NODES).map(|_| value()).collect();
            let open = Planes::positive(&values);
            let start = (0..NODES).find(|&node| values[node] > 0.0).expect("one of many");
            let (mut reached, mut list) = (vec![false; NODES], vec![start]);
            reached[start] = true;
            while let Some(node) = list.pop() {
                let place = local(node);
                for (axis, by) in [(0, 1), (0, -1), (1, 1), (1, -1), (2, 1), (2, -1)] {
                    let mut next = place;
                    match place[axis].checked_add_signed(by).filter(|i| *i < BLOCK) {
                        Some(i) => next[axis] = i,
                        None => continue,
                    }
                    let next = number(next);
                    if values[next] > 0.0 && !std::mem::replace(&mut reached[next], true) {
                        list.push(next);
                    }
                }
            }
            let mut planes = Planes([0; BLOCK]);
            planes.0[start / 64] = 1 << (start % 64);
            planes.spread(&open);
            assert!((0..NODES).all(|node| planes.has(node) == reached[node]));
            for (axis, by) in [(0, 1), (0, -1), (1, 1), (1, -1), (2, 1), (2, -1)] {
                let mut way = [0; 3];
                way[axis] = by;
                let across = planes.across(way);
                for node in 0..NODES {
                    let mut from = local(node);
                    let border = if by > 0 { 0 } else { BLOCK - 1 };
                    let is_there = from[axis] == border && {
                        from[axis] = BLOCK - 1 - border;
                        planes.has(number(from))
                    };
                    assert_eq!(across.has(node), is_there);
                }
            }
        }
    }
}

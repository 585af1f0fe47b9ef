//! Distances of nodes from the triangles, computed near the surface.
use crate::inside::InsideTest;
use crate::wrap::grid::{BLOCK, Grid, NODES, local, number, ways};
use glam::Vec3;
use ribbonmesh::bvh::Closest;
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
            let within = |p: Vec3| p.cmpge(self.low).all() && p.cmple(self.high).all();
            let found = self
                .test
                .tree()
                .closest_within(&self.device.upload(chunk)?, (reach * grid.cell) as f32)?
                .read()?;
            let distance = |found: &Closest| match found.distance.is_finite() {
                true => f64::from(found.distance) / grid.cell,
                false => reach,
            };
            let mut solid = vec![false; chunk.len()];
            if self.winding {
                // points nearer than the offset are inside in any case
                let asked: Vec<usize> = (0..chunk.len())
                    .filter(|&i| within(chunk[i]) && distance(&found[i]) > self.offset)
                    .collect();
                let points: Vec<Vec3> = asked.iter().map(|&i| chunk[i]).collect();
                let winding = self.test.winding(&self.device.upload(&points)?, BETA)?.read()?;
                asked.iter().zip(winding).for_each(|(&i, w)| solid[i] = w.abs() > 0.5);
            }
            values.extend(found.iter().zip(solid).map(|(found, solid)| {
                let distance = distance(found);
                let value = if solid { -distance - self.offset } else { distance - self.offset };
                (value as f32, found.distance.is_finite())
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
        let middles: Vec<Vec3> = (0..blocks).map(|block| grid.middle(block)).collect();
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
            let points: Vec<Vec3> = waiting.iter().flat_map(nodes).collect();
            let first = field.near.len();
            for &block in &waiting {
                field.state[block] = field.near.len() as u32;
                field.near.push(block);
            }
            let found = source.values(&points, &grid, source.offset + 2.0)?;
            field.values.extend(found.into_iter().map(|(value, _)| value));
            waiting = field.contradicted(first, &mut waits);
        }
        Ok(field)
    }
    /// Blocks without values next to one from `first` on, whose nodes at the common border are on another
    /// side.
    fn contradicted(&self, first: usize, waits: &mut [bool]) -> Vec<usize> {
        let mut list = vec![];
        for (at, &block) in self.near.iter().enumerate().skip(first) {
            let values = &self.values[at * NODES..(at + 1) * NODES];
            for way in ways() {
                let Some(other) = self.grid.beside(block, way) else { continue };
                let inside = match self.state[other] {
                    OUTSIDE => false,
                    INSIDE => true,
                    _ => continue,
                };
                let facing = |node: &usize| {
                    let place = local(*node);
                    (0..3).all(|axis| match way[axis] {
                        -1 => place[axis] == 0,
                        1 => place[axis] == BLOCK - 1,
                        _ => true,
                    })
                };
                let differs = (0..NODES).filter(facing).any(|node| (values[node] <= 0.0) != inside);
                if differs && !std::mem::replace(&mut waits[other], true) {
                    list.push(other);
                }
            }
        }
        list
    }

    /// Makes all values negative at nodes that cannot be reached from the border of the grid along edges of
    /// cubes: this closes cavities.
    pub fn close_cavities(&mut self) {
        let (grid, blocks) = (self.grid, self.grid.count());
        let mut seen = vec![false; blocks];
        let mut out = vec![false; self.values.len()];
        let mut open: Vec<(usize, usize)> = vec![];
        let mut whole: Vec<usize> = vec![];
        // the grid has a margin: its first node is outside
        let mut visit =
            |block: usize, node: usize, open: &mut Vec<_>, whole: &mut Vec<_>| match self.state[block] {
                INSIDE => {}
                OUTSIDE => {
                    if !std::mem::replace(&mut seen[block], true) {
                        whole.push(block);
                    }
                }
                at => {
                    let at = at as usize * NODES + node;
                    if self.values[at] > 0.0 && !std::mem::replace(&mut out[at], true) {
                        open.push((block, node));
                    }
                }
            };
        visit(0, 0, &mut open, &mut whole);
        let axes = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];
        loop {
            if let Some((block, node)) = open.pop() {
                let place = local(node);
                for way in axes {
                    let next: [isize; 3] = std::array::from_fn(|axis| place[axis] as isize + way[axis]);
                    if next.iter().all(|i| (0..BLOCK as isize).contains(i)) {
                        visit(block, number(next.map(|i| i as usize)), &mut open, &mut whole);
                    } else if let Some(other) = grid.beside(block, way) {
                        let entered = next.map(|i| i.rem_euclid(BLOCK as isize) as usize);
                        visit(other, number(entered), &mut open, &mut whole);
                    }
                }
            } else if let Some(block) = whole.pop() {
                for way in axes {
                    let Some(other) = grid.beside(block, way) else { continue };
                    let entered = |node: &usize| {
                        let place = local(*node);
                        (0..3).all(|axis| match way[axis] {
                            1 => place[axis] == 0,
                            -1 => place[axis] == BLOCK - 1,
                            _ => true,
                        })
                    };
                    (0..NODES).filter(entered).for_each(|node| visit(other, node, &mut open, &mut whole));
                }
            } else {
                break;
            }
        }
        for (value, out) in self.values.iter_mut().zip(out) {
            if !out {
                *value = -value.abs();
            }
        }
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

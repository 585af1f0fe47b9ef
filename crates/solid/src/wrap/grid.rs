//! The grid: cubes, in blocks.
use glam::{DVec3, Vec3};
use ribbonmesh_mesh::BoundingBox;

/// Nodes along an edge of a block.
pub(crate) const BLOCK: usize = 8;
/// Nodes of a block.
pub(crate) const NODES: usize = BLOCK * BLOCK * BLOCK;

/// A box of nodes, in blocks; the cube of a node extends from it in the positive directions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    low: DVec3,
    /// Edge of a cube.
    pub cell: f64,
    /// Blocks in each direction.
    pub blocks: [usize; 3],
}

impl Grid {
    /// A grid around a box, with `resolution` cubes along its longest edge, and `margin` more cubes on each
    /// side.
    pub fn around(bounds: &BoundingBox, resolution: u32, margin: f64) -> Self {
        let size = bounds.size();
        let cell = (size.max_element() / f64::from(resolution)).max(f64::from(f32::MIN_POSITIVE));
        let nodes = (size / cell + 2.0 * margin).ceil() + 1.0;
        let blocks = nodes.to_array().map(|n| (n as usize).div_ceil(BLOCK));
        Self { low: bounds.low - margin * cell, cell, blocks }
    }
    /// Number of blocks.
    pub fn count(&self) -> usize {
        self.blocks.iter().product()
    }
    /// Position of a block, in blocks.
    pub fn block(&self, block: usize) -> [usize; 3] {
        let [x, y, _] = self.blocks;
        [block % x, block / x % y, block / x / y]
    }
    /// The block at the offset `way`, in blocks, unless it is outside of the grid.
    pub fn beside(&self, block: usize, way: [isize; 3]) -> Option<usize> {
        let at = self.block(block);
        let mut place = [0; 3];
        for axis in 0..3 {
            place[axis] = at[axis].checked_add_signed(way[axis]).filter(|i| *i < self.blocks[axis])?;
        }
        Some(self.number(place))
    }
    fn number(&self, [i, j, k]: [usize; 3]) -> usize {
        i + self.blocks[0] * (j + self.blocks[1] * k)
    }
    /// The middle of a block and its cubes.
    pub fn middle(&self, block: usize) -> Vec3 {
        self.at(self.block(block).map(|i| (i * BLOCK) as f64 + BLOCK as f64 / 2.0))
    }
    /// Position of a node of a block.
    pub fn place(&self, block: usize, node: usize) -> Vec3 {
        self.at(self.node(block, node).map(|i| i as f64))
    }
    /// Position of a point given in cubes from the first node.
    pub fn at(&self, place: [f64; 3]) -> Vec3 {
        (self.low + self.cell * DVec3::from(place)).as_vec3()
    }
    /// Coordinates of a node of a block among all nodes.
    pub fn node(&self, block: usize, node: usize) -> [usize; 3] {
        let (first, own) = (self.block(block), local(node));
        std::array::from_fn(|axis| first[axis] * BLOCK + own[axis])
    }
}

/// Coordinates of a node in its block.
pub(crate) fn local(node: usize) -> [usize; 3] {
    [node % BLOCK, node / BLOCK % BLOCK, node / BLOCK / BLOCK]
}
/// The number of a node in its block.
pub(crate) fn number([i, j, k]: [usize; 3]) -> usize {
    i + BLOCK * (j + BLOCK * k)
}
/// The offsets of the 26 neighbours.
pub(crate) fn ways() -> impl Iterator<Item = [isize; 3]> {
    (0..27).filter(|i| *i != 13).map(|i| [i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1])
}

//! The grid: cubes, in blocks.
use glam::{DVec3, Vec3};
use ribbonmesh::device::Parameter;

/// Nodes along an edge of a block.
pub const BLOCK: u32 = 8;
/// Rows of nodes along x of a block.
pub const ROWS: u32 = BLOCK * BLOCK;
/// Nodes of a block.
pub const NODES: u32 = BLOCK * ROWS;

/// A box of nodes, in blocks; the cube of a node extends from it in the positive directions.
#[repr(C)]
#[derive(Clone, Copy, Debug, Parameter)]
pub struct Grid {
    /// The first node.
    low: DVec3,
    /// Edge of a cube.
    pub cell: f64,
    /// Blocks in each direction.
    pub blocks: [u32; 3],
}

impl Grid {
    /// A grid around a box, with `resolution` cubes along its longest edge, and `margin` more cubes on each
    /// side.
    #[cfg(not(target_arch = "nvptx64"))]
    pub fn around(bounds: &ribbonmesh_mesh::BoundingBox, resolution: u32, margin: f64) -> Self {
        let size = bounds.size();
        let cell = (size.max_element() / f64::from(resolution)).max(f64::from(f32::MIN_POSITIVE));
        let nodes = (size / cell + 2.0 * margin).ceil() + 1.0;
        let blocks = nodes.to_array().map(|n| (n as u32).div_ceil(BLOCK));
        Self { low: bounds.low - margin * cell, cell, blocks }
    }
    /// Number of blocks.
    #[cfg(not(target_arch = "nvptx64"))]
    pub fn count(&self) -> u32 {
        self.blocks.iter().product()
    }
    /// Position of a block, in blocks.
    #[inline(always)]
    pub fn block(&self, block: u32) -> [u32; 3] {
        let [x, y, _] = self.blocks;
        [block % x, block / x % y, block / x / y]
    }
    /// The block at the offset `way`, in blocks, each of −1, 0 or 1, unless it is outside of the grid.
    #[inline(always)]
    pub fn beside(&self, block: u32, way: [i32; 3]) -> Option<u32> {
        let [i, j, k] = self.block(block);
        // one before the first wraps to a large number
        let place =
            [i.wrapping_add(way[0] as u32), j.wrapping_add(way[1] as u32), k.wrapping_add(way[2] as u32)];
        let within = place[0] < self.blocks[0] && place[1] < self.blocks[1] && place[2] < self.blocks[2];
        within.then(|| place[0] + self.blocks[0] * (place[1] + self.blocks[1] * place[2]))
    }
    /// Position of a node of a block.
    #[inline(always)]
    pub fn place(&self, block: u32, node: u32) -> Vec3 {
        self.at(self.node(block, node))
    }
    /// The middle of a block and its cubes.
    #[inline(always)]
    pub fn middle(&self, block: u32) -> Vec3 {
        self.at(self.node(block, 0) + DVec3::splat(BLOCK as f64 / 2.0))
    }
    /// The middle of the nodes of a block.
    #[inline(always)]
    pub fn middle_of_nodes(&self, block: u32) -> Vec3 {
        self.at(self.node(block, 0) + DVec3::splat((BLOCK - 1) as f64 / 2.0))
    }
    /// Position of a point given in cubes from the first node.
    #[inline(always)]
    pub fn at(&self, place: DVec3) -> Vec3 {
        (self.low + self.cell * place).as_vec3()
    }
    /// Coordinates of a node of a block among all nodes.
    #[inline(always)]
    pub fn node(&self, block: u32, node: u32) -> DVec3 {
        let ([i, j, k], [x, y, z]) = (self.block(block), local(node));
        DVec3::new((i * BLOCK + x) as f64, (j * BLOCK + y) as f64, (k * BLOCK + z) as f64)
    }
}

/// Coordinates of a node in its block.
#[inline(always)]
pub fn local(node: u32) -> [u32; 3] {
    [node % BLOCK, node / BLOCK % BLOCK, node / ROWS]
}
/// The number of a node in its block.
#[inline(always)]
pub fn number([i, j, k]: [u32; 3]) -> u32 {
    i + BLOCK * (j + BLOCK * k)
}
/// The offset, in blocks, of neighbour `i` of the 27 that are the block and those around it.
#[inline(always)]
pub fn way(i: u32) -> [i32; 3] {
    [i % 3, i / 3 % 3, i / 9].map(|i| i as i32 - 1)
}
/// The offsets of the six blocks with a side in common; those in positive directions first.
pub const SIDES: [[i32; 3]; 6] = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 0, 0], [0, -1, 0], [0, 0, -1]];

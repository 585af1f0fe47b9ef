//! Particles in the order of cells: a spatial hash.
//!
//! Cells are cubes. The key of a cell is made of the lowest bits of its three coordinates. Therefore cells in
//! a row have consecutive keys, and cells that are near each other have different keys. Distant cells may
//! share a key, so a search has to compare distances.
use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use ribbonmesh::device::{Block, In, Out, Parameter, Quad, StatusCode, kernel};

use super::smoothing::pack;

/// Particles per block: one per thread.
pub const PARTICLES: u32 = 128;
/// Status: the position of a particle is not finite. First detail: its index.
pub const NOT_FINITE: u32 = StatusCode::User as u32;
/// The least number of bits of a coordinate in a key. Cells up to 7 apart have different keys.
pub const LEAST_BITS: u32 = 4;

/// The first particle of a block, and the number of its particles.
#[inline(always)]
pub fn part_of(block: &Block, n: u32) -> (u32, u32) {
    let base = PARTICLES * block.index();
    (base, if n - base < PARTICLES { n - base } else { PARTICLES })
}

/// Map from positions to keys.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub struct Table {
    /// Bits of the length of a cell, a 32-bit float.
    pub edge: u32,
    /// Bits of x, y and z in a key.
    pub bits: [u32; 3],
}
impl Table {
    /// The number of keys.
    #[inline(always)]
    pub fn keys(&self) -> u32 {
        1 << (self.bits[0] + self.bits[1] + self.bits[2])
    }
    /// The cell of a position. Positions far away share cells.
    #[inline(always)]
    pub fn cell(&self, p: Vec3) -> [i32; 3] {
        let per = 1.0 / f32::from_bits(self.edge);
        p.to_array().map(|x| libm::floorf(x * per) as i32)
    }
    #[inline(always)]
    fn wrapped(&self, x: i32, axis: usize) -> u32 {
        x as u32 & ((1 << self.bits[axis]) - 1)
    }
    /// The key of the first cell in the row of a cell, along x.
    #[inline(always)]
    fn row(&self, y: i32, z: i32) -> u32 {
        (self.wrapped(z, 2) << self.bits[1] | self.wrapped(y, 1)) << self.bits[0]
    }
    /// The key of a cell.
    #[inline(always)]
    pub fn key(&self, [x, y, z]: [i32; 3]) -> u32 {
        self.row(y, z) | self.wrapped(x, 0)
    }
}

/// The particles of each key, in the order of the keys.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Cells<'a> {
    /// Start of the particles of each key, and the end.
    pub starts: In<'a, u32>,
    /// Map from positions to keys.
    pub table: Table,
}
impl Cells<'_> {
    /// Runs `f` for all particles in the cells up to `reach` cells, at most 7, from the cell of a position,
    /// and for some particles that are far away; always in the same order.
    #[inline(always)]
    pub fn near(&self, p: Vec3, reach: i32, mut f: impl FnMut(u32)) {
        let [x, y, z] = self.table.cell(p);
        let (from, last) = (self.table.wrapped(x.wrapping_sub(reach), 0), (1_u32 << self.table.bits[0]) - 1);
        let to = from + 2 * reach as u32;
        let mut dz = -reach;
        while dz <= reach {
            let mut dy = -reach;
            while dy <= reach {
                let row = self.table.row(y.wrapping_add(dy), z.wrapping_add(dz));
                let (mut k, end) = (
                    self.starts.get(row + from),
                    self.starts.get(row + if to < last { to } else { last } + 1),
                );
                while k < end {
                    f(k);
                    k += 1;
                }
                if to > last {
                    let (mut k, end) = (self.starts.get(row), self.starts.get(row + to - last));
                    while k < end {
                        f(k);
                        k += 1;
                    }
                }
                dy += 1;
            }
            dz += 1;
        }
    }
}

/// Computes the key of each particle. A particle whose position is not finite is recorded: see
/// [`NOT_FINITE`].
#[kernel(threads = 128)]
pub fn find_keys<'a>(block: &Block, n: u32, table: Table, x: In<'a, Vec3>, keys: Out<'a, u32>) {
    let (base, count) = part_of(block, n);
    block.for_each_nosync(count, |i| {
        let i = base + i;
        let p = x.get(i);
        if !p.is_finite() {
            block.status().record_code(NOT_FINITE, block.index(), i, 0);
        }
        keys.set(i, table.key(table.cell(p)));
    });
}

/// Copies the positions of particles into the order of cells.
#[kernel(threads = 128)]
pub fn arrange<'a>(block: &Block, n: u32, order: In<'a, u32>, x: In<'a, Vec3>, points: Out<'a, Quad>) {
    let (base, count) = part_of(block, n);
    block.for_each_nosync(count, |k| {
        let k = base + k;
        points.set(k, pack(x.get(order.get(k)), 0.0));
    });
}

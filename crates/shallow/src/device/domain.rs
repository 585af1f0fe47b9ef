//! The grid of cells, its tiles, and its scales.
use super::exact::{greatest, mul};
use ribbonmesh::device::Parameter;

/// Cells along a side of a tile.
pub const SIDE: u32 = 16;
/// Cells around a tile that its new values depend on.
pub const RIM: u32 = 2;
/// Cells along a side of a tile with its rim.
pub const WIDE: u32 = SIDE + 2 * RIM;

/// Walls: the side of the least x, of the greatest x, of the least y, of the greatest y.
pub const WALLS: [u32; 4] = [1, 2, 4, 8];

/// The grid.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Parameter)]
pub struct Domain {
    /// Cells along x.
    pub columns: u32,
    /// Cells along y.
    pub rows: u32,
    /// Which sides are walls, of [`WALLS`]; the others are open.
    pub walls: u32,
    /// Whether all tiles are computed.
    pub everywhere: u32,
}

impl Domain {
    /// Tiles along x.
    #[inline(always)]
    pub fn across(&self) -> u32 {
        self.columns.div_ceil(SIDE)
    }
    /// Tiles along y.
    #[inline(always)]
    pub fn down(&self) -> u32 {
        self.rows.div_ceil(SIDE)
    }
    /// Number of tiles.
    #[inline(always)]
    pub fn tiles(&self) -> u32 {
        self.across() * self.down()
    }
    /// Number of cells.
    #[inline(always)]
    pub fn cells(&self) -> usize {
        self.columns as usize * self.rows as usize
    }
    /// Number of corners of cells.
    #[inline(always)]
    pub fn corners(&self) -> usize {
        (self.columns as usize + 1) * (self.rows as usize + 1)
    }
}

/// The cell of which cell `i` is the mirror image, of `n` in a row.
#[inline(always)]
pub fn mirrored(i: i32, n: i32) -> i32 {
    let i = if i < 0 { -1 - i } else { i };
    let i = if i >= n { 2 * n - 1 - i } else { i };
    let i = if i < 0 { -1 - i } else { i };
    if i < n { i } else { n - 1 }
}
/// The corner of which corner `i` is the mirror image, of those of `n` cells in a row.
#[inline(always)]
pub fn mirrored_corner(i: i32, n: i32) -> i32 {
    let i = if i < 0 { -i } else { i };
    let i = if i > n { 2 * n - i } else { i };
    let i = if i < 0 { -i } else { i };
    if i < n { i } else { n }
}

/// The mean of four corners of the bed, which are multiples of four; their sum may need more than 32 bits.
#[inline(always)]
pub fn middle(a: i32, b: i32, c: i32, d: i32) -> i32 {
    (a >> 2) + (b >> 2) + (c >> 2) + (d >> 2)
}

/// Units and thresholds.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Parameter)]
pub struct Scale {
    /// Length of the unit of heights, a power of two.
    pub unit: f32,
    /// Side of a cell.
    pub spacing: f32,
    /// Acceleration of gravity.
    pub gravity: f32,
    /// Gravity times the square of Manning's coefficient.
    pub friction: f32,
    /// Below this depth velocities are damped.
    pub thin: f32,
    /// Cells with less, in units, are dry: what they hold stays.
    pub dry: i32,
    /// The side of a cell times the Courant number.
    pub reach: f32,
    /// Least speed for the time step.
    pub slowest: f32,
}

impl Scale {
    /// A height in units as a length.
    #[inline(always)]
    pub fn length(&self, units: i32) -> f32 {
        mul(units as f32, self.unit)
    }
    /// The part that moves of a column of water, in units: 0 if the cell is dry.
    #[inline(always)]
    pub fn moving(&self, units: i32) -> i32 {
        if units > self.dry { units } else { 0 }
    }
    /// The velocity of a momentum, damped where there is little water.
    #[inline(always)]
    pub fn velocity(&self, depth: i32, momentum: [f32; 2]) -> [f32; 2] {
        if depth == 0 {
            return [0.0; 2];
        }
        let h = self.length(depth);
        let square = mul(h, h);
        let factor = (h + h) / (square + greatest(square, mul(self.thin, self.thin)));
        [mul(factor, momentum[0]), mul(factor, momentum[1])]
    }
}

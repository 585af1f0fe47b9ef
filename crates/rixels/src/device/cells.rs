//! Values of the cells of a regular grid in space: on planes, and at points.
use super::exact::mul;
use ribbonmesh::device::{Block, In, Out, Parameter, Vec3, kernel};

/// A grid of cubes, with one corner at the origin.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Parameter)]
pub struct Cubes {
    /// Cells along each axis.
    pub n: [u32; 3],
    /// The edge of a cell.
    pub edge: f32,
}

/// Squares in a plane, row by row.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Parameter)]
pub struct Lattice {
    /// The first corner.
    pub origin: [f32; 3],
    /// The side of a square along a row.
    pub across: [f32; 3],
    /// The side to the next row.
    pub along: [f32; 3],
    /// Squares of a row.
    pub columns: u32,
    /// Rows.
    pub rows: u32,
    /// Nothing.
    pub padding: u32,
}

impl Lattice {
    /// The middle of a square.
    #[inline(always)]
    fn middle(&self, square: u32) -> [f32; 3] {
        let (x, y) = ((square % self.columns) as f32 + 0.5, (square / self.columns) as f32 + 0.5);
        [0, 1, 2].map(|a| self.origin[a] + mul(x, self.across[a]) + mul(y, self.along[a]))
    }
}

impl Cubes {
    /// The cell that a place is in; none outside. Places on the side of the greatest coordinates are inside.
    #[inline(always)]
    fn cell_at(&self, p: [f32; 3]) -> Option<u32> {
        let mut at = [0; 3];
        let mut a = 0;
        while a < 3 {
            let q = p[a] / self.edge;
            if !(q >= 0.0 && q <= self.n[a] as f32) {
                return None;
            }
            at[a] = if (q as u32) < self.n[a] { q as u32 } else { self.n[a] - 1 };
            a += 1;
        }
        Some(at[0] + self.n[0] * (at[1] + self.n[1] * at[2]))
    }
    /// Along an axis: the last cell whose middle is not after a place, the one after it, and the weight of
    /// that one. Beyond the first and the last middle both are the same cell.
    #[inline(always)]
    fn between(&self, a: usize, x: f32) -> (u32, u32, f32) {
        let last = self.n[a] - 1;
        let s = x / self.edge - 0.5;
        let s = if s > 0.0 { s } else { 0.0 };
        let s = if s < last as f32 { s } else { last as f32 };
        let first = s as u32;
        (first, if first < last { first + 1 } else { last }, s - first as f32)
    }
}

/// The value of a cell; NaN if it is not open.
#[inline(always)]
fn value(values: In<'_, f32>, open: In<'_, f32>, cell: u32) -> f32 {
    let is_open = open.is_empty() || open.try_get(cell).unwrap_or(0.0) > 0.0;
    if is_open { values.try_get(cell).unwrap_or(f32::NAN) } else { f32::NAN }
}

/// Finds the cells that the middles of a plane's squares are in, and whether there is one. Blocks: tiles of
/// squares.
#[kernel(threads = 256, requires(
    to.len() >= lattice.columns as usize * lattice.rows as usize,
    inside.len() >= lattice.columns as usize * lattice.rows as usize,
))]
pub fn cut_cells<'a>(block: &Block, cubes: Cubes, lattice: Lattice, to: Out<'a, u32>, inside: Out<'a, u8>) {
    block.for_each_of_tile(lattice.columns * lattice.rows, |square| {
        let cell = cubes.cell_at(lattice.middle(square));
        inside.set(square, cell.is_some() as u8);
        to.set(square, cell.unwrap_or(0));
    });
}

/// The values of listed cells; NaN where a cell is not open. Blocks: tiles of `to`.
#[kernel(threads = 256, requires(to.len() == cells.len()))]
pub fn values_of_cells<'a>(
    block: &Block,
    cells: In<'a, u32>,
    values: In<'a, f32>,
    open: In<'a, f32>,
    to: Out<'a, f32>,
) {
    block.for_each_of_tile(cells.len() as u32, |i| to.set(i, value(values, open, cells.get(i))));
}

/// At each place the mean of the eight cells around that have a finite value, by how near their middles are;
/// NaN where none has. Blocks: tiles of places.
#[kernel(threads = 256, requires(to.len() == places.len()))]
pub fn values_around<'a>(
    block: &Block,
    cubes: Cubes,
    places: In<'a, Vec3>,
    values: In<'a, f32>,
    open: In<'a, f32>,
    to: Out<'a, f32>,
) {
    block.for_each_of_tile(places.len() as u32, |i| {
        let p = places.get(i).to_array();
        let along = [cubes.between(0, p[0]), cubes.between(1, p[1]), cubes.between(2, p[2])];
        let (mut sum, mut weights, mut k) = (0.0, 0.0, 0);
        while k < 8 {
            let (mut at, mut weight, mut a) = ([0; 3], 1.0, 0);
            while a < 3 {
                let (first, second, part) = along[a];
                let is_second = k >> a & 1 != 0;
                at[a] = if is_second { second } else { first };
                weight = mul(weight, if is_second { part } else { 1.0 - part });
                a += 1;
            }
            let here = value(values, open, at[0] + cubes.n[0] * (at[1] + cubes.n[1] * at[2]));
            if here.is_finite() && weight > 0.0 {
                sum += mul(weight, here);
                weights += weight;
            }
            k += 1;
        }
        to.set(i, if weights > 0.0 { sum / weights } else { f32::NAN });
    });
}

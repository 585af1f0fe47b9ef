//! The equations of a level of multigrid.
use ribbonmesh::device::{In, Out, Parameter};

/// A level: its cells, and their coefficients.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Level<'a> {
    /// Cells along each axis.
    pub n: [u32; 3],
    /// The coefficient of each cell with the one before it along x.
    pub x: In<'a, f32>,
    /// The coefficient of each cell with the one before it along y.
    pub y: In<'a, f32>,
    /// The coefficient of each cell with the one before it along z.
    pub z: In<'a, f32>,
    /// The diagonal; 0 in cells that are no unknowns.
    pub diagonal: In<'a, f32>,
}
/// A level that is written.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct LevelOut<'a> {
    /// As in [`Level`].
    pub x: Out<'a, f32>,
    /// As in [`Level`].
    pub y: Out<'a, f32>,
    /// As in [`Level`].
    pub z: Out<'a, f32>,
    /// As in [`Level`].
    pub diagonal: Out<'a, f32>,
}
impl LevelOut<'_> {
    /// Writes a cell.
    #[inline(always)]
    pub fn set(&self, cell: u32, lower: [f32; 3], diagonal: f32) {
        self.x.set(cell, lower[0]);
        self.y.set(cell, lower[1]);
        self.z.set(cell, lower[2]);
        self.diagonal.set(cell, diagonal);
    }
}

/// A cell of a box by its index.
#[inline(always)]
pub(crate) fn place(n: [u32; 3], cell: u32) -> [u32; 3] {
    let row = cell / n[0];
    [cell - row * n[0], row % n[1], row / n[1]]
}
/// The index of the cell of the coarser level.
#[inline(always)]
pub(crate) fn parent(coarse: [u32; 3], at: [u32; 3]) -> u32 {
    at[0] / 2 + coarse[0] * (at[1] / 2 + coarse[1] * (at[2] / 2))
}

impl Level<'_> {
    /// Number of cells.
    #[inline(always)]
    pub fn count(&self) -> u32 {
        self.n[0] * self.n[1] * self.n[2]
    }
    /// The cell with an index.
    #[inline(always)]
    pub fn of(&self, cell: u32) -> [u32; 3] {
        place(self.n, cell)
    }
    /// The sum of coefficients times values of the cells around one; `value` gets the index and the
    /// coordinates of a cell.
    #[inline(always)]
    pub fn around(&self, cell: u32, at: [u32; 3], value: impl Fn(u32, [u32; 3]) -> f32) -> f32 {
        let [i, j, k] = at;
        let (dy, dz) = (self.n[0], self.n[0] * self.n[1]);
        let mut sum = 0.0;
        let mut add = |coefficient: f32, other: u32, at: [u32; 3]| {
            if coefficient != 0.0 {
                sum += coefficient * value(other, at);
            }
        };
        if i > 0 {
            add(self.x.get(cell), cell - 1, [i - 1, j, k]);
        }
        if i + 1 < self.n[0] {
            add(self.x.get(cell + 1), cell + 1, [i + 1, j, k]);
        }
        if j > 0 {
            add(self.y.get(cell), cell - dy, [i, j - 1, k]);
        }
        if j + 1 < self.n[1] {
            add(self.y.get(cell + dy), cell + dy, [i, j + 1, k]);
        }
        if k > 0 {
            add(self.z.get(cell), cell - dz, [i, j, k - 1]);
        }
        if k + 1 < self.n[2] {
            add(self.z.get(cell + dz), cell + dz, [i, j, k + 1]);
        }
        sum
    }
    /// The cell of a colour with an index among half of the cells of each row; `None` beyond the row's end.
    #[inline(always)]
    pub(crate) fn of_colour(&self, half: u32, colour: u32) -> Option<(u32, [u32; 3])> {
        let [h, j, k] = place([self.n[0].div_ceil(2), self.n[1], self.n[2]], half);
        let i = 2 * h + ((j + k + colour) & 1);
        if i < self.n[0] { Some((i + self.n[0] * (j + self.n[1] * k), [i, j, k])) } else { None }
    }
    /// Number of cells of a colour, rounded up to whole rows.
    #[inline(always)]
    pub fn halves(&self) -> u32 {
        self.n[0].div_ceil(2) * self.n[1] * self.n[2]
    }
}

//! Grids of heights, whose triangles nobody lists.
use super::exact::mul;
use ribbonmesh::device::{In, Parameter, Vec3};

/// No grid: faces and positions are listed.
#[cfg(not(target_arch = "nvptx64"))]
pub const MESH: u32 = 0;
/// A height for each corner of the grid's cells.
pub const CORNERS: u32 = 1;
/// A height for each cell.
pub const CENTRES: u32 = 2;

/// Where the points of a grid are. Each cell is two triangles: of its corners (0, 0), (1, 0), (1, 1), and of
/// (0, 0), (1, 1), (0, 1).
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Parameter)]
pub struct Grid {
    /// The place of the first corner at height 0.
    pub origin: [f32; 3],
    /// The way to the next corner of a row.
    pub across: [f32; 3],
    /// The way to the next row.
    pub along: [f32; 3],
    /// The way up, for a height of 1.
    pub up: [f32; 3],
    /// Cells of a row.
    pub columns: u32,
    /// Rows of cells.
    pub rows: u32,
    /// [`CORNERS`], [`CENTRES`], or 0 for a mesh.
    pub kind: u32,
    /// Nothing.
    pub padding: u32,
}

impl Grid {
    /// The corners of a triangle, numbered row by row.
    #[inline(always)]
    pub fn vertices(&self, face: u32) -> [u32; 3] {
        let (cell, width) = (face / 2, self.columns + 1);
        let first = cell / self.columns * width + cell % self.columns;
        let last = first + width + 1;
        if face.is_multiple_of(2) { [first, first + 1, last] } else { [first, last, last - 1] }
    }
    /// A height; none if it is dry or not finite.
    #[inline(always)]
    pub fn sample(&self, heights: In<'_, f32>, wet: In<'_, u8>, i: u32) -> Option<f32> {
        if !wet.is_empty() && wet.try_get(i)? == 0 {
            return None;
        }
        let height = if heights.is_empty() { 0.0 } else { heights.try_get(i)? };
        if height.is_finite() { Some(height) } else { None }
    }
    /// The mean of the heights of the cells around a corner.
    #[inline(always)]
    fn mean(&self, heights: In<'_, f32>, wet: In<'_, u8>, column: u32, row: u32) -> Option<f32> {
        let (mut sum, mut count, mut k) = (0.0, 0.0, 0);
        while k < 4 {
            // below 0 becomes a number beyond all cells
            let (x, y) = ((column + k % 2).wrapping_sub(1), (row + k / 2).wrapping_sub(1));
            if x < self.columns
                && y < self.rows
                && let Some(height) = self.sample(heights, wet, y * self.columns + x)
            {
                sum += height;
                count += 1.0;
            }
            k += 1;
        }
        if count > 0.0 { Some(sum / count) } else { None }
    }
    /// The place of a corner; none without a height.
    #[inline(always)]
    pub fn place(&self, heights: In<'_, f32>, wet: In<'_, u8>, vertex: u32) -> Option<Vec3> {
        let (column, row) = (vertex % (self.columns + 1), vertex / (self.columns + 1));
        let height = if self.kind == CORNERS {
            self.sample(heights, wet, vertex)?
        } else {
            self.mean(heights, wet, column, row)?
        };
        let at = |i: usize| {
            let flat = self.origin[i] + mul(column as f32, self.across[i]) + mul(row as f32, self.along[i]);
            flat + mul(height, self.up[i])
        };
        Some(Vec3::new(at(0), at(1), at(2)))
    }
}

//! The ground.
use super::error::{Result, ShallowError};

/// Points in a direction, at most.
const MOST_POINTS: u32 = 32_769;

/// The ground: heights of points on a grid. Four points are the corners of a cell; the bed of a cell is
/// bilinear. The first point is at x = 0, y = 0; rows go along y.
#[derive(Clone, Debug, PartialEq)]
pub struct Terrain {
    columns: u32,
    rows: u32,
    spacing: f64,
    heights: Vec<f32>,
}

impl Terrain {
    /// A terrain of `points[0]` by `points[1]` heights, row by row, with `spacing` between neighbours.
    /// # Errors
    /// [`ShallowError::Size`], [`ShallowError::Length`], [`ShallowError::Height`] for a height that is not
    /// finite, [`ShallowError::Option`] for the spacing.
    pub fn new(points: [usize; 2], spacing: f64, heights: Vec<f32>) -> Result<Self> {
        let [columns, rows] = points;
        let fits = |n: usize| (2..=MOST_POINTS as usize).contains(&n);
        if !(fits(columns) && fits(rows)) {
            let (columns, rows) = (columns as u64, rows as u64);
            return Err(ShallowError::Size { columns, rows, limit: MOST_POINTS });
        }
        let expected = columns * rows;
        if heights.len() != expected {
            return Err(ShallowError::Length { what: "heights", expected, found: heights.len() });
        }
        if !(1e-6..=1e9).contains(&spacing) {
            return Err(ShallowError::Option { option: "spacing", value: spacing, expected: "1e-6 to 1e9" });
        }
        if let Some(at) = heights.iter().position(|h| !h.is_finite()) {
            return Err(ShallowError::Height { column: at % columns, row: at / columns });
        }
        // at most MOST_POINTS
        Ok(Self { columns: columns as u32 - 1, rows: rows as u32 - 1, spacing, heights })
    }
    /// Cells of a row.
    pub fn columns(&self) -> u32 {
        self.columns
    }
    /// Rows of cells.
    pub fn rows(&self) -> u32 {
        self.rows
    }
    /// Side of a cell.
    pub fn spacing(&self) -> f64 {
        self.spacing
    }
    /// Heights of points, row by row: one more in each direction than there are cells.
    pub fn heights(&self) -> &[f32] {
        &self.heights
    }
    /// The height of the bed in the middle of a cell: the mean of its corners.
    pub fn bed(&self, column: u32, row: u32) -> f64 {
        let wide = self.columns as usize + 1;
        let at = row as usize * wide + column as usize;
        let sum: f64 =
            [at, at + 1, at + wide, at + wide + 1].map(|i| f64::from(self.heights[i])).iter().sum();
        sum / 4.0
    }
    /// A level for each cell from its middle's x and y; cells whose bed is above are dry.
    pub fn levels(&self, level: impl Fn(f64, f64) -> f64) -> Vec<f64> {
        let middle = |i: u32| (f64::from(i) + 0.5) * self.spacing;
        let of_row = |row| (0..self.columns).map(move |column| (column, row));
        (0..self.rows).flat_map(of_row).map(|(column, row)| level(middle(column), middle(row))).collect()
    }
    /// Raises levels to at least `level` in the cells whose middles are in a rectangle.
    pub fn fill(&self, levels: &mut [f64], from: [f64; 2], to: [f64; 2], level: f64) {
        let [x, y] = [0, 1].map(|k| self.within([self.columns, self.rows][k], from[k], to[k]));
        for row in y[0]..y[1] {
            for column in x[0]..x[1] {
                let at = row as usize * self.columns as usize + column as usize;
                if let Some(here) = levels.get_mut(at) {
                    *here = here.max(level);
                }
            }
        }
    }
    /// The area of the cells whose middles are in a rectangle.
    pub fn area(&self, from: [f64; 2], to: [f64; 2]) -> f64 {
        let [x, y] = [0, 1].map(|k| self.within([self.columns, self.rows][k], from[k], to[k]));
        f64::from(x[1] - x[0]) * f64::from(y[1] - y[0]) * self.spacing * self.spacing
    }
    /// The cells of `n` whose middles are from `from` to `to`: the first, and the one after the last.
    pub(crate) fn within(&self, n: u32, from: f64, to: f64) -> [u32; 2] {
        let first = (from / self.spacing - 0.5).ceil().clamp(0.0, f64::from(n));
        let last = ((to / self.spacing - 0.5).floor() + 1.0).clamp(0.0, f64::from(n));
        [first as u32, (last as u32).max(first as u32)]
    }
}

//! Columns on the device: approximations, last steps, directions.
use super::problem::LANES;
use crate::device::panel::BasisArguments;
use crate::device::products::{AddParts, Combine, Gram, SQUARE, TILE_ROWS};
use crate::device::rows::ResidualSquares;
use faer::{Mat, MatRef};
use ribbonmesh::{Buffer, Device, Result};

/// Parts of rows whose products are added at the end, at most.
const PARTS: usize = 256;
/// Rows of a part, at least.
const ROWS: usize = 256;
/// Numbers of all parts, at most.
const NUMBERS: usize = 1 << 25;

/// The panels of columns.
pub fn panels(columns: usize) -> usize {
    columns.div_ceil(LANES)
}

/// Columns X, P and W, with room for two more blocks.
pub struct Space {
    device: Device,
    n: usize,
    /// Columns of X, P and W.
    pub counts: [usize; 3],
    pub x: Buffer<f64>,
    pub p: Buffer<f64>,
    pub w: Buffer<f64>,
    pub spare: [Buffer<f64>; 2],
}
impl Space {
    /// Room for blocks of `columns` columns.
    pub fn new(device: &Device, n: usize, columns: usize) -> Result<Self> {
        let block = || device.zeros::<f64>(n * panels(columns) * LANES);
        let spare = [block()?, block()?];
        Ok(Self { device: device.clone(), n, counts: [0; 3], x: block()?, p: block()?, w: block()?, spare })
    }
    /// All columns.
    pub fn columns(&self) -> usize {
        self.counts.iter().sum()
    }
    fn basis(&self) -> BasisArguments<'_> {
        basis(&self.counts, [&self.x, &self.p, &self.w])
    }
    fn panels(&self) -> usize {
        self.counts.iter().map(|&count| panels(count)).sum()
    }
    /// The place of a column among those of all panels.
    fn place(&self, column: usize) -> usize {
        let [x, p, _] = self.counts;
        let [of_x, of_p] = [LANES * panels(x), LANES * panels(p)];
        if column < x {
            column
        } else if column < x + p {
            of_x + column - x
        } else {
            of_x + of_p + column - x - p
        }
    }
    /// Products of all columns with those of W. Waits.
    pub fn products(&self) -> Result<Mat<f64>> {
        self.products_with(&self.w)
    }
    /// Products of all columns with the columns of the first spare block, as many as W has. Waits.
    pub fn products_with_spare(&self) -> Result<Mat<f64>> {
        self.products_with(&self.spare[0])
    }
    fn products_with(&self, right: &Buffer<f64>) -> Result<Mat<f64>> {
        let (left, of_right) = (self.panels(), panels(self.counts[2]));
        let (pairs, square) = (left * of_right, SQUARE as usize);
        if pairs == 0 {
            return Ok(Mat::zeros(self.columns(), self.counts[2]));
        }
        let parts = PARTS.min(self.n / ROWS).min(NUMBERS / (pairs * square)).max(1);
        let rows = self.n.div_ceil(parts);
        let parts = self.n.div_ceil(rows);
        let mut to = self.device.unspecified::<f64>(parts * pairs * square)?;
        let kernel = Gram {
            n: self.n as u32,
            rows: rows as u32,
            left: self.basis(),
            right: right.view(),
            of_right: of_right as u32,
            to: to.view_mut(),
        };
        self.device.launch((parts * pairs) as u32, kernel)?;
        let sums = add_parts(to, parts)?.read()?;
        Ok(Mat::from_fn(self.columns(), self.counts[2], |i, j| {
            let place = self.place(i);
            let pair = place / LANES * of_right + j / LANES;
            sums[square * pair + LANES * (place % LANES) + j % LANES]
        }))
    }
    /// Linear combinations of all columns, whose factors are the columns of a matrix, become W.
    pub fn replace_w(&mut self, factors: MatRef<'_, f64>) -> Result<()> {
        let coefficients = self.coefficients(factors)?;
        let Self { counts, x, p, w, spare: [to, _], .. } = self;
        combine(basis(counts, [x, p, w]), self.n, &coefficients, panels(factors.ncols()), to)?;
        std::mem::swap(w, to);
        counts[2] = factors.ncols();
        Ok(())
    }
    /// Linear combinations of all columns become X and P; W has none then.
    pub fn step(&mut self, of_x: MatRef<'_, f64>, of_p: MatRef<'_, f64>) -> Result<()> {
        let (to_x, to_p) = (self.coefficients(of_x)?, self.coefficients(of_p)?);
        let Self { counts, x, p, w, spare: [next_x, next_p], .. } = self;
        let columns = || basis(counts, [&*x, &*p, &*w]);
        combine(columns(), self.n, &to_x, panels(of_x.ncols()), next_x)?;
        combine(columns(), self.n, &to_p, panels(of_p.ncols()), next_p)?;
        std::mem::swap(x, next_x);
        std::mem::swap(p, next_p);
        *counts = [of_x.ncols(), of_p.ncols(), 0];
        Ok(())
    }
    /// Factors as kernels take them.
    fn coefficients(&self, factors: MatRef<'_, f64>) -> Result<Buffer<f64>> {
        let depth = LANES * self.panels();
        let mut numbers = vec![0.0; LANES * panels(factors.ncols()) * depth];
        for j in 0..factors.ncols() {
            for i in 0..factors.nrows() {
                numbers[4 * (j / 4 * depth + self.place(i)) + j % 4] = factors[(i, j)];
            }
        }
        self.device.upload(&numbers)
    }
    /// The lengths of the columns of A X - X Λ, where A X is the first spare block and `values` has the
    /// diagonal of Λ, with as many numbers as panels have columns. Waits.
    pub fn residuals(&self, values: &Buffer<f64>) -> Result<Vec<f64>> {
        let of_x = panels(self.counts[0]);
        let parts = PARTS.min(self.n / ROWS).max(1);
        let rows = self.n.div_ceil(parts);
        let parts = self.n.div_ceil(rows);
        let mut to = self.device.unspecified::<f64>(parts * of_x * LANES)?;
        let kernel = ResidualSquares {
            n: self.n as u32,
            rows: rows as u32,
            panels: of_x as u32,
            x: self.x.view(),
            ax: self.spare[0].view(),
            values: values.view(),
            to: to.view_mut(),
        };
        self.device.launch((parts * of_x) as u32, kernel)?;
        let squares = add_parts(to, parts)?.read()?;
        Ok(squares[..self.counts[0]].iter().map(|square| square.sqrt()).collect())
    }
}

fn basis<'a>(counts: &[usize; 3], [x, p, w]: [&'a Buffer<f64>; 3]) -> BasisArguments<'a> {
    let [of_x, of_p, of_w] = counts.map(|count| panels(count) as u32);
    BasisArguments { x: x.view(), p: p.view(), w: w.view(), of_x, of_p, of_w }
}
fn combine(
    basis: BasisArguments<'_>,
    n: usize,
    coefficients: &Buffer<f64>,
    of_to: usize,
    to: &mut Buffer<f64>,
) -> Result<()> {
    if of_to == 0 {
        return Ok(());
    }
    let (device, blocks) = (coefficients.device(), n.div_ceil(TILE_ROWS as usize) * of_to);
    let (coefficients, of_to) = (coefficients.view(), of_to as u32);
    device.launch(blocks as u32, Combine { n: n as u32, basis, coefficients, of_to, to: to.view_mut() })
}
/// The sum of several arrays, which follow each other.
fn add_parts(from: Buffer<f64>, parts: usize) -> Result<Buffer<f64>> {
    if parts == 1 {
        return Ok(from);
    }
    let (device, len) = (from.device(), from.len() / parts);
    let mut to = device.unspecified::<f64>(len)?;
    let (len, parts) = (len as u32, parts as u32);
    device.launch_each(len, AddParts { parts, len, from: from.view(), to: to.view_mut() })?;
    Ok(to)
}

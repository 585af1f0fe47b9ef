//! Columns on the device: approximations, last steps, directions.
use super::columns::{Columns, Meet, Part, ROWS, add_parts, panels};
use super::problem::{LANES, Problem};
use crate::device::rows::{CopyColumns, ResidualSquares};
use faer::Mat;
use ribbonmesh::{Buffer, Device, Result};

/// Parts of rows whose squares are added at the end, at most.
const PARTS: usize = 256;
/// At most so many active columns are one window.
const WHOLE: usize = 32;

/// Columns Q, X, P and W, with room for three more blocks.
pub struct Space {
    pub columns: Columns,
    /// Columns that have converged. What follows is orthogonal to them.
    pub locked: usize,
    pub q: Buffer<f64>,
    /// Columns of X.
    pub count: usize,
    pub x: Buffer<f64>,
    /// Columns of Y and W.
    pub active: usize,
    /// The active columns of X, beside each other.
    y: Buffer<f64>,
    /// Columns of P.
    pub steps: usize,
    p: Buffer<f64>,
    pub w: Buffer<f64>,
    pub spare: [Buffer<f64>; 2],
}
impl Space {
    /// Room for blocks of `columns` columns, and for as many columns that converge as are `wanted`.
    pub fn new(device: &Device, n: usize, columns: usize, wanted: usize) -> Result<Self> {
        let block = |columns| device.zeros::<f64>(n * panels(columns) * LANES);
        let [x, y, p, w] = [block(columns)?, block(columns)?, block(columns)?, block(columns)?];
        let (q, spare) = (block(wanted)?, [block(columns)?, block(columns)?]);
        let columns = Columns { device: device.clone(), n, kernels: cfg!(feature = "race-check") };
        Ok(Self { columns, locked: 0, q, count: 0, x, active: 0, y, steps: 0, p, w, spare })
    }
    /// How active columns meet in the small problems.
    pub fn meet(&self) -> Meet {
        if self.active <= WHOLE { Meet::All } else { Meet::Own }
    }
    /// The columns of W become X.
    pub fn begin(&mut self, columns: usize) {
        std::mem::swap(&mut self.x, &mut self.w);
        self.count = columns;
    }
    /// A X becomes the first spare block.
    pub fn multiply(&mut self, problem: &dyn Problem) -> Result<()> {
        problem.multiply(panels(self.count), &self.x, &mut self.spare[0])
    }
    /// A P and A W become the spare blocks.
    pub fn multiply_directions(&mut self, problem: &dyn Problem) -> Result<()> {
        if self.steps > 0 {
            problem.multiply(panels(self.steps), &self.p, &mut self.spare[0])?;
        }
        problem.multiply(panels(self.active), &self.w, &mut self.spare[1])
    }
    /// Q and X.
    fn known(&self) -> [Part<'_>; 2] {
        [Part::new(&self.q, self.locked), Part::new(&self.x, self.count)]
    }
    /// Products of the columns of Q and X with those of X. Waits.
    pub fn products(&self) -> Result<Mat<f64>> {
        Ok(one(self.columns.products(&self.known(), Part::new(&self.x, self.count), Meet::All)?))
    }
    /// Products of the columns of X with those of A X, the first spare block. Waits.
    pub fn energies(&self) -> Result<Mat<f64>> {
        let image = Part::new(&self.spare[0], self.count);
        Ok(one(self.columns.products(&[Part::new(&self.x, self.count)], image, Meet::All)?))
    }
    /// Products of the columns of Q and X with those of P. Waits.
    pub fn products_of_p(&self) -> Result<Mat<f64>> {
        self.columns.products(&self.known(), Part::new(&self.p, self.steps), Meet::All).map(one)
    }
    /// Products of the columns of Q and X with those of W. Waits.
    pub fn products_of_w(&self) -> Result<Mat<f64>> {
        self.columns.products(&self.known(), Part::new(&self.w, self.active), Meet::All).map(one)
    }
    /// Linear combinations of Q, X and P become P.
    pub fn replace_p(&mut self, factors: Mat<f64>) -> Result<()> {
        let Self { columns, locked, q, count, x, steps, p, spare: [to, _], .. } = self;
        let parts = [Part::new(q, *locked), Part::new(x, *count), Part::new(p, *steps)];
        let next = factors.ncols();
        columns.combine(&parts, &[factors], Meet::All, false, to)?;
        std::mem::swap(p, to);
        *steps = next;
        Ok(())
    }
    /// Adds linear combinations of Q and X to W.
    pub fn project_w(&mut self, factors: Mat<f64>) -> Result<()> {
        let Self { columns, locked, q, count, x, w, .. } = self;
        columns.combine(&[Part::new(q, *locked), Part::new(x, *count)], &[factors], Meet::All, true, w)
    }
    /// Products of the columns of Y, P and W with those of P and of W; and with those of A P and A W, the
    /// spare blocks; all for each window. Waits.
    pub fn products_of_windows(&self) -> Result<[Vec<Mat<f64>>; 4]> {
        let parts = self.directions();
        let of = |of, count| self.columns.products(&parts, Part::new(of, count), self.meet());
        let [image_of_p, image_of_w] = &self.spare;
        let (steps, active) = (self.steps, self.active);
        Ok([of(&self.p, steps)?, of(&self.w, active)?, of(image_of_p, steps)?, of(image_of_w, active)?])
    }
    fn directions(&self) -> [Part<'_>; 3] {
        [Part::new(&self.y, self.active), Part::new(&self.p, self.steps), Part::new(&self.w, self.active)]
    }
    /// For each window, linear combinations of P and W become P, and those of Y, P and W the active columns.
    pub fn step(&mut self, active: &[usize], of_p: &[Mat<f64>], of_x: &[Mat<f64>]) -> Result<()> {
        let meet = self.meet();
        let Self { columns, active: count, y, steps, p, w, spare: [next_p, next_y], .. } = self;
        let parts = [Part::new(y, *count), Part::new(p, *steps), Part::new(w, *count)];
        columns.combine(&parts[1..], of_p, meet, false, next_p)?;
        columns.combine(&parts, of_x, meet, false, next_y)?;
        std::mem::swap(p, next_p);
        std::mem::swap(y, next_y);
        self.steps = self.active;
        let Columns { device, n, .. } = &self.columns;
        copy(device, *n, (&self.y, numbers(0..active.len())), (&mut self.x, numbers(active.iter().copied())))
    }
    /// The active columns of X become Y.
    pub fn take(&mut self, active: &[usize]) -> Result<()> {
        let Columns { device, n, .. } = &self.columns;
        copy(device, *n, (&self.x, numbers(active.iter().copied())), (&mut self.y, numbers(0..active.len())))
    }
    /// Linear combinations of the columns of Q and X become X.
    pub fn replace(&mut self, factors: Mat<f64>) -> Result<()> {
        let Self { columns, locked, q, count, x, spare: [to, _], .. } = self;
        let next = factors.ncols();
        columns.combine(&[Part::new(q, *locked), Part::new(x, *count)], &[factors], Meet::All, false, to)?;
        std::mem::swap(x, to);
        *count = next;
        Ok(())
    }
    /// The first columns of X go to the end of Q. Overwrites the second spare block.
    pub fn lock(&mut self, columns: usize) -> Result<()> {
        let Self { columns: Columns { device, n, .. }, locked, q, count, x, spare: [_, to], .. } = self;
        copy(device, *n, (x, numbers(0..columns)), (q, numbers(*locked..*locked + columns)))?;
        copy(device, *n, (x, numbers(columns..*count)), (to, numbers(0..*count - columns)))?;
        std::mem::swap(x, to);
        *locked += columns;
        *count -= columns;
        Ok(())
    }
    /// The lengths of the columns of A X - X Λ, where A X is the first spare block and `values` has the
    /// diagonal of Λ, with as many numbers as panels have columns. Waits.
    pub fn residuals(&self, values: &Buffer<f64>) -> Result<Vec<f64>> {
        let (of_x, Columns { device, n, .. }) = (panels(self.count), &self.columns);
        let parts = PARTS.min(n / ROWS).max(1);
        let rows = n.div_ceil(parts);
        let parts = n.div_ceil(rows);
        let mut to = device.unspecified::<f64>(parts * of_x * LANES)?;
        let kernel = ResidualSquares {
            n: *n as u32,
            rows: rows as u32,
            panels: of_x as u32,
            x: self.x.view(),
            ax: self.spare[0].view(),
            values: values.view(),
            to: to.view_mut(),
        };
        device.launch((parts * of_x) as u32, kernel)?;
        let squares = add_parts(to, parts)?.read()?;
        Ok(squares[..self.count].iter().map(|square| square.sqrt()).collect())
    }
}
/// The one matrix of columns that all meet.
fn one(found: Vec<Mat<f64>>) -> Mat<f64> {
    found.into_iter().next().unwrap_or_else(|| Mat::zeros(0, 0))
}
fn numbers(of: impl Iterator<Item = usize>) -> Vec<u32> {
    of.map(|j| j as u32).collect()
}
/// The listed columns of panels of `n` rows into the listed columns of other panels.
fn copy(
    device: &Device,
    n: usize,
    (from, list): (&Buffer<f64>, Vec<u32>),
    (to, to_list): (&mut Buffer<f64>, Vec<u32>),
) -> Result<()> {
    let columns = list.len();
    if columns == 0 {
        return Ok(());
    }
    let (list, to_list) = (device.upload(&list)?, device.upload(&to_list)?);
    let kernel = CopyColumns {
        n: n as u32,
        columns: columns as u32,
        list: list.view(),
        from: from.view(),
        to_list: to_list.view(),
        to: to.view_mut(),
    };
    device.launch_each((n * columns) as u32, kernel)
}

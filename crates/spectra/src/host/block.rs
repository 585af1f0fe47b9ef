//! Columns on the device: approximations, last steps, directions.
use super::cores;
use super::problem::LANES;
use crate::device::panel::BasisArguments;
use crate::device::products::{AddParts, Combine, Gram, SQUARE, TILE_ROWS};
use crate::device::rows::{CopyColumns, ResidualSquares};
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

/// Columns Q, X, P and W, with room for two more blocks.
pub struct Space {
    device: Device,
    n: usize,
    /// Whether kernels have the work on columns where the CPU's cores could.
    kernels: bool,
    /// Columns that have converged. What follows is orthogonal to them.
    pub locked: usize,
    pub q: Buffer<f64>,
    /// Columns of X, P and W.
    pub counts: [usize; 3],
    pub x: Buffer<f64>,
    pub p: Buffer<f64>,
    pub w: Buffer<f64>,
    pub spare: [Buffer<f64>; 2],
}
impl Space {
    /// Room for blocks of `columns` columns, and for as many columns that converge as are `wanted`.
    pub fn new(device: &Device, n: usize, columns: usize, wanted: usize) -> Result<Self> {
        let block = |columns| device.zeros::<f64>(n * panels(columns) * LANES);
        let [x, p, w] = [block(columns)?, block(columns)?, block(columns)?];
        let (q, spare) = (block(wanted)?, [block(columns)?, block(columns)?]);
        let kernels = cfg!(feature = "race-check");
        Ok(Self { device: device.clone(), n, kernels, locked: 0, q, counts: [0; 3], x, p, w, spare })
    }
    /// Columns of X, P and W together.
    pub fn columns(&self) -> usize {
        self.counts.iter().sum()
    }
    /// The columns of Q, if `all`, X, P and W.
    fn parts(&self, all: bool) -> [usize; 4] {
        let [x, p, w] = self.counts;
        [if all { self.locked } else { 0 }, x, p, w]
    }
    fn basis(&self, parts: &[usize; 4]) -> BasisArguments<'_> {
        basis(parts, [&self.q, &self.x, &self.p, &self.w])
    }
    /// Products of the columns of Q, X, P and W with those of W. Waits.
    pub fn products(&self) -> Result<Mat<f64>> {
        self.products_with(&self.parts(true), &self.w)
    }
    /// Products of the columns of X, P and W with the columns of the first spare block, as many as W has.
    /// Waits.
    pub fn products_with_spare(&self) -> Result<Mat<f64>> {
        self.products_with(&self.parts(false), &self.spare[0])
    }
    fn products_with(&self, parts: &[usize; 4], right: &Buffer<f64>) -> Result<Mat<f64>> {
        let (places, columns) = (places(parts), self.counts[2]);
        if places.is_empty() || columns == 0 {
            return Ok(Mat::zeros(places.len(), columns));
        }
        let by_cores = if self.kernels { None } else { self.products_by_cores(parts, right) };
        let all = match by_cores {
            Some(all) => all,
            None => self.products_by_kernels(parts, right)?,
        };
        Ok(Mat::from_fn(places.len(), columns, |i, j| all[(places[i], j)]))
    }
    fn products_by_cores(&self, parts: &[usize; 4], right: &Buffer<f64>) -> Option<Mat<f64>> {
        let left = cores::panels(self.n, parts, [&self.q, &self.x, &self.p, &self.w])?;
        let right = cores::panels(self.n, &[self.counts[2], 0, 0, 0], [right; 4])?;
        Some(self.device.install(|| cores::products(self.n, &left, &right)))
    }
    fn products_by_kernels(&self, parts_of_left: &[usize; 4], right: &Buffer<f64>) -> Result<Mat<f64>> {
        let (left, of_right) = (all_panels(parts_of_left), panels(self.counts[2]));
        let (pairs, square) = (left * of_right, SQUARE as usize);
        let parts = PARTS.min(self.n / ROWS).min(NUMBERS / (pairs * square)).max(1);
        let rows = self.n.div_ceil(parts);
        let parts = self.n.div_ceil(rows);
        let mut to = self.device.unspecified::<f64>(parts * pairs * square)?;
        let kernel = Gram {
            n: self.n as u32,
            rows: rows as u32,
            left: self.basis(parts_of_left),
            right: right.view(),
            of_right: of_right as u32,
            to: to.view_mut(),
        };
        self.device.launch((parts * pairs) as u32, kernel)?;
        let sums = add_parts(to, parts)?.read()?;
        Ok(Mat::from_fn(LANES * left, LANES * of_right, |i, j| {
            let pair = i / LANES * of_right + j / LANES;
            sums[square * pair + LANES * (i % LANES) + j % LANES]
        }))
    }
    /// Linear combinations of the columns of Q, X, P and W, whose factors are the columns of a matrix, become
    /// W.
    pub fn replace_w(&mut self, factors: MatRef<'_, f64>) -> Result<()> {
        let parts = self.parts(true);
        let Self { counts, q, x, p, w, spare: [to, _], .. } = self;
        combine(self.n, &parts, [q, x, p, w], factors, to, self.kernels)?;
        std::mem::swap(w, to);
        counts[2] = factors.ncols();
        Ok(())
    }
    /// Linear combinations of the columns of X, P and W become X and P; W has none then.
    pub fn step(&mut self, of_x: MatRef<'_, f64>, of_p: MatRef<'_, f64>) -> Result<()> {
        let parts = self.parts(false);
        let Self { counts, q, x, p, w, spare: [next_x, next_p], .. } = self;
        combine(self.n, &parts, [q, x, p, w], of_x, next_x, self.kernels)?;
        combine(self.n, &parts, [q, x, p, w], of_p, next_p, self.kernels)?;
        std::mem::swap(x, next_x);
        std::mem::swap(p, next_p);
        *counts = [of_x.ncols(), of_p.ncols(), 0];
        Ok(())
    }
    /// The first columns of X go to the end of Q. Overwrites the first spare block.
    pub fn lock(&mut self, columns: usize) -> Result<()> {
        let Self { device, n, locked, q, counts: [of_x, ..], x, spare: [to, _], .. } = self;
        copy(device, *n, columns, (x, 0), (q, *locked))?;
        copy(device, *n, *of_x - columns, (x, columns), (to, 0))?;
        std::mem::swap(x, to);
        *locked += columns;
        *of_x -= columns;
        Ok(())
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

fn basis<'a>(parts: &[usize; 4], [q, x, p, w]: [&'a Buffer<f64>; 4]) -> BasisArguments<'a> {
    let [of_q, of_x, of_p, of_w] = parts.map(|count| panels(count) as u32);
    BasisArguments { q: q.view(), x: x.view(), p: p.view(), w: w.view(), of_q, of_x, of_p, of_w }
}
fn all_panels(parts: &[usize; 4]) -> usize {
    parts.iter().map(|&count| panels(count)).sum()
}
/// The place of each column of the parts among those of all panels.
fn places(parts: &[usize; 4]) -> Vec<usize> {
    let (mut places, mut first) = (vec![], 0);
    for &count in parts {
        places.extend(first..first + count);
        first += LANES * panels(count);
    }
    places
}
/// Columns of panels of `n` rows, from a column on, into other panels, from a column on.
fn copy(
    device: &Device,
    n: usize,
    columns: usize,
    (from, first): (&Buffer<f64>, usize),
    (to, to_first): (&mut Buffer<f64>, usize),
) -> Result<()> {
    if columns == 0 {
        return Ok(());
    }
    let kernel = CopyColumns {
        n: n as u32,
        columns: columns as u32,
        first: first as u32,
        from: from.view(),
        to_first: to_first as u32,
        to: to.view_mut(),
    };
    device.launch_each((n * columns) as u32, kernel)
}
/// Linear combinations of the columns of the parts, whose factors are the columns of a matrix.
fn combine(
    n: usize,
    parts: &[usize; 4],
    columns: [&Buffer<f64>; 4],
    factors: MatRef<'_, f64>,
    to: &mut Buffer<f64>,
    kernels: bool,
) -> Result<()> {
    let (places, of_to) = (places(parts), panels(factors.ncols()));
    if of_to == 0 {
        return Ok(());
    }
    let device = to.device().clone();
    if let (false, Some(of), Some(to)) = (kernels, cores::panels(n, parts, columns), to.host_slice_mut()) {
        let mut padded = Mat::zeros(LANES * of.len(), LANES * of_to);
        for j in 0..factors.ncols() {
            places.iter().enumerate().for_each(|(i, &place)| padded[(place, j)] = factors[(i, j)]);
        }
        device.install(|| cores::combine(n, &of, padded.as_ref(), to));
        return Ok(());
    }
    let depth = LANES * all_panels(parts);
    let mut numbers = vec![0.0; LANES * of_to * depth];
    for j in 0..factors.ncols() {
        for (i, place) in places.iter().enumerate() {
            numbers[4 * (j / 4 * depth + place) + j % 4] = factors[(i, j)];
        }
    }
    let (coefficients, blocks) = (device.upload(&numbers)?, n.div_ceil(TILE_ROWS as usize) * of_to);
    let kernel = Combine {
        n: n as u32,
        basis: basis(parts, columns),
        coefficients: coefficients.view(),
        of_to: of_to as u32,
        to: to.view_mut(),
    };
    device.launch(blocks as u32, kernel)
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

#[cfg(test)]
mod tests {
    use super::{LANES, Space, panels};
    use faer::Mat;
    use ribbonmesh::Device;

    /// Columns of numbers that look random, in panels; whatever is beyond the columns does not count.
    fn space(kernels: bool, n: usize) -> Space {
        let device = Device::cpu();
        let mut space = Space::new(&device, n, 40, 20).expect("memory");
        (space.kernels, space.locked, space.counts) = (kernels, 18, [40, 33, 17]);
        let number = |i: usize| ((i * 7919 + 104_729) % 10_007) as f64 / 10_007.0 - 0.5;
        let columns = |count: usize, first: usize| {
            let all: Vec<f64> = (0..n * LANES * panels(count)).map(|i| number(i + first)).collect();
            device.upload(&all).expect("memory")
        };
        (space.q, space.x) = (columns(20, 1), columns(40, 2));
        (space.p, space.w) = (columns(40, 3), columns(40, 4));
        space
    }
    fn near(a: &Mat<f64>, b: &Mat<f64>) {
        assert_eq!(a.shape(), b.shape());
        let most = (a - b).norm_max();
        assert!(most < 1e-10, "{most}");
    }

    /// Kernels and cores have the same products and combinations.
    #[test]
    fn two_ways() {
        for n in [1, 100, 5000] {
            let [mut one, mut two] = [space(true, n), space(false, n)];
            near(&one.products().expect("memory"), &two.products().expect("memory"));
            let factors =
                |rows, columns| Mat::from_fn(rows, columns, |i, j| ((3 * i + 5 * j) % 11) as f64 / 11.0);
            let of_w = factors(18 + 40 + 33 + 17, 12);
            for space in [&mut one, &mut two] {
                space.replace_w(of_w.as_ref()).expect("memory");
            }
            near(&one.products().expect("memory"), &two.products().expect("memory"));
            let [of_x, of_p] = [factors(40 + 33 + 12, 29), factors(40 + 33 + 12, 10)];
            for space in [&mut one, &mut two] {
                space.step(of_x.as_ref(), of_p.as_ref()).expect("memory");
                space.lock(2).expect("memory");
                assert_eq!((space.locked, space.counts), (20, [27, 10, 0]));
                space.counts[2] = 5;
            }
            let [a, b] = [&one, &two].map(|space| {
                let [q, x, p] = [&space.q, &space.x, &space.p].map(|own| own.read().expect("memory"));
                [&q[..n * LANES], &x[..n * LANES], &p[..0]].concat()
            });
            assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-10));
        }
    }
}

//! Products and linear combinations of columns in panels.
use super::cores;
use super::problem::LANES;
use crate::device::panel::BasisArguments;
use crate::device::products::{AddParts, Combine, Gram, SQUARE, TILE_ROWS};
use faer::Mat;
use ribbonmesh::{Buffer, Device, Result};
use std::ops::Range;

/// Parts of rows whose products are added at the end, at most.
const PARTS: usize = 256;
/// Rows of a part, at least.
pub const ROWS: usize = 256;
/// Numbers of all parts, at most.
const NUMBERS: usize = 1 << 25;

/// The panels of columns.
pub fn panels(columns: usize) -> usize {
    columns.div_ceil(LANES)
}

/// Some columns: the first ones of panels.
#[derive(Clone, Copy)]
pub struct Part<'a> {
    pub of: &'a Buffer<f64>,
    pub count: usize,
}
impl<'a> Part<'a> {
    pub fn new(of: &'a Buffer<f64>, count: usize) -> Self {
        Self { of, count }
    }
}
/// Which columns meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Meet {
    /// All.
    All,
    /// Those of a panel of the right or the result meet those of the panels with the same number. Parts have
    /// as many columns as the right, or none.
    Own,
}
impl Meet {
    /// The ranges of columns of the right, each of which has a matrix.
    pub fn windows(self, columns: usize) -> Vec<Range<usize>> {
        let width = match self {
            Self::All => columns.max(1),
            Self::Own => LANES,
        };
        (0..columns.max(1)).step_by(width).map(|at| at..columns.min(at + width)).collect()
    }
    /// Panels of a part that a panel meets.
    fn panels(self, columns: usize) -> usize {
        match self {
            Self::All => panels(columns),
            Self::Own => panels(columns).min(1),
        }
    }
    fn panels_of(self, of: &[Part<'_>]) -> usize {
        of.iter().map(|part| self.panels(part.count)).sum()
    }
    /// The place of each column of parts that a window meets among those of all panels.
    fn places(self, of: &[Part<'_>], window: &Range<usize>) -> Vec<usize> {
        let (mut places, mut first) = (vec![], 0);
        for part in of {
            let count = match self {
                Self::All => part.count,
                Self::Own => window.len().min(part.count),
            };
            places.extend(first..first + count);
            first += LANES * self.panels(part.count);
        }
        places
    }
}

/// Work on columns of `n` rows.
pub struct Columns {
    pub device: Device,
    pub n: usize,
    /// Whether kernels have the work where the CPU's cores could.
    pub kernels: bool,
}
impl Columns {
    /// Products of the columns of parts with those of the right that they meet: a matrix for each window.
    /// Waits.
    pub fn products(&self, left: &[Part<'_>], right: Part<'_>, meet: Meet) -> Result<Vec<Mat<f64>>> {
        let windows = meet.windows(right.count);
        let all = meet.panels_of(left);
        if all == 0 || right.count == 0 {
            return Ok(windows.into_iter().map(|window| Mat::zeros(0, window.len())).collect());
        }
        let by_cores = if self.kernels { None } else { self.products_by_cores(left, right, meet) };
        let squares = match by_cores {
            Some(found) => found,
            None => self.products_by_kernels(left, right, meet)?,
        };
        let take = |(window, all): (Range<usize>, Mat<f64>)| {
            let places = meet.places(left, &window);
            Mat::from_fn(places.len(), window.len(), |i, j| all[(places[i], j)])
        };
        Ok(windows.into_iter().zip(squares).map(take).collect())
    }
    fn products_by_cores(&self, left: &[Part<'_>], right: Part<'_>, meet: Meet) -> Option<Vec<Mat<f64>>> {
        let of_window = |window: Range<usize>| {
            let [left, right] = [left, &[right]].map(|of| cores::panels(self.n, of, meet, &window));
            Some(cores::products(self.n, &left?, &right?))
        };
        self.device.install(|| meet.windows(right.count).into_iter().map(of_window).collect())
    }
    fn products_by_kernels(&self, left: &[Part<'_>], right: Part<'_>, meet: Meet) -> Result<Vec<Mat<f64>>> {
        let (of_left, of_right) = (meet.panels_of(left), panels(right.count));
        let (pairs, square) = (of_left * of_right, SQUARE as usize);
        let parts = PARTS.min(self.n / ROWS).min(NUMBERS / (pairs * square)).max(1);
        let rows = self.n.div_ceil(parts);
        let parts = self.n.div_ceil(rows);
        let mut to = self.device.unspecified::<f64>(parts * pairs * square)?;
        let kernel = Gram {
            n: self.n as u32,
            rows: rows as u32,
            left: basis(left, meet),
            right: right.of.view(),
            of_right: of_right as u32,
            to: to.view_mut(),
        };
        self.device.launch((parts * pairs) as u32, kernel)?;
        let sums = add_parts(to, parts)?.read()?;
        let number = |first: usize, i: usize, j: usize| {
            let pair = i / LANES * of_right + first + j / LANES;
            sums[square * pair + LANES * (i % LANES) + j % LANES]
        };
        Ok(meet
            .windows(right.count)
            .into_iter()
            .map(|window| {
                let columns = LANES * panels(window.len());
                Mat::from_fn(LANES * of_left, columns, |i, j| number(window.start / LANES, i, j))
            })
            .collect())
    }
    /// Linear combinations of the columns of parts, whose factors are the columns of a matrix for each
    /// window, into `to`, or added to it. Does not wait.
    pub fn combine(
        &self,
        of: &[Part<'_>],
        factors: &[Mat<f64>],
        meet: Meet,
        add: bool,
        to: &mut Buffer<f64>,
    ) -> Result<()> {
        let columns = factors.iter().map(Mat::ncols).sum();
        let (windows, depth) = (meet.windows(columns), LANES * meet.panels_of(of));
        if columns == 0 {
            return Ok(());
        }
        if !self.kernels && to.host_slice().is_some() {
            for (window, factors) in windows.iter().zip(factors) {
                let (places, width) = (meet.places(of, window), LANES * panels(window.len()));
                let mut padded = Mat::zeros(depth, width);
                for j in 0..factors.ncols() {
                    places.iter().enumerate().for_each(|(i, &place)| padded[(place, j)] = factors[(i, j)]);
                }
                let from = cores::panels(self.n, of, meet, window).unwrap_or_default();
                let to = to.host_slice_mut().unwrap_or_default();
                let to = &mut to[self.n * window.start..][..self.n * width];
                self.device.install(|| cores::combine(self.n, &from, padded.as_ref(), add, to));
            }
            return Ok(());
        }
        let of_to = panels(columns);
        let mut numbers = vec![0.0; LANES * of_to * depth];
        for (window, factors) in windows.iter().zip(factors) {
            let places = meet.places(of, window);
            for (j, column) in window.clone().enumerate() {
                for (i, place) in places.iter().enumerate() {
                    numbers[4 * (column / 4 * depth + place) + column % 4] = factors[(i, j)];
                }
            }
        }
        let coefficients = self.device.upload(&numbers)?;
        let kernel = Combine {
            n: self.n as u32,
            basis: basis(of, meet),
            coefficients: coefficients.view(),
            of_to: of_to as u32,
            add: u32::from(add),
            to: to.view_mut(),
        };
        self.device.launch((self.n.div_ceil(TILE_ROWS as usize) * of_to) as u32, kernel)
    }
}
fn basis<'a>(of: &[Part<'a>], meet: Meet) -> BasisArguments<'a> {
    let part = |k: usize| of.get(k).copied().unwrap_or(Part { count: 0, ..of[0] });
    let [a, b, c, d] = [0, 1, 2, 3].map(|k| part(k).of.view());
    let [of_a, of_b, of_c, of_d] = [0, 1, 2, 3].map(|k| meet.panels(part(k).count) as u32);
    BasisArguments { a, b, c, d, of_a, of_b, of_c, of_d, own: u32::from(meet == Meet::Own) }
}
/// The sum of several arrays, which follow each other.
pub fn add_parts(from: Buffer<f64>, parts: usize) -> Result<Buffer<f64>> {
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
    use super::{Columns, LANES, Meet, Part, panels};
    use faer::Mat;
    use ribbonmesh::{Buffer, Device};

    /// Columns of numbers that look random, in panels; whatever is beyond the columns does not count.
    fn columns(n: usize, count: usize, first: usize) -> Buffer<f64> {
        let number = |i: usize| ((i * 7919 + 104_729) % 10_007) as f64 / 10_007.0 - 0.5;
        let all: Vec<f64> = (0..n * LANES * panels(count)).map(|i| number(i + first)).collect();
        Device::cpu().upload(&all).expect("memory")
    }
    /// The columns as a matrix.
    fn plain(n: usize, part: Part<'_>) -> Mat<f64> {
        let all = part.of.read().expect("memory");
        Mat::from_fn(n, part.count, |i, j| all[LANES * (n * (j / LANES) + i) + j % LANES])
    }
    fn beside(parts: &[Mat<f64>]) -> Mat<f64> {
        let mut all = Mat::zeros(parts[0].nrows(), parts.iter().map(Mat::ncols).sum());
        let mut first = 0;
        for part in parts {
            all.subcols_mut(first, part.ncols()).copy_from(part);
            first += part.ncols();
        }
        all
    }
    fn near(a: &Mat<f64>, b: &Mat<f64>) {
        assert_eq!(a.shape(), b.shape());
        let most = (a - b).norm_max();
        assert!(most < 1e-10, "{most}");
    }

    /// Kernels and cores have the products and combinations of plain matrices.
    #[test]
    fn two_ways() {
        for (n, kernels) in [1, 100, 5000].into_iter().flat_map(|n| [(n, false), (n, true)]) {
            let work = Columns { device: Device::cpu(), n, kernels };
            let [a, b, c, d] = [(18, 1), (40, 2), (40, 3), (40, 4)].map(|(count, k)| columns(n, count, k));
            for (meet, left) in [
                (Meet::All, vec![Part::new(&a, 18), Part::new(&b, 40), Part::new(&c, 33)]),
                (Meet::Own, vec![Part::new(&b, 37), Part::new(&c, 0), Part::new(&c, 37)]),
            ] {
                let right = Part::new(&d, 37);
                let found = work.products(&left, right, meet).expect("memory");
                let mut to = columns(n, 37, 5);
                let before = plain(n, Part::new(&to, 37));
                let factors: Vec<Mat<f64>> = (found.iter())
                    .map(|own| {
                        Mat::from_fn(own.nrows(), own.ncols(), |i, j| ((3 * i + 5 * j) % 11) as f64 / 11.0)
                    })
                    .collect();
                work.combine(&left, &factors, meet, true, &mut to).expect("memory");
                let added = plain(n, Part::new(&to, 37));
                work.combine(&left, &factors, meet, false, &mut to).expect("memory");
                let replaced = plain(n, Part::new(&to, 37));
                for (k, window) in meet.windows(37).into_iter().enumerate() {
                    let own = |part: &Part<'_>| {
                        let all = plain(n, *part);
                        match meet {
                            Meet::All => all,
                            Meet::Own if part.count == 0 => Mat::zeros(n, 0),
                            Meet::Own => all.subcols(window.start, window.len()).to_owned(),
                        }
                    };
                    let (left, right) = (beside(&left.iter().map(own).collect::<Vec<_>>()), plain(n, right));
                    near(&found[k], &(left.transpose() * right.subcols(window.start, window.len())));
                    let expected = &left * &factors[k];
                    near(&replaced.subcols(window.start, window.len()).to_owned(), &expected);
                    near(
                        &added.subcols(window.start, window.len()).to_owned(),
                        &(before.subcols(window.start, window.len()) + expected),
                    );
                }
            }
        }
    }
}

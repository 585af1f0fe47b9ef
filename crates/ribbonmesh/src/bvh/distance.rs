//! The distance between two surfaces.
use crate::bvh::SampledSurface;
use crate::bvh::kernels::distance::{MeasurePoints, SUMMED, SumUpPoints};
use crate::bvh::kernels::query::POINTS;
use crate::{Buffer, Error, Result};
use serde::Serialize;

/// Options of [`distance`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DistanceOptions {
    /// Number of random points on each surface, in addition to its vertices.
    pub samples: u32,
    /// Seed of the random points.
    pub seed: u64,
}
impl Default for DistanceOptions {
    fn default() -> Self {
        Self { samples: 500_000, seed: 0 }
    }
}

/// Distances between two surfaces, in the units of their positions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Distance {
    /// From points of the first surface to the second.
    pub a_to_b: OneWay,
    /// From points of the second surface to the first.
    pub b_to_a: OneWay,
    /// Both directions together: the larger Hausdorff distance; mean and root mean square over the random
    /// points of both.
    pub symmetric: Figures,
    /// `symmetric` divided by `diagonal`; `None` if the diagonal is 0.
    pub relative: Option<Figures>,
    /// The diagonal of the first surface's bounding box.
    pub diagonal: f64,
}

impl Distance {
    /// Both directions together. `both` has mean and root mean square over the random points of both, and
    /// `diagonal` is that of the first surface's bounding box.
    pub fn of([a_to_b, b_to_a]: [OneWay; 2], both: Figures, diagonal: f64) -> Self {
        let hausdorff = a_to_b.figures.hausdorff.max(b_to_a.figures.hausdorff);
        let symmetric = Figures { hausdorff, ..both };
        let relative = (diagonal > 0.0).then(|| symmetric.over(diagonal));
        Self { a_to_b, b_to_a, symmetric, relative, diagonal }
    }
}

/// Statistics of distances.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// The largest distance.
    pub hausdorff: f64,
    /// The mean over the random points; `None` without random points.
    pub mean: Option<f64>,
    /// The root mean square over the random points; `None` without random points.
    pub rms: Option<f64>,
}
impl Figures {
    fn over(self, diagonal: f64) -> Self {
        let relative = |x: f64| x / diagonal;
        Self {
            hausdorff: relative(self.hausdorff),
            mean: self.mean.map(relative),
            rms: self.rms.map(relative),
        }
    }
}

/// Distances from points of one surface to another surface.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OneWay {
    /// Number of measured vertices. They count for the largest distance only.
    pub vertices: u64,
    /// Number of random points; 0 where the surface has no area.
    pub samples: u64,
    /// The largest distance of all points, and mean and root mean square over the random points.
    #[serde(flatten)]
    pub figures: Figures,
    /// A point with the largest distance.
    pub at: [f32; 3],
}

/// The distances between two surfaces on one device: from the vertices and random points of each surface to
/// the other.
///
/// The measured largest distance is a lower bound of the Hausdorff distance. Random points are stratified by
/// parts of equal area, as in Metro (Cignoni, Rocchini, Scopigno 1998, 3.1), so that mean and root mean
/// square estimate the same over the surface. One closest-point search per vertex and random point. One
/// machine gives the same result in every run; machines agree up to rounding.
/// # Errors
/// [`Error::OtherDevice`]; out of memory; errors of the driver.
pub fn distance(a: &SampledSurface, b: &SampledSurface, options: &DistanceOptions) -> Result<Distance> {
    if !a.bvh().device().same(b.bvh().device()) {
        return Err(Error::OtherDevice { what: "the second surface" });
    }
    let mut found = a.bvh().device().unspecified::<u64>(4 * WORDS)?;
    let of_a = measure_one_way(a, b, options, 0, &mut found)?;
    let of_b = measure_one_way(b, a, options, 2, &mut found)?;
    let found = found.read()?;
    let [(a_to_b, a_sums), (b_to_a, b_sums)] = [(of_a, 0), (of_b, 2)].map(|(of, at)| one_way(of, at, &found));
    Ok(Distance::of([a_to_b, b_to_a], a_sums.and(&b_sums).figures(), a.diagonal()))
}

/// Words for each list of points.
const WORDS: usize = SUMMED as usize;

/// Measures from the vertices and from random points of a surface to another one: places `at` and `at + 1` of
/// `found`. Returns the numbers of both; does not wait. One launch searches for both, so that no lone end of
/// it leaves most of a GPU idle.
fn measure_one_way(
    from: &SampledSurface,
    to: &SampledSurface,
    options: &DistanceOptions,
    at: usize,
    found: &mut Buffer<u64>,
) -> Result<[usize; 2]> {
    let random = from.sample(options.samples, options.seed)?;
    let (bvh, vertices) = (to.bvh(), from.vertices());
    let device = bvh.device();
    let blocks: usize = [vertices, &random].map(|points| points.len().div_ceil(POINTS as usize)).iter().sum();
    let mut sums = device.unspecified::<[f64; 2]>(blocks)?;
    let mut farthest = device.unspecified::<u64>(blocks)?;
    let (points, others) = (vertices.view(), random.view());
    let kernel = MeasurePoints {
        bvh: bvh.view(),
        points,
        others,
        sums: sums.view_mut(),
        farthest: farthest.view_mut(),
    };
    device.launch(blocks as u32, kernel)?;
    let kernel = SumUpPoints {
        points,
        others,
        sums: sums.view(),
        farthest: farthest.view(),
        at: (at * WORDS) as u32,
        to: found.view_mut(),
    };
    device.launch(2, kernel)?;
    Ok([vertices.len(), random.len()])
}
fn one_way([vertices, samples]: [usize; 2], at: usize, found: &[u64]) -> (OneWay, Sums) {
    let (vertices, samples) = (Sums::of(vertices, at, found), Sums::of(samples, at + 1, found));
    let farthest = if samples.farthest > vertices.farthest { &samples } else { &vertices };
    let figures = Figures { hausdorff: farthest.farthest.into(), ..samples.figures() };
    (OneWay { vertices: vertices.n, samples: samples.n, figures, at: farthest.at }, samples)
}

/// Distances of some points, added up.
struct Sums {
    n: u64,
    sum: f64,
    squares: f64,
    /// The largest.
    farthest: f32,
    /// The first point that has it.
    at: [f32; 3],
}
impl Sums {
    /// Those of `n` points, from a place of what was found.
    fn of(n: usize, at: usize, found: &[u64]) -> Self {
        let words: &[u64; WORDS] = &found.as_chunks().0[at];
        let (high, low) =
            (|word: u64| f32::from_bits((word >> 32) as u32), |word: u64| f32::from_bits(word as u32));
        Self {
            n: n as u64,
            sum: f64::from_bits(words[0]),
            squares: f64::from_bits(words[1]),
            farthest: high(words[2]),
            at: [high(words[3]), low(words[3]), low(words[4])],
        }
    }
    fn and(&self, other: &Self) -> Self {
        let (sum, squares) = (self.sum + other.sum, self.squares + other.squares);
        Self { n: self.n + other.n, sum, squares, ..*self }
    }
    fn figures(&self) -> Figures {
        let mean = |sum: f64| (self.n > 0).then(|| sum / self.n as f64);
        Figures {
            hausdorff: self.farthest.into(),
            mean: mean(self.sum),
            rms: mean(self.squares).map(f64::sqrt),
        }
    }
}

//! Statistics of values that come one by one.
use serde::Serialize;

/// Count, range, mean and standard deviation of a set of values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// Number of values.
    pub count: u64,
    /// The smallest value.
    pub min: f64,
    /// The largest value.
    pub max: f64,
    /// The mean.
    pub mean: f64,
    /// Square root of the mean squared difference from the mean.
    pub standard_deviation: f64,
}

/// Values so far (B. P. Welford, *Note on a method for calculating corrected sums of squares and products*,
/// 1962).
#[derive(Clone, Copy, Debug)]
pub struct Values {
    count: u64,
    min: f64,
    max: f64,
    mean: f64,
    squares: f64,
}
impl Values {
    /// Before the first one.
    pub const NONE: Self =
        Self { count: 0, min: f64::INFINITY, max: f64::NEG_INFINITY, mean: 0.0, squares: 0.0 };

    /// Adds a value.
    #[inline]
    pub fn add(&mut self, x: f64) {
        self.count += 1;
        let apart = x - self.mean;
        self.mean += apart / self.count as f64;
        self.squares += apart * (x - self.mean);
        (self.min, self.max) = (self.min.min(x), self.max.max(x));
    }
    /// The statistics; [`None`] without a value.
    pub fn spread(&self) -> Option<Spread> {
        let Self { count, min, max, mean, squares } = *self;
        let standard_deviation = (squares / count as f64).sqrt();
        (count > 0).then_some(Spread { count, min, max, mean, standard_deviation })
    }
}

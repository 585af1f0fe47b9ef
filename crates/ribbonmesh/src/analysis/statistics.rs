//! Statistics of a distribution.
use rayon::prelude::*;

/// Values that one task adds up. Fixed, so that sums do not depend on the number of threads.
const CHUNK: usize = 1 << 14;

/// Count, range, mean and standard deviation of a set of values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistics {
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
impl Statistics {
    /// The statistics of `value(i)` for `i` below `n`. Values that are `None` or not finite do not count;
    /// returns `None` if no value counts. The result does not depend on the number of threads.
    pub fn of(n: usize, value: impl Fn(usize) -> Option<f64> + Sync) -> Option<Self> {
        let values = |chunk: usize| {
            let end = n.min((chunk + 1) * CHUNK);
            (chunk * CHUNK..end).filter_map(&value).filter(|x| x.is_finite())
        };
        let chunks = n.div_ceil(CHUNK);
        let start = (0_u64, 0.0, f64::INFINITY, f64::NEG_INFINITY);
        let of_chunk = |chunk| {
            values(chunk)
                .fold(start, |(count, sum, min, max), x| (count + 1, sum + x, x.min(min), x.max(max)))
        };
        let parts: Vec<_> = (0..chunks).into_par_iter().map(of_chunk).collect();
        let (count, sum, min, max) =
            parts.into_iter().fold(start, |a, b| (a.0 + b.0, a.1 + b.1, a.2.min(b.2), a.3.max(b.3)));
        if count == 0 {
            return None;
        }
        let mean = sum / count as f64;
        let squares = |chunk| values(chunk).map(|x| (x - mean).powi(2)).sum();
        let squares: Vec<f64> = (0..chunks).into_par_iter().map(squares).collect();
        let standard_deviation = (squares.iter().sum::<f64>() / count as f64).sqrt();
        Some(Self { count, min, max, mean, standard_deviation })
    }
}

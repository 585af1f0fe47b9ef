//! Statistics and histograms of a distribution.
use rayon::prelude::*;
use serde::Serialize;

/// Values that one task counts. Fixed, so that sums do not depend on the number of threads.
const CHUNK: usize = 1 << 14;

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

/// Statistics and a histogram of a set of values.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Histogram {
    /// Statistics of all values.
    #[serde(flatten)]
    pub spread: Spread,
    /// Lower end of the first bin.
    pub from: f64,
    /// Upper end of the last bin.
    pub to: f64,
    /// Number of values in each bin; all bins have the same width. A value at the border of two bins counts
    /// in the upper one.
    pub bins: Vec<u64>,
    /// Number of values below the first bin.
    pub below: u64,
    /// Number of values at or above the end of the last bin.
    pub above: u64,
}

#[derive(Clone)]
struct Part {
    count: u64,
    sum: f64,
    ends: [f64; 2],
    /// Below, the bins, above.
    bins: Vec<u64>,
}

impl Histogram {
    /// The histogram of `value(i)` for `i` below `n`, in `bins` bins (at least one) of equal width. Values
    /// that are `None` or not finite do not count; returns `None` if no value counts. Linear, in parallel;
    /// the result does not depend on the number of threads.
    pub(crate) fn of(
        n: usize,
        [from, to]: [f64; 2],
        bins: usize,
        value: impl Fn(usize) -> Option<f64> + Sync,
    ) -> Option<Self> {
        let values = |chunk: usize| {
            let end = n.min((chunk + 1) * CHUNK);
            (chunk * CHUNK..end).filter_map(&value).filter(|x| x.is_finite())
        };
        let bin = |x: f64| {
            if x < from {
                return 0;
            }
            let at = (x - from) / (to - from) * bins as f64;
            if at < bins as f64 { 1 + at as usize } else { bins + 1 }
        };
        let none =
            Part { count: 0, sum: 0.0, ends: [f64::INFINITY, f64::NEG_INFINITY], bins: vec![0; bins + 2] };
        let count = |chunk: usize| {
            values(chunk).fold(none.clone(), |mut part, x| {
                part.count += 1;
                part.sum += x;
                part.ends = [part.ends[0].min(x), part.ends[1].max(x)];
                part.bins[bin(x)] += 1;
                part
            })
        };
        let chunks = n.div_ceil(CHUNK);
        let parts: Vec<Part> = (0..chunks).into_par_iter().map(count).collect();
        let all = parts.into_iter().fold(none, |mut all, part| {
            all.count += part.count;
            all.sum += part.sum;
            all.ends = [all.ends[0].min(part.ends[0]), all.ends[1].max(part.ends[1])];
            all.bins.iter_mut().zip(part.bins).for_each(|(all, n)| *all += n);
            all
        });
        if all.count == 0 {
            return None;
        }
        let mean = all.sum / all.count as f64;
        let squares = |chunk| values(chunk).map(|x| (x - mean).powi(2)).sum();
        let squares: Vec<f64> = (0..chunks).into_par_iter().map(squares).collect();
        let standard_deviation = (squares.iter().sum::<f64>() / all.count as f64).sqrt();
        let [min, max] = all.ends;
        let spread = Spread { count: all.count, min, max, mean, standard_deviation };
        let (below, above) = (all.bins[0], all.bins[bins + 1]);
        Some(Self { spread, from, to, bins: all.bins[1..=bins].to_vec(), below, above })
    }
}

//! Offsets of neighbours along the normal, and their weights.
use crate::denoise::exp2::exp2;
use core::f32::consts::LOG2_E;

/// The offsets in a ball.
#[derive(Clone, Copy)]
pub struct Offsets {
    /// The first one, from which the others are measured, so that a large mean does not hide a small
    /// deviation.
    first: f32,
    sum: f32,
    squares: f32,
    count: f32,
    /// The least absolute value.
    least: f32,
}
impl Offsets {
    /// No offsets yet.
    #[inline(always)]
    pub fn new() -> Self {
        Self { first: 0.0, sum: 0.0, squares: 0.0, count: 0.0, least: f32::MAX }
    }
    /// Adds an offset.
    #[inline(always)]
    pub fn add(&mut self, h: f32) {
        if self.count == 0.0 {
            self.first = h;
        }
        let from_first = h - self.first;
        self.sum += from_first;
        self.squares += from_first * from_first;
        self.count += 1.0;
        self.least = self.least.min(h.abs());
    }
    /// Their weights: σs is their standard deviation (Fleishman et al., section 3.1).
    #[inline(always)]
    pub fn weights(&self, sigma_c_squared: f32) -> Weights {
        let mean = self.sum / self.count;
        let variance = self.squares / self.count - mean * mean;
        let sigma_s_squared = variance.max(SMALLEST * sigma_c_squared).max(f32::MIN_POSITIVE);
        Weights {
            closeness: 0.5 * LOG2_E / sigma_c_squared,
            similarity: 0.5 * LOG2_E / sigma_s_squared,
            least: self.least,
        }
    }
}
/// Least ratio of σs² to σc²: below, it is rounding.
const SMALLEST: f32 = 1e-12;

/// Weights Wc · Ws of Fleishman et al., Figure 2, times a factor that is the same for all neighbours, so that
/// the greatest Ws is 1 and the sum of all weights is never 0.
#[derive(Clone, Copy)]
pub struct Weights {
    closeness: f32,
    similarity: f32,
    least: f32,
}
impl Weights {
    /// The weight of a neighbour with squared distance `tt` and offset `h`.
    #[inline(always)]
    pub fn of(&self, tt: f32, h: f32) -> f32 {
        // a product, so that it is never below 0, however products and sums are rounded together
        let more = (h.abs() - self.least) * (h.abs() + self.least);
        exp2(-(tt * self.closeness + more * self.similarity))
    }
}

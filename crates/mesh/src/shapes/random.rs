//! Random numbers that are the same everywhere.

use crate::SplitMix64;
use rand_pcg::{Pcg64Mcg, rand_core::Rng};

/// A source of random numbers.
pub(crate) struct Random(Pcg64Mcg);

impl Random {
    pub fn new(seed: u64) -> Self {
        // The generator's state is mixed from the seed, so that neighbouring seeds are not alike.
        let low = SplitMix64::new(seed).bits();
        let high = SplitMix64::new(low).bits();
        Self(Pcg64Mcg::new(u128::from(high) << 64 | u128::from(low)))
    }

    /// A number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number in [−size, size).
    pub fn jitter(&mut self, size: f64) -> f64 {
        (2.0 * self.unit() - 1.0) * size
    }

    /// True or false, equally likely.
    pub fn coin(&mut self) -> bool {
        self.0.next_u64() >> 63 == 1
    }

    /// A standard normal number. Source: Box and Muller, *A note on the generation of random normal
    /// deviates*, 1958.
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }

    /// An integer below `limit`, which is at least 1; biased by at most one part in 2³².
    pub fn below(&mut self, limit: u32) -> u32 {
        ((u128::from(self.0.next_u64()) * u128::from(limit)) >> 64) as u32
    }
}

//! Random numbers that are the same everywhere.

/// Numbers that depend on a seed alone (Steele, Lea and Flood, *Fast splittable pseudorandom number
/// generators*, 2014).
#[derive(Debug, Clone)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Starts at a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GAMMA);
        mix(self.0)
    }

    /// Next number from 0 on, below 1, a multiple of 2⁻⁵³.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Next number below `n`, biased by at most one part in 2³² / `n`; 0 if `n` is 0.
    pub fn below(&mut self, n: u32) -> u32 {
        ((u64::from((self.bits() >> 32) as u32) * u64::from(n)) >> 32) as u32
    }

    /// Next choice of some values.
    ///
    /// # Panics
    /// If there is none.
    pub fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u32) as usize]
    }
}

/// Step of the generator's state: the odd integer nearest to 2⁶⁴ by the golden ratio.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// Mixes the bits of a number, one to one.
fn mix(value: u64) -> u64 {
    let value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ value >> 31
}

#[cfg(test)]
mod tests {
    use super::SplitMix64;

    #[test]
    fn the_published_sequence() {
        let mut random = SplitMix64::new(1_234_567);
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(expected.map(|_| random.bits()), expected);
    }
}

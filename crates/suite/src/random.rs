//! Pseudo-random numbers of the tests.

/// Linear congruential generator (Knuth's MMIX): its upper bits.
pub struct Random(pub u64);
impl Random {
    /// Next 64 bits, of which the lower ones repeat soon.
    pub fn state(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0
    }
    /// Next 31 bits.
    #[expect(clippy::should_implement_trait, reason = "it has no end")]
    pub fn next(&mut self) -> u32 {
        (self.state() >> 33) as u32
    }
    /// Number below `n`.
    pub fn below(&mut self, n: u32) -> u32 {
        self.next() % n
    }
}

//! Random numbers that depend on a seed and a place only, the same on every machine.

/// The random bits of place `k`: one round of SplitMix64 (Steele, Lea, Flood 2014).
#[inline(always)]
fn bits(seed: u64, k: u64) -> u64 {
    let z = seed.wrapping_add((k + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
/// The `i`-th of four random numbers of place `k`, from 0 to below 1.
#[inline(always)]
pub(crate) fn unit(seed: u64, k: u32, i: u32) -> f32 {
    (bits(seed, 4 * k as u64 + i as u64) >> 40) as f32 / (1 << 24) as f32
}

//! Tests that kernels have no race in shared memory. With `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
mod denoise;
mod geodesic;
mod smooth;

/// One test only: the state of the checker belongs to the process.
#[test]
fn no_race() {
    denoise::no_race();
    geodesic::no_race();
    smooth::no_race();
}

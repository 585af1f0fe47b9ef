//! Tests that kernels have no race in shared memory. With `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
mod delaunay;
mod remesh;
mod simplify;

/// One test only: the state of the checker belongs to the process.
#[test]
fn no_race() {
    delaunay::no_race();
    remesh::no_race();
    remesh::no_race_of_clusters();
    simplify::no_race();
}

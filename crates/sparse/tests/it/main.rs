//! Sparse matrices on both machines.
mod expanded;

mod docs;
mod errors;
mod market;
mod matrices;
mod products;
mod solves;
mod tuning;

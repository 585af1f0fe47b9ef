//! Code that runs on the host.
mod aggregates;
pub(crate) mod blocks;
mod coarsest;
pub(crate) mod cycle;
mod diagonal;
pub(crate) mod error;
pub(crate) mod hierarchy;
pub(crate) mod lanes;
mod level;
pub(crate) mod multigrid;
pub(crate) mod numbers;
pub(crate) mod product;
mod prolongation;
pub(crate) mod schwarz;
mod spectrum;
pub(crate) mod transposition;

//! Products and multigrid on both machines.
mod plain;
mod products;
mod solves;

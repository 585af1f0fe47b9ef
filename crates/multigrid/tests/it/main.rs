//! Products and multigrid on both machines.
mod domains;
mod plain;
mod products;
mod solves;

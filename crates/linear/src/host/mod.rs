//! The host's side.
pub mod cg;
pub mod cholesky;
pub mod operator;
pub mod vector;

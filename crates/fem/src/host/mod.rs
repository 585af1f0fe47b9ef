//! The host's side.
pub mod assembler;
pub mod error;
pub mod form;
pub mod kernels;
pub mod lengths;
pub mod local;
pub mod matrix;
pub mod multigrid;
pub mod pattern;
pub mod solve;
pub mod space;

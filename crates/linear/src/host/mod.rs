//! The host's side.
pub mod cg;
pub mod operator;
pub mod vector;

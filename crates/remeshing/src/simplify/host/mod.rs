//! The host's part of simplification.
mod begin;
pub mod check;
pub mod contract;
pub mod options;
pub mod report;
pub mod sequence;
pub mod simplifier;
pub mod simplify;
mod trials;
pub mod values;

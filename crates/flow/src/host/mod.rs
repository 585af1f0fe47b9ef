//! The host's part.
pub mod closed;
pub mod cycle;
pub mod error;
pub mod flow;
pub mod geometry;
pub mod options;
pub mod poisson;
pub mod report;
pub mod step;
pub mod viscosity;

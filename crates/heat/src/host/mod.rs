//! Code that runs on the host.
mod aggregates;
pub mod heat;
pub mod options;
pub mod poisson;
mod shells;

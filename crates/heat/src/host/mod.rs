//! Code that runs on the host.
pub mod heat;
pub mod options;
pub mod poisson;
mod shells;

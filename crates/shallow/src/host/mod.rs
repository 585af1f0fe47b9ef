//! Code of the host.
pub mod error;
pub mod options;
pub mod progress;
pub mod seen;
pub mod snapshot;
pub mod terrain;
pub mod water;

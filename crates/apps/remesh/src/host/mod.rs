//! The host's side.
pub mod lengths;
pub mod options;
pub mod phases;
pub mod remesh;
pub mod remesher;
pub mod report;
pub mod values;

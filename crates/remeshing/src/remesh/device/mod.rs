//! Kernels, and the functions that they call.
pub mod cluster;
pub mod collapse;
pub mod curves;
pub mod deviate;
pub mod flip;
pub mod guard;
pub mod held;
pub mod project;
pub mod room;
pub mod sizing;
pub mod smooth;
pub mod split;
pub mod values;

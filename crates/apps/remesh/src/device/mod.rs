//! What runs in kernels.
pub mod collapse;
pub mod curves;
pub mod flip;
pub mod guard;
pub mod held;
pub mod project;
pub mod sizing;
pub mod smooth;
pub mod split;
pub mod values;

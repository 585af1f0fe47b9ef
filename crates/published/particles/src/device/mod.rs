//! Modules that also compile for the GPU.
pub mod cells;
pub mod neighbours;
pub mod physics;
pub mod pressure;
pub mod smoothing;
pub mod surface;
pub mod velocities;

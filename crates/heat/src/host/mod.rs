//! Code that runs on the host.
mod aggregates;
mod carry;
mod choice;
pub mod diffusion;
mod factored;
pub mod heat;
pub mod options;
pub mod poisson;
mod shells;
mod system;
mod tangents;
pub mod vector_heat;

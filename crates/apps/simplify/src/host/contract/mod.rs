//! Contraction of vertex pairs, on the host's side.
mod complex;
mod finish;
mod near;
mod round;
mod rows;
mod topology;

pub use complex::Complex;
pub use topology::Counts;

//! Contraction of vertex pairs, on the host's side.
mod complex;
mod finish;
mod near;
mod round;
mod topology;

pub use complex::Complex;
pub use topology::Counts;

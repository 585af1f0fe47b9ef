//! Contraction of vertex pairs: the host's part.
mod complex;
mod finish;
mod near;
mod round;
mod topology;

pub use complex::Complex;
pub use topology::Counts;

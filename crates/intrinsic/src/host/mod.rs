//! Code that runs on the host.
pub mod calculus;
pub mod correspondence;
pub mod gradient;
pub mod laplacian;
pub mod options;
pub mod ordered;
pub mod triangulation;

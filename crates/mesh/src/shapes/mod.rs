//! Generated triangle meshes: spheres, tori, grids, knots, Möbius strips.
//!
//! | function | faces | boundary loops | Euler characteristic |
//! |---|---|---|---|
//! | [`icosphere`], [`bumpy_sphere`] | 20 · 4ᵏ | 0 | 2 |
//! | [`torus`] | about 2 n² | 0 | 0 |
//! | [`torus_knot`] | 2 · around · along | 0 | 0 |
//! | [`grid`] | 2 (n − 1)² | 1 | 1 |
//! | [`mobius`] | 2 n (width − 1) | 1 | 0, one-sided |
//!
//! Shapes with a seed are random; the same seed gives the same shape. Between machines, coordinates may
//! differ in their last bits, as sine and cosine do. Closed shapes are oriented with outward normals.
mod error;
mod grid;
mod knot;
mod mobius;
mod noise;
mod random;
mod shuffle;
mod sphere;
mod subdivide;

pub use error::ShapeError;
pub use grid::{grid, torus};
pub use knot::torus_knot;
pub use mobius::mobius;
pub use noise::add_noise;
pub use shuffle::shuffle;
pub use sphere::{bumpy_sphere, icosphere};
pub use subdivide::subdivide;

//! Quality of the triangles of a mesh: statistics and histograms of edge lengths, angles, aspect ratios and
//! valences.
//!
//! The input is an indexed triangle list; the statistics are computed on the host. They do not depend on
//! patches or devices, so they apply to a mesh before and after changes of its connectivity.
//!
//! ```
//! use glam::DVec3;
//! use ribbonmesh_mesh::quality::Quality;
//!
//! // an equilateral triangle
//! let x = [DVec3::ZERO, DVec3::X, DVec3::new(0.5, 0.75f64.sqrt(), 0.0)];
//! let quality = Quality::of(&x, &[[0, 1, 2]], Some(2.0));
//! let lengths = quality.edge_length.expect("edges");
//! assert!((lengths.spread.mean - 0.5).abs() < 1e-6);
//! assert!((quality.smallest_angle.expect("a face").spread.min - 60.0).abs() < 1e-4);
//! ```
mod edges;
mod face;
mod figures;
mod histogram;

pub use figures::{Quality, Valence};
pub use histogram::{Histogram, Spread};

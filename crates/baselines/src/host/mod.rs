//! The host's side.
mod build;
mod denoise;
mod error;
mod flow;
mod geodesic;
mod improve;
mod normals;
mod pde;

pub use denoise::PdeDenoise;
pub use error::PdeError;
pub use flow::PdeFlow;
pub use geodesic::PdeGeodesic;
pub use improve::{Improved, IndexedSurface};
pub use normals::{IndexedTriangles, atomic_normals, hard_wired_normals};
pub use pde::{Pde, PdeResult};

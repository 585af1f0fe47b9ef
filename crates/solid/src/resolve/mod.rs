//! Resolves a part of a closed surface that moves: where it passes through itself, faces are replaced.
//!
//! Lines 10 to 19 of algorithm 1 of Chentanez, Müller, Macklin and Kim, *Grid-Free Surface Tracking on the
//! GPU* (2016): faces that intersect are deleted, and so are faces inside of the volume; the holes that this
//! leaves are paired, joined and filled. Therefore the surface changes only near intersections, where it
//! becomes coarse: new faces do not follow the curve of intersection exactly, but connect the remaining faces
//! on both sides of it. What a tracked surface needs is this: a part of it becomes a part without
//! intersections whose edges have the length of those around. [`boolean`](crate::boolean) keeps the curve.
//!
//! The application [`Resolve`] is for surfaces that stand still, and computes their union exactly.
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod application;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod cut;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod error;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod gone;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod region;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod run;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod spot;

#[cfg(not(target_arch = "nvptx64"))]
pub use application::{Resolve, ResolveChoice};
#[cfg(not(target_arch = "nvptx64"))]
pub use error::ResolveError;
#[cfg(not(target_arch = "nvptx64"))]
pub use region::{ResolvedRegion, resolve_region};
#[cfg(not(target_arch = "nvptx64"))]
pub use run::{ResolveOptions, ResolveReport};

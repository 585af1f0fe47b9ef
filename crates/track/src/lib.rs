//! Surface tracking: a triangle mesh moves with a velocity, and its triangles are improved in each step (T.
//! Brochu, R. Bridson, *Robust topological operations for dynamic explicit surfaces*, 2009; thesis 5.4.4).
//!
//! | to | see |
//! |---|---|
//! | track a surface | [`Tracker`], [`TrackOptions`] |
//! | move it by a velocity of one's own | [`advect`](mod@advect), [`Flow`] |
//! | have velocities that are computed elsewhere | [`Computed`], [`Given`] |
//! | move it along its normals, or by its curvature | [`AlongNormals`], [`ByCurvature`] |
//! | have a surface and a velocity that are known | [`Scene`] |
//! | have splits, flips and collapses made elsewhere | [`Changes`] |
//! | know what a step did | [`StepReport`] |
//!
//! ```
//! use ribbonmesh::Device;
//! use ribbonmesh_track::{Scene, SceneKind, TrackOptions, Tracker};
//!
//! # fn main() -> Result<(), ribbonmesh_track::TrackError> {
//! let mut scene = Scene::new(SceneKind::Enright, Some(5), 0)?;
//! let mut tracker = Tracker::new(&Device::cpu(), &scene.mesh, &scene.options(&TrackOptions::default()))?;
//! let before = tracker.measure()?.volume;
//! for _ in 0..3 {
//!     tracker.step(scene.dt, scene.flow.as_mut())?;
//! }
//! let after = tracker.measure()?.volume;
//! assert!((after / before - 1.0).abs() < 0.01);
//! # Ok(())
//! # }
//! ```
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

pub mod collide;
mod device;
pub use device::{
    advect, collapse, components, eigen, fields, flip, geometry, measure, noise, place, rank, region, scenes,
    sizing, smooth, split, values,
};

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::changes::{Changes, Handed, Made};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::error::TrackError;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::flow::{AlongNormals, ByCurvature, Computed, Flow, Given, Motion, Places, Stage};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::isosurface::isosurface;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::names::{by_name, name_of};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::options::{Adaptive, Boundary, Flips, Integration, Method, Subdivision, TrackOptions};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::progress::Progress;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::report::{CollisionReport, Correction, GridFreeReport, Measures, StepReport};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::scene::{Scene, SceneKind};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::shapes::{sphere, spheres};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::tracker::Tracker;

ribbonmesh::device::ptx!();

//! Liquids of particles (position-based fluids: M. Macklin and M. Müller, *Position based fluids*, 2013) that
//! drive the tracking of their surfaces. They serve scenes, and are not a general solver.
//!
//! | to | see |
//! |---|---|
//! | simulate a liquid | [`Liquid`], [`LiquidOptions`] |
//! | let a surface follow it | [`LiquidFlow`], [`SurfaceOptions`] |
//! | have a liquid and its surface | [`ParticleScene`] |
//!
//! ```
//! use ribbonmesh::Device;
//! use ribbonmesh_particles::ParticleScene;
//! use ribbonmesh_track::{Method, TrackOptions, Tracker};
//!
//! # fn main() -> Result<(), ribbonmesh_track::TrackError> {
//! let mut scene = ParticleScene::BallSplash.scene(Some(8), 0)?;
//! let options = scene.options(&TrackOptions { method: Method::GridFree, ..TrackOptions::default() });
//! let mut tracker = Tracker::new(&Device::cpu(), &scene.mesh, &options)?;
//! for _ in 0..3 {
//!     tracker.step(scene.dt, scene.flow.as_mut())?;
//! }
//! assert_eq!(tracker.components().len(), 2);
//! # Ok(())
//! # }
//! ```
//!
//! Lengths are in metres, times in seconds. A time step runs on the device; one or two words per sub-step are
//! copied to the host. Results are the same, bit for bit, in every run on one machine, with any number of
//! threads.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

mod device;
pub use device::{cells, neighbours, physics, pressure, smoothing, surface, velocities};

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::flow::LiquidFlow;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::liquid::Liquid;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::options::{Ball, LiquidOptions, SurfaceOptions, Walls};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::scene::ParticleScene;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::sorted::neighbours_of;

ribbonmesh::device::ptx!();

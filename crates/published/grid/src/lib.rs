//! A small liquid solver on a staggered grid, which moves the surfaces of tracking scenes. It serves these
//! scenes and is not a general solver: one box, one liquid, no obstacles, no surface tension, no viscosity.
//!
//! | to | see |
//! |---|---|
//! | have a scene for `ribbonmesh-track` | [`GridScene`] |
//! | move a tracked surface with a liquid of one's own | [`GridFlow`] |
//! | have the liquid alone | [`Liquid`], [`GridOptions`] |
//! | know what a step did | [`GridReport`] |
//!
//! ```
//! use ribbonmesh::Device;
//! use ribbonmesh_grid::GridScene;
//! use ribbonmesh_track::{Method, TrackOptions, Tracker};
//!
//! # fn main() -> Result<(), ribbonmesh_track::TrackError> {
//! let built = GridScene::Jets.build(Some(16), 0)?;
//! let mut scene = built.scene;
//! let given = TrackOptions { method: scene.method, ..TrackOptions::default() };
//! let mut tracker = Tracker::new(&Device::cpu(), &scene.mesh, &scene.options(&given))?;
//! for _ in 0..3 {
//!     tracker.step(scene.dt, scene.flow.as_mut())?;
//! }
//! assert_eq!(built.report.get().unconverged, 0);
//! # Ok(())
//! # }
//! ```
//!
//! Particles carry the velocity (Zhu and Bridson 2005). In each sub-step the particles and the surface's
//! vertices move with the velocity of the grid; the particles are sorted by cells, and each face gathers its
//! velocity from the particles around it; gravity acts; a pressure makes the velocity free of divergence in
//! the liquid; the velocity is extrapolated into the air; and the particles get the change.
//! `docs/apps/grid.md` has the method and its limits.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

mod device;

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::flow::{GridFlow, SharedReport};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::liquid::Liquid;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::options::GridOptions;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::report::GridReport;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::scene::{Built, GridScene};
#[cfg(not(target_arch = "nvptx64"))]
pub use ribbonmesh_flow::Solve;

ribbonmesh::device::ptx!();

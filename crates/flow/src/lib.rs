//! Incompressible flow of one fluid around a closed mesh, in a box: a staggered grid whose faces are cut by
//! the mesh, and a pressure by multigrid (Mueller-Roemer 2020, 6.3.2; Weber, Mueller-Roemer, Stork and
//! Fellner 2015).
//!
//! | to | see |
//! |---|---|
//! | compute a flow | [`Flow`], [`FlowOptions`], [`Side`] |
//! | put a mesh into it, which may move | [`Obstacle`], [`Motion`] |
//! | know what the steps did | [`FlowReport`], [`Solve`] |
//! | solve a system of one's own on a grid | [`Poisson`], [`PoissonOptions`], [`Start`] |
//! | use the grid in kernels of one's own | [`Cells`], [`Level`], [`LevelOut`] |
//!
//! ```
//! use ribbonmesh::Device;
//! use ribbonmesh::mesh::shapes;
//! use ribbonmesh_flow::{Flow, FlowOptions, Motion, Obstacle};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let device = Device::auto();
//! let mut sphere = shapes::icosphere(3)?;
//! sphere.positions.iter_mut().for_each(|p| *p = 0.15 * *p + 0.5);
//! let obstacle = Obstacle::new(&device, &sphere.points(), &sphere.faces, Motion::default())?;
//! let options = FlowOptions {
//!     cells: [32, 16, 16],
//!     edge: 1.0 / 16.0,
//!     source: Some([[0.0, 0.4, 0.4], [0.1, 0.6, 0.6]]),
//!     ..FlowOptions::default()
//! };
//! let mut flow = Flow::new(&device, &options, Some(obstacle))?;
//! for _ in 0..10 {
//!     flow.step(0.05)?;
//! }
//! assert_eq!(flow.report().unconverged, 0);
//! assert!(flow.leak()? < 1e-3);
//! # Ok(())
//! # }
//! ```
//!
//! Without a viscosity the fluid slips along walls and meshes; with one it sticks to them.
//! `docs/apps/flow.md` has the method and its limits. **Does not know** files.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(all(target_arch = "nvptx64", ribbonmesh_own), feature(abi_ptx))]
// what kernels of other crates do not use
#![cfg_attr(target_arch = "nvptx64", allow(dead_code))]

mod device;
pub use device::cells::Cells;
pub use device::level::{Level, LevelOut};

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(not(target_arch = "nvptx64"))]
pub use device::{
    extrapolate::Extrapolate,
    fastest::Fastest,
    level::{LevelArguments, LevelOutArguments},
};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::{
    error::{FlowError, Result},
    flow::Flow,
    geometry::{Motion, Obstacle},
    options::{Advection, FlowOptions, Side},
    poisson::{Method, Poisson, PoissonOptions, Start},
    report::{FlowReport, Seconds, Solve},
};

ribbonmesh::device::ptx!();

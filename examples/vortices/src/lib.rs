//! A simulation of somebody else that drives surface tracking: vortices carry a surface along.
//!
//! The state of the simulation, its velocities and the surface stay on the device. The surface stays free of
//! intersections, merges and parts.
//!
//! | file | holds |
//! |---|---|
//! | `kernels.rs` | the velocity, and two kernels, for both machines |
//! | `host.rs` | the simulation, and the [`Flow`] that it is for the tracker |
//! | `main.rs` | a program |
//!
//! [`Flow`]: ribbonmesh_track::Flow
#![cfg_attr(target_arch = "nvptx64", no_std, feature(abi_ptx))]

pub mod kernels;

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::Vortices;

ribbonmesh::device::ptx!();

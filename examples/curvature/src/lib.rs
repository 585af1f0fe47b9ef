//! Angle defects of a triangle mesh, and a filter for spikes.
//!
//! The angle defect of a vertex is what its angles lack to a full turn, or to half a turn on the boundary:
//! the Gaussian curvature of the surface around it. All of them add up to 2π times the Euler characteristic
//! (vertices − edges + faces).
//!
//! | file | holds |
//! |---|---|
//! | `kernels.rs` | the kernels, for both machines |
//! | `host.rs` | what a program calls |
#![cfg_attr(target_arch = "nvptx64", no_std, feature(abi_ptx))]

pub mod kernels;

#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::{Curvature, Surface};

ribbonmesh::device::ptx!();

//! Smooths a number at each vertex of a triangle mesh, such as a temperature or a curvature.
//!
//! This is a complete application with attributes, in a crate of its own: it reads a column of a [`Surface`],
//! and adds its result as a column, which follows the surface through later applications.
//!
//! | file | holds |
//! |---|---|
//! | `kernels.rs` | the kernel, for both machines |
//! | `host.rs` | what a program calls |
//! | `main.rs` | a program |
//!
//! The section "An application with attributes" of `docs/programming-model.md` explains it.
//!
//! [`Surface`]: ribbonmesh::Surface
#![cfg_attr(target_arch = "nvptx64", no_std, feature(abi_ptx))]

pub mod kernels;

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::{BlurOptions, BlurReport, blur};

ribbonmesh::device::ptx!();

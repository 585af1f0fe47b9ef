//! Thins out the flat parts of a triangle mesh: vertices around which the surface is flat are removed, and a
//! fan over the vertices around each fills the hole (Schroeder, Zarge and Lorensen 1992 decimate like this).
//! The amounts of deleted faces are handed on to the new faces.
//!
//! This is a complete application of cavity operators, in a crate of its own:
//!
//! | file | holds |
//! |---|---|
//! | `operator.rs` | the operator, for both machines: which vertices, with which priority; what fills the hole |
//! | `host.rs` | the operator with its attributes, and what a program calls |
//! | `main.rs` | a program |
//!
//! The section "Changing the mesh" of `docs/programming-model.md` explains it.
#![cfg_attr(target_arch = "nvptx64", no_std, feature(abi_ptx))]

pub mod operator;

#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::{Thinned, thin};

ribbonmesh::device::ptx!();

//! Other triangles for the same surface.
//!
//! | module | has |
//! |---|---|
//! | [`delaunay`] | flips that make a mesh Delaunay |
//! | [`mod@remesh`] | triangles of a given size and good shape |
//! | [`simplify`] | fewer triangles, by quadric errors |
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

mod check;
pub mod delaunay;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod order;
pub mod remesh;
pub mod simplify;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod triangles;

#[cfg(not(target_arch = "nvptx64"))]
pub use order::Order;

ribbonmesh::device::ptx!();

//! Surfaces that enclose something: how triangles become one, and what it contains.
//!
//! | module | has |
//! |---|---|
//! | [`boolean`] | union, intersection and difference of closed meshes, exact |
//! | [`fill`] | filling of holes |
//! | [`inside`] | points inside a mesh, by winding numbers or by exact rays |
//! | [`intersections`] | pairs of faces that intersect, by exact signs |
//! | [`repair`] | an oriented manifold of any triangles |
//! | [`resolve`] | closed meshes without self-intersections |
//! | [`shells`] | parts that are connected, with their volumes |
//! | [`wrap`] | a closed surface around any triangles |
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(all(target_arch = "nvptx64", ribbonmesh_own), feature(abi_ptx, asm_experimental_arch))]

#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod arrange;
pub mod boolean;
pub mod fill;
pub mod inside;
// in kernels of other crates only its predicates are used
#[cfg_attr(target_arch = "nvptx64", allow(dead_code))]
pub mod intersections;
pub mod repair;
pub mod resolve;
pub mod shells;
pub mod wrap;

ribbonmesh::device::ptx!();

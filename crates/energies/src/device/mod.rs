//! Code that is also compiled for the GPU. Kernels are those of this crate alone, and not compiled for crates
//! that have energies of their own.
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod arap;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod assemble;
pub mod derivatives;
pub mod dirichlet;
pub mod energy;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod inertia;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod kernels;
pub mod neo_hooke;
pub mod project;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod rest;
pub mod roots;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod rows;
pub mod scalar;
pub mod shape;
pub mod springs;
pub mod unroll;

//! Tests of tetrahedra of surfaces on the GPU and the CPU.
mod errors;
mod meshes;
mod parts;
mod shapes;
mod surfaces;

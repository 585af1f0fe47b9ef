//! Tetrahedra of surfaces on both machines.
mod errors;
mod meshes;
mod parts;
mod shapes;
mod surfaces;

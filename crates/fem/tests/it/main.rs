//! Finite elements on both machines.
mod elasticity;
mod meshes;
mod quadrature;

mod corners;
mod docs;
mod elements;
mod errors;
mod heat;
mod lengths;
mod materials;
mod multigrid;
mod orders;
mod solve;
mod summation;
mod triangles;

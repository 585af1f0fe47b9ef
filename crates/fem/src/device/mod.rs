//! Code that is also compiled for the GPU.
pub mod assemble;
pub mod bernstein;
pub mod cells;
pub mod element;
pub mod elements;
pub mod heat;
pub mod hexahedra;
pub mod materials;
pub mod matrix;
pub mod multigrid;
pub mod pattern;
pub mod real;
pub mod solve;
pub mod space;
pub mod tetrahedra;
pub mod triangles;

//! The tests, as one program: their shared code is compiled and linked once.

mod mesh;
mod quality;
mod shapes_sizes;
mod shapes_topology;

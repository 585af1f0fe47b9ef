//! The tests, as one program: what they share is compiled and linked once.

mod mesh;
mod quality;
mod shapes_sizes;
mod shapes_topology;

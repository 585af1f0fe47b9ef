//! Tests of the crate, a module for each of its own.
mod delaunay;
mod remesh;
mod simplify;

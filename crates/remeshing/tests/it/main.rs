//! Tests of the crate, a module for each of its own.
mod delaunay;
mod no_self_intersections;
mod remesh;
mod simplify;

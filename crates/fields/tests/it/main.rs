//! Tests of the crate, a module for each of its own.
mod curvature;
mod denoise;
mod geodesic;
mod normals;
mod smooth;

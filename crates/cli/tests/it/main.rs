//! The tests, as one program: their shared code is compiled and linked once.
// The two programs of tests share how they run the command.
#[path = "../common/mod.rs"]
mod common;

mod attributes;
mod batch;
mod boolean;
mod clean;
mod curvature;
mod deform;
mod delaunay;
mod denoise;
mod distance;
mod elasticity;
mod exit_status;
mod fill;
mod flow;
mod follow;
mod geodesic;
mod help;
mod info;
mod inside;
mod intersections;
mod laplacian;
mod lod;
mod meshes;
mod normals;
mod patches;
mod query;
mod remesh;
mod render;
mod repair;
mod reports;
mod resolve;
mod serve;
mod shallow;
#[cfg(unix)]
mod signals;
mod simplify;
mod smooth;
mod spectrum;
mod streams;
mod tiles;
mod track;
mod unwrap;
mod volume;

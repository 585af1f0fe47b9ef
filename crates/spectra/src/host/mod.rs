//! Code that runs on the host.
mod block;
mod columns;
mod cores;
mod dense;
pub mod functions;
mod iterate;
pub mod laplacian;
pub mod lobpcg;
pub mod options;
pub mod problem;
mod small;
pub mod solid;
pub mod spectrum;

//! Clustering on a device: as many clusters of vertices as the result is to have vertices, each with about
//! the same area.
mod dual;
mod lloyd;
pub mod options;
pub mod remesh;
pub mod report;
mod stage;

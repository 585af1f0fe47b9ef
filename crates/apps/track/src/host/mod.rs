//! The host's side.
pub mod error;
pub mod flow;
pub mod isosurface;
pub mod options;
pub mod phases;
pub mod report;
pub mod scene;
pub mod shapes;
pub mod tracker;
pub mod values;

//! The host's side.
pub mod components;
pub mod correct;
pub mod error;
pub mod flow;
pub mod grid_free;
pub mod isosurface;
pub mod options;
pub mod phases;
pub mod pinch;
pub mod progress;
pub mod region;
pub mod report;
pub mod scene;
pub mod shape;
pub mod shapes;
pub mod tracker;
pub mod values;

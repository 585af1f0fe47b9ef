//! The host's side.
pub mod flow;
pub mod liquid;
pub mod options;
pub mod pressure;
pub mod report;
pub mod scene;
pub mod shapes;

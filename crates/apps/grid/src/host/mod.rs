//! The host's part of the liquid.
pub mod flow;
pub mod liquid;
pub mod options;
pub mod pressure;
pub mod report;
pub mod scene;
pub mod shapes;

//! The host's side.
pub mod fill;
pub mod flow;
pub mod liquid;
pub mod options;
pub mod scene;
pub mod sorted;

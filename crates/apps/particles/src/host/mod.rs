//! The host's part of the liquid.
pub mod fill;
pub mod flow;
pub mod liquid;
pub mod options;
pub mod scene;
pub mod sorted;

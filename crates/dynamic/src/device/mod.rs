//! What runs in kernels.
pub mod cavity;
pub mod chosen;
pub mod control;
pub mod fill;
pub mod kernels;
pub mod operator;
pub mod operators;
pub mod phases;
pub mod plan;
pub mod probe;
pub mod templates;
pub mod view;
pub mod write;

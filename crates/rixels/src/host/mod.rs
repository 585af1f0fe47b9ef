//! Functions for programs.
pub mod error;
pub mod evaluator;
pub mod painter;
pub mod picture;
pub mod rixels;
pub mod scene;
pub mod view;

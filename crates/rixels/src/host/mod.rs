//! Functions for programs.
pub mod cells;
pub mod column;
pub mod error;
pub mod evaluator;
pub mod heights;
pub mod painter;
pub mod picture;
pub mod rixels;
pub mod scene;
pub mod shown;
pub mod view;

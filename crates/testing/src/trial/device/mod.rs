//! Modules that also compile for the GPU.
pub mod broken;
pub mod fillings;
pub mod trial;

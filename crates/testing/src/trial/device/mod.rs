//! What kernels see.
pub mod broken;
pub mod fillings;
pub mod trial;

//! The store of patches against plain code.
mod broken;
mod flips;
mod memory;
mod model;
mod places;
mod queries;

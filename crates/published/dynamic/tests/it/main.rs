//! The store of patches against plain code.
mod broken;
mod changes;
mod flips;
mod memory;
mod model;
mod places;
mod queries;
mod simplify;

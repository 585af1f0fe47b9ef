//! The host's side.
pub mod attribute;
pub mod build;
pub mod cells;
pub mod defects;
pub mod error;
mod list;
pub mod mesh;
mod parts;
pub mod relation;
pub mod shapes;
pub mod simplex;
pub mod slice;
pub mod subdivide;
pub mod surface;
pub mod tcsr;

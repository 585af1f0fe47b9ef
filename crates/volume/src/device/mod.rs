//! Modules that also compile for the GPU.
pub mod boundary;
pub mod cells;
pub mod defects;
pub mod edges;
pub mod faces;
pub mod points;
pub mod product;
pub mod relations;
pub mod simplex;
pub mod slice;
pub mod smooth;
pub mod subdivide;
pub mod tcsr;
pub mod transpose;
pub mod validate;
pub mod volumes;

//! Code that runs on the GPU and on the CPU.
pub mod aggregate;
pub mod cycle;
pub mod dense;
pub mod diagonal;
pub mod domains;
pub mod lanczos;
pub mod panels;
pub mod product;
pub mod prolong;
pub mod rows;
pub mod tiles;
pub mod together;

//! Wavefront OBJ.

mod corners;
pub(crate) mod library;
pub(crate) mod mtl;
pub(crate) mod read;
mod runs;
mod statement;
pub(crate) mod write;

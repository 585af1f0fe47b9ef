//! Wavefront OBJ.

pub(crate) mod read;
mod statement;
pub(crate) mod write;

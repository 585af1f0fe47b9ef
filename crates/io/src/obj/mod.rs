//! Wavefront OBJ.

mod corners;
pub(crate) mod library;
pub(crate) mod mtl;
pub(crate) mod read;
mod runs;
mod statement;
mod stream;
pub(crate) mod write;

pub use stream::ObjStream;

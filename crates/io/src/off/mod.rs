//! Object file format of Geomview.

mod binary;
mod colours;
pub(crate) mod read;
pub(crate) mod write;

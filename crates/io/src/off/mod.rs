//! Object file format of Geomview.

pub(crate) mod read;
pub(crate) mod write;

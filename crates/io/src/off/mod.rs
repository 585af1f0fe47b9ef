//! Object file format of Geomview.

mod colours;
pub(crate) mod read;
pub(crate) mod write;

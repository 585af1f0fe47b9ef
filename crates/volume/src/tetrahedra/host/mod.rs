//! The host's part.
pub mod closed;
pub mod error;
pub mod lattice;
pub mod options;
pub mod quality;
pub mod report;
pub mod result;
pub mod signs;
pub mod tetrahedralize;
pub mod warp;

//! The host's side.
pub mod attribute;
pub mod compact;
pub mod exchange;
pub mod half_edges;
pub mod mesh;
pub mod numbering;
pub mod patches;
mod read;
pub mod run;
pub mod set;
pub mod snapshot;
pub mod validate;
pub mod words;
mod working;

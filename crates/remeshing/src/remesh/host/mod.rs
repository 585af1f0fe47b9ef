//! The host's part of remeshing.
mod apart;
pub mod attempts;
mod begin;
pub mod cluster;
pub mod deviate;
mod later;
pub mod lengths;
pub mod options;
pub mod part;
pub mod phases;
pub mod remesh;
pub mod remesher;
pub mod report;
pub mod room;
pub mod survey;
mod undo;
mod valences;
pub mod values;

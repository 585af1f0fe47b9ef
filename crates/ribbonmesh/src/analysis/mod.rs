//! Analysis of a mesh: defects, topology, lengths and angles.
//!
//! Queries run on the mesh's device; the host evaluates their results in parallel.
mod components;
mod duplicates;
mod fans;
mod flat;
mod geometry;
mod sides;
mod statistics;
mod topology;

pub use geometry::Geometry;
pub use statistics::Statistics;
pub use topology::Topology;

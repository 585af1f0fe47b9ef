//! What a mesh is like: its defects, its topology, its sizes.
//!
//! Queries run on the mesh's machine; their results are counted on the host, in parallel.
mod components;
mod duplicates;
mod fans;
mod geometry;
mod sets;
mod sides;
mod statistics;
mod topology;

pub use geometry::Geometry;
pub use statistics::Statistics;
pub use topology::Topology;

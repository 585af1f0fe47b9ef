//! Kernels of the dynamic mesh: from a static mesh, half-edges of vertices, checks, compaction.

pub mod elements;
pub mod exchange;

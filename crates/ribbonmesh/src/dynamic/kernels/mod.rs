//! Kernels of the dynamic mesh: from a static mesh, half-edges of vertices, checks, compaction; the classic
//! operators on chosen elements.

pub mod chosen;
pub mod elements;

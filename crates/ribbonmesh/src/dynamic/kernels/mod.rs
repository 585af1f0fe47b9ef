//! Kernels of the dynamic mesh: from a static mesh, half-edges of vertices, checks, compaction; the classic operators on
//! chosen elements; the patches of the speculative resolver.

pub mod chosen;
pub mod division;
pub mod elements;

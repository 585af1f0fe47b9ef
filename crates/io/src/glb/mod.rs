//! glTF 2.0 in its binary container.
//!
//! Source: Khronos Group, *glTF 2.0 Specification*, 2021, chapters 3 and 4.

mod accessor;
mod build;
mod container;
mod document;
pub(crate) mod read;
mod scene;
mod split;
pub(crate) mod write;

/// Vertices and corners that a byte of a file may stand for, at most: meshes may be used many times, but no small file
/// shall fill the memory.
const PER_BYTE: u64 = 16;

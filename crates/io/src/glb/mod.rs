//! glTF 2.0, as JSON and in its binary container.
//!
//! Source: Khronos Group, *glTF 2.0 Specification*, 2021, chapters 3 and 4.

mod accessor;
mod build;
mod container;
mod document;
mod draco;
mod meshopt;
#[cfg(test)]
mod meshopt_cases;
pub(crate) mod read;
mod resources;
mod scene;
mod split;
mod stream;
pub(crate) mod write;

pub use stream::GlbStream;

/// Vertices and corners that a byte of a file may decode to, at most: meshes may be used many times, but no
/// small file shall fill the memory.
const PER_BYTE: u64 = 16;

/// Vertices and corners to which any file may decode.
const ALWAYS: u64 = 1 << 22;

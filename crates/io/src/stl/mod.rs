//! Stereolithography files: triangles that share no vertices until they are welded.

mod ascii;
mod binary;
mod stream;
pub(crate) mod write;

use ribbonmesh_mesh::TriangleMesh;

pub use stream::StlStream;

use crate::{Notes, fault::Outcome, sniff};

/// Reads triangles and welds the corners that have equal coordinates. Normals are passed over: they follow
/// from the coordinates.
pub(crate) fn read(bytes: &[u8], notes: Notes) -> Outcome<(TriangleMesh, Notes)> {
    if is_binary(bytes) { binary::read(bytes, notes) } else { ascii::read(bytes, notes) }
}

/// Whether an STL file is binary: it has the length that its count asks for, or does not read like text.
/// Binary files may begin with `solid` too.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    is_binary_of_length(bytes, bytes.len() as u64)
}

/// The same by the first bytes, at least 512 of a file that has them, and the length of a file.
fn is_binary_of_length(bytes: &[u8], length: u64) -> bool {
    let head = &bytes[..bytes.len().min(512)];
    let solid = head.trim_ascii_start().get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    sniff::is_binary_stl_of_length(head, length) || !solid || head.contains(&0)
}

//! Stereolithography files: triangles that share no vertices until they are welded.

mod ascii;
mod binary;
pub(crate) mod write;

use ribbonmesh_mesh::TriangleMesh;

use crate::{Notes, fault::Outcome, sniff};

/// Reads triangles and welds the corners that have equal coordinates. Normals are passed over: they follow
/// from the coordinates.
pub(crate) fn read(bytes: &[u8], notes: Notes) -> Outcome<(TriangleMesh, Notes)> {
    if is_binary(bytes) { binary::read(bytes, notes) } else { ascii::read(bytes, notes) }
}

/// Whether an STL file is binary: it has the length that its count asks for, or does not read like text.
/// Binary files may begin with `solid` too.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(512)];
    let solid = head.trim_ascii_start().get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    sniff::is_exact_binary_stl(bytes) || !solid || head.contains(&0)
}

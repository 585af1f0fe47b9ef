//! Stereolithography files: triangles that share no vertices until they are welded.

mod ascii;
mod binary;
mod weld;
pub(crate) mod write;

use crate::{Notes, TriangleMesh, sniff, text::Outcome};
use weld::Weld;

/// Reads triangles and welds the corners that have equal coordinates. Normals are passed over.
pub(crate) fn read(bytes: &[u8]) -> Outcome<(TriangleMesh, Notes)> {
    let mut weld = Weld::default();
    let mut notes = Notes::default();
    if is_binary(bytes) {
        binary::read(bytes, &mut weld, &mut notes)?;
    } else {
        ascii::read(bytes, &mut weld, &mut notes)?;
    }
    notes.corners_welded = weld.welded;
    Ok((TriangleMesh { positions: weld.positions, faces: weld.faces }, notes))
}

/// Whether an STL file is binary: it has the length that its count asks for, or does not read like text.
/// Binary files may begin with `solid` too.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(512)];
    let solid = head.trim_ascii_start().get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    sniff::is_exact_binary_stl(bytes) || !solid || head.contains(&0)
}

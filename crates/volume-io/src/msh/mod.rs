//! Gmsh's MSH files, versions 4.1 and 2.

mod data;
mod mesh2;
mod mesh4;
pub(crate) mod read;
pub(crate) mod write;

use ribbonmesh_io::core::Cursor;

/// Whether the file has binary data, so that errors name bytes.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    let mut at = Cursor::words(bytes, 0, false);
    let words = [at.word(), at.word(), at.word()];
    words[2] == Some(b"1")
}

//! Polygon file format.

mod ascii;
mod binary;
mod column;
mod header;
mod layout;
mod scalar;
pub(crate) mod write;

pub(crate) use column::{read as read_column, read_all as read_columns};

use crate::{Notes, TriangleMesh, text::Outcome};
use header::{Encoding, Header};
use scalar::{BigEndian, LittleEndian};

/// Reads positions and faces of any PLY file; other elements and properties are passed over.
pub(crate) fn read(bytes: &[u8]) -> Outcome<(TriangleMesh, Notes)> {
    let header = Header::parse(bytes)?;
    let mut notes = Notes::default();
    let tasks = layout::tasks(&header, bytes.len(), &mut notes)?;
    let mut mesh = TriangleMesh::default();
    let end = match header.encoding {
        Encoding::Ascii => ascii::read(bytes, header.body, &tasks, &mut mesh, &mut notes)?,
        Encoding::Little => binary::read::<LittleEndian>(bytes, header.body, &tasks, &mut mesh, &mut notes)?,
        Encoding::Big => binary::read::<BigEndian>(bytes, header.body, &tasks, &mut mesh, &mut notes)?,
    };
    if bytes[end..].iter().any(|byte| !byte.is_ascii_whitespace()) {
        notes.trailing_bytes = (bytes.len() - end) as u64;
    }
    Ok((mesh, notes))
}

/// Whether a byte belongs to the header, or to the body of an ASCII file.
pub(crate) fn is_text(bytes: &[u8], offset: usize) -> bool {
    Header::parse(bytes).map_or(true, |header| header.encoding == Encoding::Ascii || offset < header.body)
}

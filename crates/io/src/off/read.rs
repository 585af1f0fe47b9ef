//! OFF to mesh.

use crate::{
    Notes, ReadErrorKind, TriangleMesh,
    fan::Fan,
    text::{Outcome, Text, fault, quote},
};

/// Fewest bytes of a line with a position, as in `0 0 0`, and its end.
const VERTEX: u64 = 6;
/// Fewest bytes of a line with a face, as in `3 0 1 2`, and its end.
const FACE: u64 = 8;

/// Reads positions and faces, one per line; normals, colours and texture coordinates behind them are passed
/// over. The keyword may be missing.
pub(crate) fn read(bytes: &[u8]) -> Outcome<(TriangleMesh, Notes)> {
    let mut text = Text::new(bytes, 0, true, false);
    let (vertices, faces) = header(&mut text)?;
    let mut notes = Notes::default();
    let mut mesh = TriangleMesh::default();
    mesh.positions.reserve_exact(vertices as usize);
    for _ in 0..vertices {
        line(&mut text, "a vertex")?;
        mesh.positions.push(text.position()?);
        text.skip_line();
    }
    mesh.faces.reserve(faces as usize);
    for _ in 0..faces {
        face(&mut text, &mut mesh, &mut notes)?;
    }
    if text.next_line() {
        notes.trailing_bytes = text.rest().len() as u64;
    }
    Ok((mesh, notes))
}

/// Moves to the next line that says something.
#[inline(always)]
fn line(text: &mut Text<'_>, what: &'static str) -> Outcome<()> {
    if text.next_line() { Ok(()) } else { Err(fault(text.pos, ReadErrorKind::Truncated { what })) }
}

/// Keyword and counts. The counts are such that the rest of the file can hold them.
fn header(text: &mut Text<'_>) -> Outcome<(u64, u64)> {
    line(text, "the keyword OFF")?;
    let start = text.pos;
    let keyword = text.token();
    if keyword.iter().all(u8::is_ascii_digit) {
        text.pos = start;
    } else {
        match keyword {
            b"OFF" | b"COFF" | b"NOFF" | b"CNOFF" | b"STOFF" | b"STCOFF" | b"STNOFF" | b"STCNOFF" => {}
            _ if keyword.ends_with(b"OFF") && keyword.len() <= 9 => {
                let what =
                    format!("an OFF file of kind {:?}, of other than three dimensions,", quote(keyword));
                return Err(fault(start, ReadErrorKind::Unsupported { what }));
            }
            _ => {
                let expected = "the keyword OFF";
                return Err(fault(start, ReadErrorKind::Unexpected { expected, found: quote(keyword) }));
            }
        }
        line(text, "the number of vertices")?;
        if text.rest().starts_with(b"BINARY") {
            return Err(fault(text.pos, ReadErrorKind::Unsupported { what: "a binary OFF file".into() }));
        }
    }
    let counts_at = text.pos;
    let vertices = text.count("the number of vertices")?;
    let faces = text.count("the number of faces")?;
    if !text.line_ends() {
        text.count("the number of edges")?;
    }
    if !text.line_ends() {
        let found = quote(text.token());
        return Err(fault(counts_at, ReadErrorKind::Unexpected { expected: "three counts", found }));
    }
    if vertices > u64::from(u32::MAX) {
        return Err(fault(counts_at, ReadErrorKind::TooManyVertices { count: vertices }));
    }
    let available = text.rest().len() as u64;
    // The last line may go without an end.
    for (what, count, needed) in
        [("vertices", vertices, VERTEX * vertices), ("faces", faces, FACE.saturating_mul(faces))]
    {
        if needed > available + 1 {
            let what = what.into();
            return Err(fault(counts_at, ReadErrorKind::CountTooLarge { what, count, needed, available }));
        }
    }
    Ok((vertices, faces))
}

fn face(text: &mut Text<'_>, mesh: &mut TriangleMesh, notes: &mut Notes) -> Outcome<()> {
    line(text, "a face")?;
    let start = text.pos;
    let vertices = mesh.positions.len() as u64;
    let mut fan = Fan::default();
    for _ in 0..text.count("the number of corners")? {
        text.skip_blanks();
        let offset = text.pos;
        let index = text.integer("a vertex index")?;
        match u32::try_from(index) {
            Ok(corner) if u64::from(corner) < vertices => fan.push(corner, &mut mesh.faces),
            _ => {
                let kind = ReadErrorKind::IndexOutOfRange { index, vertices, relative: false };
                return Err(fault(offset, kind));
            }
        }
    }
    fan.finish(notes).map_err(|kind| fault(start, kind))?;
    text.skip_line();
    Ok(())
}

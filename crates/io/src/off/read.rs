//! OFF to mesh.

use ribbonmesh_mesh::{ColourSpace, Column, Role, TriangleMesh};

use super::{binary, colours::Colours};
use crate::{
    Notes, ReadErrorKind,
    cursor::Cursor,
    decimal::{Decimals, in_its_precision},
    fault::{Outcome, fault, fault_of_file, quote},
    polygon::Fan,
};

/// Fewest bytes of a line with a position, as in `0 0 0`, and its end.
const VERTEX: u64 = 6;
/// Fewest bytes of a line with a face, as in `3 0 1 2`, and its end.
const FACE: u64 = 8;

/// Header: the counts, and the attributes of vertices that the keyword names.
#[derive(Default)]
pub(super) struct Head {
    vertices: u64,
    faces: u64,
    pub normals: bool,
    pub colours: bool,
    pub textures: bool,
}

impl Head {
    /// Stores the data that a keyword announces.
    pub fn of(&mut self, keyword: &[u8]) {
        let kind = keyword.strip_suffix(b"OFF").unwrap_or_default();
        self.textures = kind.starts_with(b"ST");
        let kind = kind.strip_prefix(b"ST").unwrap_or(kind);
        (self.colours, self.normals) = (kind.contains(&b'C'), kind.contains(&b'N'));
    }
}

/// Reads vertices with the normals, colours and texture coordinates that the keyword announces, and faces
/// with their colours. The keyword may be missing. Lines count, as colours may follow what has to be there;
/// where the file makes no sense so, and does where lines end anywhere, it is read so.
pub(crate) fn read(bytes: &[u8], notes: Notes) -> Outcome<(TriangleMesh, Notes)> {
    if let Some(at) = binary_at(bytes) {
        return binary::read(bytes, at, notes);
    }
    let of_lines = in_its_precision(notes.clone(), |decimals, notes| read_as(bytes, decimals, notes, false));
    let fault = match of_lines {
        Err(fault) if is_of_lines(&fault.kind) => fault,
        outcome => return outcome,
    };
    match in_its_precision(notes, |decimals, notes| read_as(bytes, decimals, notes, true)) {
        Ok((mesh, notes)) if notes.trailing_bytes == 0 => Ok((mesh, notes)),
        _ => Err(fault),
    }
}

/// Whether a fault may come of lines that end elsewhere.
fn is_of_lines(kind: &ReadErrorKind) -> bool {
    use ReadErrorKind::{IndexOutOfRange, LineTooShort, NotANumber, TooFewCorners, Truncated, Unexpected};
    let lines = matches!(kind, LineTooShort { .. } | Truncated { .. } | NotANumber { .. });
    lines || matches!(kind, IndexOutOfRange { .. } | TooFewCorners { .. } | Unexpected { .. })
}

/// The offset of the binary data after the line of the keyword; `None` if the keyword does not announce any.
fn binary_at(bytes: &[u8]) -> Option<usize> {
    let mut text = Cursor::new(bytes, 0, true, false);
    text.next_word().then_some(())?;
    text.token().ends_with(b"OFF").then_some(())?;
    text.skip_blanks();
    let rest = text.rest().strip_prefix(b"BINARY")?;
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    rest[..end].trim_ascii().is_empty().then_some(bytes.len() - rest.len() + end + 1)
}

/// Whether a byte belongs to text.
pub(crate) fn is_text(bytes: &[u8], offset: usize) -> bool {
    binary_at(bytes).is_none_or(|at| offset < at)
}

fn read_as(
    bytes: &[u8],
    decimals: Decimals,
    mut notes: Notes,
    free: bool,
) -> Outcome<(TriangleMesh, Notes, Decimals)> {
    let mut text = Cursor::new(bytes, 0, true, false).with(decimals);
    let head = header(&mut text, free)?;
    text.free = free;
    let mut mesh = TriangleMesh::default();
    mesh.positions.reserve_exact(head.vertices as usize);
    let mut normals: Vec<[f32; 3]> = Vec::new();
    let mut textures: Vec<[f32; 2]> = Vec::new();
    let mut colours = Colours::default();
    for vertex in 0..head.vertices as usize {
        line(&mut text, "a vertex")?;
        mesh.positions.push(text.position(&mut notes)?);
        if text.decimals == Decimals::NotSingle {
            return Ok((mesh, notes, text.decimals));
        }
        if head.normals {
            let what = "a normal";
            normals.push(match !free && text.line_ends() {
                true => [0.0; 3],
                false => [text.number(what)?, text.number(what)?, text.number(what)?],
            });
        }
        if head.colours && free {
            colours.read_four(&mut text, vertex)?;
        } else if head.colours && !text.line_ends() {
            colours.read(&mut text, vertex, if head.textures { 2 } else { 0 })?;
        }
        if head.textures {
            let what = "a texture coordinate";
            textures.push(match !free && text.line_ends() {
                true => [f32::NAN; 2],
                false => [text.number(what)?, text.number(what)?],
            });
        }
        if free {
            continue;
        }
        if !text.line_ends() {
            notes.values_skipped += 1;
        }
        text.skip_line();
    }
    let mut of_faces = Colours::default();
    mesh.faces.reserve(head.faces as usize);
    for _ in 0..head.faces {
        face(&mut text, &mut mesh, &mut of_faces, &mut notes)?;
    }
    if text.next_word() {
        notes.trailing_bytes = text.rest().len() as u64;
    }
    Columns { normals, colours, textures, of_faces }.insert(&mut mesh, &mut notes)?;
    Ok((mesh, notes, text.decimals))
}

/// Attributes of vertices and faces.
#[derive(Default)]
pub(super) struct Columns {
    pub normals: Vec<[f32; 3]>,
    pub colours: Colours,
    pub textures: Vec<[f32; 2]>,
    pub of_faces: Colours,
}

impl Columns {
    /// Puts the data that were found into a mesh.
    pub fn insert(self, mesh: &mut TriangleMesh, notes: &mut Notes) -> Outcome<()> {
        let Self { normals, colours, textures, of_faces } = self;
        let (vertices, faces) = (mesh.positions.len(), mesh.faces.len());
        let role = Role::Colour(ColourSpace::Srgb);
        let of_vertices = [
            normals
                .iter()
                .any(|n| *n != [0.0; 3])
                .then(|| Column::with_role("normal", Role::Normal, normals)),
            colours.column("colour", role, vertices, notes),
            textures
                .iter()
                .any(|t| !t[0].is_nan())
                .then(|| Column::with_role("texcoord", Role::TextureCoordinate(0), textures)),
        ];
        let column_error = |error| fault_of_file(ReadErrorKind::Column(error));
        for column in of_vertices.into_iter().flatten() {
            mesh.vertices_mut().insert_column(column).map_err(column_error)?;
        }
        if let Some(column) = of_faces.column("colour", role, faces, notes) {
            mesh.faces_of_mut().insert_column(column).map_err(column_error)?;
        }
        Ok(())
    }
}

/// Moves to the next line that says something.
#[inline(always)]
fn line(text: &mut Cursor<'_>, what: &'static str) -> Outcome<()> {
    if text.next_word() { Ok(()) } else { Err(fault(text.pos, ReadErrorKind::Truncated { what })) }
}

/// Keyword and counts. The counts are such that the rest of the file can hold them.
fn header(text: &mut Cursor<'_>, free: bool) -> Outcome<Head> {
    line(text, "the keyword OFF")?;
    let start = text.pos;
    let keyword = text.token();
    let mut head = Head::default();
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
        head.of(keyword);
        line(text, "the number of vertices")?;
    }
    let counts_at = text.pos;
    // they may be on lines of their own
    text.free = true;
    let vertices = text.count("the number of vertices")?;
    let alone = text.line_ends();
    let faces = text.count("the number of faces")?;
    if alone || free || !text.line_ends() {
        text.count("the number of edges")?;
    }
    text.free = false;
    if !free && !text.line_ends() {
        let found = quote(text.token());
        return Err(fault(counts_at, ReadErrorKind::Unexpected { expected: "three counts", found }));
    }
    if vertices > u64::from(u32::MAX) {
        return Err(fault(counts_at, ReadErrorKind::TooMany { what: "vertices", count: vertices }));
    }
    let available = text.rest().len() as u64;
    // The last line may lack an end of line.
    for (what, count, needed) in
        [("vertices", vertices, VERTEX * vertices), ("faces", faces, FACE.saturating_mul(faces))]
    {
        if needed > available + 1 {
            let what = what.into();
            return Err(fault(counts_at, ReadErrorKind::CountTooLarge { what, count, needed, available }));
        }
    }
    Ok(Head { vertices, faces, ..head })
}

fn face(
    text: &mut Cursor<'_>,
    mesh: &mut TriangleMesh,
    colours: &mut Colours,
    notes: &mut Notes,
) -> Outcome<()> {
    line(text, "a face")?;
    let start = text.pos;
    let vertices = mesh.positions.len() as u64;
    let first = mesh.faces.len();
    let mut fan = Fan::default();
    for _ in 0..text.count("the number of corners")? {
        text.skip_blanks();
        let mut offset = text.pos;
        let index = text.integer("a vertex index")?;
        if text.free {
            offset = text.pos - 1;
        }
        match u32::try_from(index) {
            Ok(corner) if u64::from(corner) < vertices => fan.push(corner, &mut mesh.faces),
            _ => {
                let kind = ReadErrorKind::IndexOutOfRange { index, vertices, relative: false };
                return Err(fault(offset, kind));
            }
        }
    }
    let kept = fan.finish(start, &mesh.faces, notes)?;
    if text.free {
        return Ok(());
    }
    if kept && !text.line_ends() {
        colours.read(text, first, 0)?;
        colours.repeat(mesh.faces.len());
    }
    text.skip_line();
    Ok(())
}

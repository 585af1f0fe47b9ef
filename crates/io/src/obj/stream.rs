//! OBJ files that are read piece by piece.

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use glam::DVec3;

use super::statement::Statement;
use crate::{
    Notes, Place, ReadError, ReadErrorKind,
    cursor::Cursor,
    decimal::Decimals,
    fault::{Fault, Outcome, fault, quote},
    pieces::{PIECE, of_system},
};

/// The longest line, in bytes.
const LONGEST: usize = 1 << 24;
/// The most names of statements that are left out which are kept: a file of another kind has other words on
/// every line.
const NAMES: usize = 20;

/// An OBJ file of triangles that is never in memory as a whole: each pass reads it from its beginning, a
/// mebibyte at a time. Only positions and faces are read.
#[derive(Debug)]
pub struct ObjStream {
    file: PathBuf,
    decimals: Decimals,
    vertices: u64,
    faces: u64,
    left_out: Vec<String>,
}

/// The statements that a pass reads; it passes over the others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    All { strict: bool },
    Vertices,
    Faces,
}

/// A statement.
enum Found {
    Vertex(DVec3),
    Face([u32; 3]),
    /// One that is left out, by its name.
    Other(String),
    /// A face of fewer than three corners, which is left out.
    Thin,
}

impl ObjStream {
    /// Reads the file once, to count its vertices and faces, and to find whether its decimals are in single
    /// precision. Faces of fewer than three corners and unknown lines are left out, or refused where reading
    /// is `strict`.
    ///
    /// # Errors
    /// [`ReadError`]: the file cannot be read, a coordinate is not finite, a face has more than three corners
    /// or names no vertex, there are no vertices or no faces, or more than 32-bit indices can name.
    pub fn open(path: impl AsRef<Path>, strict: bool) -> Result<Self, ReadError> {
        let mut stream = Self {
            file: path.as_ref().into(),
            decimals: Decimals::Single,
            vertices: 0,
            faces: 0,
            left_out: vec![],
        };
        let (mut vertices, mut faces, mut thin, mut last) = (0_u64, 0_u64, 0_u64, 0_u64);
        let mut left_out: Vec<String> = vec![];
        let decimals = stream.pass::<ReadError>(Pass::All { strict }, |found| {
            match found {
                Found::Vertex(_) => vertices += 1,
                Found::Face(corners) => {
                    faces += 1;
                    last = corners.into_iter().fold(last, |last, corner| last.max(corner.into()));
                }
                Found::Other(name) if left_out.len() < NAMES && !left_out.contains(&name) => {
                    left_out.push(name);
                }
                Found::Other(_) => {}
                Found::Thin => thin += 1,
            }
            Ok(())
        })?;
        if thin > 0 {
            left_out.push(format!("faces of fewer than three corners ({thin})"));
        }
        let single = decimals == Decimals::Single;
        stream.decimals = if single { Decimals::Single } else { Decimals::Double };
        (stream.vertices, stream.faces, stream.left_out) = (vertices, faces, left_out);
        let kind = if vertices == 0 {
            ReadErrorKind::NoVertices
        } else if faces == 0 {
            ReadErrorKind::NoFaces { vertices }
        } else if vertices > u64::from(u32::MAX) {
            ReadErrorKind::TooMany { what: "vertices", count: vertices }
        } else if last >= vertices {
            ReadErrorKind::IndexOutOfRange { index: last as i64 + 1, vertices, relative: false }
        } else {
            return Ok(stream);
        };
        Err(ReadError { file: stream.file, place: Place::File, kind })
    }

    /// Number of vertices.
    pub fn vertices(&self) -> u64 {
        self.vertices
    }

    /// Number of faces.
    pub fn faces(&self) -> u64 {
        self.faces
    }

    /// Whether each decimal is that of a number in single precision.
    pub fn is_single(&self) -> bool {
        self.decimals == Decimals::Single
    }

    /// The statements that no pass gives, each once.
    pub fn left_out(&self) -> Vec<String> {
        self.left_out.clone()
    }

    /// Gives the position of each vertex to `visit`, in the order of the file.
    ///
    /// # Errors
    /// Those of `visit`; [`ReadError`]: the file cannot be read, or is not as it was.
    pub fn each_vertex<E: From<ReadError>>(
        &self,
        mut visit: impl FnMut(DVec3) -> Result<(), E>,
    ) -> Result<(), E> {
        let vertex = |found| match found {
            Found::Vertex(position) => visit(position),
            _ => Ok(()),
        };
        self.pass(Pass::Vertices, vertex).map(drop)
    }

    /// Gives the corners of each face to `visit`, in the order of the file.
    ///
    /// # Errors
    /// Those of `visit`; [`ReadError`]: the file cannot be read, or is not as it was.
    pub fn each_face<E: From<ReadError>>(
        &self,
        mut visit: impl FnMut([u32; 3]) -> Result<(), E>,
    ) -> Result<(), E> {
        let face = |found| match found {
            Found::Face(corners) => visit(corners),
            _ => Ok(()),
        };
        self.pass(Pass::Faces, face).map(drop)
    }

    /// Gives the statements of a pass; returns how the coordinates were found.
    fn pass<E: From<ReadError>>(
        &self,
        pass: Pass,
        mut visit: impl FnMut(Found) -> Result<(), E>,
    ) -> Result<Decimals, E> {
        let whole =
            |fault: Fault| ReadError { file: self.file.clone(), place: Place::File, kind: fault.kind };
        let mut lines = Lines::open(&self.file).map_err(whole)?;
        let mut reader = Reader { pass, vertices: 0, decimals: self.decimals, notes: Notes::default() };
        reader.notes.strict = true;
        while lines.next().map_err(whole)? {
            let text = lines.text();
            let mut cursor = Cursor::new(text, 0, true, true).with(reader.decimals);
            while cursor.next_word() {
                let found = reader.statement(&mut cursor).map_err(|fault| {
                    let ReadError { file, place, kind } = fault.in_file(&self.file, text, |_| true);
                    let place = match place {
                        Place::Line(line) => Place::Line(lines.before + line),
                        place => place,
                    };
                    ReadError { file, place, kind }
                })?;
                found.map_or(Ok(()), &mut visit)?;
            }
            // one that is not in single precision decides for the whole file
            reader.decimals = cursor.decimals;
        }
        Ok(reader.decimals)
    }
}

struct Reader {
    pass: Pass,
    /// Vertices so far.
    vertices: u64,
    decimals: Decimals,
    notes: Notes,
}

impl Reader {
    fn statement(&mut self, text: &mut Cursor<'_>) -> Outcome<Option<Found>> {
        let start = text.pos;
        let keyword = text.token();
        let found = match Statement::of(keyword) {
            Statement::Vertex => {
                self.vertices += 1;
                match self.pass {
                    Pass::Faces => None,
                    _ => Some(Found::Vertex(text.position(&mut self.notes)?)),
                }
            }
            Statement::Face if self.pass != Pass::Vertices => Some(self.face(text, start)?),
            _ if matches!(self.pass, Pass::Vertices | Pass::Faces) => None,
            Statement::Call => {
                let what = format!("the statement {:?}, which runs another file,", quote(keyword));
                return Err(fault(start, ReadErrorKind::Unsupported { what }));
            }
            Statement::Unknown if self.pass == (Pass::All { strict: true }) => {
                let (expected, found) = ("an OBJ statement", quote(keyword));
                return Err(fault(start, ReadErrorKind::Unexpected { expected, found }));
            }
            _ => Some(Found::Other(quote(keyword))),
        };
        text.skip_line();
        Ok(found)
    }

    /// The corners of a face, `v`, `v/vt`, `v//vn` or `v/vt/vn` each.
    fn face(&self, text: &mut Cursor<'_>, start: usize) -> Outcome<Found> {
        let (mut face, mut corners) = ([0; 3], 0);
        while !text.line_ends() {
            let offset = text.pos;
            let index = text.integer_part("a vertex index")?;
            if !text.token_ends_here() && !text.rest().starts_with(b"/") {
                let (expected, found) = ("a corner v, v/vt, v//vn or v/vt/vn", quote(text.token()));
                return Err(fault(offset, ReadErrorKind::Unexpected { expected, found }));
            }
            text.token();
            let vertices = self.vertices as i64;
            let zero_based = if index < 0 { vertices.saturating_add(index) } else { index - 1 };
            let Ok(vertex) = u32::try_from(zero_based) else {
                let (relative, vertices) = (index < 0, self.vertices);
                return Err(fault(offset, ReadErrorKind::IndexOutOfRange { index, vertices, relative }));
            };
            if let Some(corner) = face.get_mut(corners as usize) {
                *corner = vertex;
            }
            corners += 1;
        }
        match corners {
            3 => Ok(Found::Face(face)),
            0..3 if self.pass == (Pass::All { strict: true }) => {
                Err(fault(start, ReadErrorKind::TooFewCorners { corners }))
            }
            0..3 => Ok(Found::Thin),
            _ => {
                let what = format!("a face of {corners} corners");
                Err(fault(start, ReadErrorKind::NotInPieces { what }))
            }
        }
    }
}

/// Pieces of a text that end with a line.
struct Lines {
    file: File,
    buffer: Vec<u8>,
    /// End of the present piece in the buffer.
    end: usize,
    /// Lines before the piece.
    before: u64,
}

impl Lines {
    fn open(path: &Path) -> Result<Self, Fault> {
        let file = File::open(path).map_err(of_system)?;
        Ok(Self { file, buffer: Vec::with_capacity(PIECE), end: 0, before: 0 })
    }
    /// The present piece.
    fn text(&self) -> &[u8] {
        &self.buffer[..self.end]
    }
    /// Goes on to the next piece; false at the end of the file.
    fn next(&mut self) -> Result<bool, Fault> {
        let mark = usize::from(self.before == 0 && self.end == 0);
        self.before += memchr::memchr_iter(b'\n', self.text()).count() as u64;
        self.buffer.drain(..self.end);
        loop {
            let more = Read::by_ref(&mut self.file)
                .take(PIECE as u64)
                .read_to_end(&mut self.buffer)
                .map_err(of_system)?;
            if mark == 1 && self.buffer.starts_with("\u{feff}".as_bytes()) {
                self.buffer.drain(..3);
            }
            self.end = if more == 0 { self.buffer.len() } else { end_of_lines(&self.buffer) };
            if more == 0 || self.end > 0 {
                return Ok(self.end > 0);
            }
            if self.buffer.len() > LONGEST {
                let what = format!("a line of more than {LONGEST} bytes");
                return Err(Fault { offset: None, kind: ReadErrorKind::NotInPieces { what } });
            }
        }
    }
}

/// The end of the last line in a text that the next one does not continue; 0 where there is none. Lines end
/// with a line feed, or in a text without any with a carriage return.
fn end_of_lines(text: &[u8]) -> usize {
    let feeds = memchr::memchr(b'\n', text).is_some();
    let mut from = text.len();
    loop {
        let end = memchr::memrchr(if feeds { b'\n' } else { b'\r' }, &text[..from]);
        let Some(end) = end else { return 0 };
        let line = text[..end].strip_suffix(b"\r").unwrap_or(&text[..end]);
        // a carriage return at the end of a piece may have its line feed in the next one
        if !line.ends_with(b"\\") && (feeds || end + 1 < text.len()) {
            return end + 1;
        }
        from = end;
    }
}

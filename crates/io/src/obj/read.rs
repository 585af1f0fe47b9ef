//! OBJ to mesh.

use super::statement::Statement;
use crate::{
    Notes, ReadErrorKind, TriangleMesh,
    fan::Fan,
    mesh::push_vertex,
    text::{Fault, Outcome, Text, fault, quote},
};

/// The largest index of a vertex that had not been read yet when a face named it, and where.
#[derive(Clone, Copy)]
struct Forward {
    index: i64,
    offset: usize,
}

struct Reader<'a> {
    text: Text<'a>,
    mesh: TriangleMesh,
    notes: Notes,
    forward: Option<Forward>,
}

/// Reads positions and faces; attributes, groups and materials are passed over. Faces may name vertices that
/// come after them.
pub(crate) fn read(bytes: &[u8]) -> Outcome<(TriangleMesh, Notes)> {
    let mut reader = Reader {
        text: Text::new(bytes, 0, true, true),
        mesh: TriangleMesh::default(),
        notes: Notes::default(),
        forward: None,
    };
    while reader.text.next_line() {
        reader.statement()?;
    }
    let vertices = reader.mesh.positions.len() as u64;
    match reader.forward {
        Some(Forward { index, offset }) if index as u64 > vertices => {
            Err(out_of_range(offset, index, vertices))
        }
        _ => Ok((reader.mesh, reader.notes)),
    }
}

#[cold]
fn out_of_range(offset: usize, index: i64, vertices: u64) -> Box<Fault> {
    fault(offset, ReadErrorKind::IndexOutOfRange { index, vertices, relative: index < 0 })
}

impl Reader<'_> {
    fn statement(&mut self) -> Outcome<()> {
        let start = self.text.pos;
        match self.text.rest() {
            [b'v', b' ' | b'\t', ..] => {
                self.text.pos += 1;
                return self.vertex();
            }
            [b'f', b' ' | b'\t', ..] => {
                self.text.pos += 1;
                return self.face(start);
            }
            _ => {}
        }
        let keyword = self.text.token();
        match Statement::of(keyword) {
            Statement::Vertex => return self.vertex(),
            Statement::Face => return self.face(start),
            Statement::Ignored => {}
            Statement::PointOrLine => self.notes.points_and_lines_skipped += 1,
            Statement::CurveOrSurface => self.notes.curves_and_surfaces_skipped += 1,
            Statement::Call => {
                let what = format!("the statement {:?}, which runs another file,", quote(keyword));
                return Err(fault(start, ReadErrorKind::Unsupported { what }));
            }
            Statement::Unknown => {
                let expected = "an OBJ statement";
                return Err(fault(start, ReadErrorKind::Unexpected { expected, found: quote(keyword) }));
            }
        }
        self.text.skip_line();
        Ok(())
    }

    /// `v x y z`, with a weight or a colour behind it perhaps.
    #[inline(always)]
    fn vertex(&mut self) -> Outcome<()> {
        let position = self.text.position()?;
        push_vertex(&mut self.mesh.positions, position).map_err(|kind| fault(self.text.pos, kind))?;
        while !self.text.line_ends() {
            self.text.skip_number("a weight or colour")?;
        }
        Ok(())
    }

    /// `f`, and corners `v`, `v/vt`, `v//vn` or `v/vt/vn`.
    #[inline(always)]
    fn face(&mut self, start: usize) -> Outcome<()> {
        let mut fan = Fan::default();
        while !self.text.line_ends() {
            let corner = self.corner()?;
            fan.push(corner, &mut self.mesh.faces);
        }
        fan.finish(&mut self.notes).map_err(|kind| fault(start, kind))
    }

    #[inline(always)]
    fn corner(&mut self) -> Outcome<u32> {
        let offset = self.text.pos;
        let index = self.text.integer_part("a vertex index")?;
        if !self.text.token_ends_here() {
            self.attributes_of_corner()?;
        }
        let vertices = self.mesh.positions.len() as i64;
        let zero_based = match index {
            1.. => {
                if index > vertices && self.forward.is_none_or(|forward| index > forward.index) {
                    self.forward = Some(Forward { index, offset });
                }
                index - 1
            }
            0 => -1,
            _ => vertices.saturating_add(index),
        };
        u32::try_from(zero_based).map_err(|_| out_of_range(offset, index, vertices as u64))
    }

    /// What follows the vertex index of a corner: `/vt`, `//vn` or `/vt/vn`.
    fn attributes_of_corner(&mut self) -> Outcome<()> {
        let start = self.text.pos;
        for _ in 0..2 {
            if !self.text.take(b'/') {
                break;
            }
            if !self.text.token_ends_here() && !self.text.rest().starts_with(b"/") {
                self.text.integer_part("an attribute index")?;
            }
        }
        if self.text.token_ends_here() {
            return Ok(());
        }
        self.text.pos = start;
        let found = quote(self.text.token());
        Err(fault(start, ReadErrorKind::Unexpected { expected: "a corner v, v/vt, v//vn or v/vt/vn", found }))
    }
}

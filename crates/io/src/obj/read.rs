//! OBJ to mesh.

use ribbonmesh_mesh::{ColourSpace, Column, ColumnError, Library, Material, NONE, Role, TriangleMesh};

use super::{corners::CornerValues, runs::Runs, statement::Statement};
use crate::{
    Notes, ReadErrorKind,
    cursor::Cursor,
    decimal::{Decimals, in_its_precision},
    fault::{Fault, Outcome, fault, fault_of_file, quote},
    polygon::Fan,
};

/// The largest index of a vertex that had not been read yet when a face named it, and where.
#[derive(Clone, Copy)]
struct Forward {
    index: i64,
    offset: usize,
}

struct Reader<'a> {
    text: Cursor<'a>,
    mesh: TriangleMesh,
    notes: Notes,
    forward: Option<Forward>,
    /// Colours of the vertices so far, from the first vertex that has one on.
    colours: Vec<[f32; 3]>,
    uncoloured: u64,
    textures: CornerValues,
    normals: CornerValues,
    /// Rows of textures and normals of the corners of a polygon.
    polygon: Vec<[u32; 2]>,
    groups: Runs,
    objects: Runs,
    materials: Runs,
    smoothing: Runs,
}

/// Reads vertices with colours, texture coordinates and normals, and faces with groups, objects, materials
/// and smoothing groups. Faces may name vertices that come after them.
///
/// Lines whose keyword is not in the specification are skipped.
pub(crate) fn read(bytes: &[u8], notes: Notes) -> Outcome<(TriangleMesh, Notes)> {
    in_its_precision(notes, |decimals, notes| read_as(bytes, decimals, notes))
}

fn read_as(bytes: &[u8], decimals: Decimals, notes: Notes) -> Outcome<(TriangleMesh, Notes, Decimals)> {
    let mut reader = Reader {
        text: Cursor::new(bytes, 0, true, true).with(decimals),
        mesh: TriangleMesh::default(),
        notes,
        forward: None,
        colours: Vec::new(),
        uncoloured: 0,
        textures: CornerValues::default(),
        normals: CornerValues::default(),
        polygon: Vec::new(),
        groups: Runs::default(),
        objects: Runs::default(),
        materials: Runs::default(),
        smoothing: Runs::default(),
    };
    while reader.text.next_word() {
        reader.statement()?;
        if reader.text.decimals == Decimals::NotSingle {
            return Ok((reader.mesh, reader.notes, Decimals::NotSingle));
        }
    }
    let vertices = reader.mesh.positions.len() as u64;
    match reader.forward {
        Some(Forward { index, offset }) if index as u64 > vertices => {
            return Err(out_of_range(offset, index, vertices));
        }
        _ => {}
    }
    reader.textures.check()?;
    reader.normals.check()?;
    let decimals = reader.text.decimals;
    let (mesh, notes) = reader.finish().map_err(|error| fault_of_file(ReadErrorKind::Column(error)))?;
    Ok((mesh, notes, decimals))
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
        let faces = self.mesh.faces.len();
        match Statement::of(keyword) {
            Statement::Vertex => return self.vertex(),
            Statement::Face => return self.face(start),
            Statement::Texture => return self.texture(),
            Statement::Normal => return self.normal(),
            Statement::Group => self.groups.name(faces, &self.text.words_of_line()),
            Statement::Object => self.objects.name(faces, &self.text.words_of_line()),
            Statement::Material => self.materials.name(faces, &self.text.words_of_line()),
            Statement::Smoothing => {
                let words = self.text.words_of_line();
                let number = if words == b"off" { Ok(0) } else { lexical_core::parse(&words) };
                let number = number.map_err(|_| {
                    let what = "the number of a smoothing group";
                    fault(start, ReadErrorKind::NotANumber { what, text: quote(&words) })
                })?;
                self.smoothing.number(faces, number);
            }
            Statement::Library => {
                let name = String::from_utf8_lossy(&self.text.words_of_line()).into_owned();
                self.mesh.tables.libraries.push(Library { name, bytes: None });
            }
            Statement::Ignored => self.notes.skip_statement(&quote(keyword)),
            Statement::PointOrLine => self.notes.points_and_lines_skipped += 1,
            Statement::CurveOrSurface => self.notes.curves_and_surfaces_skipped += 1,
            Statement::Call => {
                let what = format!("the statement {:?}, which runs another file,", quote(keyword));
                return Err(fault(start, ReadErrorKind::Unsupported { what }));
            }
            Statement::Unknown => {
                self.notes.skip_unknown(start, &quote(keyword), "an OBJ statement")?;
            }
        }
        self.text.skip_line();
        Ok(())
    }

    /// `v x y z`, with a weight or a colour behind it perhaps.
    #[inline(always)]
    fn vertex(&mut self) -> Outcome<()> {
        let position = self.text.position(&mut self.notes)?;
        let count = self.mesh.positions.len();
        if count >= u32::MAX as usize {
            let kind = ReadErrorKind::TooMany { what: "vertices", count: count as u64 + 1 };
            return Err(fault(self.text.pos, kind));
        }
        self.mesh.positions.push(position);
        if self.text.line_ends() {
            if !self.colours.is_empty() {
                self.colours.push([1.0; 3]);
                self.uncoloured += 1;
            }
            return Ok(());
        }
        self.colour(count)
    }

    /// Reads the weight or the colour after the coordinates of a vertex.
    #[inline(never)]
    fn colour(&mut self, vertex: usize) -> Outcome<()> {
        let mut numbers = [0.0_f32; 3];
        let mut count = 0;
        while !self.text.line_ends() {
            let number = self.text.number("a weight or colour")?;
            if let Some(place) = numbers.get_mut(count) {
                *place = number;
            }
            count += 1;
        }
        let [a, b, c] = numbers;
        let colour = match count {
            3 | 4 => Some([a, b, c]),
            _ => None,
        };
        if count != 3 {
            self.notes.weights_skipped += 1;
        }
        match colour {
            Some(colour) => {
                if self.colours.is_empty() {
                    self.colours.resize(vertex, [1.0; 3]);
                    self.uncoloured = vertex as u64;
                }
                self.colours.push(colour);
            }
            None if !self.colours.is_empty() => {
                self.colours.push([1.0; 3]);
                self.uncoloured += 1;
            }
            None => {}
        }
        Ok(())
    }

    fn texture(&mut self) -> Outcome<()> {
        let what = "a texture coordinate";
        let mut row = [self.text.number(what)?, 0.0, 0.0];
        let mut width = 1;
        while width < 3 && !self.text.line_ends() {
            row[width] = self.text.number(what)?;
            width += 1;
        }
        self.textures.width = self.textures.width.max(width);
        self.textures.rows.push(row);
        self.text.skip_line();
        Ok(())
    }

    fn normal(&mut self) -> Outcome<()> {
        let what = "a normal";
        let row = [self.text.number(what)?, self.text.number(what)?, self.text.number(what)?];
        self.normals.rows.push(row);
        self.text.skip_line();
        Ok(())
    }

    /// `f`, and corners `v`, `v/vt`, `v//vn` or `v/vt/vn`.
    #[inline(always)]
    fn face(&mut self, start: usize) -> Outcome<()> {
        let first = self.mesh.faces.len();
        let mut fan = Fan::default();
        self.polygon.clear();
        let mut count = 0;
        while !self.text.line_ends() {
            let corner = self.corner(count)?;
            fan.push(corner, &mut self.mesh.faces);
            count += 1;
        }
        if !fan.finish(start, &self.mesh.faces, &mut self.notes)? {
            return Ok(());
        }
        if !self.polygon.is_empty() {
            let polygon = &self.polygon;
            let of = |corner: usize, which: usize| polygon.get(corner).map_or(NONE, |rows| rows[which]);
            self.textures.polygon(first, |corner| of(corner, 0), count);
            self.normals.polygon(first, |corner| of(corner, 1), count);
        }
        Ok(())
    }

    #[inline(always)]
    fn corner(&mut self, number: usize) -> Outcome<u32> {
        let offset = self.text.pos;
        let index = self.text.integer_part("a vertex index")?;
        if !self.text.token_ends_here() {
            self.attributes_of_corner(number)?;
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

    /// Reads the indices after the vertex index of a corner: `/vt`, `//vn` or `/vt/vn`.
    fn attributes_of_corner(&mut self, number: usize) -> Outcome<()> {
        let start = self.text.pos;
        let mut rows = [NONE; 2];
        for (which, row) in rows.iter_mut().enumerate() {
            if !self.text.accept(b'/') {
                break;
            }
            if !self.text.token_ends_here() && !self.text.rest().starts_with(b"/") {
                let offset = self.text.pos;
                let index = self.text.integer_part("an attribute index")?;
                let values = if which == 0 { &mut self.textures } else { &mut self.normals };
                *row = values.row(index, offset);
            }
        }
        if self.text.token_ends_here() {
            self.polygon.resize(number, [NONE; 2]);
            self.polygon.push(rows);
            return Ok(());
        }
        self.text.pos = start;
        let found = quote(self.text.token());
        Err(fault(start, ReadErrorKind::Unexpected { expected: "a corner v, v/vt, v//vn or v/vt/vn", found }))
    }

    fn finish(self) -> Result<(TriangleMesh, Notes), ColumnError> {
        let Self { mut mesh, mut notes, .. } = self;
        if !self.colours.is_empty() {
            let mut colours = self.colours;
            let coloured = colours.len() as u64 - self.uncoloured;
            if crate::colour::are_bytes(colours.as_flattened()) {
                // rows without a colour are white already
                let white = |row: &[f32; 3]| *row == [1.0; 3] && self.uncoloured > 0;
                let bytes = colours.iter_mut().filter(|row| !white(row));
                bytes.for_each(|row| *row = row.map(|value| value / 255.0));
                notes.colours_of_bytes = coloured;
            }
            let colours = colours.into_iter().map(glam::Vec3::from_array).collect();
            let role = Role::Colour(ColourSpace::Srgb);
            mesh.vertices_mut().insert_column(Column::with_role("colour", role, colours))?;
            notes.uncoloured = self.uncoloured;
        }
        let role = Role::TextureCoordinate(0);
        notes.values_skipped += self.textures.finish(&mut mesh, "texcoord", role, f32::NAN)?;
        notes.values_skipped += self.normals.finish(&mut mesh, "normal", Role::Normal, 0.0)?;
        let faces = mesh.faces.len();
        let columns = [
            self.groups.column("group", Role::Group, faces, NONE),
            self.objects.column("object", Role::Object, faces, NONE),
            self.materials.column("material", Role::Material, faces, NONE),
            self.smoothing.column("smoothing", Role::Smoothing, faces, 0),
        ];
        for column in columns.into_iter().flatten() {
            mesh.faces_of_mut().insert_column(column)?;
        }
        mesh.tables.groups = self.groups.names;
        mesh.tables.objects = self.objects.names;
        let material = |name| Material { name, gltf: None };
        mesh.tables.materials = self.materials.names.into_iter().map(material).collect();
        Ok((mesh, notes))
    }
}

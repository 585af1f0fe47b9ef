//! Mesh to OBJ.

use std::{borrow::Cow, io};

use ribbonmesh_mesh::{Column, Element, NONE, Role, Scalars, TextureOrigin, TriangleMesh};
use rustc_hash::FxHashMap;

use super::mtl;
use crate::{WriteOptions, colour, losses::Losses, sink::Sink, texture};

/// The way in which corners name the lines of an attribute.
enum Lines<'m> {
    /// There are none.
    None,
    /// The number of the line of each vertex, [`NONE`] for none; and the row of each line.
    Vertices(Cow<'m, Column>, Vec<u32>, Vec<usize>),
    /// The same of each corner.
    Corners(Cow<'m, Column>, Vec<u32>, Vec<usize>),
}

impl<'m> Lines<'m> {
    /// The lines of the first column with a role, of corners or else of vertices.
    fn of(mesh: &'m TriangleMesh, role: Role, widths: &[usize], losses: &mut Losses<'_>) -> Self {
        let fits = |column: &&Column| {
            column.role() == role && widths.contains(&column.width()) && !column.scalar().is_integer()
        };
        if let Some(column) = mesh.corners().iter().find(fits) {
            keep(losses, Element::Corner, column);
            let (column, bottom) = (Cow::Borrowed(column), TextureOrigin::Bottom);
            return Self::distinct(texture::turned(mesh, column, Element::Corner, bottom, losses));
        }
        match mesh.vertices().iter().find(fits) {
            Some(column) => {
                keep(losses, Element::Vertex, column);
                let rows: Vec<usize> = (0..column.rows()).filter(|&row| !missing(column, row)).collect();
                let mut lines = vec![NONE; column.rows()];
                for (line, &row) in (0..).zip(&rows) {
                    lines[row] = line;
                }
                let (column, bottom) = (Cow::Borrowed(column), TextureOrigin::Bottom);
                let column = texture::turned(mesh, column, Element::Vertex, bottom, losses);
                Self::Vertices(column, lines, rows)
            }
            None => Self::None,
        }
    }

    /// A line for each different row, in the order in which corners need them.
    fn distinct(column: Cow<'m, Column>) -> Self {
        let width = column.width();
        let mut numbers: FxHashMap<[u64; 3], u32> = FxHashMap::default();
        let mut rows = Vec::new();
        let mut lines = Vec::with_capacity(column.rows());
        for row in 0..column.rows() {
            if missing(&column, row) {
                lines.push(NONE);
                continue;
            }
            let mut key = [0; 3];
            for (i, key) in key.iter_mut().enumerate().take(width) {
                let value = column.scalars().as_f64(row * width + i).unwrap_or(0.0);
                *key = value.to_bits();
            }
            let next = rows.len() as u32;
            let line = *numbers.entry(key).or_insert(next);
            if line == next {
                rows.push(row);
            }
            lines.push(line);
        }
        Self::Corners(column, lines, rows)
    }

    fn write(&self, sink: &mut Sink<'_>, keyword: &[u8]) -> io::Result<()> {
        let mut line = |column: &Column, row: usize| {
            sink.bytes(keyword);
            sink.column_row(column, row);
            sink.line()
        };
        match self {
            Self::None => Ok(()),
            Self::Vertices(column, _, rows) | Self::Corners(column, _, rows) => {
                rows.iter().try_for_each(|&row| line(column, row))
            }
        }
    }

    /// The number of the line of a corner, from 1.
    fn number(&self, corner: usize, vertex: u32) -> Option<u64> {
        let line = match self {
            Self::None => NONE,
            Self::Vertices(_, lines, _) => lines[vertex as usize],
            Self::Corners(_, lines, _) => lines[corner],
        };
        (line != NONE).then(|| u64::from(line) + 1)
    }
}

/// Whether a row of a column means that there is no value.
fn missing(column: &Column, row: usize) -> bool {
    let width = column.width();
    (0..width).all(|i| column.scalars().as_f64(row * width + i).is_none_or(f64::is_nan))
}

/// Colours of vertices as fractions in sRGB, without opacity.
struct Fractions<'m>(Cow<'m, Column>);

impl<'m> Fractions<'m> {
    fn of(column: &'m Column, losses: &mut Losses<'_>) -> Self {
        let colours = colour::in_srgb(column, Element::Vertex, losses);
        let (scalars, width) = (colours.scalars(), colours.width());
        let opaque = |row| colour::fraction(scalars, row * width + 3) == 1.0;
        let single = |value: f64| f64::from(value as f32) == value;
        let exact = match scalars {
            Scalars::F64(values) => values.iter().all(|value| single(*value)),
            _ => true,
        };
        if width > 3 && !(0..colours.rows()).all(opaque) || !exact {
            losses.round(Element::Vertex, column.name());
        }
        Self(colours)
    }

    fn row(&self, row: usize) -> [f32; 3] {
        let (scalars, width) = (self.0.scalars(), self.0.width());
        [0, 1, 2].map(|channel| match scalars {
            Scalars::F32(values) => values[row * width + channel],
            scalars => colour::fraction(scalars, row * width + channel) as f32,
        })
    }
}

/// The column is written; readers take it for single precision.
fn keep(losses: &mut Losses<'_>, element: Element, column: &Column) {
    let exact = match column.scalars() {
        Scalars::F64(values) => values.iter().all(|value| f64::from(*value as f32) == *value),
        _ => true,
    };
    if exact { losses.keep(element, column.name()) } else { losses.round(element, column.name()) }
}

/// A statement that holds until the next of its kind.
struct Labels<'m> {
    keyword: &'static str,
    numbers: &'m [u32],
    names: Vec<&'m str>,
    current: u32,
}

/// Positions with colours, texture coordinates, normals, and faces with objects, groups, materials and
/// smoothing groups. `library` is the file of materials that is made for the mesh, if there is one.
pub(crate) fn write(
    sink: &mut Sink<'_>,
    mesh: &TriangleMesh,
    options: &WriteOptions,
    library: Option<&str>,
    losses: &mut Losses<'_>,
) -> io::Result<()> {
    sink.comments("# ", &options.comments)?;
    for library in mesh.tables.libraries.iter().map(|library| library.name.as_str()).chain(library) {
        sink.comments("mtllib ", &[library.to_owned()])?;
    }
    let is_colour = |column: &&Column| matches!(column.role(), Role::Colour(_)) && column.width() >= 3;
    let colours = mesh.vertices().iter().find(is_colour).map(|column| Fractions::of(column, losses));
    let textures = Lines::of(mesh, Role::TextureCoordinate(0), &[1, 2, 3], losses);
    let normals = Lines::of(mesh, Role::Normal, &[3], losses);
    for (vertex, position) in mesh.positions.iter().enumerate() {
        sink.bytes(b"v ");
        sink.position(*position, mesh.precision);
        if let Some(colours) = &colours {
            for value in colours.row(vertex) {
                sink.bytes(b" ");
                sink.float(value);
            }
        }
        sink.line()?;
    }
    textures.write(sink, b"vt ")?;
    normals.write(sink, b"vn ")?;
    let materials = mtl::names(&mesh.tables);
    let mut labels = labels(mesh, &materials, losses);
    let bare = matches!((&textures, &normals), (Lines::None, Lines::None));
    for (number, face) in mesh.faces.iter().enumerate() {
        for label in &mut labels {
            label.write(sink, number)?;
        }
        sink.bytes(b"f");
        for (i, &vertex) in face.iter().enumerate() {
            sink.bytes(b" ");
            sink.integer(u64::from(vertex) + 1);
            if bare {
                continue;
            }
            let corner = 3 * number + i;
            match (textures.number(corner, vertex), normals.number(corner, vertex)) {
                (None, None) => {}
                (Some(texture), None) => {
                    sink.bytes(b"/");
                    sink.integer(texture);
                }
                (texture, Some(normal)) => {
                    sink.bytes(b"/");
                    if let Some(texture) = texture {
                        sink.integer(texture);
                    }
                    sink.bytes(b"/");
                    sink.integer(normal);
                }
            }
        }
        sink.line()?;
    }
    Ok(())
}

fn labels<'m>(mesh: &'m TriangleMesh, materials: &'m [String], losses: &mut Losses<'_>) -> Vec<Labels<'m>> {
    let tables = &mesh.tables;
    let materials = materials.iter().map(String::as_str);
    let kinds: [(_, _, Vec<&str>); 4] = [
        ("o", Role::Object, tables.objects.iter().map(String::as_str).collect()),
        ("g", Role::Group, tables.groups.iter().map(String::as_str).collect()),
        ("usemtl", Role::Material, materials.collect()),
        ("s", Role::Smoothing, vec![]),
    ];
    let mut labels = Vec::new();
    for (keyword, role, names) in kinds {
        let Some(column) = mesh.faces_of().with_role(role) else { continue };
        let Some(numbers) = column.values::<u32>() else { continue };
        losses.keep(Element::Face, column.name());
        match role {
            Role::Object => losses.keep_objects(),
            Role::Group => losses.keep_groups(),
            Role::Material => losses.keep_materials(),
            _ => {}
        }
        let current = if role == Role::Smoothing { 0 } else { NONE };
        labels.push(Labels { keyword, numbers, names, current });
    }
    labels
}

impl Labels<'_> {
    /// Writes the statement before a face where it changes.
    fn write(&mut self, sink: &mut Sink<'_>, face: usize) -> io::Result<()> {
        let number = self.numbers[face];
        if number == self.current {
            return Ok(());
        }
        self.current = number;
        sink.bytes(self.keyword.as_bytes());
        sink.bytes(b" ");
        match self.names.get(number as usize) {
            Some(name) => sink.bytes(name.replace(['\n', '\r'], " ").as_bytes()),
            None if self.keyword == "s" => sink.integer(number),
            None => {}
        }
        sink.line()
    }
}

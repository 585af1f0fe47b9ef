//! Mesh to PLY.

use std::{borrow::Cow, collections::HashSet, io};

use ribbonmesh_mesh::{
    ColourSpace, Column, Element, Precision, Remark, Role, Scalars, TextureOrigin, TriangleMesh,
};

use super::scalar::name_of;
use crate::{Loss, PlyEncoding, WriteErrorKind, WriteOptions, colour, losses::Losses, sink::Sink, texture};

/// A column and the names of its properties; one name and a list for columns of corners.
struct Field<'m> {
    column: Cow<'m, Column>,
    names: Vec<String>,
}

/// Everything that a record has in addition to positions or indices.
struct Fields<'m> {
    vertices: Vec<Field<'m>>,
    faces: Vec<Field<'m>>,
    corners: Vec<Field<'m>>,
    edges: Vec<Field<'m>>,
}

/// All columns of all elements, in one of three encodings.
pub(crate) fn write(
    sink: &mut Sink<'_>,
    mesh: &TriangleMesh,
    options: &WriteOptions,
    losses: &mut Losses<'_>,
) -> Result<(), WriteErrorKind> {
    let mut taken = HashSet::from(["vertex_indices", "vertex_index"].map(String::from));
    let fields = Fields {
        vertices: fields(
            mesh,
            Element::Vertex,
            &mut HashSet::from(["x", "y", "z"].map(String::from)),
            losses,
        )?,
        faces: fields(mesh, Element::Face, &mut taken, losses)?,
        corners: fields(mesh, Element::Corner, &mut taken, losses)?,
        edges: fields(
            mesh,
            Element::Edge,
            &mut HashSet::from(["vertex1", "vertex2"].map(String::from)),
            losses,
        )?,
    };
    losses.keep_edges();
    ["comment", "obj_info"].into_iter().for_each(|key| losses.keep_remark(key));
    header(sink, mesh, options, &fields)?;
    match options.ply_encoding {
        PlyEncoding::Ascii => body::<Ascii>(sink, mesh, &fields)?,
        PlyEncoding::Little => body::<Little>(sink, mesh, &fields)?,
        PlyEncoding::Big => body::<Big>(sink, mesh, &fields)?,
    }
    Ok(())
}

/// The columns of an element with the names of their properties.
fn fields<'m>(
    mesh: &'m TriangleMesh,
    element: Element,
    taken: &mut HashSet<String>,
    losses: &mut Losses<'_>,
) -> Result<Vec<Field<'m>>, WriteErrorKind> {
    let mut fields = Vec::new();
    for column in mesh.attributes(element) {
        let name = column.name().to_owned();
        if name.is_empty() || name.contains(|c: char| c.is_whitespace() || c.is_control()) {
            let reason = "is empty, or has blanks or control characters";
            return Err(WriteErrorKind::PropertyName { name, reason });
        }
        let column = colour::in_srgb(column, element, losses);
        let column = texture::turned(mesh, column, element, TextureOrigin::Bottom, losses);
        let mut names = names(&column, element, true);
        if names.iter().any(|name| taken.contains(name)) {
            names = self::names(&column, element, false);
        }
        if names.iter().any(|name| !taken.insert(name.clone())) {
            return Err(WriteErrorKind::PropertyName { name, reason: "is taken" });
        }
        let exact = match column.scalars() {
            Scalars::U64(values) => values.iter().all(|value| *value as f64 as u64 == *value),
            Scalars::I64(values) => values.iter().all(|value| *value as f64 as i64 == *value),
            _ => true,
        };
        if !exact {
            losses.add(Loss::Rounded { element, name });
        }
        fields.push(Field { column, names });
    }
    Ok(fields)
}

/// The names of a column's properties: the names that other programs also use, or else names made from the
/// column's name.
fn names(column: &Column, element: Element, usual: bool) -> Vec<String> {
    let name = column.name();
    if element == Element::Corner {
        let usual = usual && name == "texcoord" && column.width() == 2;
        return vec![if usual { name.to_owned() } else { format!("corner_{name}") }];
    }
    let usual: &[&str] = match (column.role(), column.width(), name) {
        _ if !usual => &[],
        (Role::Normal, 3, "normal") => &["nx", "ny", "nz"],
        (Role::Colour(ColourSpace::Srgb), 3, "colour") => &["red", "green", "blue"],
        (Role::Colour(ColourSpace::Srgb), 4, "colour") => &["red", "green", "blue", "alpha"],
        (Role::TextureCoordinate(0), 2, "texcoord") => &["s", "t"],
        _ => &[],
    };
    match column.width() {
        _ if !usual.is_empty() => usual.iter().map(|&name| name.to_owned()).collect(),
        1 => vec![name.to_owned()],
        width => ["_x", "_y", "_z", "_w"][..width].iter().map(|ending| format!("{name}{ending}")).collect(),
    }
}

fn header(
    sink: &mut Sink<'_>,
    mesh: &TriangleMesh,
    options: &WriteOptions,
    fields: &Fields<'_>,
) -> io::Result<()> {
    let encoding = match options.ply_encoding {
        PlyEncoding::Ascii => "ascii",
        PlyEncoding::Little => "binary_little_endian",
        PlyEncoding::Big => "binary_big_endian",
    };
    sink.bytes(format!("ply\nformat {encoding} 1.0\n").as_bytes());
    sink.comments("comment ", &options.comments)?;
    for Remark { key, text } in &mesh.tables.remarks {
        if key == "comment" || key == "obj_info" {
            sink.bytes(key.as_bytes());
            sink.bytes(b" ");
            sink.bytes(
                &text.iter().map(|b| if b"\r\n".contains(b) { b' ' } else { *b }).collect::<Vec<u8>>(),
            );
            sink.line()?;
        }
    }
    sink.bytes(format!("element vertex {}\n", mesh.positions.len()).as_bytes());
    let float = if mesh.precision == Precision::Single { "float" } else { "double" };
    for axis in ["x", "y", "z"] {
        sink.bytes(format!("property {float} {axis}\n").as_bytes());
    }
    properties(sink, &fields.vertices);
    // Readers that know signed indices only are common; they get them as long as they suffice.
    let index = if mesh.positions.len() <= 1 << 31 { "int" } else { "uint" };
    sink.bytes(format!("element face {}\n", mesh.faces.len()).as_bytes());
    sink.bytes(format!("property list uchar {index} vertex_indices\n").as_bytes());
    properties(sink, &fields.faces);
    for Field { column, names } in &fields.corners {
        let (kind, name) = (name_of(column.scalar()), &names[0]);
        sink.bytes(format!("property list uchar {kind} {name}\n").as_bytes());
    }
    if !mesh.edges.is_empty() {
        sink.bytes(format!("element edge {}\n", mesh.edges.len()).as_bytes());
        sink.bytes(format!("property {index} vertex1\nproperty {index} vertex2\n").as_bytes());
        properties(sink, &fields.edges);
    }
    sink.bytes(b"end_header\n");
    Ok(())
}

fn properties(sink: &mut Sink<'_>, fields: &[Field<'_>]) {
    for Field { column, names } in fields {
        let kind = name_of(column.scalar());
        for name in names {
            sink.bytes(format!("property {kind} {name}\n").as_bytes());
        }
    }
}

/// The encoding of records.
trait Encoding {
    /// The length of a list.
    fn length(sink: &mut Sink<'_>, length: u8);
    fn index(sink: &mut Sink<'_>, value: u32);
    fn float(sink: &mut Sink<'_>, value: f32);
    fn double(sink: &mut Sink<'_>, value: f64);
    /// A number of a column.
    fn number(sink: &mut Sink<'_>, scalars: &Scalars, index: usize);
    fn end(sink: &mut Sink<'_>) -> io::Result<()>;
}

struct Ascii;
struct Little;
struct Big;

impl Encoding for Ascii {
    fn length(sink: &mut Sink<'_>, length: u8) {
        Self::index(sink, length.into());
    }
    fn index(sink: &mut Sink<'_>, value: u32) {
        sink.integer(value);
        sink.bytes(b" ");
    }
    fn float(sink: &mut Sink<'_>, value: f32) {
        sink.float(value);
        sink.bytes(b" ");
    }
    fn double(sink: &mut Sink<'_>, value: f64) {
        sink.double(value);
        sink.bytes(b" ");
    }
    fn number(sink: &mut Sink<'_>, scalars: &Scalars, index: usize) {
        sink.number(scalars, index);
        sink.bytes(b" ");
    }
    fn end(sink: &mut Sink<'_>) -> io::Result<()> {
        sink.end_row()
    }
}

macro_rules! binary {
    ($order:ident, $bytes:ident) => {
        impl Encoding for $order {
            fn length(sink: &mut Sink<'_>, length: u8) {
                sink.bytes(&[length]);
            }
            fn index(sink: &mut Sink<'_>, value: u32) {
                sink.bytes(&value.$bytes());
            }
            fn float(sink: &mut Sink<'_>, value: f32) {
                sink.bytes(&value.$bytes());
            }
            fn double(sink: &mut Sink<'_>, value: f64) {
                sink.bytes(&value.$bytes());
            }
            fn number(sink: &mut Sink<'_>, scalars: &Scalars, index: usize) {
                match scalars {
                    Scalars::U8(values) => sink.bytes(&values[index].$bytes()),
                    Scalars::I8(values) => sink.bytes(&values[index].$bytes()),
                    Scalars::U16(values) => sink.bytes(&values[index].$bytes()),
                    Scalars::I16(values) => sink.bytes(&values[index].$bytes()),
                    Scalars::U32(values) => sink.bytes(&values[index].$bytes()),
                    Scalars::I32(values) => sink.bytes(&values[index].$bytes()),
                    Scalars::U64(values) => sink.bytes(&(values[index] as f64).$bytes()),
                    Scalars::I64(values) => sink.bytes(&(values[index] as f64).$bytes()),
                    Scalars::F32(values) => sink.bytes(&values[index].$bytes()),
                    Scalars::F64(values) => sink.bytes(&values[index].$bytes()),
                }
            }
            fn end(sink: &mut Sink<'_>) -> io::Result<()> {
                sink.settle()
            }
        }
    };
}

binary!(Little, to_le_bytes);
binary!(Big, to_be_bytes);

fn body<E: Encoding>(sink: &mut Sink<'_>, mesh: &TriangleMesh, fields: &Fields<'_>) -> io::Result<()> {
    for (vertex, position) in mesh.positions.iter().enumerate() {
        for value in position.to_array() {
            match mesh.precision {
                Precision::Single => E::float(sink, value as f32),
                Precision::Double => E::double(sink, value),
            }
        }
        values::<E>(sink, &fields.vertices, vertex);
        E::end(sink)?;
    }
    for (number, face) in mesh.faces.iter().enumerate() {
        E::length(sink, 3);
        face.iter().for_each(|&corner| E::index(sink, corner));
        values::<E>(sink, &fields.faces, number);
        for Field { column, .. } in &fields.corners {
            let length = 3 * column.width();
            E::length(sink, length as u8);
            (0..length).for_each(|i| E::number(sink, column.scalars(), number * length + i));
        }
        E::end(sink)?;
    }
    for (number, ends) in mesh.edges.iter().enumerate() {
        ends.iter().for_each(|&vertex| E::index(sink, vertex));
        values::<E>(sink, &fields.edges, number);
        E::end(sink)?;
    }
    Ok(())
}

fn values<E: Encoding>(sink: &mut Sink<'_>, fields: &[Field<'_>], element: usize) {
    for Field { column, .. } in fields {
        let width = column.width();
        (0..width).for_each(|i| E::number(sink, column.scalars(), element * width + i));
    }
}

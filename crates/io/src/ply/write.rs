//! Mesh to PLY.

use std::io;

use crate::{PlyEncoding, Property, PropertyValues, TriangleMesh, WriteOptions, sink::Sink};

/// Positions, normals and properties, in one of three encodings.
pub(crate) fn write(sink: &mut Sink<'_>, mesh: &TriangleMesh, options: &WriteOptions) -> io::Result<()> {
    header(sink, mesh, options)?;
    match options.ply_encoding {
        PlyEncoding::Ascii => body::<Ascii>(sink, mesh, options),
        PlyEncoding::Little => body::<Little>(sink, mesh, options),
        PlyEncoding::Big => body::<Big>(sink, mesh, options),
    }
}

fn header(sink: &mut Sink<'_>, mesh: &TriangleMesh, options: &WriteOptions) -> io::Result<()> {
    let encoding = match options.ply_encoding {
        PlyEncoding::Ascii => "ascii",
        PlyEncoding::Little => "binary_little_endian",
        PlyEncoding::Big => "binary_big_endian",
    };
    sink.bytes(format!("ply\nformat {encoding} 1.0\n").as_bytes());
    sink.comments("comment ", &options.comments)?;
    sink.bytes(format!("element vertex {}\n", mesh.positions.len()).as_bytes());
    let normals = if options.normals.is_some() { &["nx", "ny", "nz"][..] } else { &[] };
    for name in ["x", "y", "z"].iter().chain(normals) {
        sink.bytes(format!("property float {name}\n").as_bytes());
    }
    properties(sink, &options.vertex_properties);
    // Readers that know signed indices only are common; they get them as long as they suffice.
    let index = if mesh.positions.len() <= 1 << 31 { "int" } else { "uint" };
    sink.bytes(format!("element face {}\n", mesh.faces.len()).as_bytes());
    sink.bytes(format!("property list uchar {index} vertex_indices\n").as_bytes());
    properties(sink, &options.face_properties);
    sink.bytes(b"end_header\n");
    Ok(())
}

fn properties(sink: &mut Sink<'_>, properties: &[Property]) {
    for property in properties {
        let kind = match property.values {
            PropertyValues::F32(_) | PropertyValues::Vec3(_) => "float",
            PropertyValues::U8(_) => "uchar",
            PropertyValues::U32(_) => "uint",
            PropertyValues::I32(_) => "int",
        };
        for column in property.columns() {
            sink.bytes(format!("property {kind} {column}\n").as_bytes());
        }
    }
}

/// How records are written.
trait Encoding {
    /// A length of 3.
    fn three(sink: &mut Sink<'_>);
    fn byte(sink: &mut Sink<'_>, value: u8);
    fn unsigned(sink: &mut Sink<'_>, value: u32);
    fn signed(sink: &mut Sink<'_>, value: i32);
    fn float(sink: &mut Sink<'_>, value: f32);
    fn end(sink: &mut Sink<'_>) -> io::Result<()>;
}

struct Ascii;
struct Little;
struct Big;

impl Encoding for Ascii {
    fn three(sink: &mut Sink<'_>) {
        sink.bytes(b"3 ");
    }
    fn byte(sink: &mut Sink<'_>, value: u8) {
        Self::unsigned(sink, value.into());
    }
    fn unsigned(sink: &mut Sink<'_>, value: u32) {
        sink.integer(value);
        sink.bytes(b" ");
    }
    fn signed(sink: &mut Sink<'_>, value: i32) {
        sink.integer(value);
        sink.bytes(b" ");
    }
    fn float(sink: &mut Sink<'_>, value: f32) {
        sink.float(value);
        sink.bytes(b" ");
    }
    fn end(sink: &mut Sink<'_>) -> io::Result<()> {
        sink.end_row()
    }
}

macro_rules! binary {
    ($order:ident, $bytes:ident) => {
        impl Encoding for $order {
            fn three(sink: &mut Sink<'_>) {
                sink.bytes(&[3]);
            }
            fn byte(sink: &mut Sink<'_>, value: u8) {
                sink.bytes(&[value]);
            }
            fn unsigned(sink: &mut Sink<'_>, value: u32) {
                sink.bytes(&value.$bytes());
            }
            fn signed(sink: &mut Sink<'_>, value: i32) {
                sink.bytes(&value.$bytes());
            }
            fn float(sink: &mut Sink<'_>, value: f32) {
                sink.bytes(&value.$bytes());
            }
            fn end(sink: &mut Sink<'_>) -> io::Result<()> {
                sink.settle()
            }
        }
    };
}

binary!(Little, to_le_bytes);
binary!(Big, to_be_bytes);

fn body<E: Encoding>(sink: &mut Sink<'_>, mesh: &TriangleMesh, options: &WriteOptions) -> io::Result<()> {
    for (vertex, position) in mesh.positions.iter().enumerate() {
        let normal = options.normals.as_ref().map(|normals| normals[vertex]);
        for &value in position.iter().chain(normal.iter().flatten()) {
            E::float(sink, value);
        }
        values::<E>(sink, &options.vertex_properties, vertex);
        E::end(sink)?;
    }
    for (number, face) in mesh.faces.iter().enumerate() {
        E::three(sink);
        for &corner in face {
            E::unsigned(sink, corner);
        }
        values::<E>(sink, &options.face_properties, number);
        E::end(sink)?;
    }
    Ok(())
}

fn values<E: Encoding>(sink: &mut Sink<'_>, properties: &[Property], element: usize) {
    for property in properties {
        match &property.values {
            PropertyValues::F32(values) => E::float(sink, values[element]),
            PropertyValues::U8(values) => E::byte(sink, values[element]),
            PropertyValues::U32(values) => E::unsigned(sink, values[element]),
            PropertyValues::I32(values) => E::signed(sink, values[element]),
            PropertyValues::Vec3(values) => values[element].iter().for_each(|&value| E::float(sink, value)),
        }
    }
}

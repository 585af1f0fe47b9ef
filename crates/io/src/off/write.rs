//! Mesh to OFF.

use std::{borrow::Cow, io};

use ribbonmesh_mesh::{Attributes, ColourSpace, Column, Element, Role, Scalar, TextureOrigin, TriangleMesh};

use crate::{WriteOptions, colour, losses::Losses, sink::Sink, texture};

/// OFF, with normals, colours and texture coordinates of vertices, and colours of faces.
pub(crate) fn write(
    sink: &mut Sink<'_>,
    mesh: &TriangleMesh,
    options: &WriteOptions,
    losses: &mut Losses<'_>,
) -> io::Result<()> {
    let vertices = mesh.vertices();
    let normals = vertices.with_role(Role::Normal).filter(|c| c.width() == 3 && !c.scalar().is_integer());
    let colours = colours(vertices).map(|column| colour::in_srgb(column, Element::Vertex, losses));
    let colours = colours.as_deref();
    let textures = vertices.with_role(Role::TextureCoordinate(0));
    let textures = textures.filter(|column| column.width() == 2 && column.scalar() == Scalar::F32);
    let of_faces = self::colours(mesh.faces_of());
    let of_faces = of_faces.map(|column| colour::in_srgb(column, Element::Face, losses));
    let of_faces = of_faces.as_deref();
    for column in [normals, textures].into_iter().flatten() {
        losses.keep(Element::Vertex, column.name());
    }
    let textures = textures.map(|column| {
        let (column, bottom) = (Cow::Borrowed(column), TextureOrigin::Bottom);
        texture::turned(mesh, column, Element::Vertex, bottom, losses)
    });
    let textures = textures.as_deref();
    let has = |column: Option<&Column>, letters: &'static str| if column.is_some() { letters } else { "" };
    let (st, c, n) = (has(textures, "ST"), has(colours, "C"), has(normals, "N"));
    sink.bytes(format!("{st}{c}{n}OFF\n").as_bytes());
    sink.comments("# ", &options.comments)?;
    sink.integer(mesh.positions.len());
    sink.bytes(b" ");
    sink.integer(mesh.faces.len());
    sink.bytes(b" 0\n");
    for (vertex, position) in mesh.positions.iter().enumerate() {
        sink.position(*position, mesh.precision);
        if let Some(column) = normals {
            sink.bytes(b" ");
            sink.column_row(column, vertex);
        }
        if let Some(column) = colours {
            write_colour(sink, column, vertex);
        }
        if let Some(column) = textures {
            sink.bytes(b" ");
            sink.column_row(column, vertex);
        }
        sink.line()?;
    }
    for (number, face) in mesh.faces.iter().enumerate() {
        sink.bytes(b"3");
        for &corner in face {
            sink.bytes(b" ");
            sink.integer(corner);
        }
        if let Some(column) = of_faces {
            write_colour(sink, column, number);
        }
        sink.line()?;
    }
    Ok(())
}

/// The column of colours, if it is of a type that the format has.
fn colours(attributes: Attributes<'_>) -> Option<&Column> {
    let colour = |column: &&Column| {
        let linear = column.role() == Role::Colour(ColourSpace::Linear);
        let kind = (linear || matches!(column.scalar(), Scalar::U8 | Scalar::F32)) && column.width() >= 3;
        matches!(column.role(), Role::Colour(_)) && kind
    };
    attributes.iter().find(colour)
}

/// Channels of floating point get a point, so that they do not look like whole numbers up to 255.
fn write_colour(sink: &mut Sink<'_>, column: &Column, row: usize) {
    for channel in 0..column.width() {
        sink.bytes(b" ");
        let index = row * column.width() + channel;
        if column.scalar().is_integer() {
            sink.number(column.scalars(), index);
        } else {
            sink.number_with_point(column.scalars(), index);
        }
    }
}

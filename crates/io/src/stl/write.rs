//! Mesh to STL.

use std::io;

use glam::DVec3;
use ribbonmesh_mesh::{Element, NONE, Precision, Role, Scalar, TriangleMesh};

use crate::{Loss, StlEncoding, WriteOptions, losses::Losses, sink::Sink};

/// The head of a binary file; it must not begin with `solid`.
pub(super) const TITLE: &[u8; 80] =
    b"binary STL                                                                      ";

/// Triangles with their normals.
pub(crate) fn write(
    sink: &mut Sink<'_>,
    mesh: &TriangleMesh,
    options: &WriteOptions,
    losses: &mut Losses<'_>,
) -> io::Result<()> {
    let mut used = vec![false; mesh.positions.len()];
    mesh.faces.as_flattened().iter().for_each(|&vertex| used[vertex as usize] = true);
    let count = used.iter().filter(|used| !**used).count();
    if count > 0 {
        losses.add(Loss::Isolated { count });
    }
    match options.stl_encoding {
        StlEncoding::Binary => binary(sink, mesh, losses),
        StlEncoding::Ascii => ascii(sink, mesh, losses),
    }
}

fn binary(sink: &mut Sink<'_>, mesh: &TriangleMesh, losses: &mut Losses<'_>) -> io::Result<()> {
    if mesh.precision == Precision::Double && !exact(mesh) {
        losses.add(Loss::Positions);
    }
    let header = mesh.tables.remarks.iter().find(|remark| remark.key == "header" && is_header(&remark.text));
    if header.is_some() {
        losses.keep_remark("header");
    }
    sink.bytes(header.map_or(&TITLE[..], |header| &header.text));
    sink.bytes(&(mesh.faces.len() as u32).to_le_bytes());
    let attributes = mesh.faces_of().column("attribute").filter(|column| column.scalar() == Scalar::U16);
    let attributes = attributes.and_then(|column| column.values::<u16>());
    if attributes.is_some() {
        losses.keep(Element::Face, "attribute");
    }
    for (number, face) in mesh.faces.iter().enumerate() {
        let triangle = face.map(|corner| mesh.positions[corner as usize]);
        for vector in [normal(triangle)].into_iter().chain(triangle.map(|p| p.as_vec3().to_array())) {
            vector.iter().for_each(|value| sink.bytes(&value.to_le_bytes()));
        }
        sink.bytes(&attributes.map_or(0, |values| values[number]).to_le_bytes());
        sink.settle()?;
    }
    Ok(())
}

/// Whether a text can be the head of a binary file that all readers take for one.
fn is_header(text: &[u8]) -> bool {
    text.len() == 80 && !text.trim_ascii_start().get(..5).is_some_and(|w| w.eq_ignore_ascii_case(b"solid"))
}

fn exact(mesh: &TriangleMesh) -> bool {
    mesh.positions.iter().all(|p| p.as_vec3().as_dvec3() == *p)
}

fn ascii(sink: &mut Sink<'_>, mesh: &TriangleMesh, losses: &mut Losses<'_>) -> io::Result<()> {
    let column = mesh.faces_of().with_role(Role::Object);
    let objects = column.and_then(|column| column.values::<u32>());
    if let Some(column) = column.filter(|_| objects.is_some()) {
        losses.keep(Element::Face, column.name());
        losses.keep_objects();
    }
    let name = |number: u32| mesh.tables.objects.get(number as usize).map_or("", |name| name.as_str());
    let mut current = None;
    for (number, face) in mesh.faces.iter().enumerate() {
        let object = objects.map_or(NONE, |objects| objects[number]);
        if current != Some(object) {
            if let Some(last) = current {
                sink.bytes(format!("endsolid {}\n", one_line(name(last))).as_bytes());
            }
            sink.bytes(format!("solid {}\n", one_line(name(object))).as_bytes());
            current = Some(object);
        }
        let triangle = face.map(|corner| mesh.positions[corner as usize]);
        sink.bytes(b"facet normal");
        for value in normal(triangle) {
            sink.bytes(b" ");
            sink.float(value);
        }
        sink.bytes(b"\nouter loop\n");
        for position in triangle {
            sink.bytes(b"vertex ");
            sink.position(position, mesh.precision);
            sink.line()?;
        }
        sink.bytes(b"endloop\nendfacet\n");
    }
    sink.bytes(format!("endsolid {}\n", one_line(name(current.unwrap_or(NONE)))).as_bytes());
    Ok(())
}

fn one_line(name: &str) -> String {
    name.replace(['\n', '\r'], " ")
}

/// The unit normal of a triangle, zero where it has no area.
fn normal(triangle: [DVec3; 3]) -> [f32; 3] {
    let [a, b, c] = triangle;
    let (u, v) = (b - a, c - a);
    let cross = [u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x];
    let length = cross.iter().map(|value| value * value).sum::<f64>().sqrt();
    if length > 0.0 { cross.map(|value| (value / length) as f32) } else { [0.0; 3] }
}

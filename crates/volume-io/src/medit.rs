//! MEDIT files, as text.

use std::io;

use glam::DVec3;
use ribbonmesh_io::{
    ReadErrorKind as Kind, WriteErrorKind as WriteKind,
    core::{Cursor, Outcome, Sink, fault, quote},
};
use ribbonmesh_mesh::Precision;
use ribbonmesh_volume::CellKind;

use crate::{
    DataArray, REGION, VolumeData, VolumeFormat, VolumeLoss, VolumeNotes,
    builder::{Builder, not_finite},
    data::coordinates,
    shape::{Shape, turn_wedge},
};

/// Elements by their keyword: shape, and number of nodes.
const ELEMENTS: [(&str, Shape, usize); 17] = [
    ("Triangles", Shape::Triangle, 3),
    ("Quadrilaterals", Shape::Quad, 4),
    ("Tetrahedra", Shape::Tetrahedron, 4),
    ("Pyramids", Shape::Pyramid, 5),
    ("Prisms", Shape::Wedge, 6),
    ("Pentahedra", Shape::Wedge, 6),
    ("Hexahedra", Shape::Hexahedron, 8),
    ("Hexaedra", Shape::Hexahedron, 8),
    ("Edges", Shape::Other("lines"), 2),
    ("EdgesP2", Shape::Other("lines"), 3),
    ("TrianglesP2", Shape::Triangle, 6),
    ("QuadrilateralsQ2", Shape::Quad, 9),
    ("TetrahedraP2", Shape::Tetrahedron, 10),
    ("PyramidsP2", Shape::Pyramid, 14),
    ("PrismsP2", Shape::Wedge, 18),
    ("HexahedraQ2", Shape::Hexahedron, 27),
    ("HexahedraP2", Shape::Hexahedron, 27),
];

/// Reads a file.
pub(crate) fn read(bytes: &[u8]) -> Outcome<(VolumeData, VolumeNotes)> {
    let mut at = Cursor::words(bytes, 0, true);
    at.expect("MeshVersionFormatted")?;
    at.next_word();
    let version_at = at.pos;
    let precision = match at.number::<i64>("the version")? {
        1 => Precision::Single,
        2..=4 => Precision::Double,
        other => {
            return Err(fault(version_at, Kind::Unsupported { what: format!("version {other}") }));
        }
    };
    let mut builder = Builder::default();
    builder.data.precision = precision;
    let (mut vertex_tags, mut tags) = (vec![], vec![]);
    let mut has_dimension = false;
    let mut has_vertices = false;
    // faces and cells name vertices, which may come later
    let mut lists = vec![];
    while at.next_word() {
        let start = at.pos;
        let word = at.word().unwrap_or_default();
        let element = ELEMENTS.iter().find(|(name, ..)| word.eq_ignore_ascii_case(name.as_bytes()));
        if word.eq_ignore_ascii_case(b"End") {
            at.next_word();
            builder.notes.trailing_bytes = at.rest().len() as u64;
            break;
        } else if word.eq_ignore_ascii_case(b"Dimension") {
            let dimension: i64 = at.number("the dimension")?;
            has_dimension = true;
            if dimension != 3 {
                return Err(fault(start, Kind::Unsupported { what: format!("dimension {dimension}") }));
            }
        } else if word.eq_ignore_ascii_case(b"Vertices") {
            if std::mem::replace(&mut has_vertices, true) {
                return Err(fault(start, Kind::Duplicate { what: "the list of vertices".into() }));
            }
            let count = at.count_of("vertices", 7)?;
            for vertex in 0..count {
                let mut position = [0.0; 3];
                for value in &mut position {
                    at.next_word();
                    let offset = at.pos;
                    *value = at.number("a coordinate")?;
                    if !(*value as f32).is_finite() {
                        return Err(not_finite(offset, vertex, *value));
                    }
                    if precision == Precision::Single {
                        *value = f64::from(*value as f32);
                    }
                }
                builder.data.positions.push(DVec3::from_array(position));
                vertex_tags.push(at.number::<i32>("the reference of a vertex")?);
            }
        } else if let Some(&(_, shape, nodes)) = element {
            let count = at.count_of("elements", 2 * (nodes + 1) - 1)?;
            lists.push((shape, nodes, count, at.clone()));
            for _ in 0..count * (nodes + 1) {
                at.needed("the vertex of an element")?;
            }
        } else if word.first().is_some_and(u8::is_ascii_alphabetic) {
            builder.notes.skip(quote(word));
            while at.peek_word().is_some_and(|word| !word[0].is_ascii_alphabetic()) {
                at.word();
            }
        } else {
            return Err(fault(start, Kind::Unexpected { expected: "a keyword", found: quote(word) }));
        }
    }
    if !has_dimension {
        return Err(fault(0, Kind::Absent { what: "the keyword Dimension".into() }));
    }
    let vertices = builder.data.positions.len() as u64;
    for (shape, nodes, count, mut at) in lists {
        let higher = shape.corners().is_some_and(|corners| corners < nodes);
        builder.notes.higher_order += if higher { count as u64 } else { 0 };
        let mut own = Vec::with_capacity(nodes);
        for _ in 0..count {
            own.clear();
            at.next_word();
            let start = at.pos;
            for _ in 0..nodes {
                at.next_word();
                let offset = at.pos;
                let index: i64 = at.number("the vertex of an element")?;
                if index < 1 || index as u64 > vertices {
                    let element = format!("element {}", builder.elements());
                    let what = "vertex";
                    return Err(fault(offset, Kind::OutOfRange { element, what, index, count: vertices }));
                }
                own.push((index - 1) as u32);
            }
            turn(shape, &mut own);
            builder.element(shape, &own, &|| start)?;
            tags.push(at.number::<i32>("the reference of an element")?);
        }
    }
    if vertex_tags.iter().any(|&tag| tag != 0) {
        builder.of_points(DataArray::new(REGION, vertex_tags), 0)?;
    }
    if tags.iter().any(|&tag| tag != 0) {
        builder.of_elements(DataArray::new(REGION, tags), 0)?;
    }
    builder.finish()
}

/// Brings the corners of a wedge into VTK's order.
pub(crate) fn turn(shape: Shape, nodes: &mut [u32]) {
    if let (Shape::Wedge, Some(corners)) = (shape, nodes.first_chunk_mut::<6>()) {
        *corners = turn_wedge(corners);
    }
}

/// Writes a file.
pub(crate) fn write(
    out: &mut Sink<'_>,
    data: &VolumeData,
    losses: &mut Vec<VolumeLoss>,
) -> Result<(), WriteKind> {
    let mut tags = |element: &'static str, arrays: &[DataArray], rows: usize| {
        let mut tags = vec![0; rows];
        for array in arrays {
            match array.tags().filter(|_| array.name == REGION) {
                Some(own) => tags = own,
                None => losses.push(VolumeLoss::Array { element, name: array.name.clone() }),
            }
        }
        tags
    };
    let cells = &data.cells;
    let of_vertices = tags("point", &data.point_data, data.positions.len());
    let of_cells = tags("cell", &data.cell_data, cells.len());
    let of_faces = tags("face", &data.face_data, cells.faces());
    if !data.title.is_empty() {
        losses.push(VolumeLoss::Title);
    }
    let version = if data.precision == Precision::Single { 1 } else { 2 };
    out.text(&format!(
        "MeshVersionFormatted {version}\nDimension 3\n\nVertices\n{}\n",
        data.positions.len()
    ))?;
    let numbers = coordinates(&data.positions, data.precision);
    for (vertex, tag) in of_vertices.iter().enumerate() {
        for axis in 0..3 {
            out.number(&numbers, 3 * vertex + axis);
            out.text(" ")?;
        }
        out.integer(*tag);
        out.text("\n")?;
    }
    let mut list = |keyword: &str, lists: Vec<(Vec<u32>, i32)>| -> io::Result<()> {
        if lists.is_empty() {
            return Ok(());
        }
        out.text(&format!("\n{keyword}\n{}\n", lists.len()))?;
        for (own, tag) in lists {
            for vertex in own {
                out.integer(vertex + 1);
                out.text(" ")?;
            }
            out.integer(tag);
            out.text("\n")?;
        }
        Ok(())
    };
    let faces_of = |corners: usize| {
        let all = (0..cells.faces()).zip(&of_faces).map(|(i, &tag)| (cells.face(i), tag));
        all.filter(|(face, _)| face.len() == corners).map(|(face, tag)| (face.to_vec(), tag)).collect()
    };
    let cells_of = |wanted: CellKind| {
        let all = (0..cells.len()).zip(&of_cells).map(|(i, &tag)| (cells.cell(i), tag));
        let own = all.filter(|((kind, _), _)| *kind == wanted).map(|((kind, own), tag)| {
            let mut own = own.to_vec();
            if kind == CellKind::Wedge {
                turn(Shape::Wedge, &mut own);
            }
            (own, tag)
        });
        own.collect()
    };
    list("Triangles", faces_of(3))?;
    list("Quadrilaterals", faces_of(4))?;
    list("Tetrahedra", cells_of(CellKind::Tetrahedron))?;
    list("Pyramids", cells_of(CellKind::Pyramid))?;
    list("Prisms", cells_of(CellKind::Wedge))?;
    list("Hexahedra", cells_of(CellKind::Hexahedron))?;
    out.text("\nEnd\n")?;
    let rank = |kind: CellKind| [10, 14, 13, 12].iter().position(|&number| number == kind.vtk());
    if !(0..cells.len()).map(|i| rank(cells.cell(i).0)).is_sorted() {
        losses.push(VolumeLoss::Order { what: "cells" });
    }
    if !(0..cells.faces()).map(|i| cells.face(i).len()).is_sorted() {
        losses.push(VolumeLoss::Order { what: "faces" });
    }
    Ok(())
}

/// Refuses polyhedra and faces of more than four vertices.
pub(crate) fn check_kinds(format: VolumeFormat, data: &VolumeData) -> Result<(), WriteKind> {
    let cells = &data.cells;
    if let Some(cell) = (0..cells.len()).find(|&i| cells.cell(i).0 == CellKind::Polyhedron) {
        let (element, kind) = (format!("cell {cell}"), CellKind::Polyhedron.to_string());
        return Err(WriteKind::Kind { format: format.to_string(), element, kind });
    }
    match (0..cells.faces()).find(|&i| cells.face(i).len() > 4) {
        None => Ok(()),
        Some(face) => {
            let kind = format!("polygon of {} vertices", cells.face(face).len());
            Err(WriteKind::Kind { format: format.to_string(), element: format!("face {face}"), kind })
        }
    }
}

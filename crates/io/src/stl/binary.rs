//! Binary STL: a header of 80 bytes, a count, then 50 bytes per triangle.

use glam::DVec3;
use ribbonmesh_mesh::{Column, Precision, Remark, TriangleMesh};

use super::write::TITLE;
use crate::{
    Notes, ReadErrorKind,
    fault::{Outcome, fault, fault_of_file},
    sniff::{STL_FACET, STL_HEAD},
    weld::Weld,
};

pub(super) fn read(bytes: &[u8], mut notes: Notes) -> Outcome<(TriangleMesh, Notes)> {
    let Some(&count) = bytes.get(80..STL_HEAD).and_then(|count| count.first_chunk::<4>()) else {
        let what = "the number of triangles";
        return Err(fault(bytes.len(), ReadErrorKind::Truncated { what }));
    };
    let count = u64::from(u32::from_le_bytes(count));
    let available = (bytes.len() - STL_HEAD) as u64;
    let needed = STL_FACET as u64 * count;
    if needed > available {
        let what = "triangles".into();
        return Err(fault(80, ReadErrorKind::CountTooLarge { what, count, needed, available }));
    }
    let mut weld = Weld::default();
    weld.reserve(count as usize);
    let mut faces = Vec::with_capacity(count as usize);
    let mut attributes: Vec<u16> = Vec::new();
    let facets = bytes[STL_HEAD..].as_chunks::<STL_FACET>().0;
    for (number, facet) in facets.iter().take(count as usize).enumerate() {
        let mut face = [0; 3];
        for (corner, vertex) in face.iter_mut().enumerate() {
            let mut position = [0.0; 3];
            for (axis, value) in position.iter_mut().enumerate() {
                let at = 12 + 12 * corner + 4 * axis;
                *value = f32::from_le_bytes([facet[at], facet[at + 1], facet[at + 2], facet[at + 3]]);
                if !value.is_finite() {
                    let kind = ReadErrorKind::NotFinite { text: value.to_string() };
                    notes.leave_out(fault(STL_HEAD + STL_FACET * number + at, kind))?;
                }
            }
            let at = STL_HEAD + STL_FACET * number + 12 + 12 * corner;
            *vertex =
                weld.vertex(DVec3::from_array(position.map(f64::from))).map_err(|kind| fault(at, kind))?;
        }
        faces.push(face);
        let attribute = u16::from_le_bytes([facet[48], facet[49]]);
        if attribute != 0 || !attributes.is_empty() {
            attributes.resize(number, 0);
            attributes.push(attribute);
        }
    }
    (notes.trailing_bytes, notes.corners_welded) = (available - needed, weld.welded);
    let mut mesh = TriangleMesh::new(weld.positions, faces);
    mesh.precision = Precision::Single;
    if !attributes.is_empty() {
        let column = Column::new("attribute", attributes);
        mesh.faces_of_mut().insert_column(column).map_err(|e| fault_of_file(ReadErrorKind::Column(e)))?;
    }
    let header = bytes[..80].trim_ascii_end();
    if header != TITLE.trim_ascii_end() && header.iter().any(|byte| *byte != 0) {
        mesh.tables.remarks.push(Remark { key: "header".into(), text: bytes[..80].to_vec() });
    }
    Ok((mesh, notes))
}

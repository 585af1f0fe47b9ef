//! Binary OFF: after the keyword and `BINARY`, integers of 32 bits and floating point, most significant byte
//! first.

use glam::DVec3;
use ribbonmesh_mesh::{Precision, TriangleMesh};

use super::read::{Columns, Head};
use crate::{
    Notes, ReadErrorKind,
    cursor::{Cursor, Order},
    fault::{Outcome, fault},
    polygon::Fan,
};

/// The order of bytes.
const ORDER: Order = Order::Big;

fn floats<const N: usize>(cursor: &mut Cursor<'_>, what: &'static str) -> Outcome<[f32; N]> {
    let mut values = [0.0; N];
    for value in &mut values {
        *value = cursor.float(ORDER, what)?;
    }
    Ok(values)
}

/// A count of things of at least `least` bytes each, which the rest of the file can hold.
fn count(cursor: &mut Cursor<'_>, what: &'static str, least: usize) -> Outcome<u64> {
    let at = cursor.pos;
    let count = cursor.int(ORDER, what)?;
    let Ok(count) = u64::try_from(count) else {
        return Err(fault(at, ReadErrorKind::NotANumber { what, text: count.to_string() }));
    };
    cursor.room(at, what.trim_start_matches("the number of "), count, least)?;
    Ok(count)
}

/// Reads the part after the first line, from byte `at` on.
pub(super) fn read(bytes: &[u8], at: usize, mut notes: Notes) -> Outcome<(TriangleMesh, Notes)> {
    let keyword = bytes.split(u8::is_ascii_whitespace).find(|word| word.ends_with(b"OFF"));
    let keyword = keyword.unwrap_or_default();
    if keyword.iter().any(|byte| !b"STCNOF".contains(byte)) {
        let what = "an OFF file of other than three dimensions".into();
        return Err(fault(0, ReadErrorKind::Unsupported { what }));
    }
    let mut head = Head::default();
    head.of(keyword);
    let mut words = Cursor::words(bytes, at, false);
    let vertices = count(&mut words, "the number of vertices", 12)?;
    let faces = count(&mut words, "the number of faces", 8)?;
    words.int(ORDER, "the number of edges")?;
    let mut mesh = TriangleMesh::default();
    mesh.precision = Precision::Single;
    let mut columns = Columns::default();
    mesh.positions.reserve_exact(vertices as usize);
    for vertex in 0..vertices as usize {
        let start = words.pos;
        let position = floats::<3>(&mut words, "a coordinate")?;
        if let Some(value) = position.iter().find(|value| !value.is_finite()) {
            notes.leave_out(fault(start, ReadErrorKind::NotFinite { text: value.to_string() }))?;
        }
        mesh.positions.push(DVec3::from_array(position.map(f64::from)));
        if head.normals {
            columns.normals.push(floats(&mut words, "a normal")?);
        }
        if head.colours {
            columns.colours.take(floats(&mut words, "a colour")?, vertex);
        }
        if head.textures {
            columns.textures.push(floats(&mut words, "a texture coordinate")?);
        }
    }
    for _ in 0..faces {
        let (start, first) = (words.pos, mesh.faces.len());
        let mut fan = Fan::default();
        for _ in 0..count(&mut words, "the number of corners", 4)? {
            let offset = words.pos;
            let index = words.int(ORDER, "a vertex index")?;
            match u32::try_from(index) {
                Ok(corner) if u64::from(corner) < vertices => fan.push(corner, &mut mesh.faces),
                _ => {
                    let index = i64::from(index);
                    let kind = ReadErrorKind::IndexOutOfRange { index, vertices, relative: false };
                    return Err(fault(offset, kind));
                }
            }
        }
        let kept = fan.finish(start, &mesh.faces, &mut notes)?;
        let channels = count(&mut words, "the number of channels", 4)?;
        let mut row = [f32::NAN; 4];
        for channel in 0..channels as usize {
            let value = words.float(ORDER, "a colour")?;
            if let Some(place) = row.get_mut(channel) {
                *place = value;
            }
        }
        match channels {
            3 | 4 if kept => {
                columns.of_faces.take(row, first);
                columns.of_faces.repeat(mesh.faces.len());
            }
            1 => notes.values_skipped += 1,
            _ => {}
        }
    }
    if words.pos < bytes.len() {
        notes.trailing_bytes = words.rest().len() as u64;
    }
    columns.insert(&mut mesh, &mut notes)?;
    Ok((mesh, notes))
}

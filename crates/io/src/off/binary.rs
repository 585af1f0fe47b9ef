//! Binary OFF: after the keyword and `BINARY`, integers of 32 bits and floating point, most significant byte
//! first.

use glam::DVec3;
use ribbonmesh_mesh::{Precision, TriangleMesh};

use super::read::{Columns, Head};
use crate::{
    Notes, ReadErrorKind,
    polygon::Fan,
    text::{Outcome, fault},
};

struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Words<'_> {
    fn word(&mut self, what: &'static str) -> Outcome<[u8; 4]> {
        match self.bytes.get(self.at..).and_then(|rest| rest.first_chunk::<4>()) {
            Some(word) => {
                self.at += 4;
                Ok(*word)
            }
            None => Err(fault(self.bytes.len(), ReadErrorKind::Truncated { what })),
        }
    }

    fn float(&mut self, what: &'static str) -> Outcome<f32> {
        Ok(f32::from_be_bytes(self.word(what)?))
    }

    fn floats<const N: usize>(&mut self, what: &'static str) -> Outcome<[f32; N]> {
        let mut values = [0.0; N];
        for value in &mut values {
            *value = self.float(what)?;
        }
        Ok(values)
    }

    fn integer(&mut self, what: &'static str) -> Outcome<i32> {
        Ok(i32::from_be_bytes(self.word(what)?))
    }

    /// A count of things of at least `least` bytes each, which the rest of the file can hold.
    fn count(&mut self, what: &'static str, least: u64) -> Outcome<u64> {
        let at = self.at;
        let count = self.integer(what)?;
        let Ok(count) = u64::try_from(count) else {
            return Err(fault(at, ReadErrorKind::NotANumber { what, text: count.to_string() }));
        };
        let (needed, available) = (count * least, (self.bytes.len() - self.at) as u64);
        if needed > available {
            let what = what.trim_start_matches("the number of ").into();
            return Err(fault(at, ReadErrorKind::CountTooLarge { what, count, needed, available }));
        }
        Ok(count)
    }
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
    let mut words = Words { bytes, at };
    let vertices = words.count("the number of vertices", 12)?;
    let faces = words.count("the number of faces", 8)?;
    words.integer("the number of edges")?;
    let mut mesh = TriangleMesh::default();
    mesh.precision = Precision::Single;
    let mut columns = Columns::default();
    mesh.positions.reserve_exact(vertices as usize);
    for vertex in 0..vertices as usize {
        let start = words.at;
        let position = words.floats::<3>("a coordinate")?;
        if let Some(value) = position.iter().find(|value| !value.is_finite()) {
            notes.leave_out(fault(start, ReadErrorKind::NotFinite { text: value.to_string() }))?;
        }
        mesh.positions.push(DVec3::from_array(position.map(f64::from)));
        if head.normals {
            columns.normals.push(words.floats("a normal")?);
        }
        if head.colours {
            columns.colours.take(words.floats("a colour")?, vertex);
        }
        if head.textures {
            columns.textures.push(words.floats("a texture coordinate")?);
        }
    }
    for _ in 0..faces {
        let (start, first) = (words.at, mesh.faces.len());
        let mut fan = Fan::default();
        for _ in 0..words.count("the number of corners", 4)? {
            let offset = words.at;
            let index = words.integer("a vertex index")?;
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
        let channels = words.count("the number of channels", 4)?;
        let mut row = [f32::NAN; 4];
        for channel in 0..channels as usize {
            let value = words.float("a colour")?;
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
    if words.at < bytes.len() {
        notes.trailing_bytes = (bytes.len() - words.at) as u64;
    }
    columns.insert(&mut mesh, &mut notes)?;
    Ok((mesh, notes))
}

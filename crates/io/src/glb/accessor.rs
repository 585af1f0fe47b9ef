//! Arrays of numbers inside of the binary chunk.

use ribbonmesh_mesh::Scalars;

use super::document::{Document, part};
use crate::{
    ReadErrorKind,
    text::{Fault, Outcome, fault_of_file},
};

/// The numbers of an accessor, row after row.
pub(super) struct Rows {
    pub scalars: Scalars,
    /// Numbers per row.
    pub width: usize,
    pub count: usize,
    /// Integers stand for fractions of their greatest.
    pub normalized: bool,
}

fn bad(what: &'static str, index: usize, reason: &'static str) -> Box<Fault> {
    fault_of_file(ReadErrorKind::BadReference { what, index: index as u64, reason })
}

fn outside(what: &'static str, index: usize, needed: u64, available: u64) -> Box<Fault> {
    fault_of_file(ReadErrorKind::OutOfBounds { what, index: index as u64, needed, available })
}

/// The bytes of a view.
pub(super) fn view<'a>(document: &Document, binary: &'a [u8], index: usize) -> Outcome<&'a [u8]> {
    let view = part(&document.buffer_views, "bufferView", index)?;
    let buffer = part(&document.buffers, "buffer", view.buffer)?;
    if view.buffer != 0 || buffer.uri.is_some() {
        return Err(fault_of_file(ReadErrorKind::Unsupported {
            what: "a buffer outside of the file".into(),
        }));
    }
    let end = view.byte_offset.saturating_add(view.byte_length);
    if end > binary.len() as u64 {
        return Err(outside("bufferView", index, end, binary.len() as u64));
    }
    Ok(&binary[view.byte_offset as usize..end as usize])
}

/// Reads an accessor. Nothing is allocated before its size is known to fit the file.
pub(super) fn read(document: &Document, binary: &[u8], index: usize) -> Outcome<Rows> {
    let accessor = part(&document.accessors, "accessor", index)?;
    let unsupported = |what: &str| fault_of_file(ReadErrorKind::Unsupported { what: what.into() });
    if accessor.sparse.is_some() {
        return Err(unsupported("a sparse accessor"));
    }
    let Some(number) = accessor.buffer_view else {
        return Err(unsupported("an accessor without a bufferView"));
    };
    let width = match accessor.kind.as_str() {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" => 4,
        _ => return Err(bad("accessor", index, "is of a type that no attribute of a mesh has")),
    };
    let size = match accessor.component_type {
        5120 | 5121 => 1,
        5122 | 5123 => 2,
        5125 | 5126 => 4,
        _ => return Err(bad("accessor", index, "has an unknown componentType")),
    };
    let bytes = view(document, binary, number)?;
    let row = size * width as u64;
    let stride = part(&document.buffer_views, "bufferView", number)?.byte_stride.unwrap_or(row);
    if stride < row {
        return Err(bad("bufferView", number, "has a byteStride that is less than a row"));
    }
    let needed = match accessor.count {
        0 => 0,
        count => (count - 1).saturating_mul(stride).saturating_add(row).saturating_add(accessor.byte_offset),
    };
    if needed > bytes.len() as u64 {
        return Err(outside("accessor", index, needed, bytes.len() as u64));
    }
    let count = accessor.count as usize;
    let rows = Source { bytes, offset: accessor.byte_offset as usize, stride: stride as usize, count, width };
    let scalars = match accessor.component_type {
        5120 => Scalars::I8(rows.read(i8::from_le_bytes)),
        5121 => Scalars::U8(rows.read(u8::from_le_bytes)),
        5122 => Scalars::I16(rows.read(i16::from_le_bytes)),
        5123 => Scalars::U16(rows.read(u16::from_le_bytes)),
        5125 => Scalars::U32(rows.read(u32::from_le_bytes)),
        _ => Scalars::F32(rows.read(f32::from_le_bytes)),
    };
    Ok(Rows { scalars, width, count, normalized: accessor.normalized })
}

struct Source<'a> {
    bytes: &'a [u8],
    offset: usize,
    stride: usize,
    count: usize,
    width: usize,
}

impl Source<'_> {
    fn read<T, const N: usize>(&self, number: fn([u8; N]) -> T) -> Vec<T> {
        let mut values = Vec::with_capacity(self.count * self.width);
        for row in 0..self.count {
            let start = self.offset + row * self.stride;
            let row = &self.bytes[start..start + N * self.width];
            values.extend(row.as_chunks::<N>().0.iter().map(|bytes| number(*bytes)));
        }
        values
    }
}

impl Rows {
    /// A number as floating point, a fraction where the integers stand for fractions.
    pub fn float(&self, index: usize) -> f64 {
        let value = self.scalars.as_f64(index).unwrap_or(0.0);
        match self.scalars {
            _ if !self.normalized => value,
            Scalars::U8(_) => value / 255.0,
            Scalars::U16(_) => value / 65535.0,
            Scalars::I8(_) => (value / 127.0).max(-1.0),
            Scalars::I16(_) => (value / 32767.0).max(-1.0),
            _ => value,
        }
    }
}

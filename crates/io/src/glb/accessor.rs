//! Arrays of numbers.

use ribbonmesh_mesh::Scalars;

use super::{
    document::{Accessor, Document, Part, Sparse, part},
    resources::Resources,
};
use crate::{
    ReadErrorKind,
    fault::{Fault, Outcome, fault_of_file},
};

/// The numbers of an accessor, row after row.
pub(super) struct Rows {
    pub scalars: Scalars,
    /// Numbers per row.
    pub width: usize,
    pub count: usize,
    /// Integers mean fractions of their greatest value.
    pub normalized: bool,
}

fn bad(what: &'static str, index: usize, reason: &'static str) -> Box<Fault> {
    fault_of_file(ReadErrorKind::BadReference { what, index: index as u64, reason })
}

fn outside(what: &'static str, index: usize, needed: u64, available: u64) -> Box<Fault> {
    fault_of_file(ReadErrorKind::OutOfBounds { what, index: index as u64, needed, available })
}

/// Reads an accessor. Nothing is allocated before its size is known to fit the file, or to be at most `limit`
/// rows for which the file has no bytes: these rows are zeros.
pub(super) fn read(
    document: &Document,
    resources: &Resources<'_>,
    index: usize,
    limit: u64,
) -> Outcome<Rows> {
    let accessor = part(&document.accessors, "accessor", index)?;
    let width = match accessor.kind.as_str() {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" => 4,
        _ => return Err(bad("accessor", index, "is of a type that no attribute of a mesh has")),
    };
    let Some(size) = size_of(accessor.component_type) else {
        return Err(bad("accessor", index, "has an unknown componentType"));
    };
    let row = size * width as u64;
    let mut scalars = match accessor.buffer_view {
        Some(number) => {
            let bytes = resources.view(document, number)?;
            let stride = part(&document.buffer_views, "bufferView", number)?.byte_stride.unwrap_or(row);
            if stride < row {
                return Err(bad("bufferView", number, "has a byteStride that is less than a row"));
            }
            let needed = match accessor.count {
                0 => 0,
                count => {
                    let others = (count - 1).saturating_mul(stride);
                    others.saturating_add(row).saturating_add(accessor.byte_offset)
                }
            };
            if needed > bytes.len() as u64 {
                return Err(outside("accessor", index, needed, bytes.len() as u64));
            }
            let (offset, stride) = (accessor.byte_offset as usize, stride as usize);
            Source { bytes, offset, stride, count: accessor.count as usize, width }
                .scalars(accessor.component_type)
        }
        None if accessor.count > limit => {
            let what = format!("an accessor of {} rows of zeros", accessor.count);
            return Err(fault_of_file(ReadErrorKind::Unsupported { what }));
        }
        None => {
            let bytes = vec![0; (accessor.count * row) as usize];
            Source { bytes: &bytes, offset: 0, stride: row as usize, count: accessor.count as usize, width }
                .scalars(accessor.component_type)
        }
    };
    if let Some(sparse) = &accessor.sparse {
        let rows = sparse_rows(document, resources, index, sparse)?;
        let values = sparse_values(document, resources, index, accessor, sparse, width)?;
        for (value, target) in rows.into_iter().enumerate() {
            if u64::from(target) >= accessor.count {
                return Err(bad("accessor", index, "has a sparse row that it does not have"));
            }
            for number in 0..width {
                set(&mut scalars, target as usize * width + number, &values, value * width + number);
            }
        }
    }
    Ok(Rows { scalars, width, count: accessor.count as usize, normalized: accessor.normalized })
}

/// Bytes of a number of a type.
pub(super) fn size_of(component_type: u32) -> Option<u64> {
    match component_type {
        5120 | 5121 => Some(1),
        5122 | 5123 => Some(2),
        5125 | 5126 => Some(4),
        _ => None,
    }
}

/// An array of a sparse accessor, without gaps.
fn packed<'a>(
    document: &Document,
    resources: &'a Resources<'_>,
    index: usize,
    array: &Part,
    needed: u64,
) -> Outcome<&'a [u8]> {
    let bytes = resources.view(document, array.buffer_view)?;
    let needed = needed.saturating_add(array.byte_offset);
    if needed > bytes.len() as u64 {
        return Err(outside("accessor", index, needed, bytes.len() as u64));
    }
    Ok(&bytes[array.byte_offset as usize..needed as usize])
}

/// The numbers of the rows that a sparse accessor replaces.
fn sparse_rows(
    document: &Document,
    resources: &Resources<'_>,
    index: usize,
    sparse: &Sparse,
) -> Outcome<Vec<u32>> {
    let kind = sparse.indices.component_type;
    let (5121 | 5123 | 5125, Some(size)) = (kind, size_of(kind)) else {
        return Err(bad("accessor", index, "has sparse indices of a type that is not unsigned"));
    };
    let bytes = packed(document, resources, index, &sparse.indices, sparse.count.saturating_mul(size))?;
    let source = Source { bytes, offset: 0, stride: size as usize, count: sparse.count as usize, width: 1 };
    Ok(match source.scalars(kind) {
        Scalars::U8(rows) => rows.into_iter().map(u32::from).collect(),
        Scalars::U16(rows) => rows.into_iter().map(u32::from).collect(),
        Scalars::U32(rows) => rows,
        _ => vec![],
    })
}

/// The rows that replace them.
fn sparse_values(
    document: &Document,
    resources: &Resources<'_>,
    index: usize,
    accessor: &Accessor,
    sparse: &Sparse,
    width: usize,
) -> Outcome<Scalars> {
    let row = size_of(accessor.component_type).unwrap_or(4) * width as u64;
    let bytes = packed(document, resources, index, &sparse.values, sparse.count.saturating_mul(row))?;
    let source = Source { bytes, offset: 0, stride: row as usize, count: sparse.count as usize, width };
    Ok(source.scalars(accessor.component_type))
}

/// Sets a number to one of an array of the same type.
fn set(target: &mut Scalars, at: usize, source: &Scalars, from: usize) {
    macro_rules! set {
        ($($variant:ident)*) => {
            match (target, source) {
                $((Scalars::$variant(target), Scalars::$variant(source)) => target[at] = source[from],)*
                _ => {}
            }
        };
    }
    set!(U8 I8 U16 I16 U32 I32 F32);
}

struct Source<'a> {
    bytes: &'a [u8],
    offset: usize,
    stride: usize,
    count: usize,
    width: usize,
}

impl Source<'_> {
    /// Numbers of a type that [`size_of`] knows.
    fn scalars(&self, component_type: u32) -> Scalars {
        match component_type {
            5120 => Scalars::I8(self.read(i8::from_le_bytes)),
            5121 => Scalars::U8(self.read(u8::from_le_bytes)),
            5122 => Scalars::I16(self.read(i16::from_le_bytes)),
            5123 => Scalars::U16(self.read(u16::from_le_bytes)),
            5125 => Scalars::U32(self.read(u32::from_le_bytes)),
            _ => Scalars::F32(self.read(f32::from_le_bytes)),
        }
    }

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
    /// A number as floating point, a fraction if the integers mean fractions.
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

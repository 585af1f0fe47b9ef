//! Bodies of binary PLY files.

use super::{
    header::Kind,
    layout::{Fixed, Role, Task},
    scalar::{Order, Scalar, float, head, integer},
};
use crate::{
    Notes, ReadErrorKind, TriangleMesh,
    fan::Fan,
    text::{Fault, Outcome, fault},
};

/// Reads all elements; gives the offset of the end.
pub(super) fn read<O: Order>(
    bytes: &[u8],
    body: usize,
    tasks: &[Task],
    mesh: &mut TriangleMesh,
    notes: &mut Notes,
) -> Outcome<usize> {
    let mut cursor = Cursor { bytes, pos: body };
    for task in tasks {
        match task.role {
            Role::Vertices(axes) => vertices::<O>(&mut cursor, task, axes, &mut mesh.positions)?,
            Role::Faces(corners) => faces::<O>(&mut cursor, task, corners, mesh, notes)?,
            Role::Other => match Fixed::of(&task.kinds, [0; 3]) {
                Some(fixed) => drop(cursor.take(fixed.stride as u64, task.count, "the next element")?),
                None => {
                    for _ in 0..task.count {
                        cursor.skip::<O>(&task.kinds)?;
                    }
                }
            },
        }
    }
    Ok(cursor.pos)
}

pub(super) struct Cursor<'a> {
    pub bytes: &'a [u8],
    pub pos: usize,
}

impl<'a> Cursor<'a> {
    /// The next `count` records of `size` bytes.
    #[inline(always)]
    pub fn take(&mut self, size: u64, count: u64, what: &'static str) -> Outcome<&'a [u8]> {
        let rest = &self.bytes[self.pos..];
        match size.checked_mul(count) {
            Some(length) if length <= rest.len() as u64 => {
                self.pos += length as usize;
                Ok(&rest[..length as usize])
            }
            _ => Err(fault(self.bytes.len(), ReadErrorKind::Truncated { what })),
        }
    }

    #[inline(always)]
    pub fn scalar(&mut self, scalar: Scalar) -> Outcome<&'a [u8]> {
        self.take(scalar.size() as u64, 1, "a property")
    }

    /// The length of a list, and its numbers.
    fn list<O: Order>(&mut self, count: Scalar, item: Scalar) -> Outcome<&'a [u8]> {
        let start = self.pos;
        let length = integer::<O>(count, self.scalar(count)?);
        let Ok(length) = u64::try_from(length) else {
            let what = "the length of a list";
            return Err(fault(start, ReadErrorKind::NotANumber { what, text: length.to_string() }));
        };
        let available = (self.bytes.len() - self.pos) as u64;
        let needed = length.saturating_mul(item.size() as u64);
        if needed > available {
            let what = "numbers of a list".into();
            return Err(fault(
                start,
                ReadErrorKind::CountTooLarge { what, count: length, needed, available },
            ));
        }
        self.take(item.size() as u64, length, "a list")
    }

    /// Passes over properties.
    pub fn skip<O: Order>(&mut self, kinds: &[Kind]) -> Outcome<()> {
        for &kind in kinds {
            match kind {
                Kind::Scalar(scalar) => self.scalar(scalar)?,
                Kind::List { count, item } => self.list::<O>(count, item)?,
            };
        }
        Ok(())
    }
}

#[cold]
fn not_finite(offset: usize, value: f32) -> Box<Fault> {
    fault(offset, ReadErrorKind::NotFinite { text: value.to_string() })
}

fn vertices<O: Order>(
    cursor: &mut Cursor<'_>,
    task: &Task,
    axes: [usize; 3],
    positions: &mut Vec<[f32; 3]>,
) -> Outcome<()> {
    positions.reserve_exact(task.count as usize);
    let Some(Fixed { stride, fields }) = Fixed::of(&task.kinds, axes) else {
        for _ in 0..task.count {
            positions.push(position::<O>(cursor, &task.kinds, axes)?);
        }
        return Ok(());
    };
    let start = cursor.pos;
    let records = cursor.take(stride as u64, task.count, "a vertex")?.chunks_exact(stride);
    let read = |record: &[u8]| fields.map(|(offset, scalar)| float::<O>(scalar, &record[offset..]));
    if stride == 12 && fields == [0, 4, 8].map(|offset| (offset, Scalar::F32)) {
        let word = |record: &[u8], offset| f32::from_bits(O::word(head(&record[offset..])));
        positions.extend(records.clone().map(|record| [word(record, 0), word(record, 4), word(record, 8)]));
    } else {
        positions.extend(records.clone().map(read));
    }
    let infinite = |position: &[f32; 3]| position.iter().any(|value| !value.is_finite());
    if let Some(vertex) = positions.iter().position(infinite) {
        let axis = positions[vertex].iter().position(|value| !value.is_finite()).unwrap_or(0);
        return Err(not_finite(start + vertex * stride + fields[axis].0, positions[vertex][axis]));
    }
    Ok(())
}

/// A vertex with lists among its properties.
fn position<O: Order>(cursor: &mut Cursor<'_>, kinds: &[Kind], axes: [usize; 3]) -> Outcome<[f32; 3]> {
    let mut position = [0.0; 3];
    for (number, kind) in kinds.iter().enumerate() {
        match (kind, axes.iter().position(|&axis| axis == number)) {
            (&Kind::Scalar(scalar), Some(axis)) => {
                let start = cursor.pos;
                position[axis] = float::<O>(scalar, cursor.scalar(scalar)?);
                if !position[axis].is_finite() {
                    return Err(not_finite(start, position[axis]));
                }
            }
            _ => cursor.skip::<O>(std::slice::from_ref(kind))?,
        }
    }
    Ok(position)
}

fn faces<O: Order>(
    cursor: &mut Cursor<'_>,
    task: &Task,
    corners: usize,
    mesh: &mut TriangleMesh,
    notes: &mut Notes,
) -> Outcome<()> {
    mesh.faces.reserve(task.count as usize);
    let Kind::List { count, item } = task.kinds[corners] else { return Ok(()) };
    let mut left = task.count;
    while left > 0 {
        if task.kinds.len() == 1 && count.size() == 1 && item.size() == 4 {
            left -= triangles::<O>(cursor, left, item, task.vertices, &mut mesh.faces);
            if left == 0 {
                break;
            }
        }
        left -= 1;
        cursor.skip::<O>(&task.kinds[..corners])?;
        let start = cursor.pos;
        let list = cursor.list::<O>(count, item)?;
        let first = cursor.pos - list.len();
        let mut fan = Fan::default();
        for (number, bytes) in list.chunks_exact(item.size()).enumerate() {
            let index = integer::<O>(item, bytes);
            match u32::try_from(index) {
                Ok(corner) if u64::from(corner) < task.vertices => fan.push(corner, &mut mesh.faces),
                _ => {
                    let vertices = task.vertices;
                    let kind = ReadErrorKind::IndexOutOfRange { index, vertices, relative: false };
                    return Err(fault(first + number * item.size(), kind));
                }
            }
        }
        fan.finish(notes).map_err(|kind| fault(start, kind))?;
        cursor.skip::<O>(&task.kinds[corners + 1..])?;
    }
    Ok(())
}

/// Reads records of a byte that says 3 and three words as long as their indices are in range; says how many.
fn triangles<O: Order>(
    cursor: &mut Cursor<'_>,
    most: u64,
    item: Scalar,
    vertices: u64,
    faces: &mut Vec<[u32; 3]>,
) -> u64 {
    let limit = if item == Scalar::I32 { vertices.min(1 << 31) } else { vertices } as u32;
    let before = faces.len();
    let records = cursor.bytes[cursor.pos..].as_chunks::<13>().0.iter().take(most as usize);
    faces.extend(records.map_while(|record| {
        let word = |offset: usize| O::word(head(&record[offset..]));
        let face = [word(1), word(5), word(9)];
        (record[0] == 3 && face.iter().all(|&corner| corner < limit)).then_some(face)
    }));
    cursor.pos += 13 * (faces.len() - before);
    (faces.len() - before) as u64
}

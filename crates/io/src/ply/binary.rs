//! Bodies of binary PLY files.

use glam::{DVec3, Vec3};
use ribbonmesh_mesh::{Scalar, TriangleMesh};

use super::{
    header::Kind,
    layout::{Fixed, Role, Target, Task},
    scalar::{Order, append, float, head, integer},
    strip::Strip,
};
use crate::{
    Notes, ReadErrorKind,
    cursor::Cursor,
    fault::{Fault, Outcome, fault},
    polygon::Fan,
};

/// Reads all elements; gives the offset of the end.
pub(super) fn read<O: Order>(
    bytes: &[u8],
    body: usize,
    tasks: &mut [Task<'_>],
    mesh: &mut TriangleMesh,
    notes: &mut Notes,
) -> Outcome<usize> {
    let mut cursor = Cursor::words(bytes, body, false);
    for task in tasks {
        match task.role {
            Role::Vertices => mesh.positions = vertices::<O>(&mut cursor, task, notes)?,
            Role::Strips => strips::<O>(&mut cursor, task, mesh)?,
            Role::Faces => faces::<O>(&mut cursor, task, mesh, notes)?,
            Role::Edges => edges::<O>(&mut cursor, task, mesh)?,
            Role::Other => others::<O>(&mut cursor, task)?,
        }
    }
    Ok(cursor.pos)
}

/// Passes over an element.
fn others<O: Order>(cursor: &mut Cursor<'_>, task: &Task<'_>) -> Outcome<()> {
    if let Some(fixed) = Fixed::of(&task.kinds) {
        return cursor.records(task.count, fixed.stride, "the next element").map(drop);
    }
    for _ in 0..task.count {
        for &kind in &task.kinds {
            property::<O>(cursor, kind)?;
        }
    }
    Ok(())
}

/// The next number.
#[inline(always)]
fn scalar<'a>(cursor: &mut Cursor<'a>, scalar: Scalar) -> Outcome<&'a [u8]> {
    cursor.bytes(scalar.size(), "a property")
}

/// The length of a list, and its numbers.
fn list<'a, O: Order>(cursor: &mut Cursor<'a>, count: Scalar, item: Scalar) -> Outcome<&'a [u8]> {
    let start = cursor.pos;
    let length = integer::<O>(count, scalar(cursor, count)?);
    let Ok(length) = u64::try_from(length) else {
        let what = "the length of a list";
        return Err(fault(start, ReadErrorKind::NotANumber { what, text: length.to_string() }));
    };
    cursor.room(start, "numbers of a list", length, item.size())?;
    cursor.records(length, item.size(), "a list")
}

/// The numbers of a property: one, or the numbers of a list.
#[inline(always)]
fn property<'a, O: Order>(cursor: &mut Cursor<'a>, kind: Kind) -> Outcome<&'a [u8]> {
    match kind {
        Kind::Scalar(kind) => scalar(cursor, kind),
        Kind::List { count, item } => list::<O>(cursor, count, item),
    }
}

#[cold]
fn not_finite(offset: usize, value: f64) -> Box<Fault> {
    fault(offset, ReadErrorKind::NotFinite { text: value.to_string() })
}

/// Vertices in records of fixed length.
struct Records<'a> {
    bytes: &'a [u8],
    /// Their offset in the file.
    start: usize,
    stride: usize,
    /// Offsets and types of x, y and z.
    axes: [(usize, Scalar); 3],
}

/// Reads the positions of vertices, and their other properties into the stores.
fn vertices<O: Order>(
    cursor: &mut Cursor<'_>,
    task: &mut Task<'_>,
    notes: &mut Notes,
) -> Outcome<Vec<DVec3>> {
    let axes = [0, 1, 2].map(|axis| task.find(Target::Axis(axis)).unwrap_or_default());
    let Some(Fixed { stride, fields }) = Fixed::of(&task.kinds) else {
        let mut positions = Vec::with_capacity(task.count as usize);
        for _ in 0..task.count {
            positions.push(vertex::<O>(cursor, task, notes)?);
        }
        return Ok(positions);
    };
    let start = cursor.pos;
    let bytes = cursor.records(task.count, stride, "a vertex")?;
    for store in &mut task.stores {
        let (offset, _) = fields[store.property];
        append::<O>(&mut store.scalars, bytes.chunks_exact(stride).map(|record| &record[offset..]));
    }
    Records { bytes, start, stride, axes: axes.map(|axis| fields[axis]) }.positions::<O>(notes)
}

impl Records<'_> {
    fn positions<O: Order>(self, notes: &mut Notes) -> Outcome<Vec<DVec3>> {
        let Self { bytes, start, stride, axes } = self;
        let mut positions = Vec::with_capacity(bytes.len() / stride.max(1));
        // one pass: positions are the largest array, and their memory is new
        let mut finite = true;
        if stride == 12 && axes == [0, 4, 8].map(|offset| (offset, Scalar::F32)) {
            let word = |record: &[u8], offset: usize| f32::from_bits(O::word(head(&record[offset..])));
            positions.extend(bytes.as_chunks::<12>().0.iter().map(|record| {
                let place = Vec3::new(word(record, 0), word(record, 4), word(record, 8));
                finite &= place.is_finite();
                place.as_dvec3()
            }));
        } else {
            positions.extend(bytes.chunks_exact(stride).map(|record| {
                let place = axes.map(|(offset, scalar)| float::<O>(scalar, &record[offset..]));
                let place = DVec3::from_array(place);
                finite &= place.as_vec3().is_finite();
                place
            }));
        }
        let infinite = |position: &DVec3| !position.as_vec3().is_finite();
        if !finite && let Some(vertex) = positions.iter().position(infinite) {
            let position = positions[vertex];
            let axis = (0..3).find(|&axis| !(position[axis] as f32).is_finite()).unwrap_or(0);
            let offset = start + vertex * stride + axes[axis].0;
            notes.leave_out(not_finite(offset, position[axis]))?;
        }
        Ok(positions)
    }
}

/// A vertex with lists among its properties.
fn vertex<O: Order>(cursor: &mut Cursor<'_>, task: &mut Task<'_>, notes: &mut Notes) -> Outcome<DVec3> {
    let mut position = [0.0; 3];
    for (&kind, &target) in task.kinds.iter().zip(&task.targets) {
        let start = cursor.pos;
        let bytes = property::<O>(cursor, kind)?;
        match (kind, target) {
            (Kind::Scalar(scalar), Target::Axis(axis)) => {
                position[axis] = float::<O>(scalar, bytes);
                if !(position[axis] as f32).is_finite() {
                    notes.leave_out(not_finite(start, position[axis]))?;
                }
            }
            (_, Target::Store(store)) => {
                append::<O>(&mut task.stores[store].scalars, std::iter::once(bytes));
            }
            _ => {}
        }
    }
    Ok(DVec3::from_array(position))
}

fn edges<O: Order>(cursor: &mut Cursor<'_>, task: &mut Task<'_>, mesh: &mut TriangleMesh) -> Outcome<()> {
    mesh.edges.reserve(task.count as usize);
    for _ in 0..task.count {
        let mut ends = [0; 2];
        for (&kind, &target) in task.kinds.iter().zip(&task.targets) {
            let start = cursor.pos;
            let bytes = property::<O>(cursor, kind)?;
            match (kind, target) {
                (Kind::Scalar(scalar), Target::End(end)) => {
                    ends[end] = vertex_index(integer::<O>(scalar, bytes), start, task.vertices)?;
                }
                (_, Target::Store(store)) => {
                    append::<O>(&mut task.stores[store].scalars, std::iter::once(bytes));
                }
                _ => {}
            }
        }
        mesh.edges.push(ends);
    }
    Ok(())
}

fn strips<O: Order>(cursor: &mut Cursor<'_>, task: &Task<'_>, mesh: &mut TriangleMesh) -> Outcome<()> {
    for _ in 0..task.count {
        for (&kind, &target) in task.kinds.iter().zip(&task.targets) {
            let bytes = property::<O>(cursor, kind)?;
            let (Kind::List { item, .. }, Target::Corners) = (kind, target) else { continue };
            let first = cursor.pos - bytes.len();
            let mut strip = Strip::default();
            for (number, bytes) in bytes.chunks_exact(item.size()).enumerate() {
                let offset = first + number * item.size();
                strip.push(integer::<O>(item, bytes), offset, task.vertices, &mut mesh.faces)?;
            }
        }
    }
    Ok(())
}

#[inline(always)]
fn vertex_index(index: i64, offset: usize, vertices: u64) -> Outcome<u32> {
    match u32::try_from(index) {
        Ok(vertex) if u64::from(vertex) < vertices => Ok(vertex),
        _ => Err(fault(offset, ReadErrorKind::IndexOutOfRange { index, vertices, relative: false })),
    }
}

fn faces<O: Order>(
    cursor: &mut Cursor<'_>,
    task: &mut Task<'_>,
    mesh: &mut TriangleMesh,
    notes: &mut Notes,
) -> Outcome<()> {
    mesh.faces.reserve(task.count as usize);
    let mut left = task.count;
    while left > 0 {
        if let [Kind::List { count, item }] = task.kinds[..]
            && (count.size(), item.size()) == (1, 4)
        {
            left -= triangles::<O>(cursor, left, item, task.vertices, &mut mesh.faces);
            if left == 0 {
                break;
            }
        }
        left -= 1;
        face::<O>(cursor, task, mesh, notes)?;
    }
    Ok(())
}

fn face<O: Order>(
    cursor: &mut Cursor<'_>,
    task: &mut Task<'_>,
    mesh: &mut TriangleMesh,
    notes: &mut Notes,
) -> Outcome<()> {
    let mut corners = 0;
    for (&kind, &target) in task.kinds.iter().zip(&task.targets) {
        let start = cursor.pos;
        let bytes = property::<O>(cursor, kind)?;
        match (kind, target) {
            (Kind::List { item, .. }, Target::Corners) => {
                let first = cursor.pos - bytes.len();
                let mut fan = Fan::default();
                for (number, bytes) in bytes.chunks_exact(item.size()).enumerate() {
                    let offset = first + number * item.size();
                    let corner = vertex_index(integer::<O>(item, bytes), offset, task.vertices)?;
                    fan.push(corner, &mut mesh.faces);
                    corners += 1;
                }
                fan.finish(start, &mesh.faces, notes)?;
            }
            (Kind::List { item, .. }, Target::PerCorner(store)) => {
                task.stores[store].begin();
                append::<O>(&mut task.stores[store].scalars, bytes.chunks_exact(item.size()));
            }
            (_, Target::Store(store)) => {
                append::<O>(&mut task.stores[store].scalars, std::iter::once(bytes));
            }
            _ => {}
        }
    }
    for store in &mut task.stores {
        store.finish_face(&task.targets, corners);
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
    let records = cursor.rest().as_chunks::<13>().0.iter().take(most as usize);
    faces.extend(records.map_while(|record| {
        let word = |offset: usize| O::word(head(&record[offset..]));
        let face = [word(1), word(5), word(9)];
        (record[0] == 3 && face.iter().all(|&corner| corner < limit)).then_some(face)
    }));
    cursor.pos += 13 * (faces.len() - before);
    (faces.len() - before) as u64
}

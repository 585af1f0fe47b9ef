//! Bodies of ASCII PLY files: one record per line.

use glam::DVec3;
use ribbonmesh_mesh::{Precision, TriangleMesh};

use super::{
    header::Kind,
    layout::{Role, Store, Target, Task},
    strip::Strip,
};
use crate::{
    Notes, ReadErrorKind,
    cursor::Cursor,
    fault::{Outcome, fault, quote},
    polygon::Fan,
};

/// Reads all elements; gives the offset of the end.
pub(super) fn read(
    bytes: &[u8],
    body: usize,
    tasks: &mut [Task<'_>],
    mesh: &mut TriangleMesh,
    notes: &mut Notes,
) -> Outcome<usize> {
    let mut text = Cursor::new(bytes, body, false, false);
    for task in tasks {
        match task.role {
            Role::Vertices => mesh.positions.reserve_exact(task.count as usize),
            Role::Faces => mesh.faces.reserve(task.count as usize),
            Role::Strips => {}
            Role::Edges => mesh.edges.reserve(task.count as usize),
            Role::Other => {}
        }
        for _ in 0..task.count {
            if !text.next_word() {
                return Err(fault(text.pos, ReadErrorKind::Truncated { what: "the next element" }));
            }
            match task.role {
                Role::Vertices => {
                    let position = vertex(&mut text, task, mesh.precision == Precision::Double, notes)?;
                    mesh.positions.push(position);
                }
                Role::Faces => face(&mut text, task, mesh, notes)?,
                Role::Strips => strip(&mut text, task, mesh)?,
                Role::Edges => edge(&mut text, task, mesh)?,
                Role::Other => skip(&mut text, &task.kinds)?,
            }
            if !text.line_ends() {
                let offset = text.pos;
                let found = quote(text.token());
                return Err(fault(
                    offset,
                    ReadErrorKind::Unexpected { expected: "the end of the line", found },
                ));
            }
        }
    }
    Ok(text.pos)
}

#[inline(always)]
fn vertex(text: &mut Cursor<'_>, task: &mut Task<'_>, double: bool, notes: &mut Notes) -> Outcome<DVec3> {
    let mut position = [0.0; 3];
    for (kind, target) in task.kinds.iter().zip(&task.targets) {
        match *target {
            Target::Axis(axis) => {
                position[axis] = match text.coordinate_of(double) {
                    Ok(value) => value,
                    Err(fault) => {
                        notes.leave_out(fault)?;
                        text.number::<f64>("a coordinate")?;
                        f64::NAN
                    }
                };
            }
            _ => other(text, *kind, *target, &mut task.stores)?,
        }
    }
    Ok(DVec3::from_array(position))
}

/// A property that is neither a coordinate nor an index.
fn other(text: &mut Cursor<'_>, kind: Kind, target: Target, stores: &mut [Store]) -> Outcome<()> {
    match target {
        Target::Store(store) => text.push_number(&mut stores[store].scalars, "a property"),
        _ => skip(text, &[kind]),
    }
}

/// Reads the number of a vertex.
#[inline(always)]
fn index(text: &mut Cursor<'_>, vertices: u64) -> Outcome<u32> {
    text.skip_blanks();
    let offset = text.pos;
    let index = text.integer("a vertex index")?;
    match u32::try_from(index) {
        Ok(corner) if u64::from(corner) < vertices => Ok(corner),
        _ => Err(fault(offset, ReadErrorKind::IndexOutOfRange { index, vertices, relative: false })),
    }
}

fn edge(text: &mut Cursor<'_>, task: &mut Task<'_>, mesh: &mut TriangleMesh) -> Outcome<()> {
    let mut ends = [0; 2];
    for (kind, target) in task.kinds.iter().zip(&task.targets) {
        match *target {
            Target::End(end) => ends[end] = index(text, task.vertices)?,
            _ => other(text, *kind, *target, &mut task.stores)?,
        }
    }
    mesh.edges.push(ends);
    Ok(())
}

#[inline(always)]
fn face(
    text: &mut Cursor<'_>,
    task: &mut Task<'_>,
    mesh: &mut TriangleMesh,
    notes: &mut Notes,
) -> Outcome<()> {
    let mut corners = 0;
    for (kind, target) in task.kinds.iter().zip(&task.targets) {
        match *target {
            Target::Corners => {
                text.skip_blanks();
                let start = text.pos;
                let mut fan = Fan::default();
                for _ in 0..text.count("the number of corners")? {
                    fan.push(index(text, task.vertices)?, &mut mesh.faces);
                    corners += 1;
                }
                fan.finish(start, &mesh.faces, notes)?;
            }
            Target::PerCorner(store) => {
                let store = &mut task.stores[store];
                store.begin();
                for _ in 0..text.count("the length of a list")? {
                    text.push_number(&mut store.scalars, "a property")?;
                }
            }
            _ => other(text, *kind, *target, &mut task.stores)?,
        }
    }
    for store in &mut task.stores {
        store.finish_face(&task.targets, corners);
    }
    Ok(())
}

/// Triangle strips.
fn strip(text: &mut Cursor<'_>, task: &mut Task<'_>, mesh: &mut TriangleMesh) -> Outcome<()> {
    for (kind, target) in task.kinds.iter().zip(&task.targets) {
        if *target != Target::Corners {
            skip(text, &[*kind])?;
            continue;
        }
        let mut strip = Strip::default();
        for _ in 0..text.count("the number of corners")? {
            text.skip_blanks();
            let offset = text.pos;
            let index = text.integer("a vertex index")?;
            strip.push(index, offset, task.vertices, &mut mesh.faces)?;
        }
    }
    Ok(())
}

/// Passes over properties.
fn skip(text: &mut Cursor<'_>, kinds: &[Kind]) -> Outcome<()> {
    for kind in kinds {
        let numbers = match kind {
            Kind::Scalar(_) => 1,
            Kind::List { .. } => text.count("the length of a list")?,
        };
        for _ in 0..numbers {
            text.skip_number("a property")?;
        }
    }
    Ok(())
}

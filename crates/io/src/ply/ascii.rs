//! Bodies of ASCII PLY files: one record per line.

use super::{
    header::Kind,
    layout::{Role, Task},
};
use crate::{
    Notes, ReadErrorKind, TriangleMesh,
    fan::Fan,
    text::{Outcome, Text, fault, quote},
};

/// Reads all elements; gives the offset of the end.
pub(super) fn read(
    bytes: &[u8],
    body: usize,
    tasks: &[Task],
    mesh: &mut TriangleMesh,
    notes: &mut Notes,
) -> Outcome<usize> {
    let mut text = Text::new(bytes, body, false, false);
    for task in tasks {
        match task.role {
            Role::Vertices(_) => mesh.positions.reserve_exact(task.count as usize),
            Role::Faces(_) => mesh.faces.reserve(task.count as usize),
            Role::Other => {}
        }
        for _ in 0..task.count {
            if !text.next_line() {
                return Err(fault(text.pos, ReadErrorKind::Truncated { what: "the next element" }));
            }
            match task.role {
                Role::Vertices(axes) => mesh.positions.push(position(&mut text, &task.kinds, axes)?),
                Role::Faces(corners) => face(&mut text, task, corners, mesh, notes)?,
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
fn position(text: &mut Text<'_>, kinds: &[Kind], axes: [usize; 3]) -> Outcome<[f32; 3]> {
    if axes == [0, 1, 2] {
        let position = text.position()?;
        skip(text, &kinds[3..])?;
        return Ok(position);
    }
    let mut position = [0.0; 3];
    for (number, kind) in kinds.iter().enumerate() {
        match axes.iter().position(|&axis| axis == number) {
            Some(axis) => position[axis] = text.coordinate()?,
            None => skip(text, std::slice::from_ref(kind))?,
        }
    }
    Ok(position)
}

#[inline(always)]
fn face(
    text: &mut Text<'_>,
    task: &Task,
    corners: usize,
    mesh: &mut TriangleMesh,
    notes: &mut Notes,
) -> Outcome<()> {
    skip(text, &task.kinds[..corners])?;
    text.skip_blanks();
    let start = text.pos;
    let mut fan = Fan::default();
    for _ in 0..text.count("the number of corners")? {
        text.skip_blanks();
        let offset = text.pos;
        let index = text.integer("a vertex index")?;
        match u32::try_from(index) {
            Ok(corner) if u64::from(corner) < task.vertices => fan.push(corner, &mut mesh.faces),
            _ => {
                let vertices = task.vertices;
                return Err(fault(
                    offset,
                    ReadErrorKind::IndexOutOfRange { index, vertices, relative: false },
                ));
            }
        }
    }
    fan.finish(notes).map_err(|kind| fault(start, kind))?;
    skip(text, &task.kinds[corners + 1..])
}

/// Passes over properties.
pub(super) fn skip(text: &mut Text<'_>, kinds: &[Kind]) -> Outcome<()> {
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

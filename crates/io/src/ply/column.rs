//! One scalar property of the vertices.

use super::{
    ascii,
    binary::Cursor,
    header::{Encoding, Header, Kind},
    layout::{self, Fixed, Role, Task},
    scalar::{BigEndian, LittleEndian, Order, Scalar, float},
};
use crate::{
    Notes, ReadErrorKind,
    text::{Outcome, Text, fault, fault_of_file},
};

/// Reads the property of that name, for all vertices.
pub(crate) fn read(bytes: &[u8], name: &str) -> Outcome<Vec<f32>> {
    let header = Header::parse(bytes)?;
    let tasks = layout::tasks(&header, bytes.len(), &mut Notes::default())?;
    let (column, scalar) = find(&header, name)?;
    match header.encoding {
        Encoding::Ascii => from_text(bytes, header.body, &tasks, column),
        Encoding::Little => from_binary::<LittleEndian>(bytes, header.body, &tasks, column, scalar),
        Encoding::Big => from_binary::<BigEndian>(bytes, header.body, &tasks, column, scalar),
    }
}

/// The number and type of a vertex property; of several with one name, the first.
fn find(header: &Header, name: &str) -> Outcome<(usize, Scalar)> {
    let vertex = header.elements.iter().find(|element| element.name == "vertex");
    let properties = vertex.map_or(&[][..], |element| &element.properties);
    let scalars = || {
        properties.iter().enumerate().filter_map(|(number, property)| match property.kind {
            Kind::Scalar(scalar) => Some((number, scalar, &property.name)),
            Kind::List { .. } => None,
        })
    };
    match scalars().find(|(_, _, known)| *known == name) {
        Some((number, scalar, _)) => Ok((number, scalar)),
        None => {
            let known = scalars().map(|(_, _, name)| name.clone()).collect();
            Err(fault_of_file(ReadErrorKind::NoProperty { name: name.into(), known }))
        }
    }
}

fn from_text(bytes: &[u8], body: usize, tasks: &[Task], column: usize) -> Outcome<Vec<f32>> {
    let mut text = Text::new(bytes, body, false, false);
    let mut values = Vec::new();
    for task in tasks {
        let wanted = matches!(task.role, Role::Vertices(_));
        if wanted {
            values.reserve_exact(task.count as usize);
        }
        for _ in 0..task.count {
            if !text.next_line() {
                return Err(fault(text.pos, ReadErrorKind::Truncated { what: "the next element" }));
            }
            if wanted {
                ascii::skip(&mut text, &task.kinds[..column])?;
                values.push(text.number("a property")?);
            }
            text.skip_line();
        }
        if wanted {
            break;
        }
    }
    Ok(values)
}

fn from_binary<O: Order>(
    bytes: &[u8],
    body: usize,
    tasks: &[Task],
    column: usize,
    scalar: Scalar,
) -> Outcome<Vec<f32>> {
    let mut cursor = Cursor { bytes, pos: body };
    for task in tasks {
        let fixed = Fixed::of(&task.kinds, [column; 3]);
        match (task.role, fixed) {
            (Role::Vertices(_), Some(Fixed { stride, fields: [(offset, _), ..] })) => {
                let records = cursor.take(stride as u64, task.count, "a vertex")?.chunks_exact(stride);
                return Ok(records.map(|record| float::<O>(scalar, &record[offset..])).collect());
            }
            (Role::Vertices(_), None) => {
                let mut values = Vec::with_capacity(task.count as usize);
                for _ in 0..task.count {
                    cursor.skip::<O>(&task.kinds[..column])?;
                    values.push(float::<O>(scalar, cursor.scalar(scalar)?));
                    cursor.skip::<O>(&task.kinds[column + 1..])?;
                }
                return Ok(values);
            }
            (_, Some(fixed)) => drop(cursor.take(fixed.stride as u64, task.count, "the next element")?),
            (_, None) => {
                for _ in 0..task.count {
                    cursor.skip::<O>(&task.kinds)?;
                }
            }
        }
    }
    Ok(Vec::new())
}

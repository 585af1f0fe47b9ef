//! Scalar properties of the vertices.

use super::{
    ascii,
    binary::Cursor,
    header::{Encoding, Header, Kind},
    layout::{self, Fixed, Role, Task},
    scalar::{BigEndian, Float, LittleEndian, Order, Scalar},
};
use crate::{
    Notes, Property, PropertyValues, ReadErrorKind,
    text::{Outcome, Text, fault, fault_of_file},
};

/// Reads the property of that name, for all vertices.
pub(crate) fn read(bytes: &[u8], name: &str) -> Outcome<Vec<f32>> {
    let header = Header::parse(bytes)?;
    let tasks = layout::tasks(&header, bytes.len(), &mut Notes::default())?;
    let (column, scalar) = find(&header, name)?;
    values(bytes, &header, &tasks, column, scalar)
}

/// Reads all scalar properties of the vertices but the coordinates; of several with one name, the first.
pub(crate) fn read_all(bytes: &[u8]) -> Outcome<Vec<Property>> {
    let header = Header::parse(bytes)?;
    let tasks = layout::tasks(&header, bytes.len(), &mut Notes::default())?;
    let mut properties: Vec<Property> = Vec::new();
    for (column, scalar, name) in scalars(&header) {
        if ["x", "y", "z"].contains(&name) || properties.iter().any(|known| known.name == name) {
            continue;
        }
        let read = |exact: bool| -> Outcome<PropertyValues> {
            if !exact {
                return Ok(PropertyValues::F32(values(bytes, &header, &tasks, column, scalar)?));
            }
            let values: Vec<f64> = values(bytes, &header, &tasks, column, scalar)?;
            let values = values.into_iter();
            Ok(match scalar {
                Scalar::U8 => PropertyValues::U8(values.map(|x| x as u8).collect()),
                Scalar::U16 | Scalar::U32 => PropertyValues::U32(values.map(|x| x as u32).collect()),
                _ => PropertyValues::I32(values.map(|x| x as i32).collect()),
            })
        };
        properties.push(Property::new(name, read(scalar.is_integer())?));
    }
    Ok(properties)
}

fn values<F: Float>(
    bytes: &[u8],
    header: &Header,
    tasks: &[Task],
    column: usize,
    scalar: Scalar,
) -> Outcome<Vec<F>> {
    match header.encoding {
        Encoding::Ascii => from_text(bytes, header.body, tasks, column),
        Encoding::Little => from_binary::<F, LittleEndian>(bytes, header.body, tasks, column, scalar),
        Encoding::Big => from_binary::<F, BigEndian>(bytes, header.body, tasks, column, scalar),
    }
}

/// Numbers, types and names of the scalar properties of the vertices.
fn scalars(header: &Header) -> impl Iterator<Item = (usize, Scalar, &str)> {
    let vertex = header.elements.iter().find(|element| element.name == "vertex");
    let properties = vertex.map_or(&[][..], |element| &element.properties);
    properties.iter().enumerate().filter_map(|(number, property)| match property.kind {
        Kind::Scalar(scalar) => Some((number, scalar, &*property.name)),
        Kind::List { .. } => None,
    })
}

/// The number and type of a vertex property; of several with one name, the first.
fn find(header: &Header, name: &str) -> Outcome<(usize, Scalar)> {
    match scalars(header).find(|(_, _, known)| *known == name) {
        Some((number, scalar, _)) => Ok((number, scalar)),
        None => {
            let known = scalars(header).map(|(_, _, name)| name.into()).collect();
            Err(fault_of_file(ReadErrorKind::NoProperty { name: name.into(), known }))
        }
    }
}

fn from_text<F: Float>(bytes: &[u8], body: usize, tasks: &[Task], column: usize) -> Outcome<Vec<F>> {
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

fn from_binary<F: Float, O: Order>(
    bytes: &[u8],
    body: usize,
    tasks: &[Task],
    column: usize,
    scalar: Scalar,
) -> Outcome<Vec<F>> {
    let mut cursor = Cursor { bytes, pos: body };
    for task in tasks {
        let fixed = Fixed::of(&task.kinds, [column; 3]);
        match (task.role, fixed) {
            (Role::Vertices(_), Some(Fixed { stride, fields: [(offset, _), ..] })) => {
                let records = cursor.take(stride as u64, task.count, "a vertex")?.chunks_exact(stride);
                return Ok(records.map(|record| F::read::<O>(scalar, &record[offset..])).collect());
            }
            (Role::Vertices(_), None) => {
                let mut values = Vec::with_capacity(task.count as usize);
                for _ in 0..task.count {
                    cursor.skip::<O>(&task.kinds[..column])?;
                    values.push(F::read::<O>(scalar, cursor.scalar(scalar)?));
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

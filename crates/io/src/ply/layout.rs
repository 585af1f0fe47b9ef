//! What to do with each element of a PLY file.

use super::{
    header::{Element, Encoding, Header, Kind},
    scalar::Scalar,
};
use crate::{
    Notes, ReadErrorKind,
    text::{Fault, Outcome, fault},
};

/// What an element's records hold.
#[derive(Debug, Clone, Copy)]
pub(super) enum Role {
    /// Positions: x, y and z are the properties of these numbers.
    Vertices([usize; 3]),
    /// Faces: the list of corners is the property of this number.
    Faces(usize),
    /// Something else.
    Other,
}

/// An element to read or pass over.
#[derive(Debug)]
pub(super) struct Task {
    pub role: Role,
    pub count: u64,
    pub kinds: Vec<Kind>,
    /// Number of vertices in the file.
    pub vertices: u64,
}

impl Kind {
    /// Fewest bytes that a value takes.
    fn least(self, encoding: Encoding) -> u64 {
        match (encoding, self) {
            (Encoding::Ascii, _) => 2,
            (_, Self::Scalar(scalar)) => scalar.size() as u64,
            (_, Self::List { count, .. }) => count.size() as u64,
        }
    }
}

fn bad(offset: usize, reason: String) -> Box<Fault> {
    fault(offset, ReadErrorKind::BadHeader { reason })
}

/// Checks the header against the file's length and finds vertices and faces.
pub(super) fn tasks(header: &Header, length: usize, notes: &mut Notes) -> Outcome<Vec<Task>> {
    let mut available = (length - header.body) as u64;
    // The last line of a text may go without an end.
    let spare = u64::from(header.encoding == Encoding::Ascii);
    let mut tasks = Vec::new();
    let mut seen = [false; 2];
    let vertices = header.elements.iter().find(|element| element.name == "vertex").map_or(0, |e| e.count);
    for element in &header.elements {
        let role = role(element, notes)?;
        match role {
            Role::Vertices(_) if std::mem::replace(&mut seen[0], true) => {
                return Err(bad(element.offset, "there are two elements called vertex".into()));
            }
            Role::Faces(_) if std::mem::replace(&mut seen[1], true) => {
                return Err(bad(element.offset, "there are two elements called face".into()));
            }
            Role::Vertices(_) if element.count > u64::from(u32::MAX) => {
                return Err(fault(element.offset, ReadErrorKind::TooManyVertices { count: element.count }));
            }
            _ => {}
        }
        if element.properties.is_empty() && element.count > 0 {
            return Err(bad(element.offset, format!("element {:?} has no properties", element.name)));
        }
        let least: u64 = element.properties.iter().map(|property| property.kind.least(header.encoding)).sum();
        let needed = least.saturating_mul(element.count);
        if needed > available + spare {
            let (what, count) = (format!("elements {:?}", element.name), element.count);
            let kind = ReadErrorKind::CountTooLarge { what, count, needed, available };
            return Err(fault(element.offset, kind));
        }
        available = available.saturating_sub(needed);
        let kinds = element.properties.iter().map(|property| property.kind).collect();
        tasks.push(Task { role, count: element.count, kinds, vertices });
    }
    Ok(tasks)
}

fn role(element: &Element, notes: &mut Notes) -> Outcome<Role> {
    match element.name.as_str() {
        "vertex" => vertices(element, notes),
        "face" => faces(element, notes),
        "tristrips" => {
            let what = "the element \"tristrips\" (triangle strips)".into();
            Err(fault(element.offset, ReadErrorKind::Unsupported { what }))
        }
        name => {
            notes.elements_skipped.push(name.into());
            Ok(Role::Other)
        }
    }
}

fn vertices(element: &Element, notes: &mut Notes) -> Outcome<Role> {
    let axes = ["x", "y", "z"];
    let mut found = [None; 3];
    for (number, property) in element.properties.iter().enumerate() {
        match axes.iter().position(|&axis| axis == property.name) {
            Some(axis) if matches!(property.kind, Kind::Scalar(_)) => found[axis] = Some(number),
            _ => notes.properties_skipped.push(format!("vertex.{}", property.name)),
        }
    }
    match found {
        [Some(x), Some(y), Some(z)] => Ok(Role::Vertices([x, y, z])),
        _ => Err(bad(element.offset, "the vertices lack x, y or z".into())),
    }
}

fn faces(element: &Element, notes: &mut Notes) -> Outcome<Role> {
    let mut corners = None;
    for (number, property) in element.properties.iter().enumerate() {
        match (property.name.as_str(), property.kind) {
            ("vertex_indices" | "vertex_index", Kind::List { item, .. })
                if item.is_integer() && corners.is_none() =>
            {
                corners = Some(number);
            }
            _ => notes.properties_skipped.push(format!("face.{}", property.name)),
        }
    }
    let reason = "the faces have no list of integers called vertex_indices or vertex_index";
    corners.map(Role::Faces).ok_or_else(|| bad(element.offset, reason.into()))
}

/// Where three scalar properties stand in records of fixed length, if no property of these is a list.
pub(super) struct Fixed {
    /// Bytes per record.
    pub stride: usize,
    /// Offsets and types of the three.
    pub fields: [(usize, Scalar); 3],
}

impl Fixed {
    pub fn of(kinds: &[Kind], wanted: [usize; 3]) -> Option<Self> {
        let mut stride = 0;
        let mut fields = [(0, Scalar::U8); 3];
        for (number, kind) in kinds.iter().enumerate() {
            let &Kind::Scalar(scalar) = kind else { return None };
            if let Some(field) = wanted.iter().position(|&wanted| wanted == number) {
                fields[field] = (stride, scalar);
            }
            stride += scalar.size();
        }
        Some(Self { stride, fields })
    }
}

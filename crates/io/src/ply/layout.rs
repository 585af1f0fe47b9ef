//! Treatment of each element of a PLY file.

use ribbonmesh_mesh::{Scalar, Scalars};

use super::header::{Element, Encoding, Header, Kind};
use crate::{
    Notes, ReadErrorKind,
    fault::{Fault, Outcome, fault},
};

/// Content of an element's records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Vertices,
    Faces,
    Edges,
    /// Triangle strips.
    Strips,
    /// Something else.
    Other,
}

/// Destination of a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// It is passed over.
    Skip,
    /// It is x, y or z of a position.
    Axis(usize),
    /// It is the list of a face's corners.
    Corners,
    /// It is the first or the second vertex of an edge.
    End(usize),
    /// It is kept in the store of that number, one number per element.
    Store(usize),
    /// It is kept in the store of that number, a row per corner of the face.
    PerCorner(usize),
}

/// The numbers of a property.
#[derive(Debug)]
pub(super) struct Store {
    /// Number of the property.
    pub property: usize,
    pub scalars: Scalars,
    /// Per corner: where the list of the last face begins.
    pub start: usize,
    /// Per corner: numbers of each corner; none before the first face.
    pub width: Option<usize>,
    /// Per corner: a list had another length.
    pub broken: bool,
}

/// An element to read or pass over.
#[derive(Debug)]
pub(super) struct Task<'h> {
    pub element: &'h Element,
    pub role: Role,
    pub count: u64,
    pub kinds: Vec<Kind>,
    pub targets: Vec<Target>,
    pub stores: Vec<Store>,
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

impl Task<'_> {
    /// The properties of these targets.
    pub fn find(&self, target: Target) -> Option<usize> {
        self.targets.iter().position(|&known| known == target)
    }
}

fn bad(offset: usize, reason: String) -> Box<Fault> {
    fault(offset, ReadErrorKind::Malformed { reason })
}

/// Checks the header against the file's length and finds the data to read.
pub(super) fn tasks<'h>(header: &'h Header, length: usize, notes: &mut Notes) -> Outcome<Vec<Task<'h>>> {
    let mut available = (length - header.body) as u64;
    // The last line of a text may lack an end of line.
    let spare = u64::from(header.encoding == Encoding::Ascii);
    let mut tasks: Vec<Task<'h>> = Vec::new();
    let named = |name: &str| header.elements.iter().find(|element| element.name == name);
    let vertices = named("vertex").map_or(0, |element| element.count);
    let strips = named("tristrips").is_some();
    for element in &header.elements {
        let (role, targets) = roles(element, strips, notes)?;
        if role != Role::Other && tasks.iter().any(|task| task.role == role) {
            return Err(bad(element.offset, format!("there are two elements called {}", element.name)));
        }
        if role == Role::Vertices && element.count > u64::from(u32::MAX) {
            return Err(fault(
                element.offset,
                ReadErrorKind::TooMany { what: "vertices", count: element.count },
            ));
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
        let kinds: Vec<Kind> = element.properties.iter().map(|property| property.kind).collect();
        let stores = stores(&targets, &kinds, element.count as usize);
        tasks.push(Task { element, role, count: element.count, kinds, targets, stores, vertices });
    }
    Ok(tasks)
}

/// Empty stores, with room: by now the file is known to be large enough.
fn stores(targets: &[Target], kinds: &[Kind], count: usize) -> Vec<Store> {
    let mut stores = Vec::new();
    for (property, (target, kind)) in targets.iter().zip(kinds).enumerate() {
        let scalars = match (target, *kind) {
            (Target::Store(_), Kind::Scalar(scalar)) => Scalars::with_capacity(scalar, count),
            (Target::PerCorner(_), Kind::List { item, .. }) => Scalars::with_capacity(item, 0),
            _ => continue,
        };
        stores.push(Store { property, scalars, start: 0, width: None, broken: false });
    }
    stores
}

pub(super) fn roles(element: &Element, strips: bool, notes: &mut Notes) -> Outcome<(Role, Vec<Target>)> {
    let role = match element.name.as_str() {
        "vertex" => Role::Vertices,
        "face" => Role::Faces,
        "edge" if ends(element).is_some() => Role::Edges,
        "tristrips" => Role::Strips,
        name => {
            notes.elements_skipped.push(name.into());
            return Ok((Role::Other, vec![Target::Skip; element.properties.len()]));
        }
    };
    Ok((role, targets(element, role, strips, notes)?))
}

/// The properties with the vertices of edges.
fn ends(element: &Element) -> Option<[usize; 2]> {
    let find = |name: &str| {
        let whole = |kind| matches!(kind, Kind::Scalar(scalar) if scalar.is_integer());
        element.properties.iter().position(|property| property.name == name && whole(property.kind))
    };
    Some([find("vertex1")?, find("vertex2")?])
}

/// Destinations of an element's properties; `strips` says whether the file has triangle strips in addition to
/// its faces.
fn targets(element: &Element, role: Role, strips: bool, notes: &mut Notes) -> Outcome<Vec<Target>> {
    let properties = &element.properties;
    let mut targets = vec![Target::Skip; properties.len()];
    match role {
        Role::Vertices => {
            for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
                let scalar = |kind| matches!(kind, Kind::Scalar(_));
                let found = properties.iter().rposition(|p| p.name == name && scalar(p.kind));
                let Some(found) = found else {
                    return Err(bad(element.offset, "the vertices lack x, y or z".into()));
                };
                targets[found] = Target::Axis(axis);
            }
        }
        Role::Faces | Role::Strips => {
            let corners = properties.iter().position(|property| {
                let list = matches!(property.kind, Kind::List { item, .. } if item.is_integer());
                list && ["vertex_indices", "vertex_index"].contains(&&*property.name)
            });
            let reason = "the faces have no list of integers called vertex_indices or vertex_index";
            let corners = corners.ok_or_else(|| bad(element.offset, reason.into()))?;
            targets[corners] = Target::Corners;
        }
        Role::Edges => {
            for (end, property) in ends(element).into_iter().flatten().enumerate() {
                targets[property] = Target::End(end);
            }
        }
        Role::Other => {}
    }
    let mut next = 0;
    for (number, property) in properties.iter().enumerate() {
        let doubled = properties[..number].iter().any(|earlier| earlier.name == property.name);
        let reserved: &[&str] = match role {
            Role::Vertices => &["x", "y", "z"],
            Role::Faces => &["vertex_indices", "vertex_index"],
            _ => &["vertex1", "vertex2"],
        };
        let doubled = doubled || reserved.contains(&&*property.name);
        let per_corner = property.name == "texcoord" || property.name.starts_with("corner_");
        let target = match property.kind {
            _ if targets[number] != Target::Skip => continue,
            // triangles of strips have no values of their own
            _ if role == Role::Strips || role == Role::Faces && strips => {
                notes.properties_skipped.push(format!("{}.{}", element.name, property.name));
                continue;
            }
            Kind::Scalar(_) if !doubled => Target::Store(next),
            Kind::List { .. } if !doubled && role == Role::Faces && per_corner => Target::PerCorner(next),
            _ => {
                notes.properties_skipped.push(format!("{}.{}", element.name, property.name));
                continue;
            }
        };
        targets[number] = target;
        next += 1;
    }
    Ok(targets)
}

/// The offsets of the properties in records of fixed length; such records have no lists.
pub(super) struct Fixed {
    /// Bytes per record.
    pub stride: usize,
    /// Offset and type of each.
    pub fields: Vec<(usize, Scalar)>,
}

impl Fixed {
    pub fn of(kinds: &[Kind]) -> Option<Self> {
        let mut stride = 0;
        let mut fields = Vec::with_capacity(kinds.len());
        for kind in kinds {
            let &Kind::Scalar(scalar) = kind else { return None };
            fields.push((stride, scalar));
            stride += scalar.size();
        }
        Some(Self { stride, fields })
    }
}

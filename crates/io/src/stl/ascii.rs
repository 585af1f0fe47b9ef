//! ASCII STL: `solid`, then `facet`, `outer loop`, `vertex`, `endloop`, `endfacet`, then `endsolid`, which the end of
//! the file may stand for.

use glam::DVec3;
use ribbonmesh_mesh::{Column, NONE, Role, TriangleMesh};

use crate::{
    Notes, ReadErrorKind,
    decimal::{Decimals, in_its_precision},
    polygon::Fan,
    text::{Outcome, Text, fault, fault_of_file, quote},
    weld::Weld,
};

/// Triangles that share no vertices yet, and what is counted on the way.
#[derive(Default)]
struct Soup {
    positions: Vec<DVec3>,
    faces: Vec<[u32; 3]>,
    notes: Notes,
}

pub(super) fn read(bytes: &[u8]) -> Outcome<(TriangleMesh, Notes)> {
    in_its_precision(|decimals| read_as(bytes, decimals))
}

fn read_as(bytes: &[u8], decimals: Decimals) -> Outcome<(TriangleMesh, Notes, Decimals)> {
    let mut text = Text::new(bytes, 0, false, false).with(decimals);
    let mut soup = Soup::default();
    let mut names: Vec<String> = Vec::new();
    let mut objects: Vec<u32> = Vec::new();
    while text.next_line() {
        keyword(&mut text, "solid")?;
        let name = String::from_utf8_lossy(&text.words()).into_owned();
        let object = if name.is_empty() { NONE } else { names.len() as u32 };
        if object != NONE {
            names.push(name);
        }
        text.skip_line();
        loop {
            if !text.next_line() {
                soup.notes.end_missing = true;
                break;
            }
            if !next(&mut text, "facet", "endsolid")? {
                break;
            }
            text.skip_line();
            facet(&mut text, &mut soup)?;
            if text.decimals == Decimals::NotSingle {
                return Ok((TriangleMesh::default(), soup.notes, text.decimals));
            }
        }
        text.skip_line();
        objects.resize(soup.faces.len(), object);
    }
    let mut mesh = TriangleMesh::new(soup.positions, soup.faces);
    let mut weld = Weld::default();
    weld.reserve(mesh.faces.len());
    for corner in mesh.faces.as_flattened_mut() {
        *corner = weld.vertex(mesh.positions[*corner as usize]).map_err(fault_of_file)?;
    }
    mesh.positions = weld.positions;
    soup.notes.corners_welded = weld.welded;
    if !names.is_empty() {
        let column = Column::with_role("object", Role::Object, objects);
        mesh.faces_of_mut().insert_column(column).map_err(|e| fault_of_file(ReadErrorKind::Column(e)))?;
        mesh.tables.objects = names;
    }
    Ok((mesh, soup.notes, text.decimals))
}

/// `outer loop`, three corners or more, `endloop` and `endfacet`.
fn facet(text: &mut Text<'_>, soup: &mut Soup) -> Outcome<()> {
    keyword(text, "outer")?;
    keyword(text, "loop")?;
    let start = text.pos;
    let mut fan = Fan::default();
    while next(text, "vertex", "endloop")? {
        let position = text.position()?;
        let count = soup.positions.len();
        let vertex = u32::try_from(count)
            .ok()
            .filter(|&vertex| vertex != NONE)
            .ok_or_else(|| fault(text.pos, ReadErrorKind::TooManyVertices { count: count as u64 + 1 }))?;
        soup.positions.push(position);
        fan.push(vertex, &mut soup.faces);
    }
    fan.finish(&soup.faces, &mut soup.notes).map_err(|kind| fault(start, kind))?;
    keyword(text, "endfacet")
}

/// Passes over one keyword in upper or lower case.
fn keyword(text: &mut Text<'_>, expected: &'static str) -> Outcome<()> {
    let (offset, found) = word(text, expected)?;
    if found.eq_ignore_ascii_case(expected.as_bytes()) {
        return Ok(());
    }
    Err(fault(offset, ReadErrorKind::Unexpected { expected, found: quote(found) }))
}

/// Passes over one of two keywords; true if it is the first.
fn next(text: &mut Text<'_>, expected: &'static str, or: &'static str) -> Outcome<bool> {
    let (offset, found) = word(text, or)?;
    if found.eq_ignore_ascii_case(expected.as_bytes()) {
        return Ok(true);
    }
    if found.eq_ignore_ascii_case(or.as_bytes()) {
        return Ok(false);
    }
    Err(fault(offset, ReadErrorKind::Unexpected { expected, found: quote(found) }))
}

fn word<'a>(text: &mut Text<'a>, what: &'static str) -> Outcome<(usize, &'a [u8])> {
    if !text.next_line() {
        return Err(fault(text.pos, ReadErrorKind::Truncated { what }));
    }
    let offset = text.pos;
    Ok((offset, text.token()))
}

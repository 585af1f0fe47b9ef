//! ASCII STL: `solid`, then `facet`, `outer loop`, `vertex`, `endloop`, `endfacet`, then `endsolid`, which
//! the end of the file may replace. Words of others between them, such as `color`, are passed over with their
//! lines.

use glam::DVec3;
use ribbonmesh_mesh::{Column, NONE, Role, TriangleMesh};

use crate::{
    Notes, ReadErrorKind,
    cursor::Cursor,
    decimal::{Decimals, in_its_precision},
    fault::{Outcome, fault, fault_of_file, quote},
    polygon::Fan,
    weld::Weld,
};

/// Triangles that share no vertices yet, and counts for notes.
#[derive(Default)]
struct Soup {
    positions: Vec<DVec3>,
    faces: Vec<[u32; 3]>,
    notes: Notes,
}

pub(super) fn read(bytes: &[u8], notes: Notes) -> Outcome<(TriangleMesh, Notes)> {
    in_its_precision(notes, |decimals, notes| read_as(bytes, decimals, notes))
}

fn read_as(bytes: &[u8], decimals: Decimals, notes: Notes) -> Outcome<(TriangleMesh, Notes, Decimals)> {
    let mut text = Cursor::new(bytes, 0, false, false).with(decimals);
    let mut soup = Soup { notes, ..Soup::default() };
    let mut names: Vec<String> = Vec::new();
    let mut objects: Vec<u32> = Vec::new();
    while text.next_word() {
        if !first_of(&mut text, "solid", &mut soup.notes)? {
            continue;
        }
        let name = String::from_utf8_lossy(&text.words_of_line()).into_owned();
        let object = if name.is_empty() { NONE } else { names.len() as u32 };
        if object != NONE {
            names.push(name);
        }
        text.skip_line();
        let mut begins = false;
        loop {
            if !text.next_word() {
                soup.notes.end_missing = true;
                break;
            }
            match next(&mut text, &["facet", "endsolid", "solid"], &mut soup.notes)? {
                Some(0) => {}
                Some(1) => break,
                // without an end before it
                Some(_) => {
                    text.pos -= "solid".len();
                    begins = true;
                    break;
                }
                None => continue,
            }
            text.skip_line();
            facet(&mut text, &mut soup)?;
            if text.decimals == Decimals::NotSingle {
                return Ok((TriangleMesh::default(), soup.notes, text.decimals));
            }
        }
        if !begins {
            text.skip_line();
        }
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
fn facet(text: &mut Cursor<'_>, soup: &mut Soup) -> Outcome<()> {
    keyword(text, "outer", &mut soup.notes)?;
    keyword(text, "loop", &mut soup.notes)?;
    let start = text.pos;
    let mut fan = Fan::default();
    loop {
        match next(text, &["vertex", "endloop", "end"], &mut soup.notes)? {
            Some(0) => {}
            Some(1) => break,
            Some(_) => {
                keyword(text, "loop", &mut soup.notes)?;
                break;
            }
            None => continue,
        }
        let position = text.position(&mut soup.notes)?;
        let count = soup.positions.len();
        let vertex = u32::try_from(count).ok().filter(|&vertex| vertex != NONE).ok_or_else(|| {
            fault(text.pos, ReadErrorKind::TooMany { what: "vertices", count: count as u64 + 1 })
        })?;
        soup.positions.push(position);
        fan.push(vertex, &mut soup.faces);
        if !text.line_ends() && !follows(text) {
            soup.notes.skip_unknown(text.pos, &quote(text.rest_of_word()), "the end of the line")?;
            text.skip_line();
        }
    }
    fan.finish(start, &soup.faces, &mut soup.notes)?;
    loop {
        match next(text, &["endfacet", "end"], &mut soup.notes)? {
            Some(0) => return Ok(()),
            Some(_) => return keyword(text, "facet", &mut soup.notes),
            None => {}
        }
    }
}

/// Whether a word that may follow a vertex comes next on the line.
fn follows(text: &Cursor<'_>) -> bool {
    let word = text.rest_of_word();
    ["vertex", "endloop", "end"].iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
}

/// Passes over one keyword in upper or lower case, and over lines of others before it.
fn keyword(text: &mut Cursor<'_>, expected: &'static str, notes: &mut Notes) -> Outcome<()> {
    while next(text, &[expected], notes)?.is_none() {}
    Ok(())
}

/// As [`keyword`]; false at the end of the file.
fn first_of(text: &mut Cursor<'_>, expected: &'static str, notes: &mut Notes) -> Outcome<bool> {
    while text.next_word() {
        if next(text, &[expected], notes)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Passes over one of some keywords, and says which. `None` if it was another word, whose line is passed
/// over.
#[inline(always)]
fn next(text: &mut Cursor<'_>, expected: &[&'static str], notes: &mut Notes) -> Outcome<Option<usize>> {
    let what = expected[expected.len().min(2) - 1];
    let (offset, found) = word(text, what)?;
    let known = expected.iter().position(|word| found.eq_ignore_ascii_case(word.as_bytes()));
    if known.is_none() {
        other(text, offset, found, expected, notes)?;
    }
    Ok(known)
}

/// A word that is not expected: of another program, unless it is one of the format in a wrong place.
#[cold]
fn other(
    text: &mut Cursor<'_>,
    offset: usize,
    found: &[u8],
    expected: &[&'static str],
    notes: &mut Notes,
) -> Outcome<()> {
    // a file that ends in a word was cut off there
    let cut = text.at_end();
    const WORDS: [&str; 7] = ["facet", "outer", "loop", "vertex", "endloop", "endfacet", "endsolid"];
    if cut || WORDS.iter().any(|word| found.eq_ignore_ascii_case(word.as_bytes())) {
        let (expected, found) = (expected[0], quote(found));
        return Err(fault(offset, ReadErrorKind::Unexpected { expected, found }));
    }
    notes.skip_unknown(offset, &quote(found), expected[0])?;
    text.skip_line();
    Ok(())
}

fn word<'a>(text: &mut Cursor<'a>, what: &'static str) -> Outcome<(usize, &'a [u8])> {
    if !text.next_word() {
        return Err(fault(text.pos, ReadErrorKind::Truncated { what }));
    }
    let offset = text.pos;
    Ok((offset, text.token()))
}

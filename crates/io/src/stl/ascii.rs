//! ASCII STL: `solid`, then `facet`, `outer loop`, `vertex`, `endloop`, `endfacet`, then `endsolid`.

use super::weld::Weld;
use crate::{
    Notes, ReadErrorKind,
    fan::Fan,
    text::{Outcome, Text, fault, quote},
};

pub(super) fn read(bytes: &[u8], weld: &mut Weld, notes: &mut Notes) -> Outcome<()> {
    let mut text = Text::new(bytes, 0, false, false);
    while text.next_line() {
        keyword(&mut text, "solid")?;
        text.skip_line();
        while next(&mut text, "facet", "endsolid")? {
            text.skip_line();
            facet(&mut text, weld, notes)?;
        }
        text.skip_line();
    }
    Ok(())
}

/// `outer loop`, three corners or more, `endloop` and `endfacet`.
fn facet(text: &mut Text<'_>, weld: &mut Weld, notes: &mut Notes) -> Outcome<()> {
    keyword(text, "outer")?;
    keyword(text, "loop")?;
    let start = text.pos;
    let mut fan = Fan::default();
    while next(text, "vertex", "endloop")? {
        let position = text.position()?;
        let vertex = weld.vertex(position).map_err(|kind| fault(text.pos, kind))?;
        fan.push(vertex, &mut weld.faces);
    }
    fan.finish(notes).map_err(|kind| fault(start, kind))?;
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

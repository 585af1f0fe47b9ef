//! Binary STL: a header of 80 bytes, a count, then 50 bytes per triangle.

use super::weld::Weld;
use crate::{
    Notes, ReadErrorKind,
    sniff::{STL_FACET, STL_HEAD},
    text::{Outcome, fault},
};

pub(super) fn read(bytes: &[u8], weld: &mut Weld, notes: &mut Notes) -> Outcome<()> {
    let Some(&count) = bytes.get(80..STL_HEAD).and_then(|count| count.first_chunk::<4>()) else {
        let what = "the number of triangles";
        return Err(fault(bytes.len(), ReadErrorKind::Truncated { what }));
    };
    let count = u64::from(u32::from_le_bytes(count));
    let available = (bytes.len() - STL_HEAD) as u64;
    let needed = STL_FACET as u64 * count;
    if needed > available {
        let what = "triangles".into();
        return Err(fault(80, ReadErrorKind::CountTooLarge { what, count, needed, available }));
    }
    weld.reserve(count as usize);
    let facets = bytes[STL_HEAD..].as_chunks::<STL_FACET>().0;
    for (number, facet) in facets.iter().take(count as usize).enumerate() {
        let mut face = [0; 3];
        for (corner, vertex) in face.iter_mut().enumerate() {
            let mut position = [0.0; 3];
            for (axis, value) in position.iter_mut().enumerate() {
                let at = 12 + 12 * corner + 4 * axis;
                *value = f32::from_le_bytes([facet[at], facet[at + 1], facet[at + 2], facet[at + 3]]);
                if !value.is_finite() {
                    let kind = ReadErrorKind::NotFinite { text: value.to_string() };
                    return Err(fault(STL_HEAD + STL_FACET * number + at, kind));
                }
            }
            let at = STL_HEAD + STL_FACET * number + 12 + 12 * corner;
            *vertex = weld.vertex(position).map_err(|kind| fault(at, kind))?;
        }
        weld.faces.push(face);
    }
    notes.trailing_bytes = available - needed;
    Ok(())
}

//! The results of tiles as a mesh on disk.
use crate::disk::Placed;
use crate::level::{Level, MARKED, MARKS, NewLevel, SHARED, Sizes};
use crate::{Result, TilesError, results};
use rustc_hash::FxHashMap;

/// A vertex of a border.
struct Shared {
    number: u32,
    mark: u8,
    /// The mark that is on the disk.
    written: u8,
}

/// Writes the results of all tiles of a level as the mesh of the next one, tile by tile. A vertex that
/// several tiles have is written once, with the marks that any of them has given it. In memory are one tile
/// and the numbers of the vertices of borders. Returns the sizes, and the number of marked vertices.
pub fn join(level: &Level, tiles: usize, next: &Level) -> Result<(Sizes, u64)> {
    let mut out = NewLevel::create(next)?;
    let (mut shared, mut marked): (FxHashMap<u32, Shared>, u64) = (FxHashMap::default(), 0);
    for tile in 0..tiles {
        let path = level.result(tile);
        let Some(done) = results::read(&path)? else {
            return Err(TilesError::Damaged { file: path, reason: "the file is missing".into() });
        };
        let mut numbers = Vec::with_capacity(done.vertices.len());
        for (v, vertex) in done.vertices.iter().enumerate() {
            let mut number = out.next();
            let mark = vertex.fixed as u8 & MARKS;
            if vertex.fixed as u8 & SHARED != 0 {
                let new = Shared { number, mark, written: mark };
                let known = shared.entry(vertex.id).or_insert(new);
                known.mark |= mark;
                number = known.number;
            }
            if number == out.next() {
                out.vertex(vertex.at(), done.quadrics.get(v))?;
                out.mark(mark)?;
                out.length(done.lengths.get(v).copied().unwrap_or_default())?;
                marked += u64::from(mark & MARKED != 0);
            }
            numbers.push(number);
        }
        for corners in done.triangles {
            out.face(corners.map(|v| numbers[v as usize]))?;
        }
    }
    let sizes = out.finish()?;
    if next.has_marks() {
        let mut marks = Placed::open(next.marks())?;
        for late in shared.into_values().filter(|v| v.mark != v.written) {
            marks.put(late.number.into(), &[late.mark])?;
            marked += u64::from(late.mark & !late.written & MARKED != 0);
        }
        marks.finish()?;
    }
    Ok((sizes, marked))
}

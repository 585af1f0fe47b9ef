//! Projection of a result to the surface of the input.
use crate::Result;
use crate::disk::{self, Writer};
use crate::frame::Frame;
use crate::level::{Array, FEATURE, Level};
use crate::plan::Room;
use crate::scatter::scatter;
use crate::sides::{Cut, Near, Side, Trees};
use glam::Vec3;
use ribbonmesh_remeshing::remesh::guard::turns;
use rustc_hash::FxHashSet;

/// Writes a level that is a result with its vertices at the closest points of the input. Vertices on features
/// and of the boundary stay, and so do those of faces that would turn or become slivers. In memory are a tile
/// of the result, as many trees of tiles of the input as fit, and the numbers of the vertices of such faces.
pub fn project([input, result]: [Cut<'_>; 2], next: &Level, frame: &Frame, room: &Room) -> Result<()> {
    let (level, sizes, tiles) = result;
    let [of_input, of_result] = Side::both([input, result], frame, room)?;
    next.empty()?;
    let projected = level.array(Array::Projected);
    let mut out = Writer::create(projected.clone())?;
    let mut trees = Trees::new(&of_input, &of_result);
    for (tile, span) in of_result.spans.iter().enumerate() {
        let [first, count] = span.vertices;
        let (x, _) = of_result.triangles(*span)?;
        let marks: Vec<u8> = disk::read(&level.array(Array::Fixed), first, count as usize)?;
        let near = trees.closest(&x, &of_input.near(of_result.boxes[tile]))?;
        let moved = x.iter().zip(&near).zip(marks);
        let moved =
            moved.map(|((&x, &Near { point, .. }), marks)| if marks & FEATURE == 0 { point } else { x });
        out.add(&moved.collect::<Vec<_>>())?;
    }
    out.close()?;
    drop(trees);
    let stay = staying(&of_result, level)?;
    let mut out = Writer::create(level.array(Array::Settled))?;
    each_tile(&of_result, level, |ids, x, moved, _| {
        let of_tile = ids.iter().zip(x.iter().zip(moved));
        let settled = of_tile.map(|(id, (&x, &moved))| if stay.contains(id) { x } else { moved });
        out.add(&settled.collect::<Vec<_>>())
    })?;
    out.close()?;
    let files = [&*level.array(Array::Settled), &next.vertices()];
    scatter(level, sizes, tiles, room, files, (Vec3::ZERO, |_, settled| settled))?;
    disk::copy(&level.faces(), &next.faces())?;
    disk::copy(&level.marks(), &next.marks())?;
    if level.has_lengths() { disk::copy(&level.lengths(), &next.lengths()) } else { Ok(()) }
}

/// The vertices that stay, so that no face turns.
fn staying(side: &Side<'_>, level: &Level) -> Result<FxHashSet<u32>> {
    let mut stay = FxHashSet::default();
    loop {
        let before = stay.len();
        each_tile(side, level, |ids, x, moved, faces| {
            for corners in faces.iter().map(|corners| corners.map(|v| v as usize)) {
                let at = corners.map(|v| if stay.contains(&ids[v]) { x[v] } else { moved[v] });
                if turns(corners.map(|v| x[v]), at) {
                    stay.extend(corners.map(|v| ids[v]));
                }
            }
            Ok(())
        })?;
        if stay.len() == before {
            return Ok(stay);
        }
    }
}

/// Gives each tile: numbers of vertices, positions, projected positions, faces.
fn each_tile(
    side: &Side<'_>,
    level: &Level,
    mut visit: impl FnMut(&[u32], &[Vec3], &[Vec3], &[[u32; 3]]) -> Result<()>,
) -> Result<()> {
    for span in &side.spans {
        let [first, count] = span.vertices;
        let (x, faces) = side.triangles(*span)?;
        let ids: Vec<u32> = disk::read(&level.array(Array::Ids), first, count as usize)?;
        let moved: Vec<Vec3> = disk::read(&level.array(Array::Projected), first, count as usize)?;
        visit(&ids, &x, &moved, &faces)?;
    }
    Ok(())
}

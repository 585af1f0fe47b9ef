//! The distance of a result from the input, and shorter target lengths where it is too large.
use crate::Result;
use crate::disk::{self, Reader, Writer};
use crate::frame::Frame;
use crate::level::{Array, Level};
use crate::plan::Room;
use crate::scatter::scatter;
use crate::sides::{Cut, Near, Side, Trees};
use glam::Vec3;
use ribbonmesh_remeshing::remesh::Tolerance;
use ribbonmesh_remeshing::remesh::deviate::{points_of_input, points_of_result};

/// A distance that was found at a face: the face's place in all tiles, in two halves, and the bits of the
/// distance.
type Row = [u32; 3];

/// Measures the largest distance of the input and a result from each other, at the points at which
/// [`remesh`](ribbonmesh_remeshing::remesh::remesh()) does it for a target length `length`, in the units of
/// the frame. Writes the distances of the vertices of the input: each is the largest one at a point of the
/// vertex's faces, or at one of the result to which one of these is the closest; of the latter, those that
/// the tolerance does not aim at are left out. In memory are a tile of one surface, and as many trees of
/// tiles of the other as fit.
pub fn measure(
    [input, result]: [Cut<'_>; 2],
    frame: &Frame,
    room: &Room,
    (tolerance, length): (&Tolerance, f32),
) -> Result<f32> {
    let (level, sizes, tiles) = input;
    let [of_input, of_result] = Side::both([input, result], frame, room)?;
    let [found, of_faces, of_vertices] = level.deviations();
    let (mut rows, mut count, mut most) = (Writer::create(found.clone())?, 0, 0.0_f32);
    let mut trees = Trees::new(&of_input, &of_result);
    let seven = |corners, points: &mut Vec<Vec3>| points.extend(points_of_result(corners));
    for tile in 0..of_result.spans.len() {
        each_face([&of_result, &of_input], tile, &mut trees, &seven, &mut |_, all| {
            for &Near { distance, face, .. } in all {
                most = most.max(distance);
                if distance > tolerance.aim() {
                    let row: Row = [face as u32, (face >> 32) as u32, distance.to_bits()];
                    rows.add(&row)?;
                    count += 1;
                }
            }
            Ok(())
        })?;
    }
    rows.close()?;
    by_faces([&found, &of_faces], count, sizes.faces, room)?;
    drop(trees);
    let mut out = Writer::create(level.array(Array::Deviations))?;
    let mut trees = Trees::new(&of_result, &of_input);
    let points =
        |corners, points: &mut Vec<Vec3>| points_of_input(corners, length, |point| points.push(point));
    for (tile, span) in of_input.spans.iter().enumerate() {
        let mut of_tile: Vec<f32> = disk::read(&of_faces, span.faces[0], span.faces[1] as usize)?;
        each_face([&of_input, &of_result], tile, &mut trees, &points, &mut |face, all| {
            let farthest = all.iter().map(|near| near.distance).fold(0.0, f32::max);
            most = most.max(farthest);
            of_tile[face] = of_tile[face].max(farthest);
            Ok(())
        })?;
        let mut deviations = vec![0.0_f32; span.vertices[1] as usize];
        let (_, faces) = of_input.triangles(*span)?;
        for (corners, of_face) in faces.iter().zip(of_tile) {
            corners.iter().map(|&v| v as usize).for_each(|v| deviations[v] = deviations[v].max(of_face));
        }
        out.add(&deviations)?;
    }
    out.close()?;
    let files = [&*level.array(Array::Deviations), &of_vertices];
    scatter(level, sizes, tiles, room, files, (0.0, f32::max))?;
    disk::remove_file(&found)?;
    disk::remove_file(&of_faces)?;
    Ok(most)
}

/// Gives each face of a tile of the first surface with the distances of its points from the second one, and
/// the closest faces of these.
fn each_face(
    [from, to]: [&Side<'_>; 2],
    tile: usize,
    trees: &mut Trees<'_>,
    points_of: &dyn Fn([Vec3; 3], &mut Vec<Vec3>),
    visit: &mut dyn FnMut(usize, &[Near]) -> Result<()>,
) -> Result<()> {
    let (x, faces) = from.triangles(from.spans[tile])?;
    let near = to.near(from.boxes[tile]);
    let (mut points, mut ends, mut first) = (vec![], vec![], 0);
    for (face, corners) in faces.iter().enumerate() {
        points_of(corners.map(|v| x[v as usize]), &mut points);
        ends.push(points.len());
        if points.len() as u64 >= from.room.tile || face + 1 == faces.len() {
            let found = trees.closest(&points, &near)?;
            let mut start = 0;
            for (behind, end) in ends.drain(..).enumerate() {
                visit(first + behind, &found[start..end])?;
                start = end;
            }
            points.clear();
            first = face + 1;
        }
    }
    Ok(())
}

/// Writes the largest distance of each of `faces` faces, from `count` rows: all rows are read for as many
/// faces as fit at a time.
fn by_faces([rows, to]: [&std::path::Path; 2], count: u64, faces: u64, room: &Room) -> Result<()> {
    let block = room.numbers().max(1);
    let mut out = Writer::create(to.into())?;
    for first in (0..faces).step_by(block as usize) {
        let mut values = vec![0.0_f32; block.min(faces - first) as usize];
        disk::each_piece(rows, [0, count], |rows: &[Row]| {
            for &[low, high, bits] in rows {
                let face = u64::from(high) << 32 | u64::from(low);
                if let Some(value) = face.checked_sub(first).and_then(|at| values.get_mut(at as usize)) {
                    *value = value.max(f32::from_bits(bits));
                }
            }
            Ok(())
        })?;
        out.add(&values)?;
    }
    out.close()
}

/// Writes the target lengths of the input for another attempt from those of an attempt that was measured.
/// Returns whether any is shorter.
pub fn shorten([level, next]: [&Level; 2], vertices: u64, tolerance: &Tolerance) -> Result<bool> {
    let [_, _, deviations] = level.deviations();
    let mut lengths = Reader::<f32>::open(&level.lengths(), vertices, disk::BUFFER)?;
    let mut deviations = Reader::<f32>::open(&deviations, vertices, disk::BUFFER)?;
    let (mut out, mut changed) = (Writer::create(next.lengths())?, false);
    for _ in 0..vertices {
        let (length, deviation) = (lengths.next()?, deviations.next()?);
        let shortened = tolerance.shortened(length, deviation);
        changed |= shortened < length;
        out.add(&[shortened])?;
    }
    out.finish()?;
    Ok(changed)
}

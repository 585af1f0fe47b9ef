//! Target lengths of vertices on disk.
use crate::Result;
use crate::blame::blame;
use crate::disk::{self, Writer};
use crate::frame::Frame;
use crate::gather::{Span, Tile, spans};
use crate::halo::{Halos, Whole};
use crate::level::{Array, Level, Sizes};
use crate::plan::Room;
use crate::scatter::scatter;
use glam::Vec3;
use ribbonmesh_remeshing::remesh::{Part, PartOptions, lengths_of_part};

/// Writes target lengths by curvature for the vertices of a level, for a tolerance and from the shortest to
/// the longest one. A tile is looked at with all faces at its vertices, so that lengths at borders are as
/// elsewhere.
pub fn by_curvature(
    (level, sizes, tiles): (&Level, Sizes, &[Tile]),
    frame: &Frame,
    room: &Room,
    options: &PartOptions,
    (tolerance, range): (f32, [f32; 2]),
) -> Result<()> {
    let mut out = Writer::create(level.array(Array::Lengths))?;
    Halos::new(level, tiles)?.each(level, |Whole { positions, faces, vertices, .. }| {
        let fixed = (0..positions.len()).map(|v| v >= vertices).collect();
        let part = Part { positions, triangles: faces, fixed, ..Part::default() };
        let lengths = lengths_of_part(&part, options, tolerance, range)?;
        let lengths = lengths.ok_or_else(|| blame(&part.positions, &part.triangles, &part.fixed, frame))?;
        out.add(&lengths[..vertices])
    })?;
    out.close()?;
    let files = [&*level.array(Array::Lengths), &level.lengths()];
    // where tiles differ by rounding, the last one counts
    scatter(level, sizes, tiles, room, files, (range[1], |_, length| length))
}

/// About the number of faces that the target lengths of all vertices give.
pub fn expected(level: &Level, tiles: &[Tile]) -> Result<u64> {
    let mut sum = 0.0;
    for Span { faces: [face, faces], vertices: [vertex, vertices] } in spans(tiles) {
        let x: Vec<Vec3> = disk::read(&level.array(Array::Vertices), vertex, vertices as usize)?;
        let lengths: Vec<f32> = disk::read(&level.array(Array::Lengths), vertex, vertices as usize)?;
        disk::each_piece(&level.array(Array::Faces), [face, faces], |faces: &[[u32; 3]]| {
            for &corners in faces {
                let [a, b, c] = corners.map(|v| x[v as usize].as_dvec3());
                let length = corners.iter().map(|&v| f64::from(lengths[v as usize])).sum::<f64>() / 3.0;
                sum += faces_of((b - a).cross(c - a).length() / 2.0, length);
            }
            Ok(())
        })?;
    }
    Ok(sum as u64)
}

/// The number of equilateral triangles of a length that have an area.
pub fn faces_of(area: f64, length: f64) -> f64 {
    area / (0.75_f64.sqrt() / 2.0 * length.powi(2))
}

//! The distance between two surfaces, tile by tile.
use crate::frame::Frame;
use crate::sides::{Side, Trees};
use crate::streaming::{OnDisk, Streaming};
use crate::{Result, disk};
use glam::Vec3;
use ribbonmesh::bvh::{Distance, DistanceOptions, Figures, OneWay};
use std::path::Path;

/// Measures how far the surfaces of two files (binary PLY of triangles, OBJ, binary STL, GLB) are from each
/// other, as [`ribbonmesh::bvh::distance`] does it in memory. In memory is a tile of one surface with
/// the trees of tiles of the other that were used last, as many as fit.
///
/// Distances of vertices are those in memory, bit by bit. Random points are as many, by area, but others, so
/// that mean and root mean square differ as for another seed.
/// # Errors
/// [`Error::NoFaces`](ribbonmesh::Error::NoFaces), [`TilesError`](crate::TilesError).
pub fn distance(
    a: &Path,
    b: &Path,
    measure: &DistanceOptions,
    options: &Streaming,
    say: &mut dyn FnMut(String),
) -> Result<Distance> {
    let of = |name: &str| Streaming { work: options.work.join(name), ..options.clone() };
    let a = OnDisk::read(a, &of("a"))?;
    let b = OnDisk::read_in(b, &of("b"), Some(&a.frame))?;
    let found = between(&a, &b, measure, say)?;
    for mesh in [a, b] {
        mesh.remove()?;
    }
    disk::remove_folder(&options.work)?;
    Ok(found)
}

fn between(
    a: &OnDisk,
    b: &OnDisk,
    options: &DistanceOptions,
    say: &mut dyn FnMut(String),
) -> Result<Distance> {
    let tiles = [a.tiles()?, b.tiles()?];
    let [a, b] = [(a, &tiles[0]), (b, &tiles[1])]
        .map(|(mesh, tiles)| Side::new(&mesh.level, tiles, mesh.frame, mesh.room));
    let (a, b) = (a?, b?);
    for (side, mesh) in [&a, &b].into_iter().zip(&tiles) {
        let faces: u64 = mesh.iter().map(|tile| tile.faces).sum();
        say(format!("{faces} faces in {} tiles", side.spans.len()));
    }
    let (of_a, of_b) = (measure(&a, &b, options, say)?, measure(&b, &a, options, say)?);
    let diagonal = (a.high.as_dvec3() - a.low.as_dvec3()).length() / a.frame.scale();
    let ways = [&of_a, &of_b].map(Found::one_way);
    Ok(Distance::of(ways, Found::means(&[of_a, of_b]), diagonal))
}

/// Measures from the vertices and from random points to another surface.
fn measure(
    from: &Side<'_>,
    to: &Side<'_>,
    options: &DistanceOptions,
    say: &mut dyn FnMut(String),
) -> Result<Found> {
    let mut found = Found::new(from);
    let mut trees = Trees::new(to, from);
    let all: f64 = from.areas.iter().sum();
    let piece = from.room.tile as usize;
    let (mut before, mut seed) = (0.0, options.seed);
    for (tile, &area) in from.areas.iter().enumerate() {
        let surface = from.surface(tile, to)?;
        let near = to.near(from.boxes[tile]);
        for points in surface.vertices().read()?.chunks(piece) {
            let distances = trees.distances(points, &near)?;
            found.farthest(points, &distances);
        }
        if area == 0.0 || options.samples == 0 {
            continue;
        }
        // points by area: those of parts of equal area that end in the tile, at least one
        let ended = |area: f64| (area / all * f64::from(options.samples)).round() as u64;
        let count = (ended(before + area) - ended(before)).max(1);
        before += area;
        let (mut sum, mut squares) = (0.0, 0.0);
        for first in (0..count).step_by(piece) {
            let points = surface.sample((count - first).min(piece as u64) as u32, seed)?.read()?;
            seed = seed.wrapping_add(1);
            let distances = trees.distances(&points, &near)?;
            found.farthest(&points, &distances);
            for &d in &distances {
                sum += f64::from(d);
                squares += f64::from(d) * f64::from(d);
            }
        }
        found.samples += count;
        found.area += area;
        found.sum += area / count as f64 * sum;
        found.squares += area / count as f64 * squares;
    }
    say(format!("{} trees made of {} tiles", trees.made, to.spans.len()));
    Ok(found)
}
/// Distances of the points of a surface, in the units of the frame.
struct Found {
    frame: Frame,
    vertices: u64,
    samples: u64,
    /// The area with random points, and sums of distances and of their squares by area.
    area: f64,
    sum: f64,
    squares: f64,
    most: f32,
    at: Vec3,
}
impl Found {
    fn new(of: &Side<'_>) -> Self {
        let frame = of.frame;
        let (vertices, at) = (of.vertices, Vec3::ZERO);
        Self { frame, vertices, samples: 0, area: 0.0, sum: 0.0, squares: 0.0, most: -1.0, at }
    }
    fn farthest(&mut self, points: &[Vec3], distances: &[f32]) {
        for (&p, &d) in points.iter().zip(distances) {
            if d > self.most {
                (self.most, self.at) = (d, p);
            }
        }
    }
    /// Mean and root mean square over random points of some surfaces, each with the weight of its number.
    fn means(all: &[Self]) -> Figures {
        let samples: u64 = all.iter().map(|found| found.samples).sum();
        let mean = |of: fn(&Self) -> f64| {
            let sum = |found: &Self| found.samples as f64 * of(found) / found.area;
            let with = all.iter().filter(|found| found.samples > 0);
            (samples > 0).then(|| with.map(sum).sum::<f64>() / samples as f64)
        };
        let scale = all.first().map_or(1.0, |found| found.frame.scale());
        let most = all.iter().map(|found| found.most).fold(0.0, f32::max);
        Figures {
            hausdorff: f64::from(most) / scale,
            mean: mean(|found| found.sum).map(|x| x / scale),
            rms: mean(|found| found.squares).map(|x| x.sqrt() / scale),
        }
    }
    fn one_way(&self) -> OneWay {
        let figures = Self::means(std::slice::from_ref(self));
        let at = self.at.to_array().map(|x| self.frame.length(x));
        OneWay { vertices: self.vertices, samples: self.samples, figures, at }
    }
}

//! Comparison of a mesh before and after triangles were changed.
use crate::{Change, Parts, Run, Shape, counted, short};
use ribbonmesh::bvh::{Distance, DistanceOptions, SampledSurface, distance};
use ribbonmesh::{Device, Result, TriangleMesh};
use ribbonmesh_mesh::quality::Quality;
use serde::Serialize;

/// Random points of each surface by which their distance is estimated.
const SAMPLES: u32 = 100_000;

/// The distance between two meshes, by random points of both; none of one without faces.
///
/// # Errors
/// Out of memory; errors of the driver.
pub fn distance_between(
    device: &Device,
    seed: u64,
    [before, after]: [&TriangleMesh; 2],
) -> Result<Option<Distance>> {
    if before.faces.is_empty() || after.faces.is_empty() {
        return Ok(None);
    }
    let origin = before.local_origin();
    let [a, b] = [before, after].map(|mesh| (mesh.points_around(origin), &mesh.faces));
    let [of_a, of_b] = [&a, &b].map(|(points, faces)| SampledSurface::reach(points, faces));
    let a = SampledSurface::beside(device, &a.0, a.1, of_b)?;
    let b = SampledSurface::beside(device, &b.0, b.1, of_a)?;
    Ok(Some(distance(&a, &b, &DistanceOptions { samples: SAMPLES, seed })?))
}

/// The quality of a mesh before and after a change, and the distance between the two.
#[derive(Serialize)]
pub struct Compared {
    quality_before: Quality,
    quality_after: Quality,
    /// Of the mesh before, a, and after, b; none of one without faces.
    distance: Option<Distance>,
    /// Area, volume and components before and after, and whether the result is far from the input.
    change: Change,
    /// Whether there is a target length.
    #[serde(skip)]
    target: bool,
}
impl Compared {
    /// Compares two meshes; with a target length of edges, if there is one. A distance that was measured is not measured
    /// again.
    ///
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn new(
        device: &Device,
        seed: u64,
        meshes: [&TriangleMesh; 2],
        target: Option<f64>,
        measured: Option<Distance>,
    ) -> Result<Self> {
        let quality = |mesh: &TriangleMesh| Quality::of(&mesh.positions, &mesh.faces, target);
        let [before, after] = meshes;
        let (quality_before, quality_after) = device.install(|| (quality(before), quality(after)));
        let distance = match measured {
            None => distance_between(device, seed, meshes)?,
            measured => measured,
        };
        let relative = distance.as_ref().and_then(|distance| Some(distance.relative.as_ref()?.hausdorff));
        let [before, after] = device.install(|| meshes.map(Shape::of));
        let change = Change::between(before, after, relative, Parts::Stay);
        Ok(Self { quality_before, quality_after, distance, change, target: target.is_some() })
    }
    /// The largest distance, in the units of the positions; none without faces.
    pub fn largest(&self) -> Option<f64> {
        Some(self.distance.as_ref()?.symmetric.hausdorff)
    }
    /// Says it in three lines, and warns if the result is far from the input; `help` says what keeps it nearer.
    pub fn say(&self, run: &mut Run<'_>, help: &str) {
        say_quality(run, "before", &self.quality_before, self.target);
        say_quality(run, "after", &self.quality_after, self.target);
        if let Some(relative) = self.distance.as_ref().and_then(|distance| distance.relative.as_ref()) {
            let rms = relative.rms.map_or("none".to_owned(), short);
            run.say(format!(
                "distance from the input, in diagonals: at most {}, root mean square {rms}",
                short(relative.hausdorff)
            ));
        }
        self.change.warn(run.log(), help);
    }
}

/// Lengths, angles and valences in a line; with how many edges are near the target, if there is one.
fn say_quality(run: &mut Run<'_>, name: &str, q: &Quality, target: bool) {
    let number = |x: Option<f64>| x.map_or("none".to_owned(), short);
    let percent = |x: Option<f64>| x.map_or("none".to_owned(), |x| format!("{:.0} %", 100.0 * x));
    let mean = q.edge_length.as_ref().zip(q.target_length).map(|(h, unit)| h.spread.mean * unit);
    let near = if target {
        format!(", {} of them from 4/5 to 4/3 of the target", percent(q.edges_near_target))
    } else {
        String::new()
    };
    let angle = q.smallest_angle.as_ref().map(|h| h.spread);
    run.say(format!(
        "{name}: edges {} in the mean{near}; smallest angle {}°, of a face in the mean {}°; valence 6 at {}",
        number(mean),
        number(angle.map(|a| a.min)),
        number(angle.map(|a| a.mean)),
        percent(q.valence.regular)
    ));
    if q.faces_without_shape > 0 {
        run.say(format!("{name}: {} without area", counted(q.faces_without_shape, "face")));
    }
}

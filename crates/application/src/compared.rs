//! Comparison of a mesh before and after triangles were changed.
use crate::{Change, Parts, Run, Shape, counted, short};
use ribbonmesh::bvh::{Distance, DistanceOptions, SampledSurface, distance};
use ribbonmesh::{Device, Result, Surface, TriangleMesh};
use ribbonmesh_mesh::quality::Quality;
use serde::Serialize;

/// Random points of each surface by which their distance is estimated.
const SAMPLES: u32 = 100_000;

/// The measuring of the distance between the surface before a change and after it, by random points of both.
#[derive(Default)]
pub struct Measuring {
    /// The surface before; one without faces is not sampled.
    before: Option<Option<SampledSurface>>,
    /// The distance from the last result.
    distance: Option<Option<Distance>>,
}
impl Measuring {
    /// Whether no surface was sampled yet.
    pub(crate) fn is_unsampled(&self) -> bool {
        self.before.is_none()
    }
    pub(crate) fn sample(&mut self, surface: &Surface) -> Result<()> {
        let empty = surface.triangles().faces().is_empty();
        self.before = Some(if empty { None } else { Some(surface.sampled(0.0)?) });
        Ok(())
    }
    pub(crate) fn measure(&mut self, result: &Surface, seed: u64) -> Result<Option<Distance>> {
        let before = self.before.iter().flatten().next();
        let before = before.filter(|_| !result.triangles().faces().is_empty());
        let found = match before {
            None => None,
            Some(before) => {
                let after = result.sampled(before.own_reach())?;
                Some(distance(before, &after, &DistanceOptions { samples: SAMPLES, seed })?)
            }
        };
        self.distance = Some(found.clone());
        Ok(found)
    }
    /// The distance of the result: the last that the application has measured, or else measured here.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn distance(mut self, result: &Surface, seed: u64) -> Result<Option<Distance>> {
        match self.distance.take() {
            Some(distance) => Ok(distance),
            None => self.measure(result, seed),
        }
    }
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
    /// Compares two meshes at a distance that was measured; with a target length of edges, if there is one.
    pub fn new(
        device: &Device,
        meshes: [&TriangleMesh; 2],
        target: Option<f64>,
        distance: Option<Distance>,
    ) -> Self {
        let quality = |mesh: &TriangleMesh| Quality::of(&mesh.positions, &mesh.faces, target);
        let [before, after] = meshes;
        let (quality_before, quality_after) = device.install(|| (quality(before), quality(after)));
        let relative = distance.as_ref().and_then(|distance| Some(distance.relative.as_ref()?.hausdorff));
        let [before, after] = device.install(|| meshes.map(Shape::of));
        let change = Change::between(before, after, relative, Parts::Stay);
        Self { quality_before, quality_after, distance, change, target: target.is_some() }
    }
    /// The largest distance, in the units of the positions; none without faces.
    pub fn largest(&self) -> Option<f64> {
        Some(self.distance.as_ref()?.symmetric.hausdorff)
    }
    /// Says it in three lines, and warns if the result is far from the input; `help` says what keeps it
    /// nearer.
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

//! What the commands that change triangles have in common.
use crate::failure::Failure;
use crate::numbers::short;
use crate::session::Session;
use crate::shape::{Change, Parts, Shape};
use crate::words::counted;
use ribbonmesh::bvh::{Distance, DistanceOptions, SampledSurface, distance};
use ribbonmesh::{Device, Error};
use ribbonmesh_io::TriangleMesh;
use ribbonmesh_mesh::quality::Quality;
use ribbonmesh_repair::{RepairOptions, RepairReport, manifold_violations, repair_mesh};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Random points of each surface by which their distance is estimated.
const SAMPLES: u32 = 100_000;

/// The mesh of a file that has faces, repaired on request.
pub fn input(
    session: &mut Session,
    file: &Path,
    output: &Path,
    repair: bool,
) -> Result<(TriangleMesh, Option<RepairReport>), Failure> {
    session.keep(None, &[file, output])?;
    let mut mesh = session.read(file)?.mesh;
    if mesh.faces.is_empty() {
        return Err(Failure::NoFaces(file.to_owned()));
    }
    let report = if repair { Some(repaired(session, &mut mesh)?) } else { None };
    if mesh.faces.is_empty() {
        return Err(Failure::NothingLeft(file.to_owned()));
    }
    Ok((mesh, report))
}

/// Repairs a mesh; vertices without faces stay.
pub fn repaired(session: &mut Session, mesh: &mut TriangleMesh) -> Result<RepairReport, Failure> {
    let choice = RepairOptions::default();
    let done = session.phase("repair", || repair_mesh(mesh, &choice))?;
    Ok(done.report)
}

/// The error, with all that is wrong with the mesh of a file if that is the reason.
pub fn refused(file: &Path, mesh: &TriangleMesh, error: Error) -> Failure {
    if matches!(error, Error::NotManifold(_))
        && let Ok(found) = manifold_violations(mesh.positions.len(), &mesh.faces)
        && !found.is_empty()
    {
        return Failure::NotManifold { file: file.to_owned(), found: Box::new(found) };
    }
    error.into()
}

/// How well-shaped a mesh is before and after the change, and how far the two are from each other.
#[derive(Serialize)]
pub struct Measured {
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
impl Measured {
    /// Of two meshes; with a target length of edges, if there is one.
    pub fn of(
        device: &Device,
        seed: u64,
        [before, after]: [&TriangleMesh; 2],
        target: Option<f64>,
    ) -> Result<Self, Failure> {
        let quality = |mesh: &TriangleMesh| Quality::of(&mesh.positions, &mesh.faces, target);
        let (quality_before, quality_after) = device.install(|| (quality(before), quality(after)));
        let origin = before.local_origin();
        let points = [before, after].map(|mesh| mesh.points_around(origin));
        let reach = [0, 1].map(|i| SampledSurface::reach(&points[i], &[before, after][i].faces));
        let surface =
            |i: usize| SampledSurface::beside(device, &points[i], &[before, after][i].faces, reach[1 - i]);
        let options = DistanceOptions { samples: SAMPLES, seed };
        let distance = if before.faces.is_empty() || after.faces.is_empty() {
            None
        } else {
            Some(distance(&surface(0)?, &surface(1)?, &options)?)
        };
        let relative = distance.as_ref().and_then(|distance| Some(distance.relative.as_ref()?.hausdorff));
        let [before, after] = device.install(|| [before, after].map(Shape::of));
        let change = Change::between(before, after, relative, Parts::Stay);
        Ok(Self { quality_before, quality_after, distance, change, target: target.is_some() })
    }
    /// The largest distance, in the units of the positions; none without faces.
    pub fn largest(&self) -> Option<f64> {
        Some(self.distance.as_ref()?.symmetric.hausdorff)
    }
    /// In three lines, and a warning if the result is far from the input; `help` says what keeps it nearer.
    pub fn say(&self, session: &mut Session, help: &str) {
        say_quality(session, "before", &self.quality_before, self.target);
        say_quality(session, "after", &self.quality_after, self.target);
        if let Some(relative) = self.distance.as_ref().and_then(|distance| distance.relative.as_ref()) {
            let rms = relative.rms.map_or("none".to_owned(), short);
            session.say(format_args!(
                "distance from the input, in diagonals: at most {}, root mean square {rms}",
                short(relative.hausdorff)
            ));
        }
        self.change.warn(session, help);
    }
}

/// Lengths, angles and valences in a line; with how many edges are near the target, if there is one.
fn say_quality(session: &Session, name: &str, q: &Quality, target: bool) {
    let number = |x: Option<f64>| x.map_or("none".to_owned(), short);
    let percent = |x: Option<f64>| x.map_or("none".to_owned(), |x| format!("{:.0} %", 100.0 * x));
    let mean = q.edge_length.as_ref().zip(q.target_length).map(|(h, unit)| h.spread.mean * unit);
    let near = if target {
        format!(", {} of them from 4/5 to 4/3 of the target", percent(q.edges_near_target))
    } else {
        String::new()
    };
    let angle = q.smallest_angle.as_ref().map(|h| h.spread);
    session.say(format_args!(
        "{name}: edges {} in the mean{near}; smallest angle {}°, of a face in the mean {}°; valence 6 at {}",
        number(mean),
        number(angle.map(|a| a.min)),
        number(angle.map(|a| a.mean)),
        percent(q.valence.regular)
    ));
    if q.faces_without_shape > 0 {
        session.say(format_args!("{name}: {} without area", counted(q.faces_without_shape, "face")));
    }
}

/// What was rejected and why, as an end of a line.
pub fn rejections(rejected: &BTreeMap<&'static str, u64>) -> String {
    let mut text = String::new();
    for (i, (reason, n)) in rejected.iter().enumerate() {
        text += if i == 0 { "; rejected: " } else { ", " };
        text += &format!("{n} {}", reason.replace('_', " "));
    }
    text
}

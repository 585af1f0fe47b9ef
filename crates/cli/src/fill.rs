//! `ribbonmesh fill`.
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::lengths::{in_units, or_zero};
use crate::numbers::short;
use crate::session::Session;
use crate::streams::input_name;
use crate::words::counted;
use clap::Args;
use ribbonmesh_fill::{FillError, FillOptions, FillReport, FlatBecause, Left, Method, Why, fill_holes};
use ribbonmesh_remesh::Length;
use serde::Serialize;
use std::path::PathBuf;

/// Fill the holes of a mesh
///
/// A hole is a boundary loop. The outer border of an open surface, such as a terrain, is none, and is left (--borders closes it as
/// well). Two rims that face each other, as where a ring of a tube is missing, are one hole. New faces come behind the others,
/// and so do new vertices; what was there keeps its place and its order. The mesh has to be an oriented manifold, whose
/// boundary loops may touch at vertices; `ribbonmesh repair` makes one of any mesh. No machine is used.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh fill dragon.ply -o filled.ply
  ribbonmesh fill dragon.ply -o filled.ply --up-to 100 --method flat
  ribbonmesh fill dragon.ply -o filled.ply --perimeter 5% --keep-largest --report holes.json
  ribbonmesh fill dragon.ply -o joined.ply --join 3x --up-to 0

A length is a number in the units of the positions, or 0.8x: of the input's mean edge length, or 1%: of the
diagonal of its box.")]
pub struct Fill {
    /// Mesh: OBJ, PLY, OFF, STL or GLB; - is standard input
    mesh: PathBuf,
    /// File to write: OBJ, PLY, OFF, STL or GLB; - is standard output
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    /// Triangles between the vertices of the hole, or refined and faired ones that continue the surface's curvature
    #[arg(long, value_name = "flat|smooth", default_value_t)]
    method: Method,
    /// Leave holes of more edges
    #[arg(long, value_name = "EDGES")]
    up_to: Option<u32>,
    /// Leave holes with a longer boundary
    #[arg(long, value_name = "LENGTH", value_parser = or_zero)]
    perimeter: Option<Length>,
    /// Leave the hole with the longest boundary
    #[arg(long)]
    keep_largest: bool,
    /// Close the outer borders of open surfaces as well, such as that of a terrain
    #[arg(long)]
    borders: bool,
    /// Join pairs of holes whose boundaries lie near each other, at most this far apart, by a strip of faces, whatever their
    /// size
    #[arg(long, value_name = "LENGTH", value_parser = or_zero)]
    join: Option<Length>,
    /// Join no rims that face each other: each gets a lid
    #[arg(long, conflicts_with = "join")]
    no_join: bool,
    #[command(flatten)]
    encoding: Encoding,
}

#[derive(Serialize)]
struct Results {
    vertices: usize,
    faces: usize,
    method: &'static str,
    #[serde(flatten)]
    report: FillReport,
}

impl Fill {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let options = self.encoding.options(&self.output)?;
        session.keep(None, &[&self.mesh, &self.output])?;
        let mut mesh = session.read(&self.mesh)?.mesh;
        if mesh.faces.is_empty() {
            return Err(Failure::NoFaces(self.mesh.clone()));
        }
        let chosen = FillOptions {
            method: self.method,
            up_to: self.up_to,
            perimeter: self.perimeter.map(|length| in_units(length, &mesh)),
            keep_largest: self.keep_largest,
            borders: self.borders,
            rings: !self.no_join,
            join: self.join.map(|length| in_units(length, &mesh)),
            ..FillOptions::default()
        };
        let refused = |error| match error {
            FillError::NotManifold(_) => {
                let file = input_name(&self.mesh);
                Failure::Refused(format!(
                    "{file}: {error} (`ribbonmesh repair`; its --fill-holes fills them)"
                ))
            }
            error => error.into(),
        };
        let report = session.phase("fill", || fill_holes(&mut mesh, &chosen).map_err(refused))?;
        say(session, &report);
        let (vertices, faces, method) = (mesh.positions.len(), mesh.faces.len(), self.method.name());
        session.results(&Results { vertices, faces, method, report });
        session.write(&self.output, &mesh, &options)
    }
}

/// What was filled and what was left, in a few lines.
pub fn say(session: &mut Session, report: &FillReport) {
    let count = |count: usize, what: &str| counted(count as u64, what);
    if report.holes.is_empty() {
        session.say("no holes");
    } else {
        session.say(format_args!(
            "{}: {} filled with {} and {}, area {}",
            count(report.holes.len(), "hole"),
            report.filled,
            count(report.faces_added, "face"),
            count(report.vertices_added, "new vertex"),
            short(report.area_added)
        ));
    }
    for (i, hole) in report.holes.iter().enumerate() {
        if let Some(other) = hole.joined.filter(|other| i < *other) {
            session.say(format_args!(
                "joined: the holes at vertices {} and {}",
                hole.hole.vertex, report.holes[other].hole.vertex
            ));
        }
    }
    for refused in &report.not_joined {
        let [a, b] = refused.holes.map(|hole| report.holes[hole].hole.vertex);
        let why = match refused.why {
            Why::Orientation => "their boundaries run in the same direction",
            Why::Touching => "they touch",
            Why::NoStrip => "each strip has an edge that is there already",
            _ => "they do not fit",
        };
        session.warn(format!("not joined: the holes at vertices {a} and {b}: {why}"));
    }
    let reasons = [
        (Left::TooManyEdges, "too many edges"),
        (Left::TooLong, "too long"),
        (Left::Largest, "the largest"),
        (Left::Border, "outer borders"),
    ];
    let left = reasons.into_iter().filter_map(|(reason, words)| {
        let holes = report.holes.iter().filter(|hole| hole.left == Some(reason)).count();
        (holes > 0).then(|| format!("{holes} {words}"))
    });
    let left: Vec<String> = left.collect();
    if !left.is_empty() {
        session.say(format_args!("{} left open: {}", count(report.left, "hole"), left.join(", ")));
    }
    if !report.vertices_split.is_empty() {
        let split = count(report.vertices_split.len(), "vertex");
        session.note(format!("{split} split, at which a boundary loop touches itself"));
    }
    if !report.columns_dropped.is_empty() {
        session.note(format!("attributes left out: {}", report.columns_dropped.join(", ")));
    }
    let borders = report.holes.iter().filter(|hole| hole.left == Some(Left::Border)).count();
    if borders > 0 {
        session.note(format!(
            "{} of open surfaces left as they are; --borders of `ribbonmesh fill` closes them",
            count(borders, "outer border")
        ));
    }
    let reasons = [
        (FlatBecause::Bulged, "smooth, new faces would bulge out by more than the size of the hole"),
        (FlatBecause::NotConverged, "fairing did not converge"),
    ];
    for (reason, words) in reasons {
        let of = |hole: &&ribbonmesh_fill::HoleReport| {
            hole.filling.as_ref().is_some_and(|filling| filling.flat_because == Some(reason))
        };
        let flat = report.holes.iter().filter(of).count();
        if flat > 0 {
            session.fall_short(format!("{} filled flat: {words}", count(flat, "hole")));
        }
    }
}

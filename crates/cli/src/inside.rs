//! `ribbonmesh inside`.
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::session::Session;
use crate::streams::{input_name, is_standard};
use clap::Args;
use ribbonmesh::Error;
use ribbonmesh::glam::DVec3;
use ribbonmesh_application::Need;
use ribbonmesh_io::{Format, TriangleMesh};
use ribbonmesh_mesh::{Column, Precision};
use ribbonmesh_solid::inside::{InsideOptions, Method, inside};
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Find which points are inside a mesh
///
/// By the generalised winding number of the mesh around each point, which is 1 inside and 0 outside of a
/// closed mesh with outward faces, and between where the mesh has holes: inside is what has more than one
/// half, in either orientation. Or by rays, exactly, for closed meshes.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh generate icosphere 4 -o points.ply
  ribbonmesh inside dragon.ply points.ply -o told.ply
  ribbonmesh inside dragon.ply points.ply --method rays --json
  ribbonmesh inside dragon.ply points.ply --beta 4 --report inside.json

Points are the vertices of a mesh, or lines of three numbers in a file whose name ends in .xyz, .txt or .csv.")]
pub struct Inside {
    /// Mesh: OBJ, PLY, OFF, STL, GLB or glTF; - is standard input
    mesh: PathBuf,
    /// Points: the vertices of such a file, or text (.xyz, .txt, .csv) with three numbers in each line
    points: PathBuf,
    /// Method: winding numbers for any mesh, or exact rays for a closed one
    #[arg(long, value_name = "winding|rays", default_value_t)]
    method: Method,
    /// Accuracy of winding numbers: faces count together where they are farther away than this many of their
    /// radii; 2 is right to about 0.01
    #[arg(long, value_name = "B", default_value_t = InsideOptions::default().beta)]
    beta: f32,
    /// Winding numbers of all faces one by one
    #[arg(long, conflicts_with = "beta")]
    exact: bool,
    /// Write the points with the properties inside (1 or 0) and winding; - is standard output
    #[arg(long, short, value_name = "OUT.ply")]
    output: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    encoding: Encoding,
}

#[derive(Serialize)]
struct Results<'a> {
    mesh: &'a Path,
    method: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<f32>,
    closed: bool,
    points: u64,
    inside: u64,
    outside: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    undecided: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    winding: Option<[f64; 2]>,
}

impl Inside {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let encoded = match &self.output {
            None => None,
            Some(output) => {
                let options = self.encoding.options(output)?;
                if self.encoding.format(output)? != Format::Ply {
                    let path = output.display();
                    return Err(Failure::Usage(format!("{path}: only PLY carries the properties of points")));
                }
                Some((output, options))
            }
        };
        session.keep(None, &[&self.mesh, &self.points])?;
        let streamed = self.output.as_deref().is_some_and(is_standard);
        if self.json && streamed {
            return Err(Failure::Usage("standard output is for one of -o and --json".into()));
        }
        let mesh = session.read(&self.mesh)?.mesh;
        if mesh.faces.is_empty() {
            return Err(Failure::NoFaces(self.mesh.clone()));
        }
        let points = match is_text(&self.points) {
            true => session.phase("read points", || read_text(&self.points))?,
            false => {
                let read = session.read_points(&self.points)?;
                let mut points = TriangleMesh::new(read.positions, vec![]);
                points.precision = read.precision;
                points
            }
        };
        let device = session.device()?;
        let surface = session.surface(&device, &mesh, Need::Triangles)?;
        let options = InsideOptions { method: self.method, beta: self.beta, exact: self.exact };
        let found = session
            .phase("inside", || inside(&surface, &points.positions, &options))
            .map_err(|failure| self.in_words(failure))?;
        let far = |w: &f32| (w.abs() - 0.5).abs() < 0.1;
        let by_winding = self.method == Method::Winding;
        let ends = |ends: [f32; 2], w: &f32| [ends[0].min(*w), ends[1].max(*w)];
        let range = found.winding.iter().fold([f32::INFINITY, f32::NEG_INFINITY], ends);
        let results = Results {
            mesh: &self.mesh,
            method: self.method.name(),
            beta: (by_winding && !self.exact).then_some(self.beta),
            closed: found.report.closed,
            points: found.report.points,
            inside: found.report.inside,
            outside: found.report.points - found.report.inside,
            undecided: by_winding.then(|| found.winding.iter().filter(|w| far(w)).count() as u64),
            winding: (found.report.points > 0).then_some(range.map(f64::from)),
        };
        session.results(&results);
        if !streamed {
            let text = match self.json {
                true => serde_json::to_string_pretty(&results).map_err(|e| Failure::Stdout(e.into()))? + "\n",
                false => results.text(),
            };
            session.emit(None, |out| out.write_all(text.as_bytes()))?;
        }
        if let Some((output, mut options)) = encoded {
            options.options.points = true;
            let mut points = points;
            let flags: Vec<u32> = found.inside.iter().map(|&inside| u32::from(inside)).collect();
            points.vertices_mut().insert_column(Column::new("inside", flags))?;
            points.vertices_mut().insert_column(Column::new("winding", found.winding))?;
            session.write(output, &points, &options)?;
        }
        Ok(())
    }
    /// Errors that name a file.
    fn in_words(&self, failure: Failure) -> Failure {
        match failure.library() {
            Some(Error::PointNotFinite { .. }) => Failure::of_file(&self.points, failure),
            Some(Error::Option { option: "method", .. }) => Failure::Refused(format!(
                "{}: the mesh is not closed; --method {} needs a closed one",
                input_name(&self.mesh),
                self.method
            )),
            _ => failure,
        }
    }
}

/// Whether a file has points as text.
fn is_text(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    ["xyz", "txt", "csv"].contains(&extension.as_str())
}

/// Points of a text: three numbers first in each line, between spaces, commas or semicolons; more are
/// ignored. Empty lines, and lines that begin with #, have none.
fn read_text(path: &Path) -> Result<TriangleMesh, Failure> {
    let refused = |what: String| Failure::Refused(format!("{}: {what}", input_name(path)));
    let text = std::fs::read_to_string(path).map_err(|error| refused(error.to_string()))?;
    let mut positions = vec![];
    for (i, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let words = line.split(|c: char| c.is_whitespace() || c == ',' || c == ';').filter(|w| !w.is_empty());
        let numbers: Result<Vec<f64>, _> = words.take(3).map(str::parse::<f64>).collect();
        match numbers.as_deref() {
            Ok(&[x, y, z]) => positions.push(DVec3::new(x, y, z)),
            _ => return Err(refused(format!("line {}: not three numbers", i + 1))),
        }
    }
    let mut points = TriangleMesh::new(positions, vec![]);
    points.precision = Precision::Double;
    Ok(points)
}

impl Results<'_> {
    fn text(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: &dyn std::fmt::Display| _ = writeln!(text, "{name:<22}{value}");
        line("points", &self.points);
        line("inside", &self.inside);
        line("outside", &self.outside);
        if let Some(undecided) = self.undecided.filter(|n| *n > 0) {
            line("between", &format_args!("{undecided} (winding number 0.4 to 0.6)"));
        }
        if let Some([least, most]) = self.winding {
            line("winding numbers", &format_args!("{least:.4} to {most:.4}"));
        }
        line("mesh", &if self.closed { "closed" } else { "not closed" });
        text
    }
}

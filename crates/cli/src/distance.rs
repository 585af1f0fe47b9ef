//! `ribbonmesh distance`.
use crate::encoding::Reading;
use crate::failure::Failure;
use crate::session::Session;
use crate::streams::input_name;
use crate::tiles::{bytes, chosen};
use clap::{Args, value_parser};
use ribbonmesh::Device;
use ribbonmesh::bvh::{Distance as Distances, DistanceOptions, Figures, OneWay, SampledSurface, distance};
use ribbonmesh::glam::Vec3;
use ribbonmesh_application::short;
use ribbonmesh_clean::Bytes;
use ribbonmesh_io::Loaded;
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Measure how far two surfaces are from each other
///
/// Of the vertices and of random points of each surface, the distance from the nearest point of the other.
/// The largest, both ways, is the Hausdorff distance, as far as these points show it; mean and root mean
/// square are over the random points, which are uniform by area. Vertices without a face do not count.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh convert dragon.ply dragon.obj
  ribbonmesh distance dragon.ply dragon.obj
  ribbonmesh distance dragon.ply dragon.obj --samples 100000 --json > distance.json")]
pub struct Distance {
    /// First mesh: OBJ, PLY, OFF, STL, GLB or glTF; - is standard input
    a: PathBuf,
    /// Second mesh
    b: PathBuf,
    #[command(flatten)]
    asked: Asked,
    #[arg(long, value_name = "SIZE", value_parser = bytes, help = chosen::HELP)]
    memory: Option<Bytes>,
    #[command(flatten)]
    reading: Reading,
}

/// The points that are measured, and the form of the answer.
#[derive(Args)]
pub struct Asked {
    /// Random points of each surface
    #[arg(long, value_name = "N", default_value_t = DistanceOptions::default().samples,
          value_parser = value_parser!(u32).range(0..=i32::MAX as i64))]
    samples: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Results<'a> {
    a: &'a Path,
    b: &'a Path,
    #[serde(flatten)]
    distances: Distances,
}

impl Distance {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let format = self.reading.format.map(|_| "format");
        if chosen::distance(session, [&self.a, &self.b], &self.asked, self.memory, format)? {
            return Ok(());
        }
        session.keep(None, &[&self.a, &self.b])?;
        let (a, b) =
            (session.read_as(&self.a, self.reading.format)?, session.read_as(&self.b, self.reading.format)?);
        let device = session.device()?;
        let origin = a.mesh.local_origin();
        let (a, b) = session.phase("trees", || {
            let [x, y] = [&a, &b].map(|loaded| loaded.mesh.points_around(origin));
            let reach = |points: &[Vec3], loaded: &Loaded| SampledSurface::reach(points, &loaded.mesh.faces);
            let [of_a, of_b] = [reach(&x, &a), reach(&y, &b)];
            let a = surface(&device, &self.a, &x, &a, of_b)?;
            Ok::<_, Failure>((a, surface(&device, &self.b, &y, &b, of_a)?))
        })?;
        let options = self.asked.options(session);
        let distances = session.phase("distances", || distance(&a, &b, &options))?;
        self.asked.tell(session, [&self.a, &self.b], distances)
    }
}

impl Asked {
    /// The points.
    pub fn options(&self, session: &Session) -> DistanceOptions {
        DistanceOptions { samples: self.samples, seed: session.seed() }
    }
    /// Tells the distances of two files.
    pub fn tell(
        &self,
        session: &mut Session,
        [a, b]: [&Path; 2],
        distances: Distances,
    ) -> Result<(), Failure> {
        for (file, way) in [(a, &distances.a_to_b), (b, &distances.b_to_a)] {
            if way.samples == 0 && self.samples > 0 {
                session.warn(format!("{}: no area, and so no random points", input_name(file)));
            }
        }
        let results = Results { a, b, distances };
        session.results(&results);
        let text = if self.json {
            serde_json::to_string_pretty(&results).map_err(|e| Failure::Stdout(e.into()))? + "\n"
        } else {
            results.text()
        };
        session.emit(None, |out| out.write_all(text.as_bytes()))
    }
}

/// The surface of a file, to be measured from another one of this reach.
fn surface(
    device: &Device,
    file: &Path,
    points: &[Vec3],
    loaded: &Loaded,
    other: f32,
) -> Result<SampledSurface, Failure> {
    SampledSurface::beside(device, points, &loaded.mesh.faces, other)
        .map_err(|error| Failure::of_file(file, error))
}

impl Results<'_> {
    fn text(&self) -> String {
        let d = &self.distances;
        let mut text = format!("{:<22}{:>12}{:>12}{:>12}\n", "", "Hausdorff", "mean", "rms");
        let mut line = |name: &str, figures: &Figures| {
            let number = |x: Option<f64>| x.map_or("none".to_owned(), short);
            let [most, mean, rms] = [Some(figures.hausdorff), figures.mean, figures.rms].map(number);
            _ = writeln!(text, "{name:<22}{most:>12}{mean:>12}{rms:>12}");
        };
        line("from a to b", &d.a_to_b.figures);
        line("from b to a", &d.b_to_a.figures);
        line("both", &d.symmetric);
        if let Some(relative) = &d.relative {
            line("both / diagonal of a", relative);
        }
        let points = |way: &OneWay| format!("{} vertices, {} random points", way.vertices, way.samples);
        _ = writeln!(text, "diagonal of a         {:>12}", short(d.diagonal));
        _ = writeln!(text, "points of a           {}", points(&d.a_to_b));
        _ = writeln!(text, "points of b           {}", points(&d.b_to_a));
        text
    }
}

//! `ribbonmesh wrap`.
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::numbers::short;
use crate::session::Session;
use crate::shape::{Change, Parts, Shape};
use crate::words::counted;
use clap::{Args, value_parser};
use ribbonmesh_wrap::{WrapOptions, WrapReport, wrap};
use serde::Serialize;
use std::path::PathBuf;

/// Wrap any triangles in a closed surface without self-intersections
///
/// What is within a distance of the triangles, or has a winding number of more than one half, is a volume. Its surface is extracted
/// from a grid and drawn to the triangles. The result is always a closed oriented manifold with outward faces, free of
/// intersections; sharp edges become rounder.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh wrap dragon.ply -o closed.ply
  ribbonmesh wrap dragon.ply -o fine.ply --resolution 200
  ribbonmesh wrap dragon.ply -o gaps.ply --offset 3 --no-winding")]
pub struct Wrap {
    /// Mesh: OBJ, PLY, OFF, STL, GLB or glTF; - is standard input
    mesh: PathBuf,
    /// File to write: OBJ, PLY, OFF, STL, GLB or glTF; - is standard output
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    #[command(flatten)]
    choice: WrapChoice,
    #[command(flatten)]
    encoding: Encoding,
}

/// How to wrap.
#[derive(Args)]
pub struct WrapChoice {
    /// Cubes of the grid along the longest edge of the bounding box; 128 unless given
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(2..=1024))]
    resolution: Option<u32>,
    /// Distance of the surface from the triangles before it is drawn to them, in cubes, 0.5 to 8; gaps of less than twice this are closed
    #[arg(long, value_name = "CUBES", default_value_t = WrapOptions::default().offset)]
    offset: f64,
    /// Do not ask for winding numbers: only gaps are closed, not holes
    #[arg(long)]
    no_winding: bool,
}
impl WrapChoice {
    /// Whether a grid is asked for.
    pub fn is_asked(&self) -> bool {
        self.resolution.is_some()
    }
    /// As options of the library.
    pub fn options(&self) -> WrapOptions {
        let Self { offset, no_winding, .. } = *self;
        let resolution = self.resolution.unwrap_or(WrapOptions::default().resolution);
        WrapOptions { resolution, offset, winding: !no_winding, project: true }
    }
}

#[derive(Serialize)]
struct Results {
    resolution: u32,
    offset: f64,
    winding: bool,
    volume: Option<f64>,
    #[serde(flatten)]
    report: WrapReport,
}

impl Wrap {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let encoded = self.encoding.options(&self.output)?;
        session.keep(None, &[&self.mesh, &self.output])?;
        let mesh = session.read(&self.mesh)?.mesh;
        if mesh.faces.is_empty() {
            return Err(Failure::NoFaces(self.mesh.clone()));
        }
        let device = session.device()?;
        let mut surface = session.surface(&device, &mesh)?;
        let options = self.choice.options();
        let report = session.phase("wrap", || wrap(&mut surface, &options))?;
        session.say(format_args!(
            "{} with cubes of {}, {} of its vertices drawn to the triangles",
            counted(report.faces, "face"),
            short(report.cell),
            report.projected
        ));
        let wrapped = session.download(&surface)?;
        let change = Change::between(Shape::of(&mesh), Shape::of(&wrapped), None, Parts::Unite);
        change.warn(session, "a greater --resolution keeps it nearer");
        let WrapOptions { resolution, offset, winding, .. } = options;
        session.results(&Results { resolution, offset, winding, volume: wrapped.volume(), report });
        session.write(&self.output, &wrapped, &encoded)
    }
}

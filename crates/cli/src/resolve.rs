//! `ribbonmesh resolve`.
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::session::Session;
use clap::{Args, value_parser};
use ribbonmesh_application::counted;
use ribbonmesh_resolve::{ResolveOptions, ResolveReport, resolve};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Make closed meshes that pass through themselves or each other one that does not
///
/// The result is the surface of the volume within any of the meshes, up to the length of an edge near intersections: faces that
/// intersect or are inside are deleted, and what is left is joined and filled. It is closed, an oriented manifold, and free of
/// intersections, or there is none. Attributes that all meshes have follow.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh generate icosphere 4 -o ball.ply
  ribbonmesh resolve dragon.ply ball.ply -o one.ply
  ribbonmesh intersections one.ply")]
pub struct Resolve {
    /// Meshes: OBJ, PLY, OFF, STL, GLB or glTF; - is standard input
    #[arg(required = true)]
    meshes: Vec<PathBuf>,
    /// File to write: OBJ, PLY, OFF, STL, GLB or glTF; - is standard output
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    /// Most attempts; each deletes more faces where the one before left intersections
    #[arg(long, value_name = "N", default_value_t = ResolveOptions::default().attempts, value_parser = value_parser!(u32).range(1..=10_000))]
    attempts: u32,
    #[command(flatten)]
    encoding: Encoding,
}

#[derive(Serialize)]
struct Results<'a> {
    meshes: &'a [PathBuf],
    vertices: usize,
    faces: usize,
    volume: Option<f64>,
    #[serde(flatten)]
    report: ResolveReport,
}

impl Resolve {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let encoded = self.encoding.options(&self.output)?;
        let mut inputs: Vec<&Path> = self.meshes.iter().map(PathBuf::as_path).collect();
        inputs.push(&self.output);
        session.keep(None, &inputs)?;
        let mut meshes = vec![];
        for file in &self.meshes {
            let mesh = session.read(file)?.mesh;
            if mesh.faces.is_empty() {
                return Err(Failure::NoFaces(file.clone()));
            }
            meshes.push(mesh);
        }
        let device = session.device()?;
        let options = ResolveOptions { attempts: self.attempts, ..ResolveOptions::default() };
        let refused = |error| Failure::of_files(&self.meshes, error);
        let (mesh, report) =
            session.phase("resolve", || resolve(&device, &meshes, &options).map_err(refused))?;
        let count = |n: usize, what: &str| counted(n as u64, what);
        if report.intersecting_pairs == 0 && report.faces_inside == 0 {
            session.say("nothing intersects");
        } else {
            session.say(format_args!(
                "{} of faces intersected: {} cut, {} inside; {} added, {} joined, {} filled",
                counted(report.intersecting_pairs, "pair"),
                count(report.faces_cut, "face"),
                report.faces_inside,
                count(report.faces_added, "face"),
                count(report.joined, "pair"),
                count(report.filled, "hole")
            ));
        }
        if !report.columns_dropped.is_empty() {
            session.note(format!("attributes left out: {}", report.columns_dropped.join(", ")));
        }
        let (vertices, faces, volume) = (mesh.positions.len(), mesh.faces.len(), mesh.volume());
        session.results(&Results { meshes: &self.meshes, vertices, faces, volume, report });
        session.write(&self.output, &mesh, &encoded)
    }
}

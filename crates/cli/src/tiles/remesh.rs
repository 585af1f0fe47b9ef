//! `ribbonmesh tiles remesh`.
use super::{Room, check, left_out, run};
use crate::failure::Failure;
use crate::session::Session;
use clap::{Args, value_parser};
use ribbonmesh_application::{OptionValue, counted, short};
use ribbonmesh_remeshing::remesh::RemeshOptions;
use ribbonmesh_tiles::{Boundary, Length, RemeshTiles, SLOTS, Weights, remesh};
use std::path::{Path, PathBuf};

/// Make the triangles of a mesh larger than memory as equilateral as possible
///
/// Tiles are remeshed one by one while their borders stay; then what was near borders is remeshed, in tiles
/// that are cut across these, until nothing has stayed each time. Operations and rules are those of
/// `ribbonmesh remesh`. The mesh must be an oriented manifold of triangles. Attributes are left out, and so
/// are vertices without faces. A run that was ended, whenever that was, goes on from there when the same
/// command is given again, and its result has the same bytes.
#[derive(Args)]
#[command(after_help = "\
A length is a number in the units of the positions, or 0.8x: of the input's mean edge length, or 1%: of the
diagonal of its box. The result depends on the mesh and on all options but --work, --workers and --keep.

Examples:
  ribbonmesh tiles remesh dragon.ply -o even.ply
  ribbonmesh tiles remesh dragon.ply -o coarse.ply --target-length 2x --project
  ribbonmesh tiles remesh dragon.ply -o even.ply --feature-angle 40 --memory 500MB --workers 2")]
pub struct Remesh {
    /// Mesh to read: binary PLY, OBJ, binary STL or GLB
    mesh: PathBuf,
    /// File to write: PLY, OBJ, STL or GLB
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    /// Target length of edges [default: 1x, at most 5%]
    #[arg(long, value_name = "LENGTH", value_parser = Length::parse)]
    target_length: Option<Length>,
    /// Iterations
    #[arg(long, value_name = "N", default_value_t = RemeshOptions::default().iterations)]
    iterations: u32,
    /// Keep edges whose faces' normals have a greater angle than this, 180: none [default: 30 where such
    /// edges form curves]
    #[arg(long, value_name = "DEGREES")]
    feature_angle: Option<f32>,
    /// Merge two features where edges between them are shorter than this many target lengths, 0 to 0.2
    #[arg(long, value_name = "SHARE", default_value_t = RemeshOptions::default().merge)]
    merge_features: f32,
    /// The boundary: fixed, slide, free
    #[arg(long, value_name = "BOUNDARY", value_parser = boundary, default_value = Boundary::default().name())]
    boundary: Boundary,
    /// Move vertices back to the surface of the input; where borders of tiles were, to that of the level
    /// before
    #[arg(long)]
    project: bool,
    /// Steps of smoothing in an iteration
    #[arg(long, value_name = "N", default_value_t = RemeshOptions::default().smoothing)]
    smoothing: u32,
    /// How much of the way a vertex goes in a step of smoothing, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = RemeshOptions::default().step)]
    step: f32,
    /// How smoothing weights triangles: area, uniform
    #[arg(long, value_name = "WEIGHTS", value_parser = weights, default_value = Weights::default().name())]
    weights: Weights,
    #[command(flatten)]
    room: Room,
    /// Tiles that are remeshed at the same time [default: one per thread, at most 8]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=SLOTS as i64))]
    workers: Option<u32>,
    /// Keep the folder, with the last tiles as PLY files
    #[arg(long)]
    keep: bool,
}

fn boundary(text: &str) -> Result<Boundary, String> {
    Boundary::parse(text)
}
fn weights(text: &str) -> Result<Weights, String> {
    Weights::parse(text)
}

impl Remesh {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        check(session, &self.mesh, Some(&self.output))?;
        by_tiles(session, &self.mesh, &self.output, &self.options())
    }
    fn options(&self) -> RemeshTiles {
        let usual = RemeshTiles::new(self.room.work(&self.output));
        let workers = self.workers.map_or(rayon::current_num_threads(), |n| n as usize);
        RemeshTiles {
            length: self.target_length.unwrap_or(usual.length),
            iterations: self.iterations,
            feature_angle: self.feature_angle,
            merge: self.merge_features,
            boundary: self.boundary,
            project: self.project,
            smoothing: self.smoothing,
            step: self.step,
            weights: self.weights,
            memory: self.room.memory.0,
            tile_faces: self.room.tile_faces,
            workers: workers.min(SLOTS as usize),
            keep: self.keep,
            ..usual
        }
    }
}

/// Remeshes a file by tiles, and tells what was done.
pub fn by_tiles(
    session: &mut Session,
    mesh: &Path,
    output: &Path,
    options: &RemeshTiles,
) -> Result<(), Failure> {
    let report = run(session, mesh, |say| remesh(mesh, output, options, say))?;
    session.wrote(output);
    session.results(&report);
    left_out(session, &report.left_out);
    let (before, after) = (counted(report.before.faces, "face"), counted(report.after.faces, "face"));
    let levels = counted(report.levels.len() as u64, "level");
    let length = short(report.target_length.unwrap_or_default());
    session.say(format!("{before} to {after}, target length {length}, {levels}"));
    if let Some(angle) = report.kept_from {
        session
            .say(format!("edges are kept where faces have an angle of {angle}° or more (--feature-angle)"));
    }
    let waiting = report.levels.last().map_or(0, |level| level.waiting);
    if waiting > 0 {
        session.fall_short(format!("{} stayed at borders each time", counted(waiting, "vertex")));
    }
    session.say(format!("wrote {}", output.display()));
    Ok(())
}

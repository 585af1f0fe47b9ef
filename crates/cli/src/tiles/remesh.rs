//! `ribbonmesh tiles remesh`.
use super::{Room, check, left_out, run};
use crate::failure::Failure;
use crate::session::Session;
use clap::{Args, value_parser};
use ribbonmesh_application::{OptionValue, counted, short};
use ribbonmesh_remeshing::remesh::{Missed, RemeshChoice, RemeshOptions};
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
  ribbonmesh tiles remesh dragon.ply -o near.ply --adaptive --tolerance 0.1%
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
    /// Shorter edges where the surface bends, and where the surfaces would be farther apart than --tolerance;
    /// vertices are moved back as with --project
    #[arg(long)]
    adaptive: bool,
    /// How far the surfaces before and after may be from each other [default: 0.2%]
    #[arg(long, value_name = "LENGTH", value_parser = Length::parse, requires = "adaptive")]
    tolerance: Option<Length>,
    /// Shortest and longest target length, in target lengths [default: 0.25,4, and shorter where --tolerance
    /// needs it]
    #[arg(long, value_name = "SHORTEST,LONGEST", value_parser = range, requires = "adaptive")]
    range: Option<[f32; 2]>,
    /// Give --tolerance up where it takes more faces than this, about [default: four times those of the
    /// input, or of the target length everywhere]
    #[arg(long, value_name = "N", requires = "adaptive")]
    most_faces: Option<u64>,
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
fn range(text: &str) -> Result<[f32; 2], String> {
    <[f32; 2]>::parse(text)
}
fn weights(text: &str) -> Result<Weights, String> {
    Weights::parse(text)
}

impl Remesh {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        check(session, &self.mesh, Some(&self.output))?;
        by_tiles(session, &self.mesh, &self.output, &self.options(), self.range.is_some())
    }
    fn options(&self) -> RemeshTiles {
        let usual = RemeshTiles::new(self.room.work(&self.output));
        let adaptive = RemeshChoice {
            adaptive: self.adaptive,
            tolerance: self.tolerance,
            range: self.range,
            most_faces: self.most_faces,
            ..RemeshChoice::default()
        };
        let workers = self.workers.map_or(rayon::current_num_threads(), |n| n as usize);
        RemeshTiles {
            length: self.target_length.unwrap_or(usual.length),
            iterations: self.iterations,
            feature_angle: self.feature_angle,
            merge: self.merge_features,
            boundary: self.boundary,
            project: self.project,
            adaptive: adaptive.options().adaptive,
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

/// Remeshes a file by tiles, and tells what was done. `ranged`: the range of lengths was given.
pub fn by_tiles(
    session: &mut Session,
    mesh: &Path,
    output: &Path,
    options: &RemeshTiles,
    ranged: bool,
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
    if let (Some(tolerance), Some(found)) = (report.tolerance, report.deviation)
        && found > tolerance
    {
        let (gave_up, most_faces) = (report.gave_up, report.most_faces.unwrap_or_default());
        let refinements = report.refinements.unwrap_or_default();
        let missed = Missed { tolerance, found, gave_up, most_faces, refinements, ranged };
        session.fall_short(missed.to_string());
    }
    let waiting = report.levels.last().map_or(0, |level| level.waiting);
    if waiting > 0 {
        session.fall_short(format!("{} stayed at borders each time", counted(waiting, "vertex")));
    }
    session.say(format!("wrote {}", output.display()));
    Ok(())
}

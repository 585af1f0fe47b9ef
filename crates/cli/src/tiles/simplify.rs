//! `ribbonmesh tiles simplify`.
use super::{Room, check, left_out, run};
use crate::failure::Failure;
use crate::session::Session;
use clap::{Args, value_parser};
use ribbonmesh_application::counted;
use ribbonmesh_remeshing::simplify::{SimplifyOptions, Target};
use ribbonmesh_tiles::{SLOTS, SimplifyTiles, simplify};
use std::path::{Path, PathBuf};

/// Reduce the number of faces of a mesh larger than memory
///
/// Tiles are simplified one by one while their borders stay; then other tiles are cut across the old borders,
/// until what is left fits into memory, where the rest is done on all of the mesh. Costs and rules are those
/// of `ribbonmesh simplify`. The mesh must be an oriented manifold of triangles. Attributes are left out, and
/// so are vertices without faces. A run that was ended, whenever that was, goes on from there when the same
/// command is given again, and its result has the same bytes.
#[derive(Args)]
#[command(after_help = "\
The result depends on the mesh, --faces or --ratio, --memory, --tile-faces and the options of shape; not on --workers.

Examples:
  ribbonmesh tiles simplify dragon.ply -o small.ply --ratio 0.1
  ribbonmesh tiles simplify dragon.ply -o small.ply --faces 500 --memory 500MB --workers 2
  ribbonmesh tiles simplify dragon.ply -o small.ply --ratio 0.1 --tile-faces 1000 --work t --keep")]
pub struct Simplify {
    /// Mesh to read: binary PLY, OBJ, binary STL or GLB
    mesh: PathBuf,
    /// File to write: PLY, OBJ, STL or GLB
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    /// Number of faces
    #[arg(long, value_name = "N", conflicts_with = "ratio", required_unless_present = "ratio")]
    faces: Option<u32>,
    /// Number of faces as a part of those of the input, 0 to 1
    #[arg(long, value_name = "SHARE")]
    ratio: Option<f64>,
    #[command(flatten)]
    room: Room,
    /// Tiles that are simplified at the same time [default: one per thread, at most 8]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=SLOTS as i64))]
    workers: Option<u32>,
    /// Keep the folder, with the last tiles as PLY files
    #[arg(long)]
    keep: bool,
    /// Keep edges whose faces' normals have a greater angle than this
    #[arg(long, value_name = "DEGREES")]
    feature_angle: Option<f32>,
    /// How much the shape of boundary and features counts, beside that of faces
    #[arg(long, value_name = "FACTOR", default_value_t = SimplifyOptions::default().curve_weight)]
    curve_weight: f32,
    /// Largest angle by which a collapse may turn a face
    #[arg(long, value_name = "DEGREES", default_value_t = SimplifyOptions::default().max_turn)]
    max_turn: f32,
}

impl Simplify {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        check(session, &self.mesh, Some(&self.output))?;
        by_tiles(session, &self.mesh, &self.output, &self.options())
    }
    fn options(&self) -> SimplifyTiles {
        let target = match (self.faces, self.ratio) {
            (Some(faces), _) => Target::Faces(faces),
            (None, ratio) => Target::Ratio(ratio.unwrap_or(1.0)),
        };
        let workers = self.workers.map_or(rayon::current_num_threads(), |n| n as usize);
        SimplifyTiles {
            memory: self.room.memory.0,
            tile_faces: self.room.tile_faces,
            workers: workers.min(SLOTS as usize),
            feature_angle: self.feature_angle,
            curve_weight: self.curve_weight,
            max_turn: self.max_turn,
            keep: self.keep,
            ..SimplifyTiles::new(target, self.room.work(&self.output))
        }
    }
}

/// Simplifies a file by tiles, and tells what was done.
pub fn by_tiles(
    session: &mut Session,
    mesh: &Path,
    output: &Path,
    options: &SimplifyTiles,
) -> Result<(), Failure> {
    let report = run(session, mesh, |say| simplify(mesh, output, options, say))?;
    session.wrote(output);
    session.results(&report);
    left_out(session, &report.left_out);
    let (before, after) = (counted(report.before.faces, "face"), counted(report.after.faces, "face"));
    session.say(format!("{before} to {after}, {}", counted(report.levels.len() as u64, "level")));
    if let Some(wanted) = report.target_faces.filter(|&wanted| report.after.faces > wanted) {
        session
            .fall_short(format!("{after}: {wanted} faces were wanted, and no other edge may be collapsed"));
    }
    session.say(format!("wrote {}", output.display()));
    Ok(())
}

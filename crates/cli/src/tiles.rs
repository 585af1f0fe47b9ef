//! `ribbonmesh tiles`.
use crate::failure::Failure;
use crate::machine::Choice;
use crate::paths::same_file;
use crate::session::Session;
use crate::streams::is_standard;
use clap::{Args, Subcommand, value_parser};
use ribbonmesh_application::{OptionValue, counted};
use ribbonmesh_clean::Bytes;
use ribbonmesh_mesh::{Classified, Culprit};
use ribbonmesh_remeshing::simplify::{SimplifyOptions, Target};
use ribbonmesh_tiles::{SLOTS, SimplifyTiles, TilesError, simplify};
use std::path::{Path, PathBuf};

/// Work on meshes larger than memory, tile by tile, from file to file
///
/// A file is read in pieces, and its faces are cut into tiles on disk. A run that was ended, whenever that
/// was, goes on from there when the same command is given again, and its result has the same bytes.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh tiles simplify dragon.ply -o small.ply --ratio 0.1")]
pub struct Tiles {
    #[command(subcommand)]
    work: Work,
}

#[derive(Subcommand)]
enum Work {
    Simplify(Simplify),
}

/// Reduce the number of faces of a mesh larger than memory
///
/// Tiles are simplified one by one while their borders stay; then other tiles are cut across the old borders,
/// until what is left fits into memory, where the rest is done on all of the mesh. Costs and rules are those
/// of `ribbonmesh simplify`. The mesh must be an oriented manifold of triangles. Attributes are left out, and
/// so are vertices without faces.
#[derive(Args)]
#[command(after_help = "\
The result depends on the mesh, --faces or --ratio, --memory, --tile-faces and the options of shape; not on --workers.

Examples:
  ribbonmesh tiles simplify dragon.ply -o small.ply --ratio 0.1
  ribbonmesh tiles simplify dragon.ply -o small.ply --faces 500 --memory 500MB --workers 2
  ribbonmesh tiles simplify dragon.ply -o small.ply --ratio 0.1 --tile-faces 1000 --work t --keep")]
struct Simplify {
    /// Mesh to read: binary PLY
    mesh: PathBuf,
    /// File to write: binary PLY
    #[arg(long, short, value_name = "OUT.ply")]
    output: PathBuf,
    /// Number of faces
    #[arg(long, value_name = "N", conflicts_with = "ratio", required_unless_present = "ratio")]
    faces: Option<u32>,
    /// Number of faces as a part of those of the input, 0 to 1
    #[arg(long, value_name = "SHARE")]
    ratio: Option<f64>,
    /// Memory that the process may take; an eighth of it is for each tile
    #[arg(long, value_name = "SIZE", default_value = "2GB", value_parser = bytes)]
    memory: Bytes,
    /// Most faces of a tile, at least 1000 [default: as many as the memory allows]
    #[arg(long, value_name = "N")]
    tile_faces: Option<u64>,
    /// Tiles that are simplified at the same time [default: one per thread, at most 8]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=SLOTS as i64))]
    workers: Option<u32>,
    /// Folder for the tiles, which needs about 60 bytes for each face of the input [default: OUT.ply.tiles]
    #[arg(long, value_name = "FOLDER")]
    work: Option<PathBuf>,
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

fn bytes(text: &str) -> Result<Bytes, String> {
    Bytes::parse(text)
}

impl Tiles {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        match &self.work {
            Work::Simplify(command) => command.run(session),
        }
    }
}

impl Simplify {
    fn run(&self, session: &mut Session) -> Result<(), Failure> {
        if is_standard(&self.mesh) || is_standard(&self.output) {
            return Err(Failure::Usage(
                "tiles: the mesh is read from a file and written to a file, not to -".into(),
            ));
        }
        if same_file(&self.mesh, &self.output) {
            let reason = "the output is the input, which a run that was ended has to read again";
            return Err(Failure::Usage(format!("{}: {reason}", self.output.display())));
        }
        if matches!(session.globals().device, Choice::Cuda(_) | Choice::Cards(_)) {
            return Err(Failure::Usage("--device cuda: tiles are simplified on the CPU only".into()));
        }
        session.keep(None, &[&self.mesh, &self.output])?;
        let options = self.options();
        let mut lines = vec![];
        session.begin("tiles");
        let start = std::time::Instant::now();
        let done = simplify(&self.mesh, &self.output, &options, &mut |line| lines.push(line));
        session.end("tiles", start.elapsed().as_secs_f64());
        lines.iter().for_each(|line| session.detail(line));
        let report = done.map_err(|error| self.failure(error))?;
        session.wrote(&self.output);
        session.results(&report);
        if !report.left_out.is_empty() {
            session.note(format!("left out: {}", report.left_out.join(", ")));
        }
        let (before, after) = (counted(report.before.faces, "face"), counted(report.after.faces, "face"));
        session.say(format!("{before} to {after}, {}", counted(report.levels.len() as u64, "level")));
        if report.after.faces > report.target_faces {
            let wanted = report.target_faces;
            session.fall_short(format!(
                "{after}: {wanted} faces were wanted, and no other edge may be collapsed"
            ));
        }
        session.say(format!("wrote {}", self.output.display()));
        Ok(())
    }
    /// An error in the spelling of the command.
    fn failure(&self, error: TilesError) -> Failure {
        let option = error.class().culprits.into_iter().find_map(|culprit| match culprit {
            Culprit::Option { name, why } => Some(format!("--{} {why}", name.replace(' ', "-"))),
            _ => None,
        });
        option.map_or_else(|| Failure::of_file(&self.mesh, error), Failure::Usage)
    }
    fn options(&self) -> SimplifyTiles {
        let target = match (self.faces, self.ratio) {
            (Some(faces), _) => Target::Faces(faces),
            (None, ratio) => Target::Ratio(ratio.unwrap_or(1.0)),
        };
        let beside = |path: &Path| {
            let mut name = path.file_name().unwrap_or_default().to_owned();
            name.push(".tiles");
            path.with_file_name(name)
        };
        let workers = self.workers.map_or(rayon::current_num_threads(), |n| n as usize);
        SimplifyTiles {
            memory: self.memory.0,
            tile_faces: self.tile_faces,
            workers: workers.min(SLOTS as usize),
            feature_angle: self.feature_angle,
            curve_weight: self.curve_weight,
            max_turn: self.max_turn,
            keep: self.keep,
            ..SimplifyTiles::new(target, self.work.clone().unwrap_or_else(|| beside(&self.output)))
        }
    }
}

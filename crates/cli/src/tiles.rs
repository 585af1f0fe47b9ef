//! `ribbonmesh tiles`.
pub mod chosen;
mod distance;
mod remesh;
mod render;
mod repair;
mod simplify;
mod streaming;

use crate::failure::Failure;
use crate::paths::same_file;
use crate::session::Session;
use crate::streams::is_standard;
use clap::{Args, Subcommand};
use distance::Distance;
use remesh::Remesh;
use render::Render;
use repair::Repair;
use ribbonmesh::DeviceChoice;
use ribbonmesh_application::OptionValue;
use ribbonmesh_clean::Bytes;
use ribbonmesh_io::MeshStream;
use ribbonmesh_mesh::{Classified, Culprit};
use ribbonmesh_tiles::TilesError;
use simplify::Simplify;
use std::path::{Path, PathBuf};
use streaming::{Convert, Info, Normals};

/// Work on meshes larger than memory, tile by tile, from file to file
///
/// A file is read in pieces, and its faces are cut into tiles on disk. Binary PLY of triangles, OBJ, binary
/// STL and GLB are read; corners of STL and GLB at the same place become one vertex, as in memory.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh tiles simplify dragon.ply -o small.ply --ratio 0.1
  ribbonmesh tiles remesh dragon.ply -o even.ply --target-length 2x
  ribbonmesh tiles repair dragon.ply -o repaired.ply
  ribbonmesh tiles info dragon.ply
  ribbonmesh tiles distance dragon.ply small.ply
  ribbonmesh tiles render dragon.ply -o dragon.png
  ribbonmesh tiles normals dragon.ply -o normals.ply
  ribbonmesh tiles convert dragon.ply -o dragon.glb")]
pub struct Tiles {
    #[command(subcommand)]
    work: Work,
}

#[derive(Subcommand)]
enum Work {
    Simplify(Simplify),
    Remesh(Remesh),
    Repair(Repair),
    Info(Info),
    Distance(Distance),
    Render(Render),
    Normals(Normals),
    Convert(Convert),
}

/// The memory and the disk that the work takes.
#[derive(Args)]
struct Room {
    /// Memory that the process may take; an eighth of it is for each tile
    #[arg(long, value_name = "SIZE", default_value = "2GB", value_parser = bytes)]
    memory: Bytes,
    /// Most faces of a tile, at least 1000 [default: as many as the memory allows]
    #[arg(long, value_name = "N")]
    tile_faces: Option<u64>,
    /// Folder for the tiles, which needs about 60 bytes for each face of the input [default: beside the
    /// output, or else the input, with .tiles behind its name]
    #[arg(long, value_name = "FOLDER")]
    work: Option<PathBuf>,
}

impl Room {
    /// The folder, or that beside a file.
    fn work(&self, file: &Path) -> PathBuf {
        self.work.clone().unwrap_or_else(|| {
            let mut name = file.file_name().unwrap_or_default().to_owned();
            name.push(".tiles");
            file.with_file_name(name)
        })
    }
}

/// A size of memory.
pub fn bytes(text: &str) -> Result<Bytes, String> {
    Bytes::parse(text)
}

impl Tiles {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        match &self.work {
            Work::Simplify(command) => command.run(session),
            Work::Remesh(command) => command.run(session),
            Work::Repair(command) => command.run(session),
            Work::Info(command) => command.run(session),
            Work::Distance(command) => command.run(session),
            Work::Render(command) => command.run(session),
            Work::Normals(command) => command.run(session),
            Work::Convert(command) => command.run(session),
        }
    }
}

/// Refuses what tiles do not do.
fn check(session: &mut Session, mesh: &Path, output: Option<&Path>) -> Result<(), Failure> {
    if is_standard(mesh) || output.is_some_and(is_standard) {
        return Err(Failure::Usage(
            "tiles: the mesh is read from a file and written to a file, not to -".into(),
        ));
    }
    if let Some(output) = output.filter(|output| same_file(mesh, output)) {
        let reason = "the output is the input, which a run that was ended has to read again";
        return Err(Failure::Usage(format!("{}: {reason}", output.display())));
    }
    if matches!(session.globals().device, DeviceChoice::Cuda(_)) {
        return Err(Failure::Usage("--device cuda: the work on tiles is done on the CPU only".into()));
    }
    if session.globals().strict {
        MeshStream::open_strict(mesh).map_err(|error| failure(mesh, error.into()))?;
    }
    let files: Vec<&Path> = [mesh].into_iter().chain(output).collect();
    session.keep(None, &files)
}

/// Runs the work, with its lines as details.
fn run<T>(
    session: &mut Session,
    mesh: &Path,
    work: impl FnOnce(&mut dyn FnMut(String)) -> Result<T, TilesError>,
) -> Result<T, Failure> {
    let mut lines = vec![];
    session.begin("tiles");
    let start = std::time::Instant::now();
    let done = work(&mut |line| lines.push(line));
    session.end("tiles", start.elapsed().as_secs_f64());
    lines.iter().for_each(|line| session.detail(line));
    done.map_err(|error| failure(mesh, error))
}

/// An error in the spelling of the command.
pub fn failure(mesh: &Path, error: TilesError) -> Failure {
    let option = error.class().culprits.into_iter().find_map(|culprit| match culprit {
        Culprit::Option { name, why } => Some(format!("--{} {why}", name.replace(' ', "-"))),
        _ => None,
    });
    option.map_or_else(|| Failure::of_file(mesh, error), Failure::Usage)
}

/// Tells what of the input is not in the output.
fn left_out(session: &mut Session, names: &[String]) {
    if !names.is_empty() {
        session.note(format!("left out: {}", names.join(", ")));
    }
}

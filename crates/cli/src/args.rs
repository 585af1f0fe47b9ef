//! The command line's arguments.
use crate::application::Applied;
use crate::bake::Bake;
use crate::batch::Batch;
use crate::bench_query::BenchQuery;
use crate::completions::Completions;
use crate::convert::Convert;
use crate::distance::Distance;
use crate::elasticity::Elasticity;
use crate::failure::Failure;
use crate::flow::FlowCommand;
use crate::generate::Generate;
use crate::info::Info;
use crate::inside::Inside;
use crate::intersections::Intersections;
use crate::laplacian::Laplacian;
use crate::lod::Lod;
use crate::query::Query;
use crate::render::Render;
use crate::serve::Serve;
use crate::session::Session;
use crate::shallow::Shallow;
use crate::spectrum::Spectrum;
use crate::tiles::Tiles;
use crate::track::Track;
use crate::view::View;
use crate::volume::Volume;
use clap::{Args, Parser, Subcommand, value_parser};
use ribbonmesh::{DeviceChoice, Error, MeshOptions};
use ribbonmesh_io::Format;
use std::path::PathBuf;

/// Triangle meshes on the GPU and on every core of the CPU.
#[derive(Parser)]
#[command(name = "ribbonmesh", version, propagate_version = true, arg_required_else_help = true)]
#[command(after_help = "\
Formats: OBJ, PLY, OFF, STL, GLB and glTF are read and written, also compressed (mesh.ply.gz, mesh.ply.zst). In the place of a mesh, - is standard input or output.
Exit status: 0 success, 1 the work failed, 2 wrong usage, 3 the input was refused.

Examples:
  ribbonmesh info dragon.ply
  ribbonmesh normals dragon.ply -o normals.ply
  ribbonmesh --device cpu query dragon.ply --op VV | head -3
  ribbonmesh convert dragon.ply - --format obj | ribbonmesh info -")]
pub struct Cli {
    #[command(flatten)]
    pub globals: Globals,
    #[command(subcommand)]
    pub command: Command,
}

/// The machine of `--device`. An error is what it may be, since that of `clap` has the option and its value.
fn machine(name: &str) -> Result<DeviceChoice, String> {
    name.parse().map_err(|error| match error {
        Error::Option { expected, .. } => expected.to_owned(),
        other => other.to_string(),
    })
}

/// Options of every command.
#[derive(Args, Clone)]
#[command(next_help_heading = "Options of every command")]
pub struct Globals {
    /// Machine to work on; auto is the first NVIDIA GPU, or the CPU where there is none; 0-1 and all are
    /// several GPUs as one
    #[arg(long, global = true, value_name = "auto|cpu|cuda[:N|:N-M|:all]", default_value = "auto",
          value_parser = machine)]
    pub device: DeviceChoice,
    /// Threads of the CPU [default: one per core]
    #[arg(long, global = true, value_name = "N", value_parser = value_parser!(u32).range(1..=4096))]
    pub threads: Option<u32>,
    /// Most faces that a patch owns, 16 to 4096
    #[arg(long, global = true, value_name = "N", default_value_t = MeshOptions::default().patch_size,
          value_parser = value_parser!(u32).range(16..=4096))]
    pub patch_size: u32,
    /// Seed of all random choices
    #[arg(long, global = true, value_name = "N", default_value_t = MeshOptions::default().seed)]
    pub seed: u64,
    /// Format of a mesh that is read, for standard input (-) and for files whose extension names none
    /// [default: by its content]
    #[arg(long, global = true, value_name = "obj|ply|off|stl|glb|gltf")]
    pub input_format: Option<Format>,
    /// Refuse a mesh with elements that would be left out with a note: faces of two corners, coordinates or
    /// normals that are not finite, unknown lines
    #[arg(long, global = true)]
    pub strict: bool,
    /// Write a report: machine, sizes, times, warnings, results
    #[arg(long, global = true, value_name = "FILE.json")]
    pub report: Option<PathBuf>,
    /// Print only results, errors, and warnings that a result is not the one asked for
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Print the time of each phase
    #[arg(long, short, global = true, conflicts_with = "quiet")]
    pub verbose: bool,
}

/// The command to run.
#[derive(Subcommand)]
pub enum Command {
    Info(Info),
    Query(Query),
    Distance(Distance),
    Inside(Inside),
    Intersections(Intersections),
    Laplacian(Laplacian),
    Spectrum(Spectrum),
    Bake(Bake),
    #[command(flatten)]
    Application(Applied),
    Tiles(Tiles),
    Lod(Lod),
    Track(Track),
    Shallow(Shallow),
    Flow(FlowCommand),
    Render(Render),
    Serve(Serve),
    View(View),
    Convert(Convert),
    Generate(Generate),
    Volume(Volume),
    Elasticity(Elasticity),
    Batch(Batch),
    BenchQuery(BenchQuery),
    Completions(Completions),
}

impl Command {
    /// Does it.
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        match self {
            Self::Info(command) => command.run(session),
            Self::Query(command) => command.run(session),
            Self::Distance(command) => command.run(session),
            Self::Inside(command) => command.run(session),
            Self::Intersections(command) => command.run(session),
            Self::Laplacian(command) => command.run(session),
            Self::Spectrum(command) => command.run(session),
            Self::Bake(command) => command.run(session),
            Self::Application(command) => command.run(session),
            Self::Tiles(command) => command.run(session),
            Self::Lod(command) => command.run(session),
            Self::Track(command) => command.run(session),
            Self::Shallow(command) => command.run(session),
            Self::Flow(command) => command.run(session),
            Self::Render(command) => command.run(session),
            Self::Serve(command) => command.run(session),
            Self::View(command) => command.run(session),
            Self::Convert(command) => command.run(session),
            Self::Generate(command) => command.run(session),
            Self::Volume(command) => command.run(session),
            Self::Elasticity(command) => command.run(session),
            Self::Batch(command) => command.run(session),
            Self::BenchQuery(command) => command.run(session),
            Self::Completions(command) => command.run(session),
        }
    }
    /// Whether it writes files in addition to its output.
    pub fn writes_more(&self) -> bool {
        match self {
            Self::Elasticity(command) => command.writes_more(),
            Self::Laplacian(command) => command.writes_more(),
            Self::Spectrum(command) => command.writes_more(),
            Self::Application(command) => command.writes_more(),
            Self::Render(command) => command.writes_more(),
            _ => false,
        }
    }
}

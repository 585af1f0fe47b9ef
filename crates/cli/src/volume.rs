//! `ribbonmesh volume`.
mod convert;
pub mod files;
mod generate;
mod info;
mod smooth;
mod subdivide;
mod surface;
mod tetrahedralize;

use crate::failure::Failure;
use crate::session::Session;
use clap::{Args, Subcommand};
use convert::Convert;
use generate::Generate;
use info::Info;
use smooth::Smooth;
use subdivide::Subdivide;
use surface::Surface;
use tetrahedralize::Tetrahedralize;

/// Work on volume meshes: tetrahedra, hexahedra and other cells
///
/// VTK (legacy), VTU, Gmsh MSH, MEDIT and OpenVolumeMesh files are read and written, also compressed
/// (part.vtu.gz, part.msh.zst), with the data of their vertices, cells and faces. The surface of a volume is
/// a mesh for all other commands.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh volume generate hexahedra 8 8 4 -o block.vtu
  ribbonmesh volume info block.vtu
  ribbonmesh volume surface block.vtu -o block.ply")]
pub struct Volume {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Info(Info),
    Convert(Convert),
    Surface(Surface),
    Smooth(Smooth),
    Subdivide(Subdivide),
    Generate(Generate),
    Tetrahedralize(Tetrahedralize),
}

impl Volume {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        match &self.command {
            Command::Info(command) => command.run(session),
            Command::Convert(command) => command.run(session),
            Command::Surface(command) => command.run(session),
            Command::Smooth(command) => command.run(session),
            Command::Subdivide(command) => command.run(session),
            Command::Generate(command) => command.run(session),
            Command::Tetrahedralize(command) => command.run(session),
        }
    }
}

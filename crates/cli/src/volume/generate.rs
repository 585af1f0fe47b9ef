//! `ribbonmesh volume generate`.
use super::files::{self, Encoding};
use crate::failure::Failure;
use crate::session::Session;
use clap::{Args, ValueEnum};
use ribbonmesh_volume::shapes;
use ribbonmesh_volume_io::VolumeData;
use std::path::PathBuf;

/// Make a block of cells
///
/// Of X × Y × Z cubes of side 1, the first at the origin.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh volume generate tetrahedra 8 -o block.vtu
  ribbonmesh volume generate hexahedra 20 10 5 -o beam.msh
  ribbonmesh volume generate mixed 4 4 2 -o mixed.vtk")]
pub struct Generate {
    /// Cells: tetrahedra, six of a cube (Kuhn); hexahedra; or all kinds in turn
    cells: Cells,
    /// Cubes along x
    x: u32,
    /// Cubes along y [default: as along x]
    y: Option<u32>,
    /// Cubes along z [default: as along y]
    z: Option<u32>,
    /// File to write: VTK, VTU, MSH, MESH or OVM; - is standard output
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    #[command(flatten)]
    encoding: Encoding,
}

#[derive(Clone, Copy, ValueEnum)]
enum Cells {
    Tetrahedra,
    Hexahedra,
    Mixed,
}

impl Generate {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let encoded = self.encoding.options(&self.output)?;
        session.keep(None, &[&self.output])?;
        let y = self.y.unwrap_or(self.x);
        let size = [self.x, y, self.z.unwrap_or(y)];
        let (positions, cells) = session.phase("generate", || match self.cells {
            Cells::Tetrahedra => shapes::kuhn_grid(size),
            Cells::Hexahedra => shapes::hexahedral_grid(size),
            Cells::Mixed => shapes::mixed_grid(size),
        })?;
        files::write(session, &self.output, &VolumeData::from_f32(&positions, cells), &encoded)
    }
}

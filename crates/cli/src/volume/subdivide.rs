//! `ribbonmesh volume subdivide`.
use super::files::{self, Encoding, Reading, Turning};
use crate::failure::Failure;
use crate::session::Session;
use clap::{Args, value_parser};
use std::path::PathBuf;

/// Subdivide a volume by Catmull and Clark's scheme
///
/// Each cell becomes one cell for each of its vertices: four hexahedra of a tetrahedron, eight of a hexahedron. Vertices move towards smooth surfaces and smooth
/// insides. Cells keep the data of the cell that they are parts of, and floating-point data of vertices is interpolated; other data of vertices, and faces that the file lists
/// by themselves, are left out, which is noted.
#[derive(Args)]
#[command(after_help = "\
Example:
  ribbonmesh volume subdivide block.vtu -o fine.vtu --levels 2")]
pub struct Subdivide {
    /// Volume: VTK, VTU, MSH, MESH or OVM; - is standard input
    volume: PathBuf,
    /// File to write: VTK, VTU, MSH, MESH or OVM; - is standard output
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    /// Times
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(1..=8))]
    levels: u32,
    #[command(flatten)]
    turning: Turning,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    encoding: Encoding,
}

impl Subdivide {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let encoded = self.encoding.options(&self.output)?;
        session.keep(None, &[&self.volume, &self.output])?;
        let mut volume = files::read(session, &self.volume, &self.reading)?;
        let origin = volume.local_origin();
        let mut mesh = files::upload(session, &volume, &self.turning)?;
        for _ in 0..self.levels {
            let finer = session.phase("subdivide", || mesh.subdivide())?;
            let (level, losses) = session.phase("cells", || volume.subdivided(&mesh, &finer, origin))?;
            files::say_losses(session, &losses);
            (volume, mesh) = (level, finer);
        }
        files::write(session, &self.output, &volume, &encoded)
    }
}

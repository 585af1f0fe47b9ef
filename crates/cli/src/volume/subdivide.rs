//! `ribbonmesh volume subdivide`.
use super::files::{self, Change};
use crate::failure::Failure;
use crate::session::Session;
use clap::{Args, value_parser};

/// Subdivide a volume by Catmull and Clark's scheme
///
/// Each cell becomes one cell for each of its vertices: four hexahedra of a tetrahedron, eight of a
/// hexahedron. Vertices move towards smooth surfaces and smooth insides. Cells keep the data of the cell that
/// they are parts of, and floating-point data of vertices is interpolated; other data of vertices, and faces
/// that the file lists by themselves, are left out, which is noted.
#[derive(Args)]
#[command(after_help = "\
Example:
  ribbonmesh volume subdivide block.vtu -o fine.vtu --levels 2")]
pub struct Subdivide {
    /// Times
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(1..=8))]
    levels: u32,
    #[command(flatten)]
    change: Change,
}

impl Subdivide {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let (mut volume, mut mesh, encoded) = self.change.begin(session)?;
        let origin = volume.local_origin();
        for _ in 0..self.levels {
            let finer = session.phase("subdivide", || mesh.subdivide())?;
            let (level, losses) = session.phase("cells", || volume.subdivided(&mesh, &finer, origin))?;
            files::say_losses(session, &losses);
            (volume, mesh) = (level, finer);
        }
        self.change.end(session, &volume, &encoded)
    }
}

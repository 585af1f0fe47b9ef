//! `ribbonmesh convert`.
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::noise::Noise;
use crate::session::Session;
use clap::Args;
use std::path::PathBuf;

/// Write a mesh in another format
///
/// Formats are named by the files' extensions. Vertices and faces keep their order; polygons become triangles. Normals,
/// colours and texture coordinates are not kept.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh convert dragon.ply dragon.obj
  ribbonmesh convert dragon.ply text.ply --ascii
  ribbonmesh convert dragon.ply noisy.ply --noise 0.2")]
pub struct Convert {
    /// Mesh to read: OBJ, PLY, OFF or STL
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// File to write: OBJ, PLY, OFF, STL or GLB
    #[arg(value_name = "OUT")]
    output: PathBuf,
    #[command(flatten)]
    noise: Noise,
    #[command(flatten)]
    encoding: Encoding,
}

impl Convert {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let options = self.encoding.options(&self.output)?;
        self.noise.check()?;
        session.keep(None, &[&self.input, &self.output])?;
        let loaded = session.read(&self.input)?;
        let mesh = self.noise.add(session, loaded.mesh)?;
        session.write(&self.output, &mesh, &options)
    }
}

//! `ribbonmesh volume surface`.
use super::files::{self, Reading, Turning};
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::session::Session;
use clap::Args;
use std::path::PathBuf;

/// Write the surface of a volume as triangles
///
/// With the data of the volume: that of vertices; that of the cell behind a triangle; and that of the faces which the file lists by themselves, such as
/// those of a boundary condition, as face_NAME where cells have a NAME too. The attributes volume_vertex, volume_face and volume_cell say which elements of
/// the volume vertices and triangles belong to. Normals point out of the volume.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh volume surface block.vtu -o block.ply
  ribbonmesh volume surface block.vtu -o - --format ply | ribbonmesh info -")]
pub struct Surface {
    /// Volume: VTK, VTU, MSH, MESH or OVM; - is standard input
    volume: PathBuf,
    /// File to write: OBJ, PLY, OFF, STL or GLB; - is standard output
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    #[command(flatten)]
    turning: Turning,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    encoding: Encoding,
}

impl Surface {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let encoded = self.encoding.options(&self.output)?;
        session.keep(None, &[&self.volume, &self.output])?;
        let volume = files::read(session, &self.volume, &self.reading)?;
        let mesh = files::upload(session, &volume, &self.turning)?;
        let (surface, losses) = session.phase("surface", || volume.surface(&mesh))?;
        files::say_losses(session, &losses);
        session.write(&self.output, &surface, &encoded)
    }
}

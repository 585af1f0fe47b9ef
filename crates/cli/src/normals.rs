//! `ribbonmesh normals`.
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::session::Session;
use clap::Args;
use ribbonmesh_application::{Need, counted};
use ribbonmesh_io::Format;
use ribbonmesh_normals::{NormalOptions, NormalReport, Weight, vertex_normals};
use serde::Serialize;
use std::path::PathBuf;

/// Write a mesh with a unit normal at every vertex
///
/// In PLY as nx, ny, nz. Vertices and faces keep their order. A vertex has the normal 0 0 0 where there is no direction:
/// without faces, or where its faces are degenerate or their normals cancel.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh normals dragon.ply -o normals.ply
  ribbonmesh normals dragon.ply -o normals.obj --weight max")]
pub struct Normals {
    /// Mesh: OBJ, PLY, OFF, STL, GLB or glTF; - is standard input
    mesh: PathBuf,
    /// File to write: OBJ, PLY, OFF or GLB; - is standard output
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    /// How faces are weighted: area, angle (at the vertex), or max (N. Max 1999: exact for points of a sphere)
    #[arg(long, value_name = "area|angle|max", default_value_t)]
    weight: Weight,
    #[command(flatten)]
    encoding: Encoding,
}

#[derive(Serialize)]
struct Results {
    weight: &'static str,
    normals: usize,
    /// Vertices whose normal is 0 0 0.
    without_normal: usize,
}

impl Normals {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let options = self.encoding.options(&self.output)?;
        if self.encoding.format(&self.output)? == Format::Stl {
            return Err(Failure::Usage(format!(
                "{}: STL cannot carry normals of vertices",
                self.output.display()
            )));
        }
        session.keep(None, &[&self.mesh, &self.output])?;
        let loaded = session.read(&self.mesh)?;
        let device = session.device()?;
        let mut surface = session.surface(&device, &loaded.mesh, Need::Triangles)?;
        let chosen = NormalOptions { weight: self.weight };
        let NormalReport { vertices, without_normal } =
            session.phase("normals", || vertex_normals(&mut surface, &chosen))?;
        if without_normal > 0 {
            let count = counted(without_normal as u64, "vertex");
            session.warn(format!("{count} without a normal: 0 0 0"));
        }
        session.results(&Results { weight: self.weight.name(), normals: vertices, without_normal });
        let mesh = session.download(&surface)?;
        session.write(&self.output, &mesh, &options)
    }
}

//! `ribbonmesh convert`.
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::noise::Noise;
use crate::session::Session;
use crate::tiles::{bytes, chosen};
use clap::Args;
use ribbonmesh_application::counted;
use ribbonmesh_clean::Bytes;
use ribbonmesh_io::TriangleMesh;
use ribbonmesh_mesh::Element;
use ribbonmesh_mesh::shapes::subdivide;
use std::path::PathBuf;

/// Write a mesh in another format
///
/// Formats are named by the files' extensions. Vertices and faces keep their order; polygons become
/// triangles. Attributes are kept as far as the format holds them; the rest is noted. --subdivide leaves them
/// out.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh convert dragon.ply dragon.obj
  ribbonmesh convert dragon.ply text.ply --ascii
  ribbonmesh convert dragon.ply fine.ply --subdivide 2
  ribbonmesh convert dragon.ply noisy.ply --noise 0.2")]
pub struct Convert {
    /// Mesh to read: OBJ, PLY, OFF, STL, GLB or glTF; - is standard input
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// File to write: OBJ, PLY, OFF, STL, GLB or glTF; - is standard output
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// Cut every face into four at the middles of its edges, N times; the surface stays as it is
    #[arg(long, value_name = "N", default_value_t = 0)]
    subdivide: u32,
    /// Memory that the process may take: where the mesh does not fit, the work is done tile by tile on disk,
    /// as ribbonmesh tiles does it
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    memory: Option<Bytes>,
    #[command(flatten)]
    noise: Noise,
    #[command(flatten)]
    encoding: Encoding,
}

impl Convert {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let options = self.encoding.options(&self.output)?;
        self.noise.check()?;
        let cut = (self.subdivide > 0).then_some("subdivide");
        let other = cut.or(self.noise.is_given().then_some("noise")).or(self.encoding.given());
        if chosen::convert(session, [&self.input, &self.output], self.memory, other)? {
            return Ok(());
        }
        session.keep(None, &[&self.input, &self.output])?;
        let mut mesh = session.read(&self.input)?.mesh;
        if self.subdivide > 0 {
            session.left_out(&mesh, &[Element::Vertex, Element::Face, Element::Corner, Element::Edge]);
            mesh = session.phase("subdivide", || self.subdivided(mesh))?;
        }
        let mesh = self.noise.add(session, mesh)?;
        session.write(&self.output, &mesh, &options)
    }
    fn subdivided(&self, mesh: TriangleMesh) -> Result<TriangleMesh, Failure> {
        // before memory is taken
        let faces = 4_u64.checked_pow(self.subdivide).and_then(|n| n.checked_mul(mesh.faces.len() as u64));
        if faces.is_none_or(|faces| faces > u64::from(u32::MAX) / 3) {
            let (times, faces) = (self.subdivide, counted(mesh.faces.len() as u64, "face"));
            return Err(Failure::Usage(format!("--subdivide {times}: too often for {faces}")));
        }
        let mut fine = mesh;
        for _ in 0..self.subdivide {
            fine = subdivide(&fine)?;
        }
        Ok(fine)
    }
}

//! `ribbonmesh normals`.
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::paths::output_format;
use crate::session::Session;
use crate::words::counted;
use clap::Args;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Result, StaticMesh, Vertex};
use ribbonmesh_io::Format;
use ribbonmesh_mesh::{Column, Role};
use ribbonmesh_normals::{Weight, vertex_normals};
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
    /// Mesh: OBJ, PLY, OFF, STL or GLB
    mesh: PathBuf,
    /// File to write: OBJ, PLY, OFF or GLB
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
    without_normal: u64,
}

impl Normals {
    pub fn run(&self, session: &mut Session) -> std::result::Result<(), Failure> {
        let options = self.encoding.options(&self.output)?;
        if output_format(&self.output)? == Format::Stl {
            return Err(Failure::Usage(format!(
                "{}: STL cannot carry normals of vertices",
                self.output.display()
            )));
        }
        session.keep(None, &[&self.mesh, &self.output])?;
        let mut loaded = session.read(&self.mesh)?;
        let device = session.device()?;
        let mesh = session.build(&device, &loaded.mesh)?;
        let points = loaded.mesh.points_around(loaded.mesh.local_origin());
        let normals = session.phase("normals", || self.normals(&mesh, &points))?;
        let zero = normals.iter().filter(|n| **n == Vec3::ZERO).count() as u64;
        if zero > 0 {
            session.warn(format!("{} without a normal: 0 0 0", counted(zero, "vertex")));
        }
        let results = Results { weight: self.weight.name(), normals: normals.len(), without_normal: zero };
        session.results(&results);
        loaded.mesh.corners_mut().retain(|column| column.role() != Role::Normal);
        loaded.mesh.vertices_mut().retain(|column| column.role() != Role::Normal);
        let column = Column::with_role("normal", Role::Normal, normals);
        loaded.mesh.vertices_mut().insert_column(column)?;
        session.write(&self.output, &loaded.mesh, &options)
    }
    fn normals(&self, mesh: &StaticMesh, positions: &[Vec3]) -> Result<Vec<Vec3>> {
        let positions = Attribute::<Vertex, Vec3>::from_input(mesh, positions)?;
        vertex_normals(mesh, &positions, self.weight)?.download()
    }
}

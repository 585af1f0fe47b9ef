//! `ribbonmesh curvature`.
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::paths::output_format;
use crate::session::Session;
use crate::words::counted;
use clap::Args;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Result, StaticMesh, Statistics, Vertex};
use ribbonmesh_curvature::{Area, CurvatureSummary, curvatures};
use ribbonmesh_io::Format;
use ribbonmesh_mesh::Column;
use serde::Serialize;
use std::f64::consts::TAU;
use std::path::PathBuf;

/// Write a mesh with the curvatures of its vertices
///
/// As properties of a PLY file: gaussian_curvature, mean_curvature and, at the boundary, geodesic_curvature; angle_defect
/// in radians and vertex_area, whose quotient is the Gaussian curvature. Gaussian and mean curvature are 0 on the boundary,
/// geodesic curvature is 0 elsewhere. Vertices and faces keep their order.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh curvature dragon.ply -o curvature.ply
  ribbonmesh curvature dragon.ply -o curvature.ply --area barycentric --report curvature.json")]
pub struct Curvature {
    /// Mesh: OBJ, PLY, OFF, STL or GLB
    mesh: PathBuf,
    /// File to write: PLY
    #[arg(long, short, value_name = "OUT.ply")]
    output: PathBuf,
    /// Which part of its faces belongs to a vertex: a third, or the mixed area of Meyer et al. 2003
    #[arg(long, value_name = "barycentric|mixed", default_value_t)]
    area: Area,
    #[command(flatten)]
    encoding: Encoding,
}

#[derive(Serialize)]
struct Results {
    area: &'static str,
    /// Area of the surface.
    surface_area: f64,
    vertices_on_boundary: u64,
    /// Sum of the defects of all vertices, in radians.
    total_defect: f64,
    /// Of that, the boundary's.
    boundary_defect: f64,
    /// What the total is by Gauss and Bonnet: 2π times vertices − edges + faces, without isolated vertices.
    gauss_bonnet: f64,
    gaussian: Option<Distribution>,
    mean: Option<Distribution>,
    geodesic: Option<Distribution>,
}

/// The distribution of a number.
#[derive(Serialize)]
struct Distribution {
    count: u64,
    min: f64,
    max: f64,
    mean: f64,
    standard_deviation: f64,
}
impl Distribution {
    fn of(s: Statistics) -> Self {
        let Statistics { count, min, max, mean, standard_deviation } = s;
        Self { count, min, max, mean, standard_deviation }
    }
}

impl Curvature {
    pub fn run(&self, session: &mut Session) -> std::result::Result<(), Failure> {
        let options = self.encoding.options(&self.output)?;
        if output_format(&self.output)? != Format::Ply {
            let path = self.output.display();
            return Err(Failure::Usage(format!("{path}: only PLY carries properties of vertices")));
        }
        session.keep(None, &[&self.mesh, &self.output])?;
        let mut loaded = session.read(&self.mesh)?;
        let device = session.device()?;
        let mesh = session.build(&device, &loaded.mesh)?;
        let points = loaded.mesh.points_around(loaded.mesh.local_origin());
        let (columns, summary, on_boundary) = session.phase("curvature", || self.compute(&mesh, &points))?;
        let mut used = vec![false; loaded.mesh.positions.len()];
        loaded.mesh.faces.as_flattened().iter().for_each(|&v| used[v as usize] = true);
        let isolated = used.iter().filter(|u| !**u).count() as i64;
        let characteristic = mesh.vertices() as i64 - isolated - mesh.edges() as i64 + mesh.faces() as i64;
        if isolated > 0 {
            session
                .warn(format!("{} without faces: all curvatures are 0", counted(isolated as u64, "vertex")));
        }
        let along = match on_boundary {
            0 => String::new(),
            _ => format!(", of it {:.4} π along the boundary", 2.0 * summary.boundary_defect / TAU),
        };
        session.say(format_args!(
            "total curvature {:.4} π{along}; by Gauss and Bonnet {} π",
            2.0 * summary.total_defect / TAU,
            2 * characteristic
        ));
        session.results(&Results {
            area: self.area.name(),
            surface_area: summary.area,
            vertices_on_boundary: on_boundary,
            total_defect: summary.total_defect,
            boundary_defect: summary.boundary_defect,
            gauss_bonnet: TAU * characteristic as f64,
            gaussian: summary.gaussian.map(Distribution::of),
            mean: summary.mean.map(Distribution::of),
            geodesic: summary.geodesic.map(Distribution::of),
        });
        for column in columns {
            loaded.mesh.vertices_mut().insert_column(column)?;
        }
        session.write(&self.output, &loaded.mesh, &options)
    }
    /// The columns, their distribution, and the number of vertices on the boundary.
    fn compute(&self, mesh: &StaticMesh, positions: &[Vec3]) -> Result<(Vec<Column>, CurvatureSummary, u64)> {
        let positions = Attribute::<Vertex, Vec3>::from_input(mesh, positions)?;
        let found = curvatures(mesh, &positions, self.area)?;
        let boundary = mesh.boundary::<Vertex>()?.read()?;
        let summary = CurvatureSummary::new(&found, &boundary)?;
        let columns = [
            ("gaussian_curvature", &found.gaussian),
            ("mean_curvature", &found.mean),
            ("geodesic_curvature", &found.geodesic),
            ("angle_defect", &found.defect),
            ("vertex_area", &found.area),
        ];
        let column =
            |(name, values): (&str, &Attribute<Vertex, f32>)| Ok(Column::new(name, values.download()?));
        let columns = columns.into_iter().map(column).collect::<Result<_>>()?;
        Ok((columns, summary, boundary.iter().filter(|b| **b != 0).count() as u64))
    }
}

//! `ribbonmesh curvature`.
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::session::Session;
use clap::Args;
use ribbonmesh::Statistics;
use ribbonmesh_application::{Need, counted};
use ribbonmesh_curvature::{Area, CurvatureOptions, FacesWithoutArea, curvature};
use ribbonmesh_io::Format;
use serde::Serialize;
use std::f64::consts::PI;
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
  ribbonmesh curvature dragon.ply -o curvature.ply --area barycentric --report curvature.json
  ribbonmesh render curvature.ply -o curvature.png --scalar mean_curvature")]
pub struct Curvature {
    /// Mesh: OBJ, PLY, OFF, STL, GLB or glTF; - is standard input
    mesh: PathBuf,
    /// File to write: PLY; - is standard output
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
    /// Faces with equal positions or all three on a line.
    faces_without_area: u64,
    /// Of these, the first eight, from 0.
    first_without_area: Vec<u32>,
    /// Of these, faces that have a vertex twice: they do not count.
    degenerate_faces: u64,
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
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let options = self.encoding.options(&self.output)?;
        if self.encoding.format(&self.output)? != Format::Ply {
            let path = self.output.display();
            return Err(Failure::Usage(format!("{path}: only PLY carries properties of vertices")));
        }
        session.keep(None, &[&self.mesh, &self.output])?;
        let loaded = session.read(&self.mesh)?;
        let device = session.device()?;
        let mut surface = session.surface(&device, &loaded.mesh, Need::Edges)?;
        let chosen = CurvatureOptions { area: self.area };
        let report = session.phase("curvature", || curvature(&mut surface, &chosen))?;
        if report.isolated_vertices > 0 {
            let count = counted(report.isolated_vertices, "vertex");
            session.warn(format!("{count} without faces: all curvatures are 0"));
        }
        let without = session.phase("faces", || FacesWithoutArea::of(&surface))?;
        if without.count > 0 {
            let count = counted(without.count, "face");
            let first: Vec<String> = without.first.iter().map(u32::to_string).collect();
            let more = if without.count > first.len() as u64 { ", …" } else { "" };
            let twice = match without.degenerate {
                0 => String::new(),
                n => format!("; {n} of them have a vertex twice and do not count"),
            };
            session.note(format!("{count} without area: {}{more}{twice}", first.join(", ")));
        }
        let along = match report.boundary_vertices {
            0 => String::new(),
            _ => format!(", of it {:.4} π along the boundary", report.boundary_defect / PI),
        };
        let told = format!(
            "total curvature {:.4} π{along}; by Gauss and Bonnet {} π",
            report.total_defect / PI,
            2 * report.euler_characteristic
        );
        session.tell(&self.output, told);
        session.results(&Results {
            area: self.area.name(),
            surface_area: report.area,
            vertices_on_boundary: report.boundary_vertices,
            faces_without_area: without.count,
            degenerate_faces: without.degenerate,
            total_defect: report.total_defect,
            boundary_defect: report.boundary_defect,
            gauss_bonnet: report.gauss_bonnet(),
            first_without_area: without.first,
            gaussian: report.gaussian.map(Distribution::of),
            mean: report.mean.map(Distribution::of),
            geodesic: report.geodesic.map(Distribution::of),
        });
        let mesh = session.download(&surface)?;
        session.write(&self.output, &mesh, &options)
    }
}

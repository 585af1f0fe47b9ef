//! `ribbonmesh geodesic`.
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::paths::output_format;
use crate::session::Session;
use crate::words::counted;
use clap::Args;
use ribbonmesh::Surface;
use ribbonmesh_geodesic::{Geodesic as Solver, GeodesicOptions, GeodesicReport, Order};
use ribbonmesh_io::Format;
use ribbonmesh_mesh::Role;
use serde::Serialize;
use std::path::PathBuf;

/// Write a mesh with the geodesic distance of every vertex from one or several of them
///
/// As the property distance of a PLY file, in the units of the mesh; inf where no path leads. Distances are those of
/// straight lines through unfolded triangles (front propagation, Romero et al. 2019). Vertices and faces keep their order.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh geodesic dragon.ply --source 0 -o distance.ply
  ribbonmesh geodesic dragon.ply --source 0 --source 250 -o distance.ply --report distance.json
  ribbonmesh render distance.ply -o distance.png --scalar distance")]
pub struct Geodesic {
    /// Mesh: OBJ, PLY, OFF, STL or GLB
    mesh: PathBuf,
    /// Vertex of the input, from 0, that distances are measured from; repeatable
    #[arg(long, short, value_name = "VERTEX", required = true)]
    source: Vec<u32>,
    /// File to write: PLY
    #[arg(long, short, value_name = "OUT.ply")]
    output: PathBuf,
    /// How the front passes over the mesh: by distance, or by hops (topological level sets, as Romero et al.; slower where
    /// edges are of different lengths)
    #[arg(long, value_name = "distance|hops", default_value_t)]
    order: Order,
    /// A distance that would become less by no more than this part of itself stays; 0 to 0.1
    #[arg(long, value_name = "PART", default_value_t = GeodesicOptions::default().tolerance)]
    tolerance: f32,
    #[command(flatten)]
    encoding: Encoding,
}

#[derive(Serialize)]
struct Results {
    #[serde(flatten)]
    report: GeodesicReport,
    /// Of the vertices that are reached; none is farther than this.
    farthest: f32,
    mean: f64,
}

impl Geodesic {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let options = self.encoding.options(&self.output)?;
        if output_format(&self.output)? != Format::Ply {
            let path = self.output.display();
            return Err(Failure::Usage(format!("{path}: only PLY carries properties of vertices")));
        }
        session.keep(None, &[&self.mesh, &self.output])?;
        let loaded = session.read(&self.mesh)?;
        let n = loaded.mesh.positions.len();
        if let Some(source) = self.source.iter().find(|&&v| v as usize >= n) {
            let (mesh, vertices) = (self.mesh.display(), counted(n as u64, "vertex"));
            return Err(Failure::Usage(format!("--source {source}: {mesh} has {vertices}, numbered from 0")));
        }
        let device = session.device()?;
        let mut surface = session.surface(&device, &loaded.mesh)?;
        let report = self.solve(session, &mut surface)?;
        if report.unreachable > 0 {
            let count = counted(report.unreachable as u64, "vertex");
            session.warn(format!("{count} that no path from a source leads to: inf"));
        }
        let mesh = session.download(&surface)?;
        let distances = mesh.vertices().get::<f32>("distance")?;
        let reached = || distances.iter().filter(|d| d.is_finite());
        let farthest = reached().fold(0.0, |most: f32, d| most.max(*d));
        let mean = reached().map(|&d| f64::from(d)).sum::<f64>() / report.reached as f64;
        let (levels, iterations) = (report.levels as u64, report.iterations as u64);
        session.say(format_args!(
            "farthest {farthest}; {}, {}",
            counted(levels, "level"),
            counted(iterations, "iteration")
        ));
        session.results(&Results { report, farthest, mean });
        session.write(&self.output, &mesh, &options)
    }
    /// Distances in parts, each with its time in the report.
    fn solve(&self, session: &mut Session, surface: &mut Surface) -> Result<GeodesicReport, Failure> {
        let options = GeodesicOptions { order: self.order, tolerance: self.tolerance };
        let (mesh, positions) = surface.patches()?;
        let mut solver = session.phase("ring", || Solver::new(mesh, positions))?;
        session.phase("level sets", || solver.level_sets(&self.source))?;
        let report = session.phase("propagation", || solver.propagate(&options))?;
        let distances = session.phase("distances", || solver.distances())?;
        surface.vertices_mut()?.insert("distance", Role::Custom, &distances)?;
        Ok(report)
    }
}

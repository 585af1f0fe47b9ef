//! `ribbonmesh geodesic`.
use crate::encoding::Encoding;
use crate::exact::{self, Paths};
use crate::failure::Failure;
use crate::session::Session;
use crate::streams::input_name;
use clap::Args;
use ribbonmesh::Surface;
use ribbonmesh_application::{Need, counted};
use ribbonmesh_geodesic::{FlatGeodesic as Solver, GeodesicOptions, GeodesicReport, Order, vertex_places};
use ribbonmesh_io::Format;
use ribbonmesh_mesh::Role;
use serde::Serialize;
use std::path::PathBuf;

/// Write a mesh with the geodesic distance of every vertex from one or several of them
///
/// As the property distance of a PLY file, in the units of the mesh; inf where no path leads. Distances are those of
/// paths on the mesh, found by front propagation (Romero et al. 2019), or with --exact the least that are possible on these
/// triangles. Vertices and faces keep their order.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh geodesic dragon.ply --source 0 -o distance.ply
  ribbonmesh geodesic dragon.ply --source 0 --source 250 -o distance.ply --report distance.json
  ribbonmesh geodesic dragon.ply --exact --source 0 -o distance.ply --path-to 9 --paths path.obj
  ribbonmesh render distance.ply -o distance.png --scalar distance")]
pub struct Geodesic {
    /// Mesh: OBJ, PLY, OFF, STL, GLB or glTF; - is standard input
    mesh: PathBuf,
    /// Vertex of the input, from 0, that distances are measured from; repeatable
    #[arg(long, short, value_name = "VERTEX", required = true)]
    source: Vec<u32>,
    /// File to write: PLY; - is standard output
    #[arg(long, short, value_name = "OUT.ply")]
    output: PathBuf,
    /// How the front passes over the mesh: by distance, or by hops (topological level sets, as Romero et al.; slower where
    /// edges are of different lengths)
    #[arg(long, value_name = "distance|hops", default_value_t)]
    order: Order,
    /// A distance that would become less by no more than this part of itself stays; 0 to 0.1
    #[arg(long, value_name = "PART", default_value_t = GeodesicOptions::default().tolerance)]
    tolerance: f32,
    /// Estimates, in a fraction of the time: no lengths of paths, and behind holes up to a fifth too small
    #[arg(long)]
    estimate: bool,
    /// Exact distances, in double precision, on one core of the host: about two seconds for 100,000 faces
    #[arg(long, conflicts_with_all = ["order", "tolerance", "estimate"])]
    exact: bool,
    /// With --exact: a vertex that a shortest path is wanted to; repeatable
    #[arg(long, value_name = "VERTEX", requires_all = ["exact", "paths"])]
    path_to: Vec<u32>,
    /// File for the paths of --path-to: OBJ, a line (l) for each
    #[arg(long, value_name = "OUT.obj", requires = "path_to")]
    paths: Option<PathBuf>,
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
    /// Whether it writes files beside its output.
    pub fn writes_more(&self) -> bool {
        self.paths.is_some()
    }
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let options = self.encoding.options(&self.output)?;
        if self.encoding.format(&self.output)? != Format::Ply {
            let path = self.output.display();
            return Err(Failure::Usage(format!("{path}: only PLY carries properties of vertices")));
        }
        if let Some(paths) = self.paths.as_deref().filter(|paths| Format::from_path(paths) != Ok(Format::Obj))
        {
            return Err(Failure::Usage(format!("{}: paths are written as OBJ", paths.display())));
        }
        session.keep(None, &[&self.mesh, &self.output])?;
        session.keep(self.paths.as_deref(), &[&self.mesh, &self.output])?;
        let mut loaded = session.read(&self.mesh)?;
        let n = loaded.mesh.positions.len();
        for (option, vertices) in [("--source", &self.source), ("--path-to", &self.path_to)] {
            if let Some(vertex) = vertices.iter().find(|&&v| v as usize >= n) {
                let (mesh, vertices) = (input_name(&self.mesh), counted(n as u64, "vertex"));
                let message = format!("{option} {vertex}: {mesh} has {vertices}, numbered from 0");
                return Err(Failure::Usage(message));
            }
        }
        if self.exact {
            let paths = Paths { to: &self.path_to, file: self.paths.as_deref(), output: &self.output };
            exact::solve(session, &mut loaded.mesh, &self.source, &paths)?;
            return session.write(&self.output, &loaded.mesh, &options);
        }
        let device = session.device()?;
        let mut surface = session.surface(&device, &loaded.mesh, Need::Edges)?;
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
        let (levels, iterations) = (counted(levels, "level"), counted(iterations, "iteration"));
        session.tell(&self.output, format_args!("farthest {farthest}; {levels}, {iterations}"));
        session.results(&Results { report, farthest, mean });
        session.write(&self.output, &mesh, &options)
    }
    /// Distances in parts, each with its time in the report.
    fn solve(&self, session: &mut Session, surface: &mut Surface) -> Result<GeodesicReport, Failure> {
        let options = GeodesicOptions { order: self.order, tolerance: self.tolerance, paths: !self.estimate };
        let places = session.phase("edges", || vertex_places(surface))?;
        let (topology, positions) = surface.flat_topology()?;
        let mut solver = session.phase("ring", || Solver::new(topology, positions, &places))?;
        session.phase("level sets", || solver.level_sets(&self.source))?;
        let report = session.phase("propagation", || solver.propagate(&options))?;
        let rounds = if options.paths { session.phase("paths", || solver.trace())? } else { 0 };
        let report = GeodesicReport { rounds, ..report };
        let distances = session.phase("distances", || solver.distances())?;
        surface.insert_of_vertices("distance", Role::Custom, &distances)?;
        Ok(report)
    }
}

//! `ribbonmesh smooth`.
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::session::Session;
use crate::shape::{Change, Parts, Shape};
use crate::words::counted;
use clap::{Args, value_parser};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_smooth::{
    Boundary, Mass, Preconditioner, Shrinkage, SmoothOptions, SmoothReport, Solver, StepReport, TimeStep,
    Weights, smooth,
};
use serde::Serialize;
use std::path::PathBuf;

/// Smooth a mesh by mean curvature flow
///
/// Implicit steps (M + T L) x' = M x, solved by conjugate gradients: any time step is stable. Vertices and faces keep their
/// order; isolated vertices stay.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh smooth dragon.ply -o smooth.ply
  ribbonmesh smooth dragon.ply -o smooth.ply --time-step 10h2 --steps 3 --keep-volume
  ribbonmesh smooth dragon.ply -o even.ply --weights uniform --mass unit --time-step 2
  ribbonmesh smooth dragon.ply -o smooth.ply --boundary fixed --tolerance 1e-6")]
pub struct Smooth {
    /// Mesh: OBJ, PLY, OFF, STL, GLB or glTF; - is standard input
    mesh: PathBuf,
    /// File to write: OBJ, PLY, OFF, STL, GLB or glTF; - is standard output
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    /// Time of a step: in squared units of the mesh, such as 0.01, or in squared mean edge lengths of the input, such as
    /// 1.5h2; with --mass unit a number that multiplies L [default: 1h2, with --mass unit 1]
    #[arg(long, value_name = "T|Th2", allow_hyphen_values = true)]
    time_step: Option<TimeStep>,
    /// Steps; weights and masses are computed anew for each
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(1..))]
    steps: u32,
    /// Weights of edges: cotangent (flow by mean curvature) or uniform (evens out the edges, too)
    #[arg(long, value_name = "cotangent|uniform", default_value_t)]
    weights: Weights,
    /// Masses of vertices: barycentric (a third of the area of the faces), mixed (Voronoi areas, Meyer et al. 2003), or unit
    #[arg(long, value_name = "barycentric|mixed|unit", default_value_t)]
    mass: Mass,
    /// Store the matrix, or compute its weights in every iteration, which takes less memory
    #[arg(long, value_name = "assembled|matrix-free", default_value_t)]
    solver: Solver,
    /// Let the vertices of the boundary move, or keep them where they are
    #[arg(long, value_name = "free|fixed", default_value_t)]
    boundary: Boundary,
    /// With Jacobi it takes fewer iterations where faces differ in size or shape
    #[arg(long, value_name = "jacobi|none", default_value_t)]
    preconditioner: Preconditioner,
    /// How much smaller than the first the last residual of a step shall be
    #[arg(long, value_name = "R", default_value_t = SmoothOptions::default().tolerance)]
    tolerance: f64,
    /// Iterations after which a step ends even so
    #[arg(long, value_name = "N", default_value_t = SmoothOptions::default().max_iterations)]
    max_iterations: usize,
    /// Scale each component of a closed surface about its centre after each step, so that it keeps its volume
    #[arg(long)]
    keep_volume: bool,
    #[command(flatten)]
    encoding: Encoding,
}

#[derive(Serialize)]
struct Results {
    weights: &'static str,
    mass: &'static str,
    solver: &'static str,
    boundary: &'static str,
    preconditioner: &'static str,
    tolerance: f64,
    /// In squared units of the mesh.
    time_step: f64,
    mean_edge_length: f64,
    iterations: usize,
    converged: bool,
    steps: Vec<Step>,
    /// Before and after, in squared units of the mesh.
    area: [f64; 2],
    /// The longest way of a vertex.
    greatest_displacement: f64,
}
#[derive(Serialize)]
struct Step {
    iterations: usize,
    /// The last residual divided by the first.
    residual: f64,
    converged: bool,
    /// With `--keep-volume`: before the step, and after it before scaling.
    #[serde(skip_serializing_if = "Option::is_none")]
    volumes: Option<[f64; 2]>,
}
impl From<&StepReport> for Step {
    fn from(step: &StepReport) -> Self {
        let volumes = step.volume.map(|(before, after)| [before, after]);
        Self { iterations: step.iterations, residual: step.residual, converged: step.converged, volumes }
    }
}

impl Smooth {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let options = self.options();
        let encoding = self.encoding.options(&self.output)?;
        if !(self.tolerance >= 0.0 && self.tolerance < 1.0) {
            let tolerance = self.tolerance;
            return Err(Failure::Usage(format!("--tolerance {tolerance}: at least 0 and less than 1")));
        }
        session.keep(None, &[&self.mesh, &self.output])?;
        let before = session.read(&self.mesh)?.mesh;
        let device = session.device()?;
        let mut surface = session.surface(&device, &before)?;
        let report = session.phase("smooth", || smooth(&mut surface, &options))?;
        if !report.converged() {
            let left = report.steps.iter().filter(|s| !s.converged).count() as u64;
            let worst = report.steps.iter().map(|s| s.residual).fold(0.0, f64::max);
            session.warn(format!(
                "{} did not reach the tolerance: residual {worst:.1e} of the first",
                counted(left, "step")
            ));
        }
        let iterations = counted(report.iterations() as u64, "iteration");
        session.say(format_args!("time step {:.6e}: {iterations}", report.time_step));
        let after = session.download(&surface)?;
        let left = session.phase("area", || Ok::<_, Failure>(Shrinkage::between(&before, &after)))?;
        self.warn_of(session, &left, [&before, &after]);
        session.results(&self.results(&report, &left, &before, &after));
        session.write(&self.output, &after, &encoding)
    }
    fn options(&self) -> SmoothOptions {
        let usual = if self.mass == Mass::Unit { TimeStep::Absolute(1.0) } else { TimeStep::Edges(1.0) };
        SmoothOptions {
            time_step: self.time_step.unwrap_or(usual),
            steps: self.steps as usize,
            weights: self.weights,
            mass: self.mass,
            solver: self.solver,
            boundary: self.boundary,
            preconditioner: self.preconditioner,
            tolerance: self.tolerance,
            max_iterations: self.max_iterations,
            keep_volume: self.keep_volume,
            ..SmoothOptions::default()
        }
    }
    /// Says that components have shrunk to nothing, or that the surface has changed much.
    fn warn_of(&self, session: &mut Session, left: &Shrinkage, [before, after]: [&TriangleMesh; 2]) {
        let hint = match self.keep_volume {
            true => "a smaller --time-step moves it less",
            false => "a smaller --time-step moves it less, --keep-volume keeps the size of a closed one",
        };
        if left.collapsed > 0 {
            let (collapsed, parts) = (left.collapsed, counted(left.parts as u64, "component"));
            session
                .warn(format!("{collapsed} of {parts} shrank to less than a hundredth of the area: {hint}"));
        } else {
            let change = Change::between(Shape::of(before), Shape::of(after), None, Parts::Stay);
            change.warn(session, hint);
        }
    }
    fn results(
        &self,
        report: &SmoothReport,
        left: &Shrinkage,
        before: &TriangleMesh,
        after: &TriangleMesh,
    ) -> Results {
        let ways = before.positions.iter().zip(&after.positions).map(|(a, b)| a.distance(*b));
        Results {
            weights: self.weights.name(),
            mass: self.mass.name(),
            solver: self.solver.name(),
            boundary: self.boundary.name(),
            preconditioner: self.preconditioner.name(),
            tolerance: self.tolerance,
            time_step: report.time_step,
            mean_edge_length: report.mean_edge_length,
            iterations: report.iterations(),
            converged: report.converged(),
            steps: report.steps.iter().map(Step::from).collect(),
            area: left.area,
            greatest_displacement: ways.fold(0.0, f64::max),
        }
    }
}

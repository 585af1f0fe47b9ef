//! Smoothing as an application.
use crate::smooth::{Shrinkage, SmoothOptions, SmoothReport, StepReport, smooth};
use ribbonmesh::Surface;
use ribbonmesh_application::{
    Application, Change, Changes, Docs, Failure, Need, Parts, Run, Seen, Shape, Traits, counted,
};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The application `smooth`.
pub struct Smooth;

/// The report of a run, with the options that decide its meaning.
#[derive(Serialize)]
pub struct Report {
    weights: &'static str,
    mass: &'static str,
    solver: &'static str,
    /// The reason for the solver.
    reason: &'static str,
    boundary: &'static str,
    /// The one that was used.
    preconditioner: &'static str,
    tolerance: f64,
    /// Time of a step, in squared units of the mesh.
    time_step: f64,
    mean_edge_length: f64,
    iterations: usize,
    converged: bool,
    /// Vertices that were held back, in the sum of all steps.
    held: u64,
    steps: Vec<Step>,
}
#[derive(Serialize)]
struct Step {
    iterations: usize,
    /// The last residual divided by the first.
    residual: f64,
    converged: bool,
    /// Volumes before the step, and after it before scaling; with `keep_volume`.
    volumes: Option<[f64; 2]>,
    /// Vertices that went a part of their way only, or stayed; with `no_self_intersections`.
    held: u64,
}
impl From<&StepReport> for Step {
    fn from(step: &StepReport) -> Self {
        let volumes = step.volume.map(|(before, after)| [before, after]);
        Self {
            iterations: step.iterations,
            residual: step.residual,
            converged: step.converged,
            volumes,
            held: step.held,
        }
    }
}
impl Report {
    fn new(options: &SmoothOptions, report: &SmoothReport) -> Self {
        Self {
            weights: options.weights.name(),
            mass: options.mass.name(),
            solver: report.solver.name(),
            reason: report.reason,
            boundary: options.boundary.name(),
            preconditioner: report.preconditioner,
            tolerance: options.tolerance,
            time_step: report.time_step,
            mean_edge_length: report.mean_edge_length,
            iterations: report.iterations(),
            converged: report.converged(),
            held: report.held(),
            steps: report.steps.iter().map(Step::from).collect(),
        }
    }
}

impl Application for Smooth {
    const NAME: &'static str = "smooth";
    const DOCS: Docs = Docs {
        title: "Smooth a mesh by mean curvature flow",
        about: "Implicit steps (M + T L) x' = M x, solved by conjugate gradients or a factorization: any time step is \
                stable. Vertices and faces keep their order; isolated vertices stay.",
        notes: "",
        examples: &[
            "ribbonmesh smooth dragon.ply -o smooth.ply",
            "ribbonmesh smooth dragon.ply -o smooth.ply --time-step 10h2 --steps 3 --keep-volume",
            "ribbonmesh smooth dragon.ply -o even.ply --weights uniform --mass unit --time-step 2",
            "ribbonmesh smooth dragon.ply -o smooth.ply --boundary fixed --tolerance 1e-6",
            "ribbonmesh smooth dragon.ply -o smooth.ply --weights intrinsic --time-step 10h2",
        ],
        python: &[
            ">>> import ribbonmesh as rm",
            r#">>> rm.generate("bumpy-sphere", 3, device="cpu").smooth(time_step="10h2").report.converged"#,
            "True",
        ],
    };
    const TRAITS: Traits = Traits::new(Changes::Positions);
    type Options = SmoothOptions;
    type Subject = Surface;
    type Report = Report;

    fn need(options: &SmoothOptions) -> Need {
        match options.in_flat_arrays() {
            true => Need::Edges,
            false => Need::Patches,
        }
    }
    fn run(
        &self,
        surface: &mut Surface,
        options: &SmoothOptions,
        run: &mut Run<'_>,
    ) -> Result<Report, Failure> {
        let report = run.phase("smooth", || smooth(surface, options))?;
        Ok(Report::new(options, &report))
    }
    fn summarize(
        &self,
        options: &SmoothOptions,
        report: &Report,
        seen: &Seen<'_>,
        run: &mut Run<'_>,
    ) -> Map<String, Value> {
        if !report.converged {
            let left = report.steps.iter().filter(|step| !step.converged).count() as u64;
            let worst = report.steps.iter().map(|step| step.residual).fold(0.0, f64::max);
            let steps = counted(left, "step");
            run.warn(format!("{steps} did not reach the tolerance: residual {worst:.1e} of the first"));
        }
        let how = match report.iterations {
            0 => format!("{} solver", report.solver),
            iterations => counted(iterations as u64, "iteration"),
        };
        run.say(format!("time step {:.6e}: {how}", report.time_step));
        if report.held > 0 {
            let held = counted(report.held, "vertex");
            run.say(format!("{held} held back, so that no faces intersect (--no-self-intersections)"));
        }
        let (before, after) = (seen.before, seen.after);
        let left = run.phase("area", || Shrinkage::between(before, after));
        let hint = match options.keep_volume {
            true => "a smaller --time-step moves it less",
            false => "a smaller --time-step moves it less, --keep-volume keeps the size of a closed one",
        };
        if left.collapsed > 0 {
            let (collapsed, parts) = (left.collapsed, counted(left.parts as u64, "component"));
            run.warn(format!("{collapsed} of {parts} shrank to less than a hundredth of the area: {hint}"));
        } else {
            let change = Change::between(Shape::of(before), Shape::of(after), None, Parts::Stay);
            change.warn(run.log(), hint);
        }
        let ways = before.positions.iter().zip(&after.positions).map(|(a, b)| a.distance(*b));
        Map::from_iter([
            ("area".to_owned(), json!(left.area)),
            ("greatest_displacement".to_owned(), json!(ways.fold(0.0, f64::max))),
        ])
    }
}

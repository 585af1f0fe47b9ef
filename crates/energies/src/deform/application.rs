//! Deformation as an application.
use super::options::DeformOptions;
use super::run::{DeformReport, deform};
use crate::host::report::Ended;
use ribbonmesh::Surface;
use ribbonmesh_application::{Application, Changes, Docs, Failure, Need, Run, Seen, Traits, counted};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The application `deform`.
pub struct Deform;

/// The report of a run.
#[derive(Serialize)]
pub struct Report {
    /// Vertices that are held.
    handles: usize,
    converged: bool,
    iterations: usize,
    /// Iterations of conjugate gradients in all of them.
    linear_iterations: usize,
    /// The energy at the beginning and at the end.
    energy: [f64; 2],
    /// The last gradient divided by the first.
    gradient: f64,
}
impl Report {
    fn new(DeformReport { handles, minimum }: &DeformReport) -> Self {
        let ends = |of: &[f64]| [of.first(), of.last()].map(|x| x.copied().unwrap_or(0.0));
        let [first, last] = ends(&minimum.gradients);
        Self {
            handles: *handles,
            converged: minimum.ended != Ended::Iterations,
            iterations: minimum.iterations,
            linear_iterations: minimum.linear_iterations,
            energy: ends(&minimum.energies),
            gradient: if first > 0.0 { last / first } else { 0.0 },
        }
    }
}

impl Application for Deform {
    const NAME: &'static str = "deform";
    const DOCS: Docs = Docs {
        title: "Deform a mesh by moving some of its vertices, as rigidly as possible",
        about: "Vertices that are named go to given positions, all others follow such that the surface around each is \
                turned rather than stretched: a minimum of the as-rigid-as-possible energy over spokes and rims \
                (Sorkine and Alexa 2007; Chao et al. 2010). Each part of the mesh needs a handle.",
        notes: "Vertices and faces keep their order; vertices without faces stay.",
        examples: &[
            "ribbonmesh deform dragon.ply --handles \"0;100:0,0,1.5\" -o bent.ply",
            "ribbonmesh deform dragon.ply --handles \"0;7;100:0,0,1.5\" -o bent.ply --tolerance 1e-3",
        ],
        python: &[
            ">>> import ribbonmesh as rm",
            r#">>> sphere = rm.generate("icosphere", 3, device="cpu")"#,
            ">>> longer = sphere.deform({0: sphere.vertices[0], 3: 2 * sphere.vertices[3]})",
            ">>> longer.report.converged",
            "True",
        ],
    };
    const TRAITS: Traits = Traits { faces: true, ..Traits::new(Changes::Positions) };
    type Options = DeformOptions;
    type Subject = Surface;
    type Report = Report;

    fn need(_: &DeformOptions) -> Need {
        Need::Triangles
    }
    fn run(
        &self,
        surface: &mut Surface,
        options: &DeformOptions,
        run: &mut Run<'_>,
    ) -> Result<Report, Failure> {
        let report = run.phase("deform", || deform(surface, options)).map_err(Failure::of)?;
        Ok(Report::new(&report))
    }
    fn summarize(
        &self,
        _: &DeformOptions,
        report: &Report,
        seen: &Seen<'_>,
        run: &mut Run<'_>,
    ) -> Map<String, Value> {
        if !report.converged {
            run.warn(format!(
                "the tolerance is not reached: the gradient is {:.1e} of the first (more --iterations)",
                report.gradient
            ));
        }
        let iterations = counted(report.iterations as u64, "iteration");
        let [before, after] = report.energy;
        run.say(format!("energy {before:.6e} to {after:.6e}: {iterations}"));
        let ways = seen.before.positions.iter().zip(&seen.after.positions).map(|(a, b)| a.distance(*b));
        Map::from_iter([("greatest_displacement".to_owned(), json!(ways.fold(0.0, f64::max)))])
    }
}

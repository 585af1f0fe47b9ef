//! Resolving intersections as an application.
use crate::resolve::{ResolveOptions, ResolveReport, resolve};
use ribbonmesh_application::{
    Application, Changes, Docs, Failure, Meshes, Need, Options, Run, Traits, counted,
};
use serde::Serialize;

/// Options of the application.
#[derive(Options, Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResolveChoice {
    /// Most attempts; each deletes more faces where the one before left intersections
    #[option(least = 1, most = 10_000)]
    pub attempts: u32,
}
impl Default for ResolveChoice {
    fn default() -> Self {
        Self { attempts: ResolveOptions::default().attempts }
    }
}

/// The application `resolve`.
pub struct Resolve;

/// The report of a run with the sizes of the result.
#[derive(Serialize)]
pub struct Report {
    vertices: usize,
    faces: usize,
    volume: Option<f64>,
    #[serde(flatten)]
    report: ResolveReport,
}

impl Application for Resolve {
    const NAME: &'static str = "resolve";
    const DOCS: Docs = Docs {
        title: "Make closed meshes that pass through themselves or each other one that does not",
        about: "The result is the surface of the volume within any of the meshes, up to the length of an edge near \
                intersections (Chentanez, Müller, Macklin and Kim 2016): faces that intersect or are inside are deleted, \
                and what is left is joined and filled. It is closed, an oriented manifold, and free of intersections, or \
                there is none. Attributes that all meshes have follow.",
        notes: "",
        examples: &[
            "ribbonmesh generate icosphere 4 -o ball.ply",
            "ribbonmesh resolve dragon.ply ball.ply -o one.ply",
            "ribbonmesh intersections one.ply",
        ],
        python: &[
            ">>> import ribbonmesh as rm",
            r#">>> ball = rm.generate("icosphere", 3, device="cpu")"#,
            r#">>> other = rm.Mesh(ball.vertices + 0.4, ball.faces, "cpu")"#,
            ">>> len(ball.resolve(other).intersections().pairs)",
            "0",
        ],
    };
    const TRAITS: Traits = Traits {
        faces: true,
        long: true,
        several: true,
        raises: &[
            (
                "NotManifoldError",
                "A mesh is not closed, not an oriented manifold, or inside out; `mesh` says which",
            ),
            ("MeshError", "Intersections are left after so many attempts, or parts would be lost"),
        ],
        ..Traits::new(Changes::Triangles)
    };
    type Options = ResolveChoice;
    type Subject = Meshes;
    type Report = Report;

    fn need(_: &ResolveChoice) -> Need {
        Need::HostAndDevice
    }
    fn run(
        &self,
        Meshes { device, mesh, others }: &mut Meshes,
        &ResolveChoice { attempts }: &ResolveChoice,
        run: &mut Run<'_>,
    ) -> Result<Report, Failure> {
        let options = ResolveOptions { attempts, ..ResolveOptions::default() };
        let mut meshes = vec![std::mem::take(mesh)];
        meshes.append(others);
        let (resolved, report) =
            run.phase("resolve", || resolve(device, &meshes, &options)).map_err(Failure::of)?;
        *mesh = resolved;
        say(&report, run);
        Ok(Report { vertices: mesh.positions.len(), faces: mesh.faces.len(), volume: mesh.volume(), report })
    }
}

/// Says what was resolved.
fn say(report: &ResolveReport, run: &mut Run<'_>) {
    let count = |n: usize, what: &str| counted(n as u64, what);
    if report.intersecting_pairs == 0 && report.faces_inside == 0 {
        run.say("nothing intersects");
    } else {
        run.say(format!(
            "{} of faces intersected: {} cut, {} inside; {} added, {} joined, {} filled",
            counted(report.intersecting_pairs, "pair"),
            count(report.faces_cut, "face"),
            report.faces_inside,
            count(report.faces_added, "face"),
            count(report.joined, "pair"),
            count(report.filled, "hole")
        ));
    }
    if !report.columns_dropped.is_empty() {
        run.note(format!("attributes left out: {}", report.columns_dropped.join(", ")));
    }
}

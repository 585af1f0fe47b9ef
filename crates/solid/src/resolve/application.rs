//! Resolving intersections as an application.
use crate::boolean::{self, BooleanOptions, Report};
use ribbonmesh_application::{Application, Changes, Docs, Failure, Need, Options, Run, Traits, Work};

/// Options of the application: none.
#[derive(Options, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResolveChoice {}

/// The application `resolve`.
pub struct Resolve;

impl Application for Resolve {
    const NAME: &'static str = "resolve";
    const DOCS: Docs = Docs {
        title: "Make meshes that pass through themselves or each other one that does not",
        about: "The result is the exact surface of the volume within any of the meshes: the union of `boolean`, of \
                one mesh or of several. That of closed meshes is closed, an oriented manifold, and free of \
                intersections. Attributes that all meshes have follow.",
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
            ("NotManifoldError", "Nothing is left of meshes of which `mesh` is open"),
            ("MeshError", "Rounding the result makes new intersections again and again"),
        ],
        ..Traits::new(Changes::Triangles)
    };
    type Options = ResolveChoice;
    type Subject = Work;
    type Report = Report;

    fn need(_: &ResolveChoice) -> Need {
        Need::Anywhere
    }
    fn run(&self, work: &mut Work, _: &ResolveChoice, run: &mut Run<'_>) -> Result<Report, Failure> {
        boolean::combine(work, &BooleanOptions::default(), run)
    }
}

//! Flipping to a Delaunay mesh as an application.
use crate::delaunay::run::flipped;
use crate::delaunay::{DelaunayOptions, DelaunayReport};
use ribbonmesh::Surface;
use ribbonmesh_application::{Application, Docs, Failure, Run, Seen, Traits, counted};
use serde_json::{Map, Value};

/// The application `delaunay`.
pub struct Delaunay;

impl Application for Delaunay {
    const NAME: &'static str = "delaunay";
    const DOCS: Docs = Docs {
        title: "Flip edges until a mesh is Delaunay",
        about: "An edge is flipped where its two opposite angles add up to more than 180 degrees. Vertices keep their \
                place and their order; a face stands where the one stood of which it was made. The mesh has to be an \
                oriented manifold, with or without boundary; --repair makes one of any mesh first.",
        notes: "",
        examples: &[
            "ribbonmesh delaunay dragon.ply -o delaunay.ply --repair",
            "ribbonmesh delaunay dragon.ply -o delaunay.ply --repair --max-normal-deviation 30",
        ],
        python: &[
            ">>> import ribbonmesh as rm",
            r#">>> rm.generate("grid", 20, device="cpu").delaunay().report.non_delaunay_after"#,
            "0",
        ],
    };
    const TRAITS: Traits = Traits { faces: false, ..Traits::improving() };
    type Options = DelaunayOptions;
    type Subject = Surface;
    type Report = DelaunayReport;

    fn run(
        &self,
        surface: &mut Surface,
        options: &DelaunayOptions,
        run: &mut Run<'_>,
    ) -> Result<DelaunayReport, Failure> {
        let (report, changed) = run.phase("flips", || flipped(surface, options))?;
        run.sample(surface)?;
        if let Some(changed) = changed {
            run.phase("attributes", || changed.put(surface))?;
        }
        Ok(report)
    }
    fn summarize(
        &self,
        _: &DelaunayOptions,
        report: &DelaunayReport,
        seen: &Seen<'_>,
        run: &mut Run<'_>,
    ) -> Map<String, Value> {
        run.say(format!(
            "{} flipped; {} not Delaunay and blocked",
            counted(report.flips, "edge"),
            counted(report.non_delaunay_after.into(), "edge"),
        ));
        if let Some(compared) = seen.compared {
            compared.say(run, "--max-normal-deviation 30 keeps it nearer");
        }
        Map::new()
    }
}

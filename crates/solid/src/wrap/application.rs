//! Wrapping as an application.
use crate::wrap::{WrapOptions, WrapReport, wrap};
use ribbonmesh::Surface;
use ribbonmesh_application::{
    Application, Change, Changes, Docs, Failure, Need, Parts, Run, Seen, Shape, Traits, counted, short,
};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The application `wrap`.
pub struct Wrap;

/// The report of a run with its options.
#[derive(Serialize)]
pub struct Report {
    resolution: u32,
    offset: f64,
    winding: bool,
    #[serde(flatten)]
    report: WrapReport,
}

impl Application for Wrap {
    const NAME: &'static str = "wrap";
    const DOCS: Docs = Docs {
        title: "Wrap any triangles in a closed surface without self-intersections",
        about: "What is within a distance of the triangles, or has a winding number of more than one half, is a volume. \
                Its surface is extracted from a grid and drawn to the triangles. The result is always a closed oriented \
                manifold with outward faces, free of intersections; sharp edges become rounder.",
        notes: "",
        examples: &[
            "ribbonmesh wrap dragon.ply -o closed.ply",
            "ribbonmesh wrap dragon.ply -o fine.ply --resolution 200",
            "ribbonmesh wrap dragon.ply -o gaps.ply --offset 3 --no-winding",
        ],
        python: &[
            ">>> import ribbonmesh as rm",
            r#">>> rm.generate("icosphere", 2, device="cpu").wrap(resolution=16).info().boundary_edges"#,
            "0",
        ],
    };
    const TRAITS: Traits = Traits { faces: true, long: true, ..Traits::new(Changes::Triangles) };
    type Options = WrapOptions;
    type Subject = Surface;
    type Report = Report;

    fn need(_: &WrapOptions) -> Need {
        Need::Triangles
    }
    fn run(
        &self,
        surface: &mut Surface,
        options: &WrapOptions,
        run: &mut Run<'_>,
    ) -> Result<Report, Failure> {
        let report = run.phase("wrap", || wrap(surface, options))?;
        let WrapOptions { resolution, offset, winding, .. } = *options;
        Ok(Report { resolution, offset, winding, report })
    }
    fn summarize(
        &self,
        _: &WrapOptions,
        Report { report, .. }: &Report,
        seen: &Seen<'_>,
        run: &mut Run<'_>,
    ) -> Map<String, Value> {
        run.say(format!(
            "{} with cubes of {}, {} of its vertices drawn to the triangles",
            counted(report.faces, "face"),
            short(report.cell),
            report.projected
        ));
        let change = Change::between(Shape::of(seen.before), Shape::of(seen.after), None, Parts::Unite);
        change.warn(run.log(), "a greater --resolution keeps it nearer");
        Map::from_iter([("volume".to_owned(), json!(seen.after.volume()))])
    }
}

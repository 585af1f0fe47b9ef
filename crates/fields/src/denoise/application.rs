//! Denoising as an application.
use crate::denoise::{DenoiseOptions, DenoiseReport, Deviation, Method, denoise};
use ribbonmesh::{Surface, TriangleMesh};
use ribbonmesh_application::{Application, Changes, Docs, Failure, Need, Run, Seen, Traits, counted};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The application `denoise`.
pub struct Denoise;

/// The report of a run, with the options that decide its meaning.
#[derive(Serialize)]
pub struct Report {
    method: &'static str,
    /// Estimated standard deviation of the noise, in mean edge lengths, and that length.
    noise: Option<f64>,
    mean_edge: Option<f64>,
    /// Whether the mesh is the surface of voxels.
    stairs: bool,
    iterations: u32,
    /// σs; with method normals.
    similarity: Option<f64>,
    /// Greatest distance that a vertex moves; with methods normals and taubin.
    farthest: Option<f64>,
    /// Vertices that went a part of their way only, or stayed; with `no_self_intersections`.
    held: u64,
    /// Edge length that defines σc; with method bilateral.
    radius: Option<&'static str>,
    scale: Option<f32>,
    /// Number of rings of each vertex that were stored, and the bytes of stored neighbours.
    stored_rings: u32,
    stored_bytes: u64,
    /// Number of vertices in each iteration whose neighbourhood extended beyond the stored rings; in all
    /// iterations, of those whose neighbourhood was cut.
    walked: Vec<u32>,
    cut: u32,
}
impl Report {
    fn new(options: &DenoiseOptions, report: DenoiseReport) -> Self {
        let bilateral = options.method == Method::Bilateral;
        Self {
            method: report.method.name(),
            noise: report.noise,
            mean_edge: report.mean_edge,
            stairs: report.stairs,
            iterations: report.iterations,
            similarity: report.similarity,
            farthest: report.farthest,
            held: report.held,
            radius: bilateral.then_some(options.radius.name()),
            scale: bilateral.then_some(options.scale),
            stored_rings: report.stored_rings,
            stored_bytes: report.stored_bytes,
            walked: report.walked,
            cut: report.cut,
        }
    }
}

impl Application for Denoise {
    const NAME: &'static str = "denoise";
    const DOCS: Docs = Docs {
        title: "Remove noise from a mesh and keep its edges",
        about: "The noise of the mesh is estimated, and decides how much is done: nothing where there is none. The \
                normals of faces are filtered (Zheng et al. 2011), then vertices follow them; other methods by \
                --method. Vertices and faces keep their order.",
        notes: "",
        examples: &[
            "ribbonmesh denoise dragon.ply -o smooth.ply",
            "ribbonmesh denoise dragon.ply -o smooth.ply --noise 0.1",
            "ribbonmesh denoise dragon.ply -o smooth.ply --method bilateral --iterations 3 --radius mean --scale 1.5",
            "ribbonmesh convert dragon.ply noisy.ply --noise 0.2 && ribbonmesh denoise noisy.ply -o smooth.ply --reference dragon.ply",
        ],
        python: &[
            ">>> import ribbonmesh as rm",
            r#">>> rm.generate("icosphere", 3, noise=0.2, device="cpu").denoise().report.noise > 0.1"#,
            "True",
        ],
    };
    const TRAITS: Traits = Traits {
        reference: Some(
            "Mesh without noise, of the same vertices: the report has the error before and after",
        ),
        ..Traits::new(Changes::Positions)
    };
    type Options = DenoiseOptions;
    type Subject = Surface;
    type Report = Report;

    fn need(options: &DenoiseOptions) -> Need {
        match options.method {
            Method::Bilateral => Need::Patches,
            Method::Normals | Method::Taubin => Need::Edges,
        }
    }
    fn run(
        &self,
        surface: &mut Surface,
        options: &DenoiseOptions,
        run: &mut Run<'_>,
    ) -> Result<Report, Failure> {
        let report = run.phase("denoise", || denoise(surface, options))?;
        Ok(Report::new(options, report))
    }
    fn summarize(
        &self,
        options: &DenoiseOptions,
        report: &Report,
        seen: &Seen<'_>,
        run: &mut Run<'_>,
    ) -> Map<String, Value> {
        let done = match (report.noise, options.noise) {
            (_, Some(noise)) => format!("noise of {noise} mean edges as given"),
            (Some(noise), None) if report.stairs => {
                format!("noise of {noise:.3} mean edges: stairs of voxels")
            }
            (Some(noise), None) => format!("noise of {noise:.3} mean edges estimated"),
            (None, None) => "noise not estimated".to_owned(),
        };
        let similarity = report.similarity.map_or_else(String::new, |sigma| format!(", σs {sigma:.2}"));
        let iterations = counted(u64::from(report.iterations), "iteration");
        run.say(format!("{done}: {}, {iterations}{similarity}", report.method));
        if report.held > 0 {
            let held = counted(report.held, "vertex");
            run.say(format!("{held} held back, so that no faces intersect (--no-self-intersections)"));
        }
        if report.cut > 0 {
            let balls = counted(u64::from(report.cut), "neighbourhood");
            run.note(format!("{balls} cut: edges are very unequal, or --scale is large"));
        }
        let (faces, origin) = (&seen.before.faces, seen.before.local_origin());
        let points = |mesh: &TriangleMesh| mesh.points_around(origin);
        let (before, after) = (points(seen.before), points(seen.after));
        let way = Deviation::between(faces, &before, &after);
        let errors = seen.reference.map(|reference| {
            let reference = points(reference);
            [&before, &after].map(|points| Deviation::between(faces, &reference, points))
        });
        if let Some([a, b]) = errors {
            run.tell(format!(
                "from the reference: {:.3e} along its normals, was {:.3e}; faces turned by {:.2}°, was {:.2}°",
                b.offset_rms, a.offset_rms, b.normal_angle, a.normal_angle
            ));
        }
        Map::from_iter([
            ("moved_rms".to_owned(), json!(way.distance_rms)),
            ("moved_max".to_owned(), json!(way.distance_max)),
            ("before".to_owned(), json!(errors.map(|[before, _]| before))),
            ("after".to_owned(), json!(errors.map(|[_, after]| after))),
        ])
    }
}

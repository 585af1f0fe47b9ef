//! Booleans as an application.
use crate::boolean::rounds::MOST;
use crate::boolean::scene::volume;
use crate::boolean::{BooleanError, BooleanOptions, BooleanReport, Opening, Operation};
use crate::boolean::{boolean, boolean_surface};
use crate::inside::InsideTest;
use ribbonmesh::{Error, Surface};
use ribbonmesh_application::{
    Application, Changes, Docs, Failure, Meshes, Need, Options, Run, Surfaces, Traits, Work, counted,
};
use serde::Serialize;

/// Rounds of mending that merge vertices closer than 2⁻¹¹ of the largest coordinate.
const FINE: u32 = 6;

/// Options of the application.
#[derive(Options, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BooleanChoice {
    /// Volume that the result encloses
    pub op: Operation,
    /// Add to each face of the result the index of its mesh and of its face there, as columns `input_mesh`
    /// and `input_face`
    pub provenance: bool,
}

/// The application `boolean`.
pub struct Boolean;

/// The report of a run with the sizes of the result.
#[derive(Serialize)]
pub struct Report {
    vertices: usize,
    faces: usize,
    volume: Option<f64>,
    #[serde(flatten)]
    report: BooleanReport,
}

impl Application for Boolean {
    const NAME: &'static str = "boolean";
    const DOCS: Docs = Docs {
        title: "Combine meshes: union, intersection, difference, symmetric difference",
        about: "Faces are cut where meshes cross, with exact predicates; the parts that enclose the result are \
                kept. Meshes may touch, coincide in faces, pass through themselves and have cavities. Vertices \
                of the meshes stay; those where faces cross are rounded to single precision, and what \
                rounding lets intersect is cut again. The result of closed meshes is closed, an oriented \
                manifold, and free of intersections. Parts of meshes with holes are chosen by generalised \
                winding numbers, with a warning. Attributes that all meshes have follow.",
        notes: "",
        examples: &[
            "ribbonmesh generate icosphere 4 -o ball.ply",
            "ribbonmesh boolean dragon.ply ball.ply --op difference -o bitten.ply",
            "ribbonmesh intersections bitten.ply",
        ],
        python: &[
            ">>> import ribbonmesh as rm",
            r#">>> ball = rm.generate("icosphere", 3, device="cpu")"#,
            r#">>> other = rm.Mesh(ball.vertices + 0.4, ball.faces, "cpu")"#,
            r#">>> lens = ball.boolean(other, op="intersection")"#,
            ">>> len(lens.intersections().pairs)",
            "0",
        ],
    };
    const TRAITS: Traits = Traits {
        faces: true,
        long: true,
        several: true,
        raises: &[("MeshError", "Rounding the result makes new intersections again and again")],
        ..Traits::new(Changes::Triangles)
    };
    type Options = BooleanChoice;
    type Subject = Work;
    type Report = Report;

    fn need(_: &BooleanChoice) -> Need {
        Need::Anywhere
    }
    fn run(
        &self,
        work: &mut Work,
        &BooleanChoice { op, provenance }: &BooleanChoice,
        run: &mut Run<'_>,
    ) -> Result<Report, Failure> {
        let options = BooleanOptions { operation: op, provenance, ..BooleanOptions::default() };
        combine(work, &options, run)
    }
}

/// Combines the meshes of a run into the first one, and says what was cut.
pub(crate) fn combine(
    work: &mut Work,
    options: &BooleanOptions,
    run: &mut Run<'_>,
) -> Result<Report, Failure> {
    let report = match work {
        Work::Meshes(Meshes { device, mesh, others }) => {
            let mut meshes = vec![std::mem::take(mesh)];
            meshes.append(others);
            let (combined, report) =
                run.phase("boolean", || boolean(device, &meshes, options)).map_err(Failure::of)?;
            *mesh = combined;
            let volume = if report.open.is_empty() { Some(mesh.signed_volume()) } else { mesh.volume() };
            Report { vertices: mesh.positions.len(), faces: mesh.faces.len(), volume, report }
        }
        Work::Surfaces(Surfaces { surface, others }) => {
            let others = std::mem::take(others);
            let done = run.phase("boolean", || boolean_surface(surface, others, options));
            of_surface(surface, done.map_err(Failure::of)?).map_err(Failure::of)?
        }
        Work::Surface(surface) => {
            let done = run.phase("boolean", || boolean_surface(surface, vec![], options));
            of_surface(surface, done.map_err(Failure::of)?).map_err(Failure::of)?
        }
        Work::Mesh(_) => return Err(Error::Invalid("meshes are combined beside a device".into()).into()),
    };
    say(&report.report, run);
    let changed = report.report.volume_changed;
    if changed.abs() > MOST * report.volume.unwrap_or(f64::INFINITY).abs() {
        run.warn(format!("mending has changed the volume of the result by {changed:.3e}"));
    }
    if report.faces == 0 {
        run.note("the result is empty".to_owned());
    }
    Ok(report)
}

/// The report with the sizes of a surface.
fn of_surface(surface: &Surface, report: BooleanReport) -> Result<Report, BooleanError> {
    let closed = report.open.is_empty() || InsideTest::of_surface(surface)?.is_closed()?;
    let triangles = surface.triangles();
    let volume = if closed { Some(volume(triangles.positions(), triangles.faces())?) } else { None };
    let (vertices, faces) = (triangles.positions().len(), triangles.faces().len() / 3);
    Ok(Report { vertices, faces, volume, report })
}

/// Says what was cut.
fn say(report: &BooleanReport, run: &mut Run<'_>) {
    run.say(format!(
        "{} of faces intersected; {} added where faces cross{}",
        counted(report.intersecting_pairs as u64, "pair"),
        counted(report.vertices_added as u64, "vertex"),
        report.volumes.map_or(String::new(), |count| format!("; {} in all", counted(count as u64, "volume"))),
    ));
    for Opening { mesh, at: [x, y, z] } in &report.open {
        run.warn(format!(
            "mesh {mesh} is open at ({x}, {y}, {z}), so that generalised winding numbers choose the parts, and \
             the result may be open; `fill`, `repair` or `clean` close it"
        ));
    }
    for mesh in &report.turned {
        run.note(format!("mesh {mesh} was inside out, and was turned"));
    }
    if report.rounds > 0 {
        let mended = format!(
            "rounding made intersections, which {} mended; vertices there became one that were up to {} apart",
            counted(u64::from(report.rounds), "round"),
            report.merged
        );
        if report.rounds > FINE { run.warn(mended) } else { run.note(mended) }
    }
    if !report.columns_dropped.is_empty() {
        run.note(format!("attributes left out: {}", report.columns_dropped.join(", ")));
    }
}

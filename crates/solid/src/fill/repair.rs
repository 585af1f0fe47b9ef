//! Repair, which can fill holes at its end, as an application.
use crate::fill::{FillOptions, FillReport, fill_holes, fill_surface, summarize};
use crate::repair::{
    RepairOptions, RepairReport, STITCH, StitchReport, boundary_of, isolated_in, manifold_violations,
    repair_and_stitch, repair_and_stitch_surface, repair_mesh, repair_surface,
};
use ribbonmesh_application::{
    Application, Changes, Docs, Failure, Length, LengthOrZero, Need, Options, Place, Run, Traits, Work,
    counted,
};
use ribbonmesh_mesh::TriangleMesh;
use serde::Serialize;

/// Options of the application, with lengths that may depend on the mesh.
#[derive(Options, Clone, Copy, Debug, Default, PartialEq)]
pub struct RepairChoice {
    /// First make vertices one that are at most this far apart; 0: those at the same place
    pub weld: Option<LengthOrZero>,
    /// Drop faces without area; where neighbours remain, this leaves a boundary
    pub remove_zero_area: bool,
    /// Drop components of fewer faces than this, and their vertices
    #[option(unit = "BELOW", default_hidden)]
    pub remove_components: u32,
    /// Remove vertices without a face
    pub remove_isolated: bool,
    /// At the end, fill holes of at most this many edges; before that, close cracks and T-junctions, up to
    /// the distance of `--weld` or a hundred-thousandth of the diagonal
    #[option(unit = "UP-TO")]
    pub fill_holes: Option<u32>,
    /// Only look whether anything needs repair, which is then an error
    #[option(conflicts(weld, remove_zero_area, remove_components, remove_isolated, fill_holes))]
    pub check: bool,
}
impl RepairChoice {
    /// The options of the library; `units` turns lengths into the units of the positions.
    fn options<E>(&self, units: impl FnOnce(Length) -> Result<f64, E>) -> Result<RepairOptions, E> {
        Ok(RepairOptions {
            weld: self.weld.map(|length| units(length.0)).transpose()?,
            remove_zero_area: self.remove_zero_area,
            remove_components: self.remove_components,
            remove_isolated: self.remove_isolated,
            // filled one by one, holes that touch stay small
            keep_touching: self.fill_holes.is_some(),
        })
    }
}

/// The application `repair`.
pub struct Repair;

/// The report of a run.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Report {
    /// Of a mesh that needs no repair, and was only looked at.
    Sound {},
    /// Of a mesh that was repaired.
    Repaired(Box<Mended>),
}

/// The changes to a mesh, and its sizes after them.
#[derive(Serialize)]
pub struct Mended {
    vertices: usize,
    faces: usize,
    /// Before holes are filled.
    isolated_vertices: u64,
    #[serde(flatten)]
    report: RepairReport,
    /// None unless holes were to be filled; nor are the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    stitched: Option<StitchReport>,
    /// Changes after cracks were closed and holes filled, by the numbers of then.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    repaired_again: Vec<RepairReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    filling: Option<FillReport>,
}

impl Application for Repair {
    const NAME: &'static str = "repair";
    const DOCS: Docs = Docs {
        title: "Make an oriented manifold of a mesh",
        about: "Drops degenerate and duplicate faces and folds, turns faces so that neighbours agree, and cuts what \
                cannot be oriented. At edges of more than two faces, the flattest pairs of faces stay together, so that \
                sheets pass through each other, and the rest is cut apart; so are vertices where several fans meet. \
                What remains keeps its order and its place; copies of vertices come last. Attributes follow their \
                elements. The report lists every change by the input's numbers, from 0.",
        notes: "A length is a number in the units of the positions, or 0.8x: of the input's mean edge length, or 1%: of the\n\
                diagonal of its box. With --check, the exit status is 3 if anything needs repair.",
        examples: &[
            "ribbonmesh repair dragon.ply -o repaired.ply",
            "ribbonmesh repair dragon.ply -o repaired.obj --remove-isolated --report changes.json",
            "ribbonmesh repair dragon.ply -o repaired.ply --weld 0.01% --remove-components 10",
            "ribbonmesh repair dragon.ply -o repaired.ply --fill-holes 100",
            "ribbonmesh repair dragon.ply --check",
        ],
        python: &[
            ">>> import ribbonmesh as rm",
            r#">>> flipped = rm.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], [[0, 1, 2], [1, 2, 3]], "cpu")"#,
            ">>> flipped.repair().faces.tolist()",
            "[[0, 1, 2], [1, 3, 2]]",
        ],
    };
    const TRAITS: Traits = Traits {
        looks: Some("check"),
        raises: &[("NotManifoldError", "With `--check`, if the mesh needs repair")],
        ..Traits::new(Changes::Triangles)
    };
    type Options = RepairChoice;
    type Subject = Work;
    type Report = Report;

    fn need(_: &RepairChoice) -> Need {
        Need::Anywhere
    }
    fn run(&self, work: &mut Work, options: &RepairChoice, run: &mut Run<'_>) -> Result<Report, Failure> {
        let place = work.place();
        if !options.check {
            return Ok(Report::Repaired(Box::new(mend(place, options, run)?)));
        }
        let found = run.phase("check", || match place {
            Place::Device(surface) => {
                surface.put_in_order()?;
                let triangles = surface.triangles();
                let faces = triangles.faces().try_clone()?;
                boundary_of(triangles.positions().len(), faces).map(|boundary| boundary.violations)
            }
            Place::Host(device, mesh) => manifold_violations(&device, mesh.positions.len(), &mesh.faces),
        })?;
        if found.is_empty() { Ok(Report::Sound {}) } else { Err(Failure::of(found)) }
    }
    fn verdict(report: &Report) -> Option<&'static str> {
        matches!(report, Report::Sound {}).then_some("an oriented manifold")
    }
}

/// Why no face is left.
fn nothing_left<'a>(reports: impl IntoIterator<Item = &'a RepairReport>) -> Failure {
    let removed = |report: &RepairReport| {
        !(report.components_removed.is_empty() && report.zero_area_faces_dropped.is_empty())
    };
    match reports.into_iter().any(removed) {
        true => Failure::Refused("no face is left".into()),
        false => Failure::NothingLeft,
    }
}

/// Repairs a mesh where it is, closes cracks and fills holes.
fn mend(mut place: Place<'_>, options: &RepairChoice, run: &mut Run<'_>) -> Result<Mended, Failure> {
    let chosen = match &mut place {
        Place::Device(surface) => options.options(|length| length.of_surface(surface))?,
        Place::Host(_, mesh) => options.options(|length| Ok::<f64, Failure>(length.in_units(mesh)))?,
    };
    let stitch = match (options.fill_holes, chosen.weld) {
        (None, _) => None,
        (Some(_), Some(distance)) if distance > 0.0 => Some(distance),
        _ => Some(STITCH * diagonal(&place)?),
    };
    let repaired = run.phase("repair", || match &mut place {
        Place::Device(surface) => repair_and_stitch_surface(surface, &chosen, stitch),
        Place::Host(device, mesh) => repair_and_stitch(device, mesh, &chosen, stitch)
            .map(|(done, stitched, again)| (done.report, stitched, again)),
    });
    let (report, stitched, again) = repaired.map_err(Failure::of)?;
    let mut repaired_again: Vec<RepairReport> = again.into_iter().collect();
    if sizes(&place)[1] == 0 {
        return Err(nothing_left(std::iter::once(&report).chain(&repaired_again)));
    }
    let isolated_vertices = match &place {
        Place::Device(surface) => {
            let triangles = surface.triangles();
            isolated_in(triangles.positions().len(), triangles.faces())?
        }
        Place::Host(_, mesh) => isolated(mesh),
    };
    run.say(in_words(&report, isolated_vertices));
    if !stitched.is_empty() {
        run.say(stitched_in_words(&stitched));
    }
    let filling = match options.fill_holes {
        None => None,
        Some(up_to) => {
            let options = FillOptions { up_to: Some(up_to), ..FillOptions::default() };
            let filled = run.phase("fill", || match &mut place {
                Place::Device(surface) => fill_surface(surface, &options),
                Place::Host(device, mesh) => fill_holes(device, mesh, &options),
            });
            Some(filled.map_err(Failure::of)?)
        }
    };
    if filling.as_ref().is_some_and(|report| report.left > 0) {
        // vertices at which holes touch that are left
        let usual = RepairOptions::default();
        let again = run.phase("repair", || match &mut place {
            Place::Device(surface) => repair_surface(surface, &usual),
            Place::Host(device, mesh) => repair_mesh(device, mesh, &usual).map(|done| done.report),
        });
        repaired_again.push(again.map_err(Failure::of)?);
    }
    repaired_again.retain(|report| !report.is_empty());
    for report in &repaired_again {
        run.say(format!("then {}", in_words(report, 0)));
    }
    if let Some(report) = &filling {
        summarize(report, run.log());
    }
    let [vertices, faces] = sizes(&place);
    let stitched = stitch.map(|_| stitched);
    Ok(Mended { vertices, faces, isolated_vertices, report, stitched, repaired_again, filling })
}

/// Numbers of vertices and faces.
fn sizes(place: &Place<'_>) -> [usize; 2] {
    match place {
        Place::Device(surface) => {
            let triangles = surface.triangles();
            [triangles.positions().len(), triangles.faces().len() / 3]
        }
        Place::Host(_, mesh) => [mesh.positions.len(), mesh.faces.len()],
    }
}

/// The diagonal of the box around the vertices that faces have; 0 without faces.
fn diagonal(place: &Place<'_>) -> Result<f64, Failure> {
    Ok(match place {
        Place::Device(surface) if surface.triangles().faces().is_empty() => 0.0,
        Place::Device(surface) => surface.extent("the mesh to repair")?.diagonal,
        Place::Host(_, mesh) => mesh.bounding_box().map_or(0.0, |bounds| bounds.diagonal()),
    })
}

/// Vertices without a face.
fn isolated(mesh: &TriangleMesh) -> u64 {
    let mut used = vec![false; mesh.positions.len()];
    mesh.faces.as_flattened().iter().for_each(|&v| used[v as usize] = true);
    used.iter().filter(|used| !**used).count() as u64
}

/// Describes what was stitched.
pub fn stitched_in_words(stitched: &StitchReport) -> String {
    format!(
        "cracks closed: {} of boundaries welded, {} split",
        counted(stitched.vertices_welded as u64, "vertex"),
        counted(stitched.edges_split as u64, "edge")
    )
}

/// The changes, counted, in words.
fn in_words(report: &RepairReport, isolated: u64) -> String {
    let counts = report.counts().into_iter();
    let words: Vec<String> =
        counts.map(|(n, one, many)| format!("{n} {}", if n == 1 { one } else { many })).collect();
    let done =
        if words.is_empty() { "nothing to repair".into() } else { format!("repaired: {}", words.join(", ")) };
    if isolated == 0 {
        return done;
    }
    format!("{done}; {} without a face kept (--remove-isolated removes them)", counted(isolated, "vertex"))
}

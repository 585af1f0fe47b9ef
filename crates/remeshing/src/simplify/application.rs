//! Simplification as an application.
use crate::simplify::{
    Bound, Order, Simplification, SimplifyChoice, SimplifyOptions, SimplifyReport, Stopped,
};
use ribbonmesh::bvh::Distance;
use ribbonmesh::{Result, Surface};
use ribbonmesh_application::{Application, Docs, Failure, Run, Seen, Traits, counted, rejections, short};
use serde::Serialize;
use serde_json::{Map, Value};

/// Attempts to stay within [`SimplifyOptions::max_error`].
const ATTEMPTS: u32 = 4;

fn attempt(surface: &mut Surface, options: &SimplifyOptions, run: &mut Run<'_>) -> Result<SimplifyReport> {
    let mut simplification = run.phase("prepare", || Simplification::new(surface, options))?;
    run.phase("simplify", || simplification.run())?;
    run.sample(surface)?;
    run.phase("attributes", || simplification.finish_into(surface))
}

/// Simplifies, and measures the distance if a largest one is given. Collapses only estimate the distance: if
/// the measured one is larger, the function begins again with a smaller bound. Returns the distance if it was
/// measured.
///
/// # Errors
/// The errors of [`simplify`](crate::simplify::simplify).
pub fn simplify_within(
    surface: &mut Surface,
    options: &SimplifyOptions,
    run: &mut Run<'_>,
) -> Result<(SimplifyReport, Option<Distance>)> {
    if options.max_error.is_none() {
        return Ok((attempt(surface, options, run)?, None));
    }
    let original = surface.try_clone()?;
    run.measuring.get_or_insert_default();
    let mut options = options.clone();
    let mut allowed = None;
    let mut count = 1;
    loop {
        let mut report = attempt(surface, &options, run)?;
        let distance = run.measure(surface)?;
        let bound = report.max_error;
        report.max_error = *allowed.get_or_insert(bound);
        let found = distance.as_ref().map(|distance| distance.symmetric.hausdorff);
        let (Some(bound), Some(wanted), Some(found)) = (bound, report.max_error, found) else {
            return Ok((report, distance));
        };
        if found <= wanted {
            return Ok((report, distance));
        }
        let (found_in_words, wanted_in_words) = (short(found), short(wanted));
        if count == ATTEMPTS {
            run.fall_short(format!(
                "the surfaces are {found_in_words} from each other, more than --max-error {wanted_in_words} allows"
            ));
            return Ok((report, distance));
        }
        let next = 0.95 * bound * wanted / found;
        run.note(format!(
            "measured a distance of {found_in_words}, more than the {wanted_in_words} that --max-error allows: again with {}",
            short(next)
        ));
        options.max_error = Some(Bound::Absolute(next as f32));
        *surface = original.try_clone()?;
        count += 1;
    }
}

/// The application `simplify`.
pub struct Simplify;

/// The report of a run.
#[derive(Serialize)]
pub struct Report {
    #[serde(flatten)]
    report: SimplifyReport,
    /// The largest distance between the surfaces, as far as points show it; with `max_error`.
    #[serde(skip_serializing_if = "Option::is_none")]
    measured_distance: Option<Option<f64>>,
}

/// Obstacles to further collapses, as an end of a line.
fn obstacles(report: &SimplifyReport) -> String {
    let mut words = vec![];
    let features = &report.features;
    if features.edges > 0 {
        let edges = counted(features.edges, "edge");
        words.push(format!("{edges} of features and seams of attributes kept as curves"));
    }
    if features.corners > 0 {
        words.push(format!("{} kept, where curves end or meet", counted(features.corners, "corner")));
    }
    let last = report.stages.last().map(|stage| &stage.rejected);
    if last.is_some_and(|rejected| rejected.contains_key("crowded")) {
        words.push("vertices of more than 31 neighbours stay".into());
    }
    if report.contractions.is_none() {
        words.push("--topology free goes further".into());
    }
    words.iter().map(|word| format!("; {word}")).collect()
}

impl Application for Simplify {
    const NAME: &'static str = "simplify";
    const DOCS: Docs = Docs {
        title: "Simplify: fewer faces at the least cost in shape",
        about: "Edges are collapsed in the order of their quadric errors (Garland and Heckbert 1997), to a number of \
                faces, to a share of them, or as long as the two surfaces stay within a distance; with both, whichever \
                comes first. Boundary, components and holes stay, unless --topology free is given; the mesh must be an \
                oriented manifold. Vertices and faces keep the order of those of the input that they come from.",
        notes: "There are as many faces as are wanted, or one less, since most collapses take two; more if no other may be \
                collapsed.\nWhat is printed at the end is measured: lengths, angles and valences of both meshes, and how far \
                they are from each\nother. --report has these as histograms, and what each stage collapsed and rejected; -v \
                prints the stages.",
        examples: &[
            "ribbonmesh simplify dragon.ply -o small.ply --ratio 0.1",
            "ribbonmesh simplify dragon.ply -o small.ply --faces 1000 --report small.json",
            "ribbonmesh simplify dragon.ply -o near.ply --max-error 0.1%",
            "ribbonmesh simplify dragon.ply -o least.ply --faces 100 --topology free",
            "ribbonmesh simplify dragon.ply -o part.ply --ratio 0.2 --feature-angle 40 --fixed-boundary",
        ],
        python: &[
            ">>> import ribbonmesh as rm",
            r#">>> len(rm.generate("icosphere", 3, device="cpu").simplify(100))"#,
            "100",
        ],
    };
    const TRAITS: Traits = Traits::improving();
    type Options = SimplifyChoice;
    type Subject = Surface;
    type Report = Report;

    fn run(
        &self,
        surface: &mut Surface,
        options: &SimplifyChoice,
        run: &mut Run<'_>,
    ) -> std::result::Result<Report, Failure> {
        let (report, distance) = simplify_within(surface, &options.options(), run)?;
        let largest = distance.as_ref().map(|distance| distance.symmetric.hausdorff);
        Ok(Report { report, measured_distance: options.max_error.map(|_| largest) })
    }
    fn summarize(
        &self,
        _: &SimplifyChoice,
        Report { report, .. }: &Report,
        seen: &Seen<'_>,
        run: &mut Run<'_>,
    ) -> Map<String, Value> {
        for (i, stage) in report.stages.iter().enumerate() {
            run.detail(format!(
                "  stage {}: {} faces, {} selected, {} collapsed{}{}",
                i + 1,
                stage.faces,
                counted(stage.selected, "edge"),
                stage.collapsed,
                // one after the other, there are none
                match stage.rounds {
                    0 => String::new(),
                    rounds => format!(" in {}", counted(rounds.into(), "round")),
                },
                rejections(&stage.rejected)
            ));
        }
        let rounds = report.contractions.iter().flat_map(|contractions| &contractions.rounds);
        for (i, round) in rounds.enumerate() {
            run.detail(format!(
                "  round {}: {} faces, {} of {} contracted, {} no edges; {} cancelled",
                i + 1,
                round.faces,
                round.contracted,
                counted(round.pairs, "pair"),
                round.apart,
                counted(round.cancelled, "face")
            ));
        }
        let order = match report.order {
            Order::Sequence => "in sequence".to_owned(),
            _ => format!("in {}", counted(report.stages.len() as u64, "stage")),
        };
        run.say(format!(
            "{} to {}, {} {order}",
            counted(report.before.faces, "face"),
            counted(report.after.faces, "face"),
            counted(report.collapses, "collapse"),
        ));
        if let Some(contractions) = report.contractions.as_ref().filter(|done| !done.rounds.is_empty()) {
            let [before, after] = [contractions.before, contractions.after].map(|counts| {
                format!(
                    "{}, {}, {}",
                    counted(counts.components, "component"),
                    counted(counts.boundary_loops, "boundary loop"),
                    counted(counts.genus, "handle")
                )
            });
            run.say(format!(
                "across topology: {} contracted in {}, {} of them no edges; {before}, then {after}",
                counted(contractions.pairs, "pair"),
                counted(contractions.rounds.len() as u64, "round"),
                contractions.apart
            ));
        }
        if let (Stopped::NothingLeft, Some(target)) = (report.stopped, report.target_faces) {
            let after = counted(report.after.faces, "face");
            if report.max_error.is_some() {
                // with a largest distance, the run may end before it reaches the target
                run.note(format!(
                    "{after}: {target} faces were wanted, and no other edge may be collapsed within the distance"
                ));
            } else {
                run.fall_short(format!(
                    "{after}: {target} faces were wanted, and no other edge may be collapsed{}",
                    obstacles(report)
                ));
            }
        }
        if let Some(compared) = seen.compared {
            compared.say(run, "more faces, or --max-error 1%, keep it nearer");
        }
        Map::new()
    }
}

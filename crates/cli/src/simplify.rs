//! `ribbonmesh simplify`.
use crate::changing::{Measured, input, refused, rejections};
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::numbers::short;
use crate::session::Session;
use crate::words::counted;
use clap::{ArgGroup, Args};
use ribbonmesh::Device;
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_repair::RepairReport;
use ribbonmesh_simplify::{Bound, Simplifier, SimplifyOptions, SimplifyReport, Stopped, Target, Topology};
use serde::Serialize;
use std::path::PathBuf;

/// Simplify: fewer faces at the least cost in shape
///
/// Edges are collapsed in the order of their quadric errors (Garland and Heckbert 1997), to a number of faces, to a
/// share of them, or as long as the two surfaces stay within a distance; with both, whichever comes first. Boundary,
/// components and holes stay, unless --topology free is given; the mesh must be an oriented manifold. Vertices and faces keep the order of those of the
/// input that they come from.
#[derive(Args)]
#[command(group = ArgGroup::new("wanted").required(true).multiple(true).args(["faces", "ratio", "max_error"]))]
#[command(after_help = "\
There are as many faces as are wanted, or one less, since most collapses take two; more if no other may be collapsed.
What is printed at the end is measured: lengths, angles and valences of both meshes, and how far they are from each
other. --report has these as histograms, and what each stage collapsed and rejected; -v prints the stages.

Examples:
  ribbonmesh simplify dragon.ply -o small.ply --ratio 0.1
  ribbonmesh simplify dragon.ply -o small.ply --faces 1000 --report small.json
  ribbonmesh simplify dragon.ply -o near.ply --max-error 0.1%
  ribbonmesh simplify dragon.ply -o least.ply --faces 100 --topology free
  ribbonmesh simplify dragon.ply -o part.ply --ratio 0.2 --feature-angle 40 --fixed-boundary")]
pub struct Simplify {
    /// Mesh: OBJ, PLY, OFF, STL, GLB or glTF; - is standard input
    mesh: PathBuf,
    /// File to write: OBJ, PLY, OFF, STL, GLB or glTF; - is standard output
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    /// So many faces
    #[arg(long, value_name = "N", conflicts_with = "ratio")]
    faces: Option<u32>,
    /// This share of the faces, 0 to 1
    #[arg(long, value_name = "SHARE")]
    ratio: Option<f64>,
    /// How far the surfaces may be from each other: in the units of the positions, or 0.1%: of the input's diagonal
    #[arg(long, value_name = "LENGTH")]
    max_error: Option<Bound>,
    /// What may become of components, holes and tunnels: keep; or free: holes and tunnels close, small components vanish or are
    /// joined where that is needed, so that any number of faces is reached
    #[arg(long, value_name = "keep|free", default_value_t = Topology::Keep)]
    topology: Topology,
    /// Keep edges whose faces' normals have a greater angle than this [default: none]
    #[arg(long, value_name = "DEGREES")]
    feature_angle: Option<f32>,
    /// Vertices of the boundary stay as they are
    #[arg(long)]
    fixed_boundary: bool,
    /// How much the shape of boundary and features counts, beside that of faces
    #[arg(long, value_name = "FACTOR", default_value_t = SimplifyOptions::default().curve_weight)]
    curve_weight: f32,
    /// No collapse may turn a face by more
    #[arg(long, value_name = "DEGREES", default_value_t = SimplifyOptions::default().max_turn)]
    max_turn: f32,
    /// Collapse at most this share of the faces, as edges, before costs are looked at again
    #[arg(long, value_name = "SHARE", default_value_t = SimplifyOptions::default().share)]
    share: f32,
    /// Take collapses back whose faces would intersect others; intersections of the input stay
    #[arg(long)]
    no_self_intersections: bool,
    /// Make an oriented manifold of the input first, as the command repair does
    #[arg(long)]
    repair: bool,
    /// Check the mesh after every stage
    #[arg(long)]
    validate: bool,
    #[command(flatten)]
    encoding: Encoding,
}

/// Attempts to stay within `--max-error`.
const ATTEMPTS: u32 = 4;

#[derive(Serialize)]
struct Results {
    #[serde(flatten)]
    report: SimplifyReport,
    /// What was repaired; none if that was not asked for.
    repaired: Option<RepairReport>,
    #[serde(flatten)]
    measured: Measured,
}

impl Simplify {
    fn options(&self) -> SimplifyOptions {
        SimplifyOptions {
            target: self.faces.map(Target::Faces).or(self.ratio.map(Target::Ratio)),
            max_error: self.max_error,
            topology: self.topology,
            feature_angle: self.feature_angle,
            fixed_boundary: self.fixed_boundary,
            curve_weight: self.curve_weight,
            max_turn: self.max_turn,
            share: self.share,
            no_self_intersections: self.no_self_intersections,
            validate: self.validate,
            ..SimplifyOptions::default()
        }
    }
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let write = self.encoding.options(&self.output)?;
        let (loaded, repaired) = input(session, &self.mesh, &self.output, self.repair)?;
        let device = session.device()?;
        let (report, after, measured) = self.within(session, &device, &loaded)?;
        for (i, stage) in report.stages.iter().enumerate() {
            session.detail(format_args!(
                "  stage {}: {} faces, {} selected, {} collapsed in {}{}",
                i + 1,
                stage.faces,
                counted(stage.selected, "edge"),
                stage.collapsed,
                counted(stage.rounds.into(), "round"),
                rejections(&stage.rejected)
            ));
        }
        let rounds = report.contractions.iter().flat_map(|contractions| &contractions.rounds);
        for (i, round) in rounds.enumerate() {
            session.detail(format_args!(
                "  round {}: {} faces, {} of {} contracted, {} no edges; {} cancelled",
                i + 1,
                round.faces,
                round.contracted,
                counted(round.pairs, "pair"),
                round.apart,
                counted(round.cancelled, "face")
            ));
        }
        let results = Results { report, repaired, measured };
        results.say(session);
        session.results(&results);
        session.write(&self.output, &after, &write)
    }
}

impl Simplify {
    /// Simplifies, and measures the distance. Where it is larger than `--max-error`, which collapses only estimate, it
    /// begins again with a smaller bound.
    fn within(
        &self,
        session: &mut Session,
        device: &Device,
        loaded: &TriangleMesh,
    ) -> Result<(SimplifyReport, TriangleMesh, Measured), Failure> {
        let mut options = self.options();
        let mut allowed = None;
        let mut attempt = 1;
        loop {
            let mut surface = session.triangles(device, loaded)?;
            let mut simplifier = session.phase("prepare", || {
                Simplifier::new(&mut surface, &options).map_err(|error| refused(&self.mesh, loaded, error))
            })?;
            session.phase("simplify", || simplifier.run())?;
            let mut report = session.phase("attributes", || simplifier.finish_into(&mut surface))?;
            let seed = session.seed();
            let after = session.download(&surface)?;
            let measured = session.phase("measure", || Measured::of(device, seed, [loaded, &after], None))?;
            let bound = report.max_error;
            let wanted = *allowed.get_or_insert(bound);
            report.max_error = wanted;
            let (Some(bound), Some(wanted), Some(found)) = (bound, wanted, measured.largest()) else {
                return Ok((report, after, measured));
            };
            if found <= wanted {
                return Ok((report, after, measured));
            }
            let (found_in_words, wanted_in_words) = (short(found), short(wanted));
            if attempt == ATTEMPTS {
                session.fall_short(format!(
                    "the surfaces are {found_in_words} from each other, more than --max-error {wanted_in_words} allows"
                ));
                return Ok((report, after, measured));
            }
            let next = 0.95 * bound * wanted / found;
            session.note(format!(
                "measured a distance of {found_in_words}, more than the {wanted_in_words} that --max-error allows: again with {}",
                short(next)
            ));
            options.max_error = Some(Bound::Absolute(next as f32));
            attempt += 1;
        }
    }
}

impl Results {
    /// What stands in the way of collapses, as an end of a line.
    fn obstacles(&self) -> String {
        let report = &self.report;
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
    /// What changed, in a few lines.
    fn say(&self, session: &mut Session) {
        let report = &self.report;
        session.say(format_args!(
            "{} to {}, {} in {}",
            counted(report.before.faces, "face"),
            counted(report.after.faces, "face"),
            counted(report.collapses, "collapse"),
            counted(report.stages.len() as u64, "stage")
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
            session.say(format_args!(
                "across topology: {} contracted in {}, {} of them no edges; {before}, then {after}",
                counted(contractions.pairs, "pair"),
                counted(contractions.rounds.len() as u64, "round"),
                contractions.apart
            ));
        }
        if let (Stopped::NothingLeft, Some(target)) = (report.stopped, report.target_faces) {
            let after = counted(report.after.faces, "face");
            if report.max_error.is_some() {
                // whichever comes first
                session.note(format!(
                    "{after}: {target} faces were wanted, and no other edge may be collapsed within the distance"
                ));
            } else {
                session.fall_short(format!(
                    "{after}: {target} faces were wanted, and no other edge may be collapsed{}",
                    self.obstacles()
                ));
            }
        }
        self.measured.say(session, "more faces, or --max-error 1%, keep it nearer");
    }
}

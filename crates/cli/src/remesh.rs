//! `ribbonmesh remesh`.
use crate::changing::{Measured, input, refused, rejections};
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::numbers::short;
use crate::session::Session;
use crate::words::counted;
use clap::Args;
use ribbonmesh_remesh::{
    Adaptive, Boundary, ClusterOptions, ClusterReport, Density, GaveUp, Length, RemeshOptions, RemeshReport,
    Remesher, Sizes, Weights, remesh_by_clusters,
};
use ribbonmesh_repair::RepairReport;
use serde::Serialize;
use std::path::PathBuf;

/// Remesh: triangles as equilateral as possible, with edges of a given length
///
/// Isotropic remeshing (Botsch and Kobbelt 2004): in each iteration, edges longer than 4/3 of the target length are
/// split, edges shorter than 4/5 of it are collapsed, edges are flipped towards valence 6, and vertices are smoothed
/// within the surface. Boundary and several components are welcome; the mesh must be an oriented manifold. Vertices and
/// faces come out in an order of their own.
#[derive(Args)]
#[command(after_help = "\
A length is a number in the units of the positions, or 0.8x: of the input's mean edge length, or 1%: of the
diagonal of its box.
What is printed at the end is measured: lengths, angles and valences of both meshes, and how far they are from each
other. --report has these as histograms, and what each phase did and rejected; -v prints the phases.

Examples:
  ribbonmesh remesh dragon.ply -o even.ply
  ribbonmesh remesh dragon.ply -o coarse.ply --target-length 2x --iterations 5 --project
  ribbonmesh remesh dragon.ply -o coarse.ply --fast --vertices 20000
  ribbonmesh remesh dragon.ply -o part.ply --target-length 3% --feature-angle 40 --boundary fixed")]
pub struct Remesh {
    /// Mesh: OBJ, PLY, OFF, STL, GLB or glTF; - is standard input
    mesh: PathBuf,
    /// File to write: OBJ, PLY, OFF, STL, GLB or glTF; - is standard output
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    /// Target length of edges [default: 1x, at most 5%; with --fast 3x]
    #[arg(long, value_name = "LENGTH")]
    target_length: Option<Length>,
    /// Iterations [default: 3]
    #[arg(long, value_name = "N")]
    iterations: Option<u32>,
    /// Keep edges whose faces' normals have a greater angle than this, 180: none [default: 30 where such edges form curves; with
    /// --fast 50]
    #[arg(long, value_name = "DEGREES")]
    feature_angle: Option<f32>,
    /// Merge two features where edges between them are shorter than this many target lengths, 0 to 0.2: none goes farther
    /// than a tenth of the target length [default: 0.12]
    #[arg(long, value_name = "SHARE", requires = "feature_angle", conflicts_with = "fast")]
    merge_features: Option<f32>,
    /// The boundary stays as it is (fixed), its vertices move along it (slide), or to the middle of their neighbours
    #[arg(long, value_name = "fixed|slide|free", default_value_t)]
    boundary: Boundary,
    /// Move vertices back to the surface of the input
    #[arg(long)]
    project: bool,
    /// Put vertices into clusters, and join these to triangles (Valette and Chassery 2004), for a result that is a lot coarser
    /// than the input; --iterations are rounds of Lloyd's algorithm [default: 10]
    #[arg(long, conflicts_with_all = ["boundary", "project", "adaptive", "smoothing", "step",
        "weights", "validate"])]
    fast: bool,
    /// So many vertices, instead of a target length
    #[arg(long, value_name = "N", requires = "fast", conflicts_with = "target_length")]
    vertices: Option<u32>,
    /// This part of the input's vertices, instead of a target length
    #[arg(long, value_name = "R", requires = "fast", conflicts_with_all = ["target_length", "vertices"])]
    ratio: Option<f64>,
    /// Shorter edges where the surface bends, and where the surfaces would be farther apart than --tolerance; vertices
    /// are moved back to the surface of the input
    #[arg(long)]
    adaptive: bool,
    /// How far the surfaces before and after may be from each other [default: 0.2%]
    #[arg(long, value_name = "LENGTH", requires = "adaptive")]
    tolerance: Option<Length>,
    /// Shortest and longest target length, in target lengths [default: 0.25,4, and shorter where --tolerance needs it]
    #[arg(long, value_name = "SHORTEST,LONGEST", requires = "adaptive", value_parser = two_lengths)]
    range: Option<[f32; 2]>,
    /// Give --tolerance up where it takes more faces than this, about [default: four times those of the input, or of the target
    /// length everywhere]
    #[arg(long, value_name = "N", requires = "adaptive")]
    most_faces: Option<u64>,
    /// Steps of smoothing in an iteration
    #[arg(long, value_name = "N", default_value_t = RemeshOptions::default().smoothing)]
    smoothing: u32,
    /// How much of the way a vertex goes in a step of smoothing, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = RemeshOptions::default().step)]
    step: f32,
    /// How smoothing weights triangles
    #[arg(long, value_name = "area|uniform", default_value_t)]
    weights: Weights,
    /// Make an oriented manifold of the input first, as the command repair does
    #[arg(long)]
    repair: bool,
    /// Check the mesh after every phase
    #[arg(long)]
    validate: bool,
    #[command(flatten)]
    encoding: Encoding,
}

#[derive(Serialize)]
struct Results {
    #[serde(flatten)]
    report: RemeshReport,
    /// What was repaired; none if that was not asked for.
    repaired: Option<RepairReport>,
    #[serde(flatten)]
    measured: Measured,
}

#[derive(Serialize)]
struct FastResults {
    #[serde(flatten)]
    report: ClusterReport,
    /// What was repaired; none if that was not asked for.
    repaired: Option<RepairReport>,
    #[serde(flatten)]
    measured: Measured,
}

impl FastResults {
    /// What changed, in a few lines.
    fn say(&self, session: &mut Session) {
        let faces = |n: u64| counted(n, "face");
        let (before, after) = (self.report.before, self.report.after);
        session.say(format_args!(
            "{} to {}, {} vertices, {} more than asked for, target length {}",
            faces(before.faces),
            faces(after.faces),
            after.vertices,
            after.vertices.saturating_sub(self.report.asked),
            short(self.report.target_length)
        ));
        let euler = |sizes: Sizes| sizes.vertices as i64 - sizes.edges as i64 + sizes.faces as i64;
        let [was, is] = [before, after].map(euler);
        if was != is {
            session.say(format_args!(
                "Euler characteristic {was} to {is}: what is thinner than a cluster has come apart or closed"
            ));
        }
        self.measured.say(session, "more --vertices, or a shorter --target-length, keep it nearer");
    }
}

impl Remesh {
    fn options(&self) -> RemeshOptions {
        let adaptive = self.adaptive.then(|| {
            let default = Adaptive::default();
            Adaptive {
                tolerance: self.tolerance.unwrap_or(default.tolerance),
                range: self.range.unwrap_or(default.range),
                // a range that is asked for holds
                finest: self.range.map_or(default.finest, |[shortest, _]| shortest),
                most_faces: self.most_faces,
                ..default
            }
        });
        let default = RemeshOptions::default();
        RemeshOptions {
            length: self.target_length.unwrap_or(default.length),
            iterations: self.iterations.unwrap_or(default.iterations),
            feature_angle: self.feature_angle,
            merge: self.merge_features.unwrap_or(default.merge),
            boundary: self.boundary,
            project: self.project,
            adaptive,
            smoothing: self.smoothing,
            step: self.step,
            weights: self.weights,
            validate: self.validate,
            ..default
        }
    }
    fn cluster_options(&self) -> ClusterOptions {
        let default = ClusterOptions::default();
        ClusterOptions {
            density: match (self.vertices, self.ratio, self.target_length) {
                (Some(n), ..) => Density::Vertices(n),
                (None, Some(ratio), _) => Density::Ratio(ratio),
                (None, None, Some(length)) => Density::Length(length),
                (None, None, None) => default.density,
            },
            iterations: self.iterations.unwrap_or(default.iterations),
            feature_angle: self.feature_angle.or(default.feature_angle),
            ..default
        }
    }
    fn run_fast(&self, session: &mut Session) -> Result<(), Failure> {
        let write = self.encoding.options(&self.output)?;
        let (loaded, repaired) = input(session, &self.mesh, &self.output, self.repair)?;
        let device = session.device()?;
        let mut surface = session.triangles(&device, &loaded)?;
        let report = session.phase("remesh", || {
            remesh_by_clusters(&mut surface, &self.cluster_options())
                .map_err(|error| refused(&self.mesh, &loaded, error))
        })?;
        let seed = session.seed();
        let after = session.download(&surface)?;
        let target = Some(report.target_length);
        let measured = session.phase("measure", || Measured::of(&device, seed, [&loaded, &after], target))?;
        let results = FastResults { report, repaired, measured };
        results.say(session);
        session.results(&results);
        session.write(&self.output, &after, &write)
    }
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        if self.fast {
            return self.run_fast(session);
        }
        let write = self.encoding.options(&self.output)?;
        let (loaded, repaired) = input(session, &self.mesh, &self.output, self.repair)?;
        let device = session.device()?;
        let options = self.options();
        let mut surface = session.triangles(&device, &loaded)?;
        let remesher = session.phase("remesh", || {
            Remesher::finished(&mut surface, &options).map_err(|error| refused(&self.mesh, &loaded, error))
        })?;
        let report = session.phase("attributes", || remesher.finish_into(&mut surface))?;
        for (i, iteration) in report.iterations.iter().enumerate() {
            let phases = [
                ("splits", &iteration.split),
                ("collapses", &iteration.collapse),
                ("flips", &iteration.flip),
            ];
            for (name, phase) in phases {
                let rejected = rejections(&phase.rejected);
                session.detail(format_args!("  iteration {}: {} {name}{rejected}", i + 1, phase.executed));
            }
        }
        let seed = session.seed();
        let after = session.download(&surface)?;
        let target = Some(report.target_length);
        let measured = session.phase("measure", || Measured::of(&device, seed, [&loaded, &after], target))?;
        if let (Some(tolerance), Some(found)) = (report.tolerance, measured.largest())
            && found > tolerance
        {
            let cause = match (self.range, report.gave_up) {
                (_, Some(GaveUp::Faces)) => {
                    let most = report.most_faces.unwrap_or_default();
                    format!("; to keep it takes more than {most} faces (--most-faces)")
                }
                (Some(_), _) => "; --range limits how short edges become".to_owned(),
                (None, Some(GaveUp::Lengths)) => "; edges may not become shorter (--range)".to_owned(),
                (None, Some(GaveUp::Attempts)) => {
                    let attempts = counted(u64::from(report.refinements) + 1, "attempt");
                    format!("; the last of {attempts} came no nearer: --feature-angle keeps creases")
                }
                (None, None) => String::new(),
            };
            session.fall_short(format!(
                "the surfaces are {} from each other, more than --tolerance {} allows{cause}",
                short(found),
                short(tolerance)
            ));
        }
        let results = Results { report, repaired, measured };
        results.say(session);
        session.results(&results);
        session.write(&self.output, &after, &write)
    }
}

/// Two numbers, with a comma between them.
pub fn two_lengths(text: &str) -> Result<[f32; 2], String> {
    let numbers: Result<Vec<f32>, _> = text.split(',').map(|number| number.trim().parse()).collect();
    match numbers.as_deref() {
        Ok(&[shortest, longest]) => Ok([shortest, longest]),
        _ => Err("two numbers with a comma between them, such as 0.25,4".to_owned()),
    }
}

impl Results {
    /// What changed, in a few lines.
    fn say(&self, session: &mut Session) {
        let faces = |n: u64| counted(n, "face");
        let (before, after) = (self.report.before, self.report.after);
        session.say(format_args!(
            "{} to {}, target length {}",
            faces(before.faces),
            faces(after.faces),
            short(self.report.target_length)
        ));
        if let Some(angle) = self.report.kept_from.filter(|_| self.report.features.edges > 0) {
            session.say(format_args!(
                "{} kept: seams, and where faces have an angle of {angle}° or more (--feature-angle)",
                counted(self.report.features.edges, "edge")
            ));
        }
        if self.report.merged > 0 {
            session.say(format_args!(
                "features that were closer than --merge-features were merged, at {}",
                counted(self.report.merged, "vertex")
            ));
        }
        if self.report.held_back_by > 0 {
            session.say(format_args!(
                "{} of the boundary, up to {} long, stay and hold the target length back beside them",
                counted(self.report.held_back_by, "edge"),
                short(self.report.longest_fixed)
            ));
        }
        self.measured.say(session, "a shorter --target-length, or --project, keeps it nearer");
    }
}

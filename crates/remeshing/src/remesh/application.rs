//! Remeshing as an application.
use crate::remesh::{
    Adaptive, Boundary, ClusterOptions, ClusterReport, Density, GaveUp, Length, RemeshOptions, RemeshReport,
    Remesher, Sizes, Weights, remesh_by_clusters,
};
use ribbonmesh::{Result, Surface};
use ribbonmesh_application::{
    Application, Compared, Docs, Failure, Options, Run, Seen, Traits, counted, rejections, short,
};
use serde::Serialize;
use serde_json::{Map, Value};

/// Options of the application: options of isotropic remeshing and of remeshing by clusters.
#[derive(Options, Clone, Debug, PartialEq)]
#[options(check)]
pub struct RemeshChoice {
    /// Target length of edges
    #[option(positional, default = "1x, at most 5%; with --fast 3x", conflicts(vertices, ratio))]
    pub target_length: Option<Length>,
    /// Iterations
    #[option(default = "3")]
    pub iterations: Option<u32>,
    /// Keep edges whose faces' normals have a greater angle than this, 180: none
    #[option(unit = "DEGREES", default = "30 where such edges form curves; with --fast 50")]
    pub feature_angle: Option<f32>,
    /// Merge two features where edges between them are shorter than this many target lengths, 0 to 0.2: none
    /// goes farther than a tenth of the target length
    #[option(unit = "SHARE", default = "0.12", requires(feature_angle), conflicts(fast))]
    pub merge_features: Option<f32>,
    /// The boundary stays as it is (fixed), its vertices move along it (slide), or to the middle of their
    /// neighbours
    pub boundary: Boundary,
    /// Move vertices back to the surface of the input
    pub project: bool,
    /// Put vertices into clusters, and join these to triangles (Valette and Chassery 2004), for a result that
    /// is a lot coarser than the input; `--iterations` are rounds of Lloyd's algorithm
    #[option(default = "10", conflicts(boundary, project, adaptive, smoothing, step, weights, validate))]
    pub fast: bool,
    /// Number of vertices, instead of a target length
    #[option(requires(fast))]
    pub vertices: Option<u32>,
    /// Number of vertices as a part of those of the input, instead of a target length
    #[option(unit = "R", requires(fast), conflicts(vertices))]
    pub ratio: Option<f64>,
    /// Shorter edges where the surface bends, and where the surfaces would be farther apart than
    /// `--tolerance`; vertices are moved back to the surface of the input
    pub adaptive: bool,
    /// How far the surfaces before and after may be from each other
    #[option(default = "0.2%", requires(adaptive))]
    pub tolerance: Option<Length>,
    /// Shortest and longest target length, in target lengths
    #[option(
        unit = "SHORTEST,LONGEST",
        default = "0.25,4, and shorter where --tolerance needs it",
        requires(adaptive)
    )]
    pub range: Option<[f32; 2]>,
    /// Give `--tolerance` up where it takes more faces than this, about
    #[option(
        default = "four times those of the input, or of the target length everywhere",
        requires(adaptive)
    )]
    pub most_faces: Option<u64>,
    /// Steps of smoothing in an iteration
    pub smoothing: u32,
    /// How much of the way a vertex goes in a step of smoothing, 0 to 1
    #[option(unit = "SHARE")]
    pub step: f32,
    /// How smoothing weights triangles
    pub weights: Weights,
    /// Take back collapses, flips and moves that would make faces intersect others
    pub no_self_intersections: bool,
    /// Check the mesh after every phase
    pub validate: bool,
}
impl Default for RemeshChoice {
    fn default() -> Self {
        let usual = RemeshOptions::default();
        Self {
            target_length: None,
            iterations: None,
            feature_angle: usual.feature_angle,
            merge_features: None,
            boundary: usual.boundary,
            project: usual.project,
            fast: false,
            vertices: None,
            ratio: None,
            adaptive: false,
            tolerance: None,
            range: None,
            most_faces: None,
            smoothing: usual.smoothing,
            step: usual.step,
            weights: usual.weights,
            no_self_intersections: usual.no_self_intersections,
            validate: usual.validate,
        }
    }
}
impl RemeshChoice {
    /// The options of isotropic remeshing.
    pub fn options(&self) -> RemeshOptions {
        let adaptive = self.adaptive.then(|| {
            let default = Adaptive::default();
            Adaptive {
                tolerance: self.tolerance.unwrap_or(default.tolerance),
                range: self.range.unwrap_or(default.range),
                // an explicit range takes precedence over the default
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
            no_self_intersections: self.no_self_intersections,
            validate: self.validate,
            ..default
        }
    }
    /// The options of remeshing by clusters.
    pub fn cluster_options(&self) -> ClusterOptions {
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
            no_self_intersections: self.no_self_intersections,
            ..default
        }
    }
    fn check(&self) -> Result<()> {
        if self.fast { self.cluster_options().check() } else { self.options().check() }
    }
}

/// The application `remesh`.
pub struct Remesh;

/// The report of a run.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Report {
    /// Report of isotropic remeshing.
    Even(Box<RemeshReport>),
    /// Report of remeshing by clusters.
    Fast(ClusterReport),
}

impl Application for Remesh {
    const NAME: &'static str = "remesh";
    const DOCS: Docs = Docs {
        title: "Remesh: triangles as equilateral as possible, with edges of a given length",
        about: "Isotropic remeshing (Botsch and Kobbelt 2004): in each iteration, edges longer than 4/3 of the target \
                length are split, edges shorter than 4/5 of it are collapsed, edges are flipped towards valence 6, and \
                vertices are smoothed within the surface. Boundary and several components are welcome; the mesh must be \
                an oriented manifold. Vertices and faces come out in an order of their own.",
        notes: "A length is a number in the units of the positions, or 0.8x: of the input's mean edge length, or 1%: of \
                the\ndiagonal of its box.\nWhat is printed at the end is measured: lengths, angles and valences of both \
                meshes, and how far they are from each\nother. --report has these as histograms, and what each phase did \
                and rejected; -v prints the phases.",
        examples: &[
            "ribbonmesh remesh dragon.ply -o even.ply",
            "ribbonmesh remesh dragon.ply -o coarse.ply --target-length 2x --iterations 5 --project",
            "ribbonmesh remesh dragon.ply -o coarse.ply --fast --vertices 20000",
            "ribbonmesh remesh dragon.ply -o part.ply --target-length 3% --feature-angle 40 --boundary fixed",
        ],
        python: &[
            ">>> import ribbonmesh as rm",
            r#">>> ball = rm.generate("icosphere", 3, device="cpu")"#,
            r#">>> coarse = ball.remesh("2x")"#,
            ">>> len(coarse) < len(ball) / 2, coarse.report.before.faces",
            "(True, 1280)",
        ],
    };
    const TRAITS: Traits = Traits::improving();
    type Options = RemeshChoice;
    type Subject = Surface;
    type Report = Report;

    fn run(
        &self,
        surface: &mut Surface,
        options: &RemeshChoice,
        run: &mut Run<'_>,
    ) -> std::result::Result<Report, Failure> {
        if options.fast {
            let options = options.cluster_options();
            options.accept(surface)?;
            run.sample(surface)?;
            return Ok(Report::Fast(run.phase("remesh", || remesh_by_clusters(surface, &options))?));
        }
        let options = options.options();
        let remesher = run.phase("remesh", || Remesher::finished(surface, &options))?;
        run.sample(surface)?;
        Ok(Report::Even(Box::new(run.phase("attributes", || remesher.finish_into(surface))?)))
    }
    fn target_length(report: &Report) -> Option<f64> {
        Some(match report {
            Report::Even(report) => report.target_length,
            Report::Fast(report) => report.target_length,
        })
    }
    fn summarize(
        &self,
        options: &RemeshChoice,
        report: &Report,
        seen: &Seen<'_>,
        run: &mut Run<'_>,
    ) -> Map<String, Value> {
        let help = match report {
            Report::Even(report) => {
                say(options, report, seen, run);
                "a shorter --target-length, or --project, keeps it nearer"
            }
            Report::Fast(report) => {
                say_fast(report, run);
                "more --vertices, or a shorter --target-length, keep it nearer"
            }
        };
        if let Some(compared) = seen.compared {
            compared.say(run, help);
        }
        Map::new()
    }
}

/// Prints what isotropic remeshing has done, in a few lines.
fn say(options: &RemeshChoice, report: &RemeshReport, seen: &Seen<'_>, run: &mut Run<'_>) {
    for (i, iteration) in report.iterations.iter().enumerate() {
        let phases =
            [("splits", &iteration.split), ("collapses", &iteration.collapse), ("flips", &iteration.flip)];
        for (name, phase) in phases {
            let rejected = rejections(&phase.rejected);
            run.detail(format!("  iteration {}: {} {name}{rejected}", i + 1, phase.executed));
        }
    }
    if let (Some(tolerance), Some(found)) = (report.tolerance, seen.compared.and_then(Compared::largest))
        && found > tolerance
    {
        let cause = match (options.range, report.gave_up) {
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
        run.fall_short(format!(
            "the surfaces are {} from each other, more than --tolerance {} allows{cause}",
            short(found),
            short(tolerance)
        ));
    }
    let faces = |n: u64| counted(n, "face");
    let (before, after) = (report.before, report.after);
    run.say(format!(
        "{} to {}, target length {}",
        faces(before.faces),
        faces(after.faces),
        short(report.target_length)
    ));
    if let Some(angle) = report.kept_from.filter(|_| report.features.edges > 0) {
        run.say(format!(
            "{} kept: seams, and where faces have an angle of {angle}° or more (--feature-angle)",
            counted(report.features.edges, "edge")
        ));
    }
    if report.merged > 0 {
        run.say(format!(
            "features that were closer than --merge-features were merged, at {}",
            counted(report.merged, "vertex")
        ));
    }
    if report.repeats > 0 || report.held > 0 {
        let (refused, held) = (counted(report.refused(), "operation"), counted(report.held, "move"));
        run.say(format!(
            "{refused} refused, {held} held back: faces would intersect (--no-self-intersections)"
        ));
    }
    if report.held_back_by > 0 {
        run.say(format!(
            "{} of the boundary, up to {} long, stay and hold the target length back beside them",
            counted(report.held_back_by, "edge"),
            short(report.longest_fixed)
        ));
    }
}

/// Prints what remeshing by clusters has done, in a few lines.
fn say_fast(report: &ClusterReport, run: &mut Run<'_>) {
    let faces = |n: u64| counted(n, "face");
    let (before, after) = (report.before, report.after);
    run.say(format!(
        "{} to {}, {} vertices, {} more than asked for, target length {}",
        faces(before.faces),
        faces(after.faces),
        after.vertices,
        after.vertices.saturating_sub(report.asked),
        short(report.target_length)
    ));
    if report.parted > 0 || report.repeats > 0 || report.held > 0 {
        let (parted, held) = (counted(report.parted.into(), "time"), counted(report.held, "move"));
        run.say(format!(
            "clusters divided {parted}, flips taken back {}, {held} held back: faces would intersect \
             (--no-self-intersections)",
            counted(report.repeats.into(), "time")
        ));
    }
    if report.kept_pairs > 0 {
        run.say(format!(
            "{} of clusters' triangles of the input intersect and stay (--no-self-intersections)",
            counted(report.kept_pairs, "pair")
        ));
    }
    let euler = |sizes: Sizes| sizes.vertices as i64 - sizes.edges as i64 + sizes.faces as i64;
    let [was, is] = [before, after].map(euler);
    if was != is {
        run.say(format!(
            "Euler characteristic {was} to {is}: what is thinner than a cluster has come apart or closed"
        ));
    }
}

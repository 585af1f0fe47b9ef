//! `ribbonmesh track`.
use crate::encoding::Encoded;
use crate::failure::Failure;
use crate::session::Session;
use crate::words::counted;
use clap::{Args, ValueEnum, value_parser};
use ribbonmesh_io::{Format, WriteError, WriteErrorKind, WriteOptions};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_render::{Camera, Colouring, Image, Lens, RenderError, Rgb, Scene as Drawing, Style, View};
use ribbonmesh_track::{
    Boundary, Flips, Integration, Measures, Scene, SceneKind, StepReport, Subdivision, TrackOptions, Tracker,
};
use serde::Serialize;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Move a surface with a velocity, improving its triangles in each step
///
/// A scene is a surface and a velocity that are known. Each saved frame is a mesh and a picture; steps.jsonl has a line of
/// JSON for each step. Where a step fails, the frames before it are on disk.
#[derive(Args)]
#[command(after_help = "\
Scenes: curl-noise (a sheet with a boundary), curl-noise-sphere, enright, zalesak, vortex, rotation, normal-flow, mean-curvature.

Examples:
  ribbonmesh track enright -o enright --size 6 --every 50
  ribbonmesh track curl-noise -o sheet --size 80 --steps 20 --every 10
  ribbonmesh track mean-curvature -o neck --every 50 --save ply
  ribbonmesh track vortex -o vortex --integration euler --dt 0.002 --steps 100 --every 50")]
pub struct Track {
    /// Surface and velocity
    #[arg(value_name = "SCENE")]
    scene: SceneKind,
    /// Folder for frames and steps.jsonl; it must be empty, or not be there
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
    /// Steps [default: to the scene's end]
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=1_000_000))]
    steps: Option<u64>,
    /// Time step [default: the scene's]
    #[arg(long, value_name = "T")]
    dt: Option<f64>,
    /// Vertices along a side of the sheet, parts of an edge of the icosahedron, or cells in a length of 1 [default: the
    /// scene's]
    #[arg(long, value_name = "N")]
    size: Option<u32>,
    /// Save a frame every so many steps, beside the first and the last
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = value_parser!(u64).range(1..))]
    every: u64,
    /// What a frame is
    #[arg(long, value_name = "ply|png", value_enum, value_delimiter = ',', default_value = "ply,png")]
    save: Vec<Frame>,
    /// Integration of velocities
    #[arg(long, value_name = "rk4|euler", value_enum, default_value = "rk4")]
    integration: Method,
    /// Edges shorter than this part of the mean length at the beginning are collapsed
    #[arg(long, value_name = "PART", default_value_t = TrackOptions::default().shortest)]
    shortest: f32,
    /// Edges longer than this part of it are split
    #[arg(long, value_name = "PART", default_value_t = TrackOptions::default().longest)]
    longest: f32,
    /// Flip edges that are not Delaunay, or those that get shorter
    #[arg(long, value_name = "delaunay|shorter", value_enum, default_value = "delaunay")]
    flips: FlipBy,
    /// Put new vertices where the modified butterfly scheme says, or into the middle of edges
    #[arg(long, value_name = "butterfly|middle", value_enum, default_value = "butterfly")]
    subdivision: Place,
    /// Leave edges on the boundary as they are
    #[arg(long)]
    keep_boundary: bool,
    /// Move vertices, and nothing else
    #[arg(long)]
    no_improvement: bool,
    /// Check the mesh after every step
    #[arg(long)]
    validate: bool,
    /// Where pictures are seen from, as for render
    #[arg(long, value_name = "NAME|AZIMUTH,ELEVATION", default_value_t = View::ISO, allow_hyphen_values = true)]
    view: View,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Frame {
    Ply,
    Png,
}
#[derive(Clone, Copy, ValueEnum)]
enum Method {
    Rk4,
    Euler,
}
#[derive(Clone, Copy, ValueEnum)]
enum FlipBy {
    Delaunay,
    Shorter,
}
#[derive(Clone, Copy, ValueEnum)]
enum Place {
    Butterfly,
    Middle,
}

#[derive(Serialize)]
struct Results {
    scene: String,
    steps: u64,
    time: f64,
    frames: u64,
    split: u64,
    flipped: u64,
    collapsed: u64,
    before: Measures,
    after: Measures,
    /// At the end; none of surfaces with boundary.
    volume_drift: Option<f64>,
    /// The most at any step, without its sign.
    greatest_volume_drift: Option<f64>,
    least_angle: f64,
    /// Whether it ended before its last step since the surface is about to pinch.
    pinching: bool,
    /// Seconds of all steps, without frames.
    step_seconds: f64,
}

impl Track {
    fn options(&self) -> TrackOptions {
        TrackOptions {
            integration: match self.integration {
                Method::Rk4 => Integration::RungeKutta,
                Method::Euler => Integration::Euler,
            },
            shortest: self.shortest,
            longest: self.longest,
            flips: match self.flips {
                FlipBy::Delaunay => Flips::Delaunay,
                FlipBy::Shorter => Flips::Shorter,
            },
            subdivision: match self.subdivision {
                Place::Butterfly => Subdivision::Butterfly,
                Place::Middle => Subdivision::Middle,
            },
            boundary: if self.keep_boundary { Boundary::Keep } else { Boundary::Refine },
            improve: !self.no_improvement,
            validate: self.validate,
            ..TrackOptions::default()
        }
    }
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let options = self.options();
        options.check()?;
        if self.dt.is_some_and(|dt| !(dt > 0.0 && dt.is_finite())) {
            return Err(Failure::Usage("--dt: a positive number is wanted".into()));
        }
        session.keep(None, &[])?;
        let (kind, size, seed) = (self.scene, self.size, session.seed());
        let mut scene = session.phase("scene", || Scene::new(kind, size, seed))?;
        make_empty(&self.output)?;
        let dt = self.dt.unwrap_or(scene.dt);
        // as much time as the scene takes
        let steps = self.steps.unwrap_or((scene.steps as f64 * scene.dt / dt).round().clamp(1.0, 1e6) as u64);
        let device = session.device()?;
        let mut tracker =
            session.phase("begin", || Tracker::new(&device, &scene.mesh, &scene.options(&options)))?;
        for _ in 0..if options.improve { scene.settle } else { 0 } {
            session.phase("settle", || tracker.improve_only())?;
        }
        let before = tracker.begin_here()?;
        let log = self.output.join("steps.jsonl");
        let mut lines = Lines::new(&log)?;
        let mut results = Results {
            scene: kind.to_string(),
            steps: 0,
            time: 0.0,
            frames: 0,
            split: 0,
            flipped: 0,
            collapsed: 0,
            before,
            after: before,
            volume_drift: None,
            greatest_volume_drift: None,
            least_angle: before.least_angle,
            pinching: false,
            step_seconds: 0.0,
        };
        self.frame(session, &mut tracker, &mut results)?;
        let outcome = self.steps(session, (steps, dt), &mut scene, &mut tracker, &mut lines, &mut results);
        session.wrote(&log);
        results.say(session);
        if results.pinching {
            session.note(format!(
                "ended at time {:.6}: the surface is about to pinch, and this does not part surfaces",
                results.time
            ));
        }
        session.results(&results);
        outcome
    }
    /// All steps, or those before one that fails, or is about to pinch.
    fn steps(
        &self,
        session: &mut Session,
        (steps, dt): (u64, f64),
        scene: &mut Scene,
        tracker: &mut Tracker,
        lines: &mut Lines,
        results: &mut Results,
    ) -> Result<(), Failure> {
        for step in 1..=steps {
            let report = tracker.step(dt, scene.flow.as_mut())?;
            lines.put(&report)?;
            results.add(&report);
            results.pinching = scene.ends_at_pinching && report.pinching > 0;
            if results.pinching || step == steps || step % self.every == 0 {
                self.frame(session, tracker, results)?;
            }
            if results.pinching {
                break;
            }
        }
        Ok(())
    }
    /// Saves a frame.
    fn frame(
        &self,
        session: &mut Session,
        tracker: &mut Tracker,
        results: &mut Results,
    ) -> Result<(), Failure> {
        let mesh = session.phase("frame", || tracker.download())?;
        let name = |ending: &str| self.output.join(format!("frame-{:06}.{ending}", results.steps));
        if self.save.contains(&Frame::Ply) {
            let encoded = Encoded { format: Format::Ply, options: WriteOptions::default() };
            session.write(&name("ply"), &mesh, &encoded)?;
        }
        if self.save.contains(&Frame::Png) {
            let file = name("png");
            let picture = session.phase("render", || picture(&mesh, self.view))?;
            session.write_picture(&file, &picture)?;
        }
        results.frames += 1;
        Ok(())
    }
}

impl Results {
    fn add(&mut self, report: &StepReport) {
        (self.steps, self.time) = (report.step, report.time);
        self.split += report.split.executed;
        self.flipped += report.flip.executed;
        self.collapsed += report.collapse.executed;
        self.step_seconds += report.seconds;
        self.volume_drift = report.volume_drift;
        if let Some(drift) = report.volume_drift {
            self.greatest_volume_drift = Some(self.greatest_volume_drift.unwrap_or(0.0).max(drift.abs()));
        }
        if let Some(mesh) = report.mesh {
            self.after = mesh;
            self.least_angle = self.least_angle.min(mesh.least_angle);
        }
    }
    fn say(&self, session: &Session) {
        session.say(format_args!(
            "{} to time {:.6} in {:.3} s: {} to {}; {} split, {} flipped, {} collapsed",
            counted(self.steps, "step"),
            self.time,
            self.step_seconds,
            counted(self.before.faces, "face"),
            self.after.faces,
            self.split,
            self.flipped,
            self.collapsed,
        ));
        if let (Some(drift), Some(greatest)) = (self.volume_drift, self.greatest_volume_drift) {
            session.say(format_args!(
                "volume: {:+.4} % at the end, {:.4} % at most",
                100.0 * drift,
                100.0 * greatest
            ));
        }
        session.say(format_args!(
            "least angle: {:.1} degrees at the end, {:.1} at any step; mean of the least angles {:.1}",
            self.after.least_angle, self.least_angle, self.after.mean_least_angle
        ));
    }
}

/// A file of lines, each written when its step is done.
struct Lines {
    path: PathBuf,
    out: BufWriter<File>,
}
impl Lines {
    fn new(path: &Path) -> Result<Self, Failure> {
        let out = File::create(path).map_err(|cause| cannot_write(path, cause))?;
        Ok(Self { path: path.to_owned(), out: BufWriter::new(out) })
    }
    fn put(&mut self, report: &StepReport) -> Result<(), Failure> {
        let written = serde_json::to_writer(&mut self.out, report).map_err(io::Error::from);
        let written = written.and_then(|()| self.out.write_all(b"\n")).and_then(|()| self.out.flush());
        written.map_err(|cause| cannot_write(&self.path, cause))
    }
}

fn cannot_write(path: &Path, cause: io::Error) -> Failure {
    WriteError { file: path.to_owned(), kind: WriteErrorKind::Io(cause) }.into()
}

/// Makes a folder; one that is there must be empty.
fn make_empty(folder: &Path) -> Result<(), Failure> {
    if folder.exists() {
        let mut entries = fs::read_dir(folder)
            .map_err(|_| Failure::Usage(format!("{} is no folder that can be read", folder.display())))?;
        if entries.next().is_some() {
            let path = folder.display();
            return Err(Failure::Usage(format!("{path} is not empty: frames of two runs would be mixed")));
        }
    }
    fs::create_dir_all(folder).map_err(|cause| cannot_write(folder, cause))
}

/// A picture with edges, in the surface's colours.
fn picture(mesh: &TriangleMesh, view: View) -> Result<Image, RenderError> {
    let style = Style { width: 1200, height: 900, edges: 1.0, ..Style::default() };
    let colours: Option<&[Rgb]> = mesh.vertices().get("colour").ok();
    let colouring = colours.map_or(Colouring::default(), Colouring::Vertices);
    let drawing = Drawing::new(&mesh.positions, &mesh.faces).coloured(colouring);
    let camera = Camera::fit(&drawing, view, Lens::Perspective, &style)?;
    drawing.render(&camera, &style)
}

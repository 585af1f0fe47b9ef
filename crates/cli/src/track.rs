//! `ribbonmesh track`.
#[cfg(feature = "patches")]
mod patches;
mod saved;

use crate::encoding::Encoded;
use crate::failure::Failure;
use crate::frames::{Lines, frame};
use crate::resolver::{self, Resolver};
use crate::serving::{Serving, Watched};
use crate::session::Session;
use clap::{Args, ValueEnum, value_parser};
use ribbonmesh::Device;
use ribbonmesh_application::{OptionValue, counted};
use ribbonmesh_io::{Format, WriteOptions};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_render::{
    Camera, Colouring, Film, FilmFrame, Image, Lens, RenderError, Rgb, Scene as Drawing, Style, View,
};
use ribbonmesh_serve::Moment;
use ribbonmesh_track::{
    Adaptive, Boundary, Flips, Integration, Measures, Method, Scene, SceneKind, StepReport, Subdivision,
    TrackError, TrackOptions, Tracker,
};
use saved::{Folder, STEPS, Saved};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// Move a surface with a velocity, improving its triangles in each step
///
/// A scene is a known surface with a known velocity. Each saved frame is a mesh and a picture; steps.jsonl
/// has a line of JSON for each step. Where a step fails, the surface before it is on disk.
///
/// By the method grid-free surfaces that meet merge, and thin necks part, so that no two faces intersect
/// after any step.
#[derive(Args)]
#[command(after_help = "\
Scenes: curl-noise (a sheet with a boundary), curl-noise-sphere, enright, zalesak, vortex, rotation, normal-flow, mean-curvature;
by the method grid-free unless --method says otherwise: two-spheres, spheres, tangled.

Examples:
  ribbonmesh track enright -o enright --size 6 --every 100
  ribbonmesh track curl-noise -o sheet --size 80 --steps 20 --every 10
  ribbonmesh track mean-curvature -o neck --method grid-free --every 100 --save ply,png,html
  ribbonmesh track spheres -o spheres --size 50 --seed 7 --every 25
  ribbonmesh track vortex -o vortex --integration euler --dt 0.002 --steps 100 --every 100")]
pub struct Track {
    /// Surface and velocity
    #[arg(value_name = "SCENE")]
    scene: SceneKind,
    /// Folder for frames and steps.jsonl; it must be empty or not exist
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
    /// Go on from the last frame in the folder, where a run with the same command ended early
    #[arg(long)]
    resume: bool,
    /// Method where surfaces meet: nothing happens, or they merge and part [default: the scene's]
    #[arg(long, value_name = "improve|grid-free", value_enum)]
    method: Option<By>,
    /// Keep colliding parts apart, so that no two faces intersect; for the method improve
    #[arg(long)]
    collisions: bool,
    /// Keep what each component encloses as the motion alone makes it, by moving vertices along normals after
    /// each step
    #[arg(long)]
    correct_volume: bool,
    /// Steps [default: to the scene's end]
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=1_000_000))]
    steps: Option<u64>,
    /// Time step [default: the scene's]
    #[arg(long, value_name = "T")]
    dt: Option<f64>,
    /// Vertices along a side of the sheet, parts of an edge of the icosahedron, cells in a length of 1, or
    /// the number of spheres [default: the scene's]
    #[arg(long, value_name = "N")]
    size: Option<u32>,
    /// Save a frame every K steps, and the first and the last
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = value_parser!(u64).range(1..))]
    every: u64,
    /// Files of a frame; html is one page of all pictures, frames.html
    #[arg(long, value_name = "ply|png|html", value_enum, value_delimiter = ',', default_value = "ply,png")]
    save: Vec<Frame>,
    /// Integration of velocities
    #[arg(long, value_name = "rk4|euler", value_enum, default_value = "rk4")]
    integration: IntegrateBy,
    /// Edges shorter than this part of the mean length at the beginning are collapsed
    #[arg(long, value_name = "PART", default_value_t = TrackOptions::default().shortest)]
    shortest: f32,
    /// Edges longer than this part of it are split
    #[arg(long, value_name = "PART", default_value_t = TrackOptions::default().longest)]
    longest: f32,
    /// Lengths follow curvature: shorter edges where the surface bends, longer ones where it is flat
    #[arg(long)]
    adaptive: bool,
    /// How far edges may be from the surface, as a part of the mean length at the beginning [default: 0.02]
    #[arg(long, value_name = "PART", requires = "adaptive")]
    tolerance: Option<f32>,
    /// The shortest and the longest length that curvature may give, in place of the mean, as parts of it
    /// [default: 0.25,2]
    #[arg(long, value_name = "SHORTEST,LONGEST", requires = "adaptive", value_parser = <[f32; 2]>::parse)]
    range: Option<[f32; 2]>,
    /// Flip edges that are not Delaunay, or those that get shorter
    #[arg(long, value_name = "delaunay|shorter", value_enum, default_value = "delaunay")]
    flips: FlipBy,
    /// Put new vertices where the modified butterfly scheme says, or into the middle of edges
    /// [default: butterfly; middle with patches]
    #[arg(long, value_name = "butterfly|middle", value_enum)]
    subdivision: Option<Place>,
    /// Leave edges on the boundary as they are
    #[arg(long)]
    keep_boundary: bool,
    /// Move vertices without improving triangles
    #[arg(long)]
    no_improvement: bool,
    #[arg(long, value_name = "claims|patches", value_enum, default_value = "claims", help = resolver::HELP)]
    resolver: Resolver,
    /// Check the mesh after every step
    #[arg(long)]
    validate: bool,
    /// Where pictures are seen from, as for render
    #[arg(long, value_name = "NAME|AZIMUTH,ELEVATION", default_value_t = View::ISO, allow_hyphen_values = true)]
    view: View,
    #[command(flatten)]
    serving: Serving,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Frame {
    Ply,
    Png,
    Html,
}
#[derive(Clone, Copy, ValueEnum)]
enum By {
    Improve,
    GridFree,
}
#[derive(Clone, Copy, ValueEnum)]
enum IntegrateBy {
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

#[derive(Clone, Serialize, Deserialize)]
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
    /// At the end; `None` for surfaces with boundary.
    volume_drift: Option<f64>,
    /// The most at any step, without its sign.
    greatest_volume_drift: Option<f64>,
    least_angle: f64,
    /// Whether it ended before its last step since the surface is about to pinch.
    pinching: bool,
    /// Whether nothing is left of the surface.
    vanished: bool,
    /// Sums of merging and parting; `None` with the method `improve`.
    grid_free: Option<Totals>,
    /// Sums of keeping surfaces apart; `None` without `--collisions`.
    #[serde(default)]
    collisions: Option<Kept>,
    /// The work of patches, with `--resolver patches`.
    #[serde(default)]
    patches: Option<Map<String, Value>>,
    /// Seconds of all steps, without frames.
    step_seconds: f64,
}

/// Sums over all steps of merging and parting.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct Totals {
    /// At the end.
    components: u64,
    born: u64,
    merged: u64,
    died: u64,
    pinched: u64,
    /// Steps with faces that intersected, and pairs of these.
    steps_with_intersections: u64,
    pairs: u64,
    joined: u64,
    faces_cut: u64,
    faces_inside: u64,
    faces_added: u64,
    /// Steps that had to be made in parts.
    steps_in_parts: u64,
    relaxed: u64,
    removed: u64,
    /// The change of the enclosed volume by all this.
    volume_change: f64,
    tree_seconds: f64,
    search_seconds: f64,
    resolve_seconds: f64,
    relax_seconds: f64,
    delete_seconds: f64,
    fill_seconds: f64,
    exchange_seconds: f64,
}

/// Sums over all steps of keeping surfaces apart.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Kept {
    steps_with_collisions: u64,
    collisions: u64,
    impulses: u64,
    zones: u64,
    stopped: u64,
    undone: u64,
    left_out: u64,
    seconds: f64,
}

impl Track {
    fn options(&self, scene: &Scene) -> TrackOptions {
        TrackOptions {
            method: match self.method {
                None if self.collisions || self.in_patches() => Method::Improve,
                None => scene.method,
                Some(By::Improve) => Method::Improve,
                Some(By::GridFree) => Method::GridFree,
            },
            collisions: self.collisions,
            correct_volume: self.correct_volume,
            integration: match self.integration {
                IntegrateBy::Rk4 => Integration::RungeKutta,
                IntegrateBy::Euler => Integration::Euler,
            },
            shortest: self.shortest,
            longest: self.longest,
            adaptive: self.adaptive.then(|| {
                let default = Adaptive::default();
                Adaptive {
                    tolerance: self.tolerance.unwrap_or(default.tolerance),
                    range: self.range.unwrap_or(default.range),
                }
            }),
            flips: match self.flips {
                FlipBy::Delaunay => Flips::Delaunay,
                FlipBy::Shorter => Flips::Shorter,
            },
            subdivision: match self.subdivision {
                Some(Place::Butterfly) => Subdivision::Butterfly,
                None if !self.in_patches() => Subdivision::Butterfly,
                Some(Place::Middle) | None => Subdivision::Middle,
            },
            boundary: if self.keep_boundary { Boundary::Keep } else { Boundary::Refine },
            improve: !self.no_improvement,
            validate: self.validate,
            ..TrackOptions::default()
        }
    }
    fn in_patches(&self) -> bool {
        self.resolver == Resolver::Patches
    }
    /// Refuses what patches do not have.
    fn check_resolver(&self) -> Result<(), Failure> {
        if !self.in_patches() {
            return Ok(());
        }
        let refused = [
            ("method", matches!(self.method, Some(By::GridFree))),
            ("collisions", self.collisions),
            ("correct-volume", self.correct_volume),
            ("adaptive", self.adaptive),
            ("flips", matches!(self.flips, FlipBy::Shorter)),
            ("subdivision", matches!(self.subdivision, Some(Place::Butterfly))),
            ("keep-boundary", self.keep_boundary),
            ("no-improvement", self.no_improvement),
        ];
        resolver::refuse(refused.into_iter().find(|(_, given)| *given).map(|(flag, _)| flag.to_owned()))?;
        if self.scene == SceneKind::MeanCurvature {
            return Err(Failure::Usage(
                "mean-curvature: --resolver patches does not find where a surface is about to pinch".into(),
            ));
        }
        Ok(())
    }
    /// The parameters that a resumed run must have in common with the run before.
    fn parameters(&self, options: &TrackOptions, seed: u64, steps: u64, dt: f64) -> Map<String, Value> {
        let number = |x: f32| json!(f64::from(x));
        let all = [
            ("scene", json!(self.scene.to_string())),
            ("size", json!(self.size.unwrap_or(self.scene.usual_size()))),
            ("seed", json!(seed)),
            ("steps", json!(steps)),
            ("dt", json!(dt)),
            ("every", json!(self.every)),
            ("method", json!(format!("{:?}", options.method))),
            ("integration", json!(format!("{:?}", options.integration))),
            ("shortest", number(options.shortest)),
            ("longest", number(options.longest)),
            (
                "adaptive",
                json!(options.adaptive.map(|a| [a.tolerance, a.range[0], a.range[1]].map(f64::from))),
            ),
            ("flips", json!(format!("{:?}", options.flips))),
            ("subdivision", json!(format!("{:?}", options.subdivision))),
            ("boundary", json!(format!("{:?}", options.boundary))),
            ("improvement", json!(options.improve)),
            ("collisions", json!(options.collisions)),
            ("correct-volume", json!(options.correct_volume)),
            ("view", json!(self.view.to_string())),
        ];
        let resolver = self.in_patches().then_some(("resolver", json!("patches")));
        all.into_iter().chain(resolver).map(|(name, value)| (name.to_owned(), value)).collect()
    }
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        if self.dt.is_some_and(|dt| !(dt > 0.0 && dt.is_finite())) {
            return Err(Failure::Usage("--dt: a positive number is wanted".into()));
        }
        if self.collisions && matches!(self.method, Some(By::GridFree)) {
            return Err(Failure::Usage(
                "--collisions keeps surfaces apart, by the method improve; by grid-free they merge".into(),
            ));
        }
        if self.save.contains(&Frame::Html) && !self.save.contains(&Frame::Png) {
            return Err(Failure::Usage("--save html: the page is made of pictures; save png, too".into()));
        }
        if self.resume && !self.save.contains(&Frame::Ply) {
            return Err(Failure::Usage("--resume goes on from frames that are meshes; save ply, too".into()));
        }
        self.check_resolver()?;
        session.keep(None, &[])?;
        let server = self.serving.begin(session, &self.output)?;
        let (kind, size, seed) = (self.scene, self.size, session.seed());
        let mut scene = session.phase("scene", || Scene::new(kind, size, seed))?;
        let options = scene.options(&self.options(&scene));
        options.check()?;
        let dt = self.dt.unwrap_or(scene.dt);
        // as much time as the scene takes
        let steps = self.steps.unwrap_or((scene.steps as f64 * scene.dt / dt).round().clamp(1.0, 1e6) as u64);
        let parameters = self.parameters(&options, seed, steps, dt);
        let (mut tracker, folder, mut results) = match self.resume {
            true => self.go_on(session, &options, &parameters)?,
            false => self.begin(session, &scene, &options, &parameters)?,
        };
        #[cfg(feature = "patches")]
        let worked = self.in_patches().then(patches::Worked::default);
        #[cfg(feature = "patches")]
        if let Some(worked) = &worked {
            let options = session.mesh_options();
            let changes = patches::InPatches::new(tracker.device(), options, self.validate, worked);
            tracker.change_by(Box::new(changes))?;
        }
        let title = format!("track {}", self.scene);
        let mut watched = self.serving.watched(server, tracker.device(), title)?;
        watched.as_mut().map_or(Ok(()), |watched| show(watched, &mut tracker))?;
        let ends_at_pinching = scene.ends_at_pinching && options.method == Method::Improve;
        let steps = Steps { from: results.steps + 1, to: steps, dt, ends_at_pinching };
        let log = folder.file(STEPS);
        let mut lines = Lines::new(&log)?;
        let seen = (&mut tracker, &mut watched);
        let outcome = self.steps(session, &steps, &mut scene, seen, (&folder, &mut lines), &mut results);
        #[cfg(feature = "patches")]
        {
            results.patches = worked.map(|worked| worked.entries());
        }
        session.wrote(&log);
        if self.save.contains(&Frame::Html) {
            self.film(session, &folder, dt)?;
        }
        results.say(session);
        if results.pinching {
            session.note(format!(
                "ended at time {:.6}: the surface is about to pinch, and this does not part surfaces (--method grid-free does)",
                results.time
            ));
        }
        if results.vanished {
            session.note(format!("ended at time {:.6}: nothing is left of the surface", results.time));
        }
        session.results(&results);
        if let (Some(watched), Ok(())) = (watched, &outcome) {
            watched.stay(session);
        }
        outcome
    }
    /// A new run, with its first frame.
    fn begin(
        &self,
        session: &mut Session,
        scene: &Scene,
        options: &TrackOptions,
        parameters: &Map<String, Value>,
    ) -> Result<(Tracker, Folder, Results), Failure> {
        let folder = Folder::begin(&self.output, parameters)?;
        let device = session.device()?;
        // the noise of an isosurface has curvature of its own
        let plain = TrackOptions { adaptive: None, ..options.clone() };
        let settle = if options.improve { scene.settle } else { 0 };
        let first = if settle > 0 { &plain } else { options };
        let mut tracker = session.phase("begin", || Tracker::new(&device, &scene.mesh, first))?;
        for _ in 0..settle {
            session.phase("settle", || tracker.improve_only())?;
        }
        if settle > 0 && options.adaptive.is_some() {
            let given = TrackOptions { length: Some(tracker.length()), ..options.clone() };
            tracker = Tracker::new(&device, &tracker.download()?, &given)?;
            session.phase("settle", || tracker.improve_only())?;
        }
        let before = tracker.begin_here()?;
        let mut results = Results {
            scene: self.scene.to_string(),
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
            vanished: false,
            grid_free: None,
            collisions: None,
            patches: None,
            step_seconds: 0.0,
        };
        self.frame(session, &folder, &mut tracker, &mut results)?;
        Ok((tracker, folder, results))
    }
    /// The run of a folder, from its last good frame.
    fn go_on(
        &self,
        session: &mut Session,
        options: &TrackOptions,
        parameters: &Map<String, Value>,
    ) -> Result<(Tracker, Folder, Results), Failure> {
        let folder = Folder::open(&self.output, parameters)?;
        let (mesh, Saved { progress, results }) = folder.last(session)?;
        let device = session.device()?;
        let tracker = session.phase("begin", || Tracker::resume(&device, &mesh, options, &progress))?;
        session.note(format!("going on from step {}, time {:.6}", results.steps, results.time));
        Ok((tracker, folder, results))
    }
    /// All steps, or the steps before one that fails, or is about to pinch. If a step fails, the surface
    /// before it is saved.
    fn steps(
        &self,
        session: &mut Session,
        steps: &Steps,
        scene: &mut Scene,
        (tracker, watched): (&mut Tracker, &mut Option<Watched>),
        (folder, lines): (&Folder, &mut Lines),
        results: &mut Results,
    ) -> Result<(), Failure> {
        for step in steps.from..=steps.to {
            if results.pinching || results.vanished {
                break;
            }
            let report = match tracker.step(steps.dt, scene.flow.as_mut()) {
                Ok(report) => report,
                Err(error) => {
                    if is_as_before(&error) && !folder.file(&frame(results.steps, "ply")).exists() {
                        self.frame(session, folder, tracker, results)?;
                    }
                    return Err(Failure::from(error).midway("; frames and steps before it are on disk"));
                }
            };
            lines.put(&report)?;
            results.add(&report);
            results.pinching = steps.ends_at_pinching && report.pinching > 0;
            results.vanished = tracker.is_empty();
            if results.pinching || results.vanished || step == steps.to || step % self.every == 0 {
                self.frame(session, folder, tracker, results)?;
            }
            if let Some(watched) = watched {
                show(watched, tracker)?;
            }
        }
        Ok(())
    }
    /// A page of all pictures.
    fn film(&self, session: &mut Session, folder: &Folder, dt: f64) -> Result<(), Failure> {
        let captioned = |picture: PathBuf| {
            let name = picture.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
            let step: u64 = name.trim_start_matches("frame-").parse().unwrap_or_default();
            FilmFrame { caption: format!("step {step}, time {:.4}", step as f64 * dt), picture }
        };
        let frames: Vec<FilmFrame> = folder.pictures()?.into_iter().map(captioned).collect();
        let (file, title) = (folder.file("frames.html"), format!("track {}", self.scene));
        let film = Film { title: &title, frames: &frames };
        session.phase("write", || film.write(&file))?;
        session.wrote(&file);
        session.say(format_args!("wrote {}: {}", file.display(), counted(frames.len() as u64, "frame")));
        Ok(())
    }
    /// Saves a frame.
    fn frame(
        &self,
        session: &mut Session,
        folder: &Folder,
        tracker: &mut Tracker,
        results: &mut Results,
    ) -> Result<(), Failure> {
        if tracker.is_empty() {
            // no format has a mesh of nothing
            return Ok(());
        }
        let mesh = session.phase("frame", || tracker.download())?;
        let name = |ending: &str| folder.file(&frame(results.steps, ending));
        if self.save.contains(&Frame::Ply) {
            let encoded = Encoded { format: Format::Ply, options: WriteOptions::default() };
            session.write(&name("ply"), &mesh, &encoded)?;
        }
        if self.save.contains(&Frame::Png) {
            let file = name("png");
            let picture = session.phase("render", || picture(tracker.device(), &mesh, self.view))?;
            session.write_picture(&file, &picture)?;
        }
        results.frames += 1;
        let saved = Saved { progress: tracker.progress(), results: results.clone() };
        folder.add(&saved)
    }
}

/// Steps that are to be made.
struct Steps {
    from: u64,
    to: u64,
    dt: f64,
    ends_at_pinching: bool,
}

/// Whether the surface is as it was before the step that failed.
fn is_as_before(error: &TrackError) -> bool {
    matches!(
        error,
        TrackError::NotFinite { .. }
            | TrackError::TooFar { .. }
            | TrackError::Tangled { .. }
            | TrackError::InsideOut { .. }
    )
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
            if mesh.faces > 0 {
                self.least_angle = self.least_angle.min(mesh.least_angle);
            }
        }
        if let Some(found) = &report.grid_free {
            let sums = self.grid_free.get_or_insert_default();
            sums.components = found.components;
            sums.born += found.born.len() as u64;
            sums.merged += found.merged.len() as u64;
            sums.died += found.died.len() as u64;
            sums.pinched += found.pinched;
            sums.steps_with_intersections += u64::from(found.pairs > 0);
            sums.pairs += found.pairs;
            sums.joined += found.joined;
            sums.faces_cut += found.faces_cut;
            sums.faces_inside += found.faces_inside;
            sums.faces_added += found.faces_added;
            sums.steps_in_parts += u64::from(found.parts > 1);
            sums.relaxed += found.relaxed;
            sums.removed += found.removed;
            sums.volume_change += found.volume_change;
            sums.tree_seconds += found.tree_seconds;
            sums.search_seconds += found.search_seconds;
            sums.resolve_seconds += found.resolve_seconds;
            sums.relax_seconds += found.relax_seconds;
            sums.delete_seconds += found.delete_seconds;
            sums.fill_seconds += found.fill_seconds;
            sums.exchange_seconds += found.exchange_seconds;
        }
        if let Some(found) = &report.collisions {
            let sums = self.collisions.get_or_insert_default();
            sums.steps_with_collisions += u64::from(found.collisions > 0);
            sums.collisions += found.collisions;
            sums.impulses += found.impulses;
            sums.zones += found.zones;
            sums.stopped += found.stopped;
            sums.undone += found.undone;
            sums.left_out += found.left_out;
            sums.seconds += found.seconds;
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
        if let Some(sums) = &self.grid_free {
            session.say(format_args!(
                "{}: {} merged, {} born, {} died; {} cut; intersections in {}, {} of which were made in parts",
                counted(sums.components, "component"),
                sums.merged,
                sums.born,
                sums.died,
                counted(sums.pinched, "neck"),
                counted(sums.steps_with_intersections, "step"),
                sums.steps_in_parts,
            ));
        }
        if let Some(sums) = &self.collisions {
            session.say(format_args!(
                "{} in {}: {}, {}, {} stopped; {} undone, {} left out",
                counted(sums.collisions, "collision"),
                counted(sums.steps_with_collisions, "step"),
                counted(sums.impulses, "impulse"),
                counted(sums.zones, "zone"),
                counted(sums.stopped, "vertex"),
                counted(sums.undone, "phase"),
                sums.left_out,
            ));
        }
        session.say(format_args!(
            "least angle: {:.1} degrees at the end, {:.1} at any step; mean of the least angles {:.1}",
            self.after.least_angle, self.least_angle, self.after.mean_least_angle
        ));
    }
}

/// Shows the present surface, without a copy through the host, and waits while a client has paused.
fn show(watched: &mut Watched, tracker: &mut Tracker) -> Result<(), Failure> {
    let (positions, faces) = tracker.triangles()?;
    let moment = Moment::at(tracker.time()).around(tracker.origin());
    watched.show(moment.positions(positions).faces(faces))
}

/// A picture with edges, in the surface's colours.
fn picture(device: &Device, mesh: &TriangleMesh, view: View) -> Result<Image, RenderError> {
    let style = Style { width: 1200, height: 900, edges: 1.0, ..Style::default() };
    let colours: Option<&[Rgb]> = mesh.vertices().get("colour").ok();
    let colouring = colours.map_or(Colouring::default(), Colouring::Vertices);
    let drawing = Drawing::new(&mesh.positions, &mesh.faces).coloured(colouring);
    let camera = Camera::fit(&drawing, view, Lens::Perspective, &style)?;
    drawing.render(device, &camera, &style)
}

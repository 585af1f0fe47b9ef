//! `ribbonmesh elasticity --dynamic`.
use super::{Elasticity, Three, Watched, one_number};
use crate::encoding::Encoding as MeshEncoding;
use crate::failure::Failure;
use crate::frames::{Lines, begin_folder, frame};
use crate::serving;
use crate::session::Session;
use crate::volume::files::{self, Encoded, Encoding};
use clap::{Args, ValueEnum, value_parser};
use ribbonmesh::Device;
use ribbonmesh_application::short;
use ribbonmesh_fem::elasticity::{Moment as After, MotionOptions, Problem, simulate};
use ribbonmesh_serve::Moment;
use ribbonmesh_volume::{VolumeMesh, VolumeOptions};
use ribbonmesh_volume_io::VolumeData;
use serde::Serialize;
use std::path::PathBuf;
use std::time::Instant;

/// A line for each step, beside the frames.
const STEPS: &str = "steps.jsonl";

/// Options of motion.
#[derive(Args)]
pub struct Moving {
    /// Motion from rest, with large displacements: steps of implicit Euler. --move is reached at the last
    /// step; a body needs no support; --tolerance is that of each step
    #[arg(long, conflicts_with_all = ["large", "order", "precision", "preconditioner", "yield_stress"])]
    pub dynamic: bool,
    /// Time step
    #[arg(long, value_name = "T", default_value_t = 0.01, requires = "dynamic", value_parser = one_number)]
    time_step: f64,
    /// Steps
    #[arg(long, value_name = "N", default_value_t = 100, requires = "dynamic", value_parser = value_parser!(u64).range(1..=1_000_000))]
    steps: u64,
    /// Velocity at the beginning of what no support holds
    #[arg(
        long,
        value_name = "X,Y,Z",
        allow_hyphen_values = true,
        default_value = "0,0,0",
        requires = "dynamic"
    )]
    velocity: Three,
    /// Folder for frames, and steps.jsonl with a line of JSON for each step; it must be empty or not exist
    #[arg(long, value_name = "FOLDER", requires = "dynamic")]
    frames: Option<PathBuf>,
    /// Save a frame every K steps, and the first and the last
    #[arg(long, value_name = "K", default_value_t = 10, requires = "frames", value_parser = value_parser!(u64).range(1..))]
    every: u64,
    /// Files of a frame: the volume at rest with displacements and velocities (VTU), the deformed surface
    /// (PLY)
    #[arg(
        long,
        value_name = "vtu|ply",
        value_enum,
        value_delimiter = ',',
        default_value = "vtu",
        requires = "frames"
    )]
    save: Vec<Save>,
}
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Save {
    Vtu,
    Ply,
}
impl Moving {
    /// Whether it writes files in addition to the output.
    pub fn writes_more(&self) -> bool {
        self.frames.is_some()
    }
}

/// A line of steps.jsonl, and the end in the report.
#[derive(Serialize)]
struct Line {
    step: u64,
    time: f64,
    /// Of Newton's method.
    newton_steps: usize,
    /// Of conjugate gradients in these.
    iterations: usize,
    converged: bool,
    kinetic_energy: f64,
    strain_energy: f64,
    /// Of loads and gravity.
    work: f64,
    greatest_displacement: f64,
}
impl Line {
    fn of(after: &After) -> Self {
        let greatest = after.displacement.iter().map(|u| u.length()).fold(0.0, f64::max);
        Self {
            step: after.step,
            time: after.time,
            newton_steps: after.newton_steps,
            iterations: after.iterations,
            converged: after.converged,
            kinetic_energy: after.kinetic_energy,
            strain_energy: after.strain_energy,
            work: after.work,
            greatest_displacement: greatest,
        }
    }
}
#[derive(Serialize)]
struct Results {
    #[serde(flatten)]
    last: Line,
    /// Of all steps together.
    all_newton_steps: usize,
    all_iterations: usize,
    /// Steps that were not within the tolerance.
    unconverged: usize,
    frames: u64,
    /// Seconds of all steps, without frames.
    step_seconds: f64,
}

/// Files that a motion writes on its way.
struct Film<'a> {
    command: &'a Elasticity,
    volume: &'a VolumeData,
    /// For surfaces.
    mesh: Option<VolumeMesh>,
    watched: Option<Watched>,
    lines: Option<Lines>,
    encoded: Encoded,
    frames: u64,
    newton_steps: usize,
    iterations: usize,
    unconverged: usize,
}
impl Film<'_> {
    fn put(&mut self, session: &mut Session, after: &After) -> Result<(), Failure> {
        let moving = &self.command.moving;
        self.newton_steps += after.newton_steps;
        self.iterations += after.iterations;
        self.unconverged += usize::from(!after.converged);
        if let Some(lines) = &mut self.lines {
            lines.put(&Line::of(after))?;
        }
        let is_frame = after.step.is_multiple_of(moving.every) || after.step == moving.steps;
        let Some(folder) = moving.frames.as_ref().filter(|_| is_frame) else {
            return self.show(after);
        };
        if moving.save.contains(&Save::Vtu) {
            let mut volume = self.volume.clone();
            after.store(&mut volume);
            files::write(session, &folder.join(frame(after.step, "vtu")), &volume, &self.encoded)?;
        }
        if let Some(mesh) = self.mesh.as_ref().filter(|_| moving.save.contains(&Save::Ply)) {
            let file = folder.join(frame(after.step, "ply"));
            let encoded = MeshEncoding::default().options(&file)?;
            let triangles = self.command.deformed(self.volume.clone(), &after.displacement, mesh)?.0;
            session.write(&file, &triangles, &encoded)?;
        }
        self.frames += 1;
        self.show(after)
    }
    /// Shows the surface to those who watch.
    fn show(&mut self, after: &After) -> Result<(), Failure> {
        let (Some((background, device)), Some(mesh)) = (&self.watched, &self.mesh) else { return Ok(()) };
        let triangles = self.command.deformed(self.volume.clone(), &after.displacement, mesh)?.0;
        Ok(background.update(Moment::of_mesh(device, &triangles, after.time)?)?)
    }
}

impl Elasticity {
    /// Has the body move, and writes frames, the body at the end, and its surface.
    pub(super) fn simulate(
        &self,
        session: &mut Session,
        device: &Device,
        mut volume: VolumeData,
        problem: &Problem,
        encoded: &Encoded,
        watched: Option<Watched>,
    ) -> Result<(), Failure> {
        let moving = &self.moving;
        let options = MotionOptions {
            time_step: moving.time_step,
            steps: moving.steps,
            velocity: moving.velocity.0,
            tolerance: self.tolerance(),
            max_iterations: self.max_iterations(),
        };
        if let Some(folder) = &moving.frames {
            begin_folder(folder, "frames of two runs would be mixed")?;
        }
        let with_surface = self.surface.is_some() || watched.is_some() || moving.save.contains(&Save::Ply);
        let mesh = with_surface
            .then(|| volume.upload(device, volume.local_origin(), &VolumeOptions::default()))
            .transpose()
            .map_err(|error| Failure::of_file(&self.volume, error))?;
        let log = moving.frames.as_ref().map(|folder| folder.join(STEPS));
        let mut film = Film {
            command: self,
            volume: &volume,
            mesh,
            watched,
            lines: log.as_deref().map(Lines::new).transpose()?,
            encoded: Encoding::default().options("frame.vtu".as_ref())?,
            frames: 0,
            newton_steps: 0,
            iterations: 0,
            unconverged: 0,
        };
        let (mut last, mut step_seconds, mut start) = (None, 0.0, Instant::now());
        let told = simulate(device, &volume, problem, &options, |after| -> Result<(), Failure> {
            step_seconds += start.elapsed().as_secs_f64();
            film.put(session, &after)?;
            last = Some(after);
            start = Instant::now();
            Ok(())
        });
        told.map_err(|failure| Failure::of_file(&self.volume, failure))?;
        let Some(last) = last else { return Ok(()) };
        log.iter().for_each(|log| session.wrote(log));
        let results = Results {
            last: Line::of(&last),
            all_newton_steps: film.newton_steps,
            all_iterations: film.iterations,
            unconverged: film.unconverged,
            frames: film.frames,
            step_seconds,
        };
        let (mesh, watched) = (film.mesh, film.watched);
        self.say(session, &results);
        last.store(&mut volume);
        files::write(session, &self.output, &volume, encoded)?;
        if let Some((file, mesh)) = self.surface.as_ref().zip(mesh) {
            let (triangles, losses) = self.deformed(volume, &last.displacement, &mesh)?;
            files::say_losses(session, &losses);
            session.write(file, &triangles, &MeshEncoding::default().options(file)?)?;
        }
        if let Some((background, _)) = watched {
            serving::stay(background, session);
        }
        Ok(())
    }
    fn say(&self, session: &mut Session, results: &Results) {
        let Line { step, time, kinetic_energy, strain_energy, greatest_displacement, .. } = results.last;
        let [time, greatest] = [time, greatest_displacement].map(short);
        let [kinetic, strain] = [kinetic_energy, strain_energy].map(short);
        session
            .tell(&self.output, format_args!("{step} steps, time {time}; greatest displacement {greatest}"));
        session.tell(&self.output, format_args!("energy of motion {kinetic}, of strain {strain}"));
        if results.unconverged > 0 {
            session.fall_short(format!(
                "{} of {step} steps are not within the tolerance; shorter steps help",
                results.unconverged
            ));
        }
        session.results(results);
    }
}

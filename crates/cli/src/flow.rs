//! `ribbonmesh flow`.
mod placing;
mod slice;
mod watched;

use crate::failure::Failure;
use crate::frames::{Lines, begin_folder, frame};
use crate::numbers::{list, number, three};
use crate::serving::Serving;
use crate::session::Session;
use clap::{Args, ValueEnum, value_parser};
use placing::Placed;
use ribbonmesh_application::counted;
use ribbonmesh_flow::{Advection, Flow, FlowError, FlowOptions, FlowReport, Method, PoissonOptions};
use ribbonmesh_volume_io::{CellArray, CellGrid, write_vti};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Instant;
use watched::WatchedFlow;

/// A line for each step.
const STEPS: &str = "steps.jsonl";

/// Compute how smoke flows around a closed mesh in a box
///
/// Without a viscosity the fluid slips along the mesh and the walls of the box; with one it sticks to the
/// mesh, and the force on the mesh is reported. It flows in through the sides against which the inflow is
/// directed, and out through those opposite; other sides are walls. Frames have velocity, pressure and smoke
/// of all cells (VTI), and a picture of a slice. steps.jsonl has a line of JSON for each step.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh flow dragon.ply -o smoke --cells 40 --steps 10 --every 5
  ribbonmesh flow dragon.ply -o flat --flat --cells 96 --steps 20 --save png
  ribbonmesh flow dragon.ply -o fan --cells 32 --steps 4 --turn 0,0,3 --inflow 0,0,1 --slice x")]
pub struct FlowCommand {
    /// Closed mesh: OBJ, PLY, OFF, STL, GLB or glTF; - is standard input
    mesh: PathBuf,
    /// Folder for frames and steps.jsonl; it must be empty or not exist
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
    /// Cells along the longest side of the box
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = value_parser!(u32).range(8..=8192))]
    cells: u32,
    /// Lengths of the box [default: the mesh's, with its greatest length on each side, and three of them
    /// behind it]
    #[arg(long, value_name = "X,Y,Z", value_parser = three)]
    size: Option<[f64; 3]>,
    /// In two dimensions: a slice through the middle of the mesh, across z
    #[arg(long)]
    flat: bool,
    /// Velocity of the fluid that flows in, and of all at the beginning
    #[arg(long, value_name = "X,Y,Z", default_value = "1,0,0", allow_hyphen_values = true, value_parser = three)]
    inflow: [f64; 3],
    /// Kinematic viscosity, with which the fluid sticks to the mesh; 0 is none. Over it, the inflow times the
    /// size of the mesh is the Reynolds number
    #[arg(long, value_name = "NUMBER", default_value_t = 0.0, allow_negative_numbers = true)]
    viscosity: f32,
    /// Along walls of the box the fluid slips, or sticks to them, which needs a viscosity
    #[arg(long, value_name = "slip|stick", value_enum, default_value = "slip")]
    walls: Walls,
    /// Steps
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = value_parser!(u64).range(1..=1_000_000))]
    steps: u64,
    /// Time step [default: the inflow, or what moves the mesh, passes a cell]
    #[arg(long, value_name = "T")]
    time_step: Option<f64>,
    /// Save a frame every K steps, and the first and the last
    #[arg(long, value_name = "K", default_value_t = 20, value_parser = value_parser!(u64).range(1..))]
    every: u64,
    /// Files of a frame
    #[arg(long, value_name = "vti|png", value_enum, value_delimiter = ',', default_value = "vti,png")]
    save: Vec<Save>,
    /// Opposite corners of a box that is always full of smoke [default: at the inflow, as wide as the mesh]
    #[arg(long, value_name = "X,Y,Z,X,Y,Z", allow_hyphen_values = true, value_parser = six)]
    source: Option<[f64; 6]>,
    /// Acceleration of smoke
    #[arg(long, value_name = "X,Y,Z", default_value = "0,0,0", allow_hyphen_values = true, value_parser = three)]
    buoyancy: [f64; 3],
    /// Velocity of the mesh
    #[arg(long = "move", value_name = "X,Y,Z", default_value = "0,0,0", allow_hyphen_values = true, value_parser = three)]
    velocity: [f64; 3],
    /// Rotation of the mesh about the middle of its box: the axis, times radians in a unit of time
    #[arg(long, value_name = "X,Y,Z", default_value = "0,0,0", allow_hyphen_values = true, value_parser = three)]
    turn: [f64; 3],
    /// How velocities and smoke move: corrected, or once, faster and smeared
    #[arg(long, value_name = "maccormack|semi-lagrangian", value_enum, default_value = "maccormack")]
    advection: By,
    /// Solution of the pressure: conjugate gradients with multigrid, or its cycles alone
    #[arg(
        long,
        value_name = "conjugate-gradients|cycles",
        value_enum,
        default_value = "conjugate-gradients"
    )]
    solver: Solver,
    /// Residual of the pressure at which it is solved, as a part of the right-hand side
    #[arg(long, value_name = "NUMBER", default_value_t = PoissonOptions::default().tolerance)]
    tolerance: f64,
    /// Most iterations of a step
    #[arg(long, value_name = "N", default_value_t = PoissonOptions::default().iterations,
          value_parser = value_parser!(u32).range(1..=10_000))]
    max_iterations: u32,
    /// Axis across the slice of pictures, through the middle of the mesh
    #[arg(long, value_name = "x|y|z", value_enum, default_value = "z")]
    slice: Axis,
    #[command(flatten)]
    serving: Serving,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Save {
    Vti,
    Png,
}
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Walls {
    Slip,
    Stick,
}
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum By {
    #[value(name = "maccormack")]
    MacCormack,
    SemiLagrangian,
}
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Solver {
    ConjugateGradients,
    Cycles,
}
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Axis {
    X,
    Y,
    Z,
}
fn six(text: &str) -> Result<[f64; 6], String> {
    list(text, number).ok_or_else(|| format!("{text:?} is not six numbers X,Y,Z,X,Y,Z"))
}

/// A line of steps.jsonl.
#[derive(Serialize)]
struct Line {
    step: u64,
    time: f64,
    iterations: u32,
    residual: f64,
    converged: bool,
    /// Of the fluid on the mesh, over the density; in two dimensions, of a layer as thick as a cell. Only
    /// with a viscosity.
    #[serde(skip_serializing_if = "Option::is_none")]
    force: Option<[f64; 3]>,
}
#[derive(Serialize)]
struct Results {
    cells: [u32; 3],
    /// The edge of a cell.
    edge: f64,
    /// The corner of the box with the least coordinates.
    origin: [f64; 3],
    time_step: f64,
    time: f64,
    frames: u64,
    bytes: u64,
    /// Connected parts of the fluid without an outflow.
    closed_parts: usize,
    /// The greatest component of the velocity at the end.
    speed: f32,
    /// The most that leaves a cell in a unit of time at the end, over the area of a face.
    leak: f32,
    #[serde(flatten)]
    sums: FlowReport,
    /// Seconds of all steps, without frames.
    step_seconds: f64,
}

impl FlowCommand {
    fn options(&self, placed: &Placed) -> FlowOptions {
        let single = |v: [f64; 3]| v.map(|x| x as f32);
        FlowOptions {
            cells: placed.cells,
            edge: placed.edge as f32,
            sides: placed.sides,
            inflow: single(placed.inflow),
            viscosity: self.viscosity,
            lift: single(self.buoyancy),
            source: placed.source.map(|corners| corners.map(single)),
            advection: match self.advection {
                By::MacCormack => Advection::MacCormack,
                By::SemiLagrangian => Advection::SemiLagrangian,
            },
            pressure: PoissonOptions {
                method: match self.solver {
                    Solver::ConjugateGradients => Method::ConjugateGradients,
                    Solver::Cycles => Method::Cycles,
                },
                tolerance: self.tolerance,
                iterations: self.max_iterations,
                ..PoissonOptions::default()
            },
            measure: true,
            ..FlowOptions::default()
        }
    }
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        if self.time_step.is_some_and(|dt| !(dt > 0.0 && dt.is_finite())) {
            return Err(Failure::Usage("--time-step: a positive number is wanted".into()));
        }
        session.keep(None, &[&self.mesh])?;
        let server = self.serving.begin(session, &self.output)?;
        let mesh = session.read(&self.mesh)?.mesh;
        if mesh.faces.is_empty() {
            return Err(Failure::NoFaces(self.mesh.clone()));
        }
        let placed = self.place(&mesh)?;
        let options = self.options(&placed);
        options.check()?;
        let device = session.device()?;
        device.check_room(options.count(), "cells of a flow", options.bytes())?;
        let of_mesh = |error: FlowError| match error {
            FlowError::Open | FlowError::Full => Failure::of_file(&self.mesh, error),
            error => error.into(),
        };
        let obstacle = session.phase("obstacle", || placed.obstacle(&device, &mesh).map_err(of_mesh))?;
        // with a folder only where there is something to put into it
        let mut flow =
            session.phase("begin", || Flow::new(&device, &options, Some(obstacle)).map_err(of_mesh))?;
        begin_folder(&self.output, "frames of two runs would be mixed")?;
        let [nx, ny, nz] = options.cells;
        session.say(format_args!("{nx} × {ny} × {nz} cells with edges of {:.6}", placed.edge));
        let mut watched = self.watched(server, &placed, &flow)?;
        self.steps(session, (&placed, &mut flow), &mut watched)?;
        if let Some(watched) = watched {
            watched.stay(session);
        }
        Ok(())
    }
    /// All steps, with their frames, and the report.
    fn steps(
        &self,
        session: &mut Session,
        (placed, flow): (&Placed, &mut Flow),
        watched: &mut Option<WatchedFlow>,
    ) -> Result<(), Failure> {
        let log = self.output.join(STEPS);
        let mut lines = Lines::new(&log)?;
        self.frame(session, placed, flow, 0)?;
        let (mut frames, mut step_seconds) = (1, 0.0);
        for step in 1..=self.steps {
            let start = Instant::now();
            let solve = flow
                .step(placed.time_step)
                .map_err(|error| Failure::from(error).midway("; frames and steps before it are on disk"))?;
            step_seconds += start.elapsed().as_secs_f64();
            lines.put(&Line {
                step,
                time: flow.time(),
                iterations: solve.iterations,
                residual: solve.residual,
                converged: solve.converged,
                force: if self.viscosity > 0.0 { Some(flow.force()?) } else { None },
            })?;
            if step % self.every == 0 || step == self.steps {
                self.frame(session, placed, flow, step)?;
                frames += 1;
            }
            watched.as_mut().map_or(Ok(()), |watched| watched.show(flow))?;
        }
        session.wrote(&log);
        let sums = flow.report();
        let results = Results {
            cells: placed.cells,
            edge: placed.edge,
            origin: placed.origin.to_array(),
            time_step: placed.time_step,
            time: flow.time(),
            frames,
            bytes: flow.options().bytes(),
            closed_parts: flow.closed_parts(),
            speed: flow.speed()?,
            leak: flow.leak()?,
            sums,
            step_seconds,
        };
        results.say(session);
        if sums.viscous_unconverged > 0 {
            let solves = counted(sums.viscous_unconverged, "solution");
            session.fall_short(format!(
                "{solves} of the viscosity not within the tolerance; shorter steps help"
            ));
        }
        if sums.unconverged > 0 {
            session.fall_short(format!(
                "the pressure of {} of {} is not within the tolerance ({:.1e} at most); --max-iterations allows more",
                sums.unconverged,
                counted(sums.steps, "step"),
                sums.residual
            ));
        }
        session.results(&results);
        Ok(())
    }
    /// Saves a frame.
    fn frame(&self, session: &mut Session, placed: &Placed, flow: &Flow, step: u64) -> Result<(), Failure> {
        let (smoke, velocity) =
            session.phase("frame", || Ok::<_, Failure>((flow.smoke().read()?, flow.middles()?.read()?)))?;
        if self.save.contains(&Save::Vti) {
            let factor = placed.pressure_factor();
            let mut pressure = flow.pressure().read()?;
            pressure.iter_mut().for_each(|p| *p *= factor);
            let arrays = vec![
                CellArray { name: "velocity", width: 3, values: velocity.as_flattened() },
                CellArray { name: "pressure", width: 1, values: &pressure },
                CellArray { name: "smoke", width: 1, values: &smoke },
            ];
            let (cells, origin, edge) = (placed.cells, placed.origin, placed.edge);
            let file = self.output.join(frame(step, "vti"));
            session.phase("write", || write_vti(&file, &CellGrid { cells, origin, edge, arrays }))?;
            session.wrote(&file);
            session.say(format_args!("wrote {}", file.display()));
        }
        if self.save.contains(&Save::Png) {
            let file = self.output.join(frame(step, "png"));
            let open = flow.open().read()?;
            let slice = slice::Slice::new(placed, self.slice as usize);
            let picture =
                session.phase("render", || Ok::<_, Failure>(slice.picture(&smoke, &velocity, &open)))?;
            session.write_picture(&file, &picture)?;
        }
        Ok(())
    }
}

impl Results {
    fn say(&self, session: &Session) {
        let FlowReport { steps, iterations, most_iterations, seconds, .. } = self.sums;
        session.say(format_args!(
            "{} to time {:.6} in {:.3} s; {:.1} iterations a step, {most_iterations} at most",
            counted(steps, "step"),
            self.time,
            self.step_seconds,
            iterations as f64 / steps.max(1) as f64,
        ));
        session.say(format_args!(
            "seconds: {:.3} velocities, {:.3} mesh, {:.3} viscosity, {:.3} pressure, {:.3} projection, {:.3} smoke",
            seconds.advect,
            seconds.geometry,
            seconds.viscosity,
            seconds.pressure,
            seconds.project,
            seconds.smoke,
        ));
    }
}

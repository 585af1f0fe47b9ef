//! A liquid that moves a tracked surface.
use super::liquid::{Kept, Liquid};
use super::options::GridOptions;
use super::report::GridReport;
use crate::device::follow::{PlacesOfVertices, VelocitiesOfVertices};
use ribbonmesh::device::tiles;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Device, Error, Result};
use ribbonmesh_track::{Flow, Motion, Stage};
use std::sync::{Arc, Mutex, PoisonError};

/// A report that is updated while a flow is used.
#[derive(Clone, Debug, Default)]
pub struct SharedReport(Arc<Mutex<GridReport>>);
impl SharedReport {
    /// The report of all steps so far. Steps that were undone do not count.
    pub fn get(&self) -> GridReport {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
    fn set(&self, report: GridReport) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = report;
    }
}

/// Moves the vertices of a surface with a liquid; it should be the surface of that liquid.
///
/// The liquid is made on the surface's device in the first step. Its state at the beginning of a step is
/// kept: a step that the tracker repeats in parts begins there again. If a surface begins later than the
/// liquid, for example when it is resumed, the liquid is simulated alone until then, in steps of the usual
/// length.
pub struct GridFlow {
    options: GridOptions,
    positions: Vec<Vec3>,
    velocities: Vec<Vec3>,
    dt: f64,
    state: Option<State>,
    report: SharedReport,
}
struct State {
    liquid: Liquid,
    time: f64,
    /// Time at which the step began to which the tracker may return, and time at which it ends.
    step: (f64, f64),
    kept: Kept,
    kept_report: GridReport,
}

impl GridFlow {
    /// A liquid that begins at time 0 with some particles. `dt`: the usual length of a step.
    /// # Errors
    /// [`Error::Option`]. Particles are checked in the first step, as by [`Liquid::new`].
    pub fn new(options: GridOptions, positions: Vec<Vec3>, velocities: Vec<Vec3>, dt: f64) -> Result<Self> {
        options.check()?;
        if !(dt > 0.0 && dt.is_finite()) {
            let expected = "a positive time";
            return Err(Error::Option { option: "time step", value: dt.to_string(), expected });
        }
        Ok(Self { options, positions, velocities, dt, state: None, report: SharedReport::default() })
    }
    /// The report of the steps; it is updated by later ones.
    pub fn report(&self) -> SharedReport {
        self.report.clone()
    }
    /// The liquid, after the first step.
    pub fn liquid(&self) -> Option<&Liquid> {
        self.state.as_ref().map(|state| &state.liquid)
    }
    /// The liquid at the time at which a step begins.
    fn at(&mut self, device: &Device, time: f64, dt: f64) -> Result<&mut State> {
        let state = match self.state.take() {
            Some(state) => state,
            None => {
                let liquid = Liquid::new(device, &self.options, &self.positions, &self.velocities)?;
                let kept = liquid.keep()?;
                State { liquid, time: 0.0, step: (0.0, 0.0), kept, kept_report: GridReport::default() }
            }
        };
        let state = self.state.insert(state);
        let near = 1e-6 * dt.abs() + 1e-12 * time.abs();
        if (time - state.step.0).abs() <= near {
            state.liquid.restore(&state.kept)?;
            self.report.set(state.kept_report);
            (state.time, state.step.1) = (state.step.0, state.step.1.max(state.step.0 + dt));
            return Ok(state);
        }
        if time < state.time - near {
            let expected = "that of the last step's beginning, or later: a liquid does not go back farther";
            return Err(Error::Option { option: "time", value: time.to_string(), expected });
        }
        let mut report = self.report.get();
        while state.time < time - near {
            let part = self.dt.min(time - state.time);
            report.add(&state.liquid.step(part)?);
            state.time += part;
        }
        self.report.set(report);
        if time >= state.step.1 - near {
            state.liquid.keep_in(&mut state.kept)?;
            (state.step, state.kept_report) = ((time, time + dt), report);
        }
        Ok(state)
    }
}

impl Flow for GridFlow {
    fn advance(&mut self, motion: &mut Motion<'_>) -> Result<()> {
        let (device, time, dt) = (motion.device(), motion.time(), motion.dt());
        let mut places: Buffer<Vec3> = device.unspecified(motion.vertices() as usize)?;
        let report = self.report.clone();
        let state = self.at(&device, time, dt)?;
        let mut moved = false;
        motion.by_stages(|device, Stage { n, x, velocities, .. }| {
            // the positions at the end of the step are known: the same velocity serves all stages
            if std::mem::replace(&mut moved, true) {
                return Ok(());
            }
            device.launch(tiles(n), PlacesOfVertices { n, x, to: places.view_mut() })?;
            let done = state.liquid.step_with(dt, &mut places)?;
            state.time = time + dt;
            let mut all = report.get();
            all.add(&done);
            report.set(all);
            let rate = if dt > 0.0 { (1.0 / dt) as f32 } else { 0.0 };
            device.launch(tiles(n), VelocitiesOfVertices { n, rate, x, to: places.view(), velocities })
        })
    }
    fn may_repeat(&self) -> bool {
        true
    }
}

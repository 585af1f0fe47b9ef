//! Steps of a flow.
use super::error::{FlowError, Result};
use super::flow::Flow;
use super::options::Advection;
use super::report::Solve;
use crate::device::advect::{AddForces, AddSmoke, AdvectCells, AdvectFaces, CorrectCells, CorrectFaces};
use crate::device::assemble::{BeginAgain, Residual, RightSide};
use crate::device::extrapolate::Extrapolate;
use crate::device::project::ProjectOpen;
use ribbonmesh::Error;
use ribbonmesh::device::tiles;
use std::time::Instant;

impl Flow {
    /// Makes a step: velocities move by themselves, forces act, the obstacle moves, viscosity diffuses
    /// velocities, the pressure makes them free of divergence, smoke moves. Stable for any length; accurate
    /// while nothing passes many cells. Waits for the pressure's residual now and then.
    /// # Errors
    /// [`Error::Option`] for a time that is not positive; [`FlowError::NotFinite`]; out of memory; errors of
    /// the driver.
    pub fn step(&mut self, dt: f64) -> Result<Solve> {
        if !(dt > 0.0 && (dt as f32).is_finite()) {
            let expected = "a positive time";
            return Err(Error::Option { option: "time step", value: dt.to_string(), expected }.into());
        }
        let mut clock = Clock::new(self)?;
        self.move_velocities(dt as f32)?;
        self.push(dt as f32)?;
        self.report.seconds.advect += clock.took(self)?;
        self.time += dt;
        self.move_obstacle()?;
        self.report.seconds.geometry += clock.took(self)?;
        self.diffuse(dt)?;
        self.last_step = dt;
        self.report.seconds.viscosity += clock.took(self)?;
        let solve = self.solve()?;
        self.report.count(solve);
        self.report.seconds.pressure += clock.took(self)?;
        self.subtract()?;
        self.report.seconds.project += clock.took(self)?;
        self.move_smoke(dt as f32)?;
        self.report.seconds.smoke += clock.took(self)?;
        Ok(solve)
    }
    /// Makes the velocity free of divergence, and extrapolates it.
    pub(super) fn project(&mut self) -> Result<Solve> {
        let solve = self.solve()?;
        self.subtract()?;
        Ok(solve)
    }
    fn move_velocities(&mut self, dt: f32) -> Result<()> {
        let (cells, boundary, blocks) = (self.cells, self.boundary, tiles(self.cells.nodes()));
        let (open, velocity) = (self.geometry.open.view(), self.velocity.view());
        let [moved, corrected] = &mut self.spare;
        let kernel = AdvectFaces { cells, boundary, dt, open, velocity, to: moved.view_mut() };
        self.device.launch(blocks, kernel)?;
        if self.options.advection == Advection::SemiLagrangian {
            std::mem::swap(&mut self.velocity, moved);
            return Ok(());
        }
        let to = corrected.view_mut();
        let kernel = CorrectFaces { cells, boundary, dt, open, velocity, moved: moved.view(), to };
        self.device.launch(blocks, kernel)?;
        std::mem::swap(&mut self.velocity, corrected);
        Ok(())
    }
    fn push(&mut self, dt: f32) -> Result<()> {
        let [change, lift] = [self.options.acceleration, self.options.lift].map(|a| a.map(|a| dt * a));
        if [change, lift] == [[0.0; 3]; 2] {
            return Ok(());
        }
        let kernel = AddForces {
            cells: self.cells,
            boundary: self.boundary,
            change,
            lift,
            open: self.geometry.open.view(),
            smoke: self.smoke.view(),
            velocity: self.velocity.view_mut(),
        };
        Ok(self.device.launch(tiles(self.cells.nodes()), kernel)?)
    }
    fn move_obstacle(&mut self) -> Result<()> {
        let Some(obstacle) = self.obstacle.as_mut().filter(|obstacle| !obstacle.motion().is_rest()) else {
            return Ok(());
        };
        obstacle.move_to(self.time, &mut self.boundary)?;
        self.geometry.cut(obstacle)?;
        self.assemble()
    }
    fn solve(&mut self) -> Result<Solve> {
        let (device, cells, boundary) = (&self.device, self.cells, self.boundary);
        let (open, velocity) = (self.geometry.open.view(), self.velocity.view());
        let blocks = tiles(cells.count());
        let rounding = (f64::from(f32::EPSILON) / self.options.pressure.tolerance) as f32;
        let solve = self.system.solve(false, |mut start| {
            let (level, scalars, [r, d]) = start.vectors();
            let kernel = RightSide { cells, boundary, open, velocity, level, rounding, scalars, r, d };
            device.launch(blocks, kernel)?;
            if let Some(closed) = start.closed {
                closed.subtract_means(start.r)?;
                start.run.refer(start.r)?;
            }
            let (level, scalars, [r, d]) = start.vectors();
            device.launch(blocks, Residual { level, scalars, r, d })?;
            if let Some(closed) = start.closed {
                // the product with the last solution has a mean, too, by rounding
                closed.subtract_means(start.r)?;
                let kernel = BeginAgain { n: cells.count(), scalars: start.run.scalars(), r: start.r.view() };
                device.launch(blocks, kernel)?;
            }
            Ok(())
        })?;
        if solve.residual.is_nan() {
            return Err(FlowError::NotFinite { step: self.report.steps + 1 });
        }
        Ok(solve)
    }
    /// Subtracts what the pressure does in a step, and extrapolates velocities into the obstacle.
    fn subtract(&mut self) -> Result<()> {
        self.subtract_pressure(1.0)?;
        let (cells, blocks) = (self.cells, tiles(self.cells.nodes()));
        // fluid with a viscosity has the velocity of the obstacle there
        if !self.geometry.is_cut || self.viscosity.is_some() {
            return Ok(());
        }
        for layer in 0..self.options.layers {
            let [from, to] = &mut self.marks;
            let marks = if layer == 0 { self.geometry.marks.view() } else { from.view() };
            let kernel =
                Extrapolate { cells, marks, next: to.view_mut(), velocity: self.velocity.view_mut() };
            self.device.launch(blocks, kernel)?;
            self.marks.swap(0, 1);
        }
        Ok(())
    }
    /// Subtracts what the last pressure does in a part of its step.
    pub(super) fn subtract_pressure(&mut self, factor: f32) -> Result<()> {
        let kernel = ProjectOpen {
            cells: self.cells,
            boundary: self.boundary,
            factor,
            open: self.geometry.open.view(),
            p: self.system.solution().view(),
            velocity: self.velocity.view_mut(),
        };
        Ok(self.device.launch(tiles(self.cells.nodes()), kernel)?)
    }
    fn move_smoke(&mut self, dt: f32) -> Result<()> {
        let (cells, blocks) = (self.cells, tiles(self.cells.count()));
        let (diagonal, velocity) = (self.system.diagonal().view(), self.velocity.view());
        let (smoke, next) = (self.smoke.view(), &mut self.next_smoke);
        if self.options.advection == Advection::SemiLagrangian {
            let to = next.view_mut();
            self.device.launch(blocks, AdvectCells { cells, dt, diagonal, velocity, smoke, to })?;
        } else {
            let moved = &mut self.spare[0];
            let kernel = AdvectCells { cells, dt, diagonal, velocity, smoke, to: moved.view_mut() };
            self.device.launch(blocks, kernel)?;
            let (moved, to) = (moved.view(), next.view_mut());
            let kernel = CorrectCells { cells, dt, diagonal, velocity, smoke, moved, to };
            self.device.launch(blocks, kernel)?;
        }
        std::mem::swap(&mut self.smoke, next);
        self.add_smoke()
    }
    pub(super) fn add_smoke(&mut self) -> Result<()> {
        let Some([a, b]) = self.options.source else { return Ok(()) };
        let (low, high) = ([0, 1, 2].map(|k| a[k].min(b[k])), [0, 1, 2].map(|k| a[k].max(b[k])));
        let kernel = AddSmoke { cells: self.cells, low, high, smoke: self.smoke.view_mut() };
        Ok(self.device.launch(tiles(self.cells.count()), kernel)?)
    }
}

/// The time of parts of a step, where it is measured.
struct Clock(Option<Instant>);
impl Clock {
    fn new(flow: &Flow) -> Result<Self> {
        if !flow.options.measure {
            return Ok(Self(None));
        }
        flow.device.synchronize()?;
        Ok(Self(Some(Instant::now())))
    }
    /// Seconds since the last call.
    fn took(&mut self, flow: &Flow) -> Result<f64> {
        let Some(from) = &mut self.0 else { return Ok(0.0) };
        flow.device.synchronize()?;
        let now = Instant::now();
        Ok(now.duration_since(std::mem::replace(from, now)).as_secs_f64())
    }
}

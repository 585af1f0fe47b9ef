//! A liquid on a device.
use super::options::{LiquidOptions, wrong};
use super::sorted::{Lists, Sorted, blocks, count};
use crate::physics::Predict;
use crate::pressure::{Displace, FindDensities, FindMultipliers};
use crate::surface::Sample;
use crate::velocities::{Between, FindVelocities, Finish};
use glam::Vec3;
use ribbonmesh::device::Quad;
use ribbonmesh::{Buffer, Device, Error, Result};

/// The particles of a liquid: positions and velocities on a device, and the time.
pub struct Liquid {
    options: LiquidOptions,
    pub(super) x: Buffer<Vec3>,
    pub(super) v: Buffer<Vec3>,
    pub(super) time: f64,
    predicted: Buffer<Vec3>,
    lists: Lists,
    /// Positions with multipliers; later velocities.
    a: Buffer<Quad>,
    /// Positions.
    b: Buffer<Quad>,
}

/// The state of a liquid at a time, to be restored.
pub struct State {
    x: Buffer<Vec3>,
    v: Buffer<Vec3>,
    pub time: f64,
}

impl Liquid {
    /// Makes a liquid of particles with positions and velocities at time 0.
    /// # Errors
    /// [`Error::Option`], also for a position or a velocity that is not finite; [`Error::Length`] unless
    /// there are as many velocities as positions; [`Error::TooMany`]; out of memory; errors of the driver.
    pub fn new(
        device: &Device,
        places: &[Vec3],
        velocities: &[Vec3],
        options: &LiquidOptions,
    ) -> Result<Self> {
        options.check()?;
        let n = count(places.len())?;
        if velocities.len() != places.len() {
            let (expected, found) = (places.len(), velocities.len());
            return Err(Error::Length { what: "velocities of particles", expected, found });
        }
        let bad = places.iter().zip(velocities).position(|(x, v)| !(x.is_finite() && v.is_finite()));
        if let Some(vertex) = bad {
            return Err(wrong("particles", format!("number {vertex}"), "finite places and velocities"));
        }
        Ok(Self {
            options: options.clone(),
            x: device.upload(places)?,
            v: device.upload(velocities)?,
            time: 0.0,
            predicted: device.unspecified(n as usize)?,
            lists: Lists::new(device, n)?,
            a: device.unspecified(n as usize)?,
            b: device.unspecified(n as usize)?,
        })
    }
    /// The options.
    pub fn options(&self) -> &LiquidOptions {
        &self.options
    }
    /// Number of particles.
    pub fn particles(&self) -> u32 {
        self.x.len() as u32
    }
    /// The time.
    pub fn time(&self) -> f64 {
        self.time
    }
    /// The positions of the particles.
    pub fn places(&self) -> &Buffer<Vec3> {
        &self.x
    }
    /// The velocities.
    pub fn velocities(&self) -> &Buffer<Vec3> {
        &self.v
    }
    /// Number of sub-steps of a step.
    pub fn substeps(&self, dt: f64) -> u32 {
        // a step that equals a sub-step but for rounding has one
        (dt / f64::from(self.options.substep) - 1e-3).ceil().clamp(1.0, 1e6) as u32
    }
    /// Advances the liquid in sub-steps. Waits for a few words.
    /// # Errors
    /// [`Error::Option`] for a step that is not positive, or has more than a million sub-steps; a kernel's
    /// error if a position becomes not finite; out of memory; errors of the driver. Then particles are in the
    /// middle of the step.
    pub fn step(&mut self, dt: f64) -> Result<()> {
        if !(dt > 0.0 && dt <= 1e6 * f64::from(self.options.substep)) {
            return Err(wrong("time step", dt, "a positive time of at most a million sub-steps"));
        }
        let (begin, parts) = (self.time, self.substeps(dt));
        for part in 1..=parts {
            self.substep((dt / f64::from(parts)) as f32, begin + dt * f64::from(part) / f64::from(parts))?;
        }
        self.time = begin + dt;
        Ok(())
    }
    fn substep(&mut self, dt: f32, end: f64) -> Result<()> {
        let n = self.particles();
        if n == 0 {
            return Ok(());
        }
        let (device, blocks) = (self.x.device().clone(), blocks(n));
        let (outside, solving) = (self.options.outside(end), self.options.solving());
        let smoothing = solving.smoothing;
        let predict =
            Predict { n, dt, outside, x: self.x.view(), v: self.v.view_mut(), to: self.predicted.view_mut() };
        device.launch(blocks, predict)?;
        let sorted = Sorted::new(&self.predicted, smoothing.radius)?;
        self.lists.find(&sorted, smoothing.square)?;
        for iteration in 0..self.options.iterations {
            let points = if iteration == 0 { sorted.points.view() } else { self.b.view() };
            let neighbours = self.lists.view(&sorted, smoothing.square);
            let to = self.a.view_mut();
            device.launch(blocks, FindMultipliers { neighbours, solving, outside, points, to })?;
            let neighbours = self.lists.view(&sorted, smoothing.square);
            let (points, to) = (self.a.view(), self.b.view_mut());
            device.launch(blocks, Displace { neighbours, solving, outside, points, to })?;
        }
        let order = sorted.groups.places();
        let velocities = FindVelocities {
            n,
            per: 1.0 / dt,
            fastest: self.options.fastest,
            order: order.view(),
            v: self.v.view(),
            before: sorted.points.view(),
            after: self.b.view(),
            to: self.a.view_mut(),
        };
        device.launch(blocks, velocities)?;
        let between =
            Between { smoothing, viscosity: self.options.viscosity, cohesion: self.options.cohesion * dt };
        let finish = Finish {
            neighbours: self.lists.view(&sorted, smoothing.square),
            between,
            order: order.view(),
            points: self.b.view(),
            velocities: self.a.view(),
            x: self.x.view_mut(),
            v: self.v.view_mut(),
        };
        device.launch(blocks, finish)
    }
    /// Computes the density of each particle as a part of that at rest; walls count as liquid. Waits.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn densities(&mut self) -> Result<Vec<f32>> {
        let (device, n) = (self.x.device().clone(), self.particles());
        let smoothing = self.options.smoothing();
        let sorted = Sorted::new(&self.x, smoothing.radius)?;
        self.lists.find(&sorted, smoothing.square)?;
        let mut densities = device.unspecified::<f32>(n as usize)?;
        let kernel = FindDensities {
            neighbours: self.lists.view(&sorted, smoothing.square),
            smoothing,
            outside: self.options.outside(self.time),
            order: sorted.groups.places().view(),
            points: sorted.points.view(),
            densities: densities.view_mut(),
        };
        device.launch(blocks(n), kernel)?;
        densities.read()
    }
    /// Computes the field at positions: 1 within the liquid, 0 outside; see [`crate::surface`]. Waits.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn field(&self, places: &[Vec3]) -> Result<Vec<f32>> {
        let (device, n) = (self.x.device(), count(places.len())?);
        let smoothing = self.options.smoothing();
        let sorted = Sorted::new(&self.x, smoothing.radius)?;
        let (places, mut values) = (device.upload(places)?, device.unspecified::<f32>(n as usize)?);
        let kernel =
            Sample { n, cloud: sorted.cloud(smoothing), places: places.view(), values: values.view_mut() };
        device.launch(blocks(n), kernel)?;
        values.read()
    }
    /// A copy of the state.
    pub(super) fn state(&self) -> Result<State> {
        Ok(State { x: self.x.try_clone()?, v: self.v.try_clone()?, time: self.time })
    }
    /// Restores a state.
    pub(super) fn restore(&mut self, state: &State) -> Result<()> {
        self.x.copy_from(&state.x)?;
        self.v.copy_from(&state.v)?;
        self.time = state.time;
        Ok(())
    }
}

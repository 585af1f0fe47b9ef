//! A surface that follows a liquid.
use super::liquid::{Liquid, State};
use super::options::{LiquidOptions, SurfaceOptions, wrong};
use super::sorted::{Sorted, blocks};
use crate::surface::{Carry, Following};
use crate::velocities::FindWays;
use glam::Vec3;
use ribbonmesh::device::Quad;
use ribbonmesh::{Buffer, Device, Result};
use ribbonmesh_track::rank::VERTICES;
use ribbonmesh_track::{Flow, Motion};

/// Difference of times, as a part of the step, below which they are equal.
const SAME: f64 = 1e-3;

/// A liquid as a [`Flow`]: each step moves the particles, and moves the vertices with the particles around
/// them and then to the surface of the particles.
///
/// The particles are made on the device of the first step. A step that begins before the end of the last one
/// starts from a copy of the particles, since the tracker repeats steps in parts. For a step that begins
/// later, as in a resumed run, the particles are moved to that time first.
pub struct LiquidFlow {
    places: Vec<Vec3>,
    velocities: Vec<Vec3>,
    options: LiquidOptions,
    surface: SurfaceOptions,
    running: Option<Running>,
}

/// Data on the device.
struct Running {
    liquid: Liquid,
    /// The particles at the liquid's time, in the order of cells.
    sorted: Sorted,
    ways: Buffer<Quad>,
    /// The particles at the beginning of the step that may have to be repeated; `end` is its end.
    before: State,
    end: f64,
}

impl LiquidFlow {
    /// A flow of particles with positions and velocities at time 0.
    /// # Errors
    /// The errors of [`Liquid::new`], at the first step; options are checked here.
    pub fn new(
        places: Vec<Vec3>,
        velocities: Vec<Vec3>,
        options: &LiquidOptions,
        surface: &SurfaceOptions,
    ) -> Result<Self> {
        options.check()?;
        surface.check()?;
        Ok(Self { places, velocities, options: options.clone(), surface: *surface, running: None })
    }
    /// Number of particles.
    pub fn particles(&self) -> usize {
        self.places.len()
    }
    /// The liquid; `None` before the first step.
    pub fn liquid(&self) -> Option<&Liquid> {
        self.running.as_ref().map(|running| &running.liquid)
    }
}

impl Running {
    fn new(device: &Device, flow: &LiquidFlow) -> Result<Self> {
        let liquid = Liquid::new(device, &flow.places, &flow.velocities, &flow.options)?;
        Ok(Self {
            sorted: Sorted::new(&liquid.x, flow.options.smoothing().radius)?,
            ways: device.unspecified(flow.places.len())?,
            before: liquid.state()?,
            end: 0.0,
            liquid,
        })
    }
    /// Sorts the particles by their present positions.
    fn sort(&mut self) -> Result<()> {
        self.sorted = Sorted::new(&self.liquid.x, self.liquid.options().smoothing().radius)?;
        Ok(())
    }
    /// Advances the particles to the time at which a step begins.
    fn go_to(&mut self, time: f64, dt: f64) -> Result<()> {
        let same = |other: f64| (time - other).abs() <= SAME * dt;
        if !same(self.liquid.time) && time < self.liquid.time {
            if !same(self.before.time) {
                return Err(wrong(
                    "time",
                    time,
                    "the time now, a later one, or the beginning of the last step",
                ));
            }
            self.liquid.restore(&self.before)?;
            self.sort()?;
        } else {
            let behind = !same(self.liquid.time);
            while time - self.liquid.time > SAME * dt {
                self.liquid.step(dt.min(time - self.liquid.time))?;
            }
            if behind {
                self.sort()?;
            }
            // a step that is repeated in parts keeps the state at its beginning
            if time >= self.end - SAME * dt {
                self.before = self.liquid.state()?;
            }
        }
        self.liquid.time = time;
        if same(self.before.time) {
            self.before.time = time;
        }
        self.end = self.end.max(time + dt);
        Ok(())
    }
}

impl Flow for LiquidFlow {
    fn advance(&mut self, motion: &mut Motion<'_>) -> Result<()> {
        let (device, time) = (motion.device(), motion.time());
        let dt = f64::from(motion.arguments().dt);
        if dt.is_nan() || dt <= 0.0 {
            return Err(wrong("time step", dt, "a positive number"));
        }
        if self.running.as_ref().is_none_or(|running| !running.liquid.x.device().same(&device)) {
            self.running = Some(Running::new(&device, self)?);
        }
        let Some(running) = self.running.as_mut() else { return Ok(()) };
        running.go_to(time, dt)?;
        let (smoothing, gravity) = (self.options.smoothing(), self.options.gravity);
        running.liquid.step(dt)?;
        let after = Sorted::new(&running.liquid.x, smoothing.radius)?;
        let n = running.liquid.particles();
        let ways = FindWays {
            n,
            order: running.sorted.groups.places().view(),
            before: running.sorted.points.view(),
            x: running.liquid.x.view(),
            ways: running.ways.view_mut(),
        };
        device.launch(blocks(n), ways)?;
        // in proportion to the time, so that parts of a step add up to the whole one
        let substeps = (dt / f64::from(self.options.substep)) as f32;
        let following = Following {
            level: self.surface.level,
            draw: self.surface.draw * self.options.spacing * substeps,
            relax: 1.0 - (1.0 - self.surface.relax).powf(substeps),
            per: (1.0 / dt) as f32,
            fall: (0.5 * gravity * (dt * dt) as f32).to_array(),
        };
        let mut found = false;
        let Running { sorted: before, ways, .. } = &*running;
        motion.by_stages(|device, stage| {
            // all stages have the velocities of the first one
            if std::mem::replace(&mut found, true) {
                return Ok(());
            }
            let carry = Carry {
                mesh: stage.mesh,
                x: stage.x,
                n: stage.n,
                before: before.cloud(smoothing),
                ways: ways.view(),
                after: after.cloud(smoothing),
                following,
                velocities: stage.velocities,
            };
            device.launch(stage.n.div_ceil(VERTICES), carry)
        })?;
        running.sorted = after;
        Ok(())
    }
}

//! Options of the liquid and its surface.
use crate::physics::{JETS, Jet, Outside};
use crate::pressure::Solving;
use crate::smoothing::Smoothing;
use glam::Vec3;
use ribbonmesh::{Error, Result};

/// A box that holds the liquid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walls {
    /// The corner with the least coordinates.
    pub low: Vec3,
    /// The opposite corner. An infinite coordinate means that there is no wall.
    pub high: Vec3,
}

/// A solid ball that flies straight ahead and is not slowed down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// The centre at time 0.
    pub centre: Vec3,
    /// Its velocity, in m/s.
    pub velocity: Vec3,
    /// Its radius, in metres.
    pub radius: f32,
}

/// Options of a liquid. Lengths are in metres, times in seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct LiquidOptions {
    /// The distance of particles at rest: each fills a cube of this size.
    pub spacing: f32,
    /// The radius in which particles act on each other, in spacings: 1.5 to 3.
    pub radius: f32,
    /// Acceleration by gravity, in m/s².
    pub gravity: Vec3,
    /// The longest sub-step. In a sub-step particles should move at most half a spacing relative to each
    /// other.
    pub substep: f32,
    /// Iterations of the density constraint in each sub-step.
    pub iterations: u32,
    /// Softness of the constraint: the addend of its denominators, which are about 0.4 within the liquid.
    pub relaxation: f32,
    /// The tensile correction, which keeps particles apart that are pressed together (Macklin and Müller
    /// 2013, section 4): in squares of the spacing.
    pub tensile: f32,
    /// XSPH viscosity: the part of the difference to the mean velocity around that is removed in each
    /// sub-step.
    pub viscosity: f32,
    /// Cohesion: the acceleration that two particles at half the radius give each other, in m/s².
    pub cohesion: f32,
    /// Greatest speed of a particle, in m/s.
    pub fastest: f32,
    /// A box around the liquid.
    pub walls: Option<Walls>,
    /// A ball that flies through it.
    pub ball: Option<Ball>,
    /// Cylinders in which a force drives it, four at most.
    pub jets: Vec<Jet>,
}
impl LiquidOptions {
    /// Options of a water-like liquid on Earth, without walls, whose particles have this spacing.
    pub fn new(spacing: f32) -> Self {
        Self {
            spacing,
            radius: 2.0,
            gravity: Vec3::new(0.0, -9.81, 0.0),
            substep: 1.0 / 240.0,
            iterations: 4,
            relaxation: 0.02,
            tensile: 0.002,
            viscosity: 0.02,
            cohesion: 0.0,
            fastest: 100.0,
            walls: None,
            ball: None,
            jets: Vec::new(),
        }
    }
    /// Refuses values that are not valid.
    /// # Errors
    /// [`Error::Option`].
    pub fn check(&self) -> Result<()> {
        within("spacing", self.spacing, 1e-6..=1e6, "a length from 1e-6 to 1e6")?;
        within("radius", self.radius, 1.5..=3.0, "1.5 to 3 spacings")?;
        finite("gravity", self.gravity)?;
        within("substep", self.substep, 1e-7..=1.0, "1e-7 to 1 second")?;
        if !(1..=1000).contains(&self.iterations) {
            return Err(wrong("iterations", self.iterations, "1 to 1000"));
        }
        within("relaxation", self.relaxation, 1e-6..=1e6, "1e-6 to 1e6")?;
        within("tensile", self.tensile, 0.0..=1.0, "0 to 1")?;
        within("viscosity", self.viscosity, 0.0..=0.5, "0 to 0.5")?;
        within("cohesion", self.cohesion, 0.0..=1e4, "0 to 10000")?;
        within("fastest", self.fastest, 1e-6..=1e6, "a speed from 1e-6 to 1e6")?;
        if let Some(Walls { low, high }) = self.walls {
            let least = Vec3::splat(2.0 * self.spacing);
            if !(high - low).cmpge(least).all() {
                let expected = "corners of a box that is two spacings wide at least";
                return Err(wrong("walls", format!("{low} to {high}"), expected));
            }
        }
        if let Some(ball) = self.ball {
            finite("ball", ball.centre)?;
            finite("ball", ball.velocity)?;
            within("ball", ball.radius, 1e-6..=1e6, "a radius from 1e-6 to 1e6")?;
        }
        if self.jets.len() > JETS {
            return Err(wrong("jets", self.jets.len(), "4 at most"));
        }
        for jet in &self.jets {
            finite("jet", Vec3::from_array(jet.base))?;
            let axis = Vec3::from_array(jet.axis);
            if !(axis.length() - 1.0).abs().le(&1e-3) {
                return Err(wrong("jet", axis, "an axis of length 1"));
            }
            for number in [jet.length, jet.radius, jet.speed, jet.acceleration] {
                within("jet", number, 0.0..=1e6, "lengths, a speed and an acceleration from 0 to 1e6")?;
            }
        }
        Ok(())
    }
    /// The kernels.
    pub(super) fn smoothing(&self) -> Smoothing {
        let (h, d) = (f64::from(self.radius) * f64::from(self.spacing), f64::from(self.spacing));
        // scaled so that a lattice has density 1
        let most = self.radius.ceil() as i32;
        let all = -most..=most;
        let lattice =
            all.clone().flat_map(|x| all.clone().flat_map(move |y| (-most..=most).map(move |z| [x, y, z])));
        let rests = lattice.map(|p| h * h - d * d * p.iter().map(|x| f64::from(x * x)).sum::<f64>());
        let weight = 1.0 / rests.filter(|rest| *rest > 0.0).map(|rest| rest.powi(3)).sum::<f64>();
        // the volume of a particle is the integral of poly6 times its factor
        let slope = weight * 64.0 * h.powi(3) / 315.0 * 45.0;
        Smoothing { radius: h as f32, square: (h * h) as f32, weight: weight as f32, slope: slope as f32 }
    }
    pub(super) fn solving(&self) -> Solving {
        let (smoothing, square) = (self.smoothing(), self.spacing * self.spacing);
        Solving {
            smoothing,
            relaxation: self.relaxation / square,
            tensile: self.tensile * square,
            whole: 1.0 / smoothing.weight_at(0.04 * smoothing.square),
            longest: 0.25 * self.spacing,
        }
    }
    /// The external effects at a time.
    pub(super) fn outside(&self, time: f64) -> Outside {
        let gap = 0.25 * self.spacing;
        let walls = self.walls.unwrap_or(Walls { low: Vec3::NEG_INFINITY, high: Vec3::INFINITY });
        let (centre, ball) = match self.ball {
            Some(ball) => {
                let centre = ball.centre.as_dvec3() + time * ball.velocity.as_dvec3();
                (centre.as_vec3(), ball.radius + 2.0 * gap)
            }
            None => (Vec3::ZERO, 0.0),
        };
        let mut jets = [Jet::default(); JETS];
        jets.iter_mut().zip(&self.jets).for_each(|(to, jet)| *to = *jet);
        Outside {
            gravity: self.gravity.to_array(),
            low: walls.low.to_array(),
            high: walls.high.to_array(),
            centre: centre.to_array(),
            ball,
            gap,
            jets,
        }
    }
}

/// Options of a surface that follows a liquid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceOptions {
    /// The field's value at the surface: 0.5 is right for a plane one; a lower value keeps thin films and
    /// drops for longer, and encloses more volume.
    pub level: f32,
    /// The longest step to the surface in each sub-step, in spacings.
    pub draw: f32,
    /// Part of the distance to the middle of the faces around by which vertices move in each sub-step.
    pub relax: f32,
}
impl Default for SurfaceOptions {
    fn default() -> Self {
        Self { level: 0.45, draw: 0.1, relax: 0.1 }
    }
}
impl SurfaceOptions {
    /// Refuses values that are not valid.
    /// # Errors
    /// [`Error::Option`].
    pub fn check(&self) -> Result<()> {
        within("level", self.level, 0.05..=0.95, "0.05 to 0.95")?;
        within("draw", self.draw, 0.0..=1.0, "0 to 1")?;
        within("relax", self.relax, 0.0..=1.0, "0 to 1")
    }
}

pub(super) fn wrong(option: &'static str, value: impl ToString, expected: &'static str) -> Error {
    Error::Option { option, value: value.to_string(), expected }
}
fn within(
    option: &'static str,
    value: f32,
    range: std::ops::RangeInclusive<f32>,
    expected: &'static str,
) -> Result<()> {
    if range.contains(&value) { Ok(()) } else { Err(wrong(option, value, expected)) }
}
fn finite(option: &'static str, value: Vec3) -> Result<()> {
    if value.is_finite() { Ok(()) } else { Err(wrong(option, value, "finite numbers")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_normalised() {
        for radius in [1.5_f32, 2.0, 2.7] {
            let options = LiquidOptions { radius, ..LiquidOptions::new(0.1) };
            let smoothing = options.smoothing();
            let mut sum = 0.0;
            for x in -3..=3 {
                for y in -3..=3 {
                    for z in -3..=3 {
                        sum += smoothing.weight_at(0.01 * (x * x + y * y + z * z) as f32);
                    }
                }
            }
            assert!((sum - 1.0).abs() < 1e-5, "{sum}");
            assert!((smoothing.beyond(0.0).0 - 0.5).abs() < 1e-6);
            assert!((smoothing.beyond(-smoothing.radius).0 - 1.0).abs() < 1e-5);
            assert_eq!(smoothing.beyond(f32::INFINITY), (0.0, 0.0));
            // slopes are derivatives
            for q in [0.0_f32, 0.3, 0.8] {
                let (at, step) = (q * smoothing.radius, 1e-3 * smoothing.radius);
                let fall = (smoothing.beyond(at - step).0 - smoothing.beyond(at + step).0) / (2.0 * step);
                assert!((fall / smoothing.beyond(at).1 - 1.0).abs() < 1e-2);
            }
            // the spiky kernel, integrated from the radius inwards, has the volume of poly6
            let (n, mut volume) = (1000, 0.0);
            for i in 0..n {
                let r = smoothing.radius * (i as f32 + 0.5) / n as f32;
                volume += smoothing.slope_at(r) * r.powi(3) * smoothing.radius / n as f32;
            }
            let volume = volume * 4.0 / 3.0 * std::f32::consts::PI;
            let particle = smoothing.weight * 64.0 * std::f32::consts::PI * smoothing.radius.powi(9) / 315.0;
            assert!((volume / particle - 1.0).abs() < 1e-3, "{volume} {particle}");
        }
    }
}

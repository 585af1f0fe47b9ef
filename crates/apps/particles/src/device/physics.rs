//! External effects on particles: gravity, jets, walls, and a flying ball.
use super::cells::part_of;
use super::smoothing::Smoothing;
use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{Block, In, Out, kernel};

/// Most jets.
pub const JETS: usize = 4;

/// A cylinder in which a force drives the liquid along the axis, until it has a speed.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Jet {
    /// The centre of the lower end.
    pub base: [f32; 3],
    /// The axis, of length 1.
    pub axis: [f32; 3],
    /// The length of the cylinder; 0 without a jet.
    pub length: f32,
    /// Its radius.
    pub radius: f32,
    /// The speed along the axis, in m/s.
    pub speed: f32,
    /// The acceleration by the force, in m/s².
    pub acceleration: f32,
}

/// External effects on particles.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Outside {
    /// Acceleration, in m/s².
    pub gravity: [f32; 3],
    /// The lower corner of the box.
    pub low: [f32; 3],
    /// The upper corner; all infinite without walls.
    pub high: [f32; 3],
    /// The centre of the ball.
    pub centre: [f32; 3],
    /// Its radius, plus the distance that particles keep from it; 0 without a ball.
    pub ball: f32,
    /// Least distance of particles from walls.
    pub gap: f32,
    /// Cylinders that drive the liquid.
    pub jets: [Jet; JETS],
}
impl Outside {
    /// Acceleration of a particle during a step.
    #[inline(always)]
    fn acceleration(&self, x: Vec3, v: Vec3, dt: f32) -> Vec3 {
        let mut sum = Vec3::from_array(self.gravity);
        for jet in &self.jets {
            let (way, axis) = (x - Vec3::from_array(jet.base), Vec3::from_array(jet.axis));
            let along = way.dot(axis);
            let off = (way - along * axis).length_squared();
            if along >= 0.0 && along < jet.length && off < jet.radius * jet.radius {
                let missing = (jet.speed - v.dot(axis)) / dt;
                if missing > 0.0 {
                    sum += axis * if missing < jet.acceleration { missing } else { jet.acceleration };
                }
            }
        }
        sum
    }
    /// The nearest position to a given one that is within the walls, and not in the ball.
    #[inline(always)]
    pub fn constrained(&self, p: Vec3) -> Vec3 {
        let mut q = p;
        if self.ball > 0.0 {
            let centre = Vec3::from_array(self.centre);
            let way = q - centre;
            let square = way.length_squared();
            if square < self.ball * self.ball {
                let distance = sqrt(square);
                let out = if distance > 1e-6 * self.ball { way / distance } else { Vec3::Y };
                q = centre + self.ball * out;
            }
        }
        let gap = Vec3::splat(self.gap);
        q.max(Vec3::from_array(self.low) + gap).min(Vec3::from_array(self.high) - gap)
    }
    /// The density that walls add, as if there were liquid beyond them, and its derivative by the position.
    #[inline(always)]
    pub fn density(&self, smoothing: &Smoothing, p: Vec3) -> (f32, Vec3) {
        // for each axis: the part of the weights that is not beyond a wall, and its derivative
        let (mut left, mut slope) = ([1.0_f32; 3], [0.0_f32; 3]);
        let p = p.to_array();
        let mut axis = 0;
        while axis < 3 {
            let (below, fall) = smoothing.beyond(p[axis] - self.low[axis]);
            let (above, rise) = smoothing.beyond(self.high[axis] - p[axis]);
            left[axis] = 1.0 - below - above;
            slope[axis] = rise - fall;
            axis += 1;
        }
        let [a, b, c] = left;
        let gradient = Vec3::new(slope[0] * b * c, a * slope[1] * c, a * b * slope[2]);
        (1.0 - a * b * c, gradient)
    }
}

/// Applies forces for a step, and moves particles: `v` becomes the new velocity, and `to` gets the new
/// position.
#[kernel(threads = 128)]
pub fn predict<'a>(
    block: &Block,
    n: u32,
    dt: f32,
    outside: Outside,
    x: In<'a, Vec3>,
    v: Out<'a, Vec3>,
    to: Out<'a, Vec3>,
) {
    let (base, count) = part_of(block, n);
    block.for_each_nosync(count, |i| {
        let i = base + i;
        let (p, u) = (x.get(i), v.get(i));
        let by = outside.acceleration(p, u, dt) * dt;
        // a parabola, exactly
        to.set(i, p + dt * (u + 0.5 * by));
        v.set(i, u + by);
    });
}

//! The kernels: velocities that vortices induce, on the surface and on each other.
use ribbonmesh::device::{Block, In, Out, Parameter, Vec3, kernel};
use ribbonmesh_track::advect::{Advection, Velocity, advect};

/// A piece of a vortex line: its middle, and its length times its circulation.
pub type Vortex = [Vec3; 2];

/// The velocity that vortices induce (Biot and Savart), smooth within `core` of each.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Induced<'a> {
    /// The vortices.
    pub vortices: In<'a, Vortex>,
    /// The radius of their cores.
    pub core: f32,
}
impl Velocity for Induced<'_> {
    #[inline(always)]
    fn at(&self, x: Vec3, _time: f32) -> Vec3 {
        let mut velocity = Vec3::ZERO;
        for i in 0..self.vortices.len() as u32 {
            let [middle, strength] = self.vortices.get(i);
            let r = x - middle;
            let squared = r.length_squared() + self.core * self.core;
            velocity += strength.cross(r) / (squared * ribbonmesh::device::math::sqrt(squared));
        }
        velocity / (4.0 * core::f32::consts::PI)
    }
}

/// Moves the surface.
#[kernel(threads = 256)]
pub fn carry<'a>(block: &Block, motion: Advection<'a>, velocity: Induced<'a>) {
    advect(block, motion, velocity);
}

/// Moves the vortices from `at` with the velocities that they have where they are in `velocity`.
#[kernel(threads = 256)]
pub fn induce<'a>(block: &Block, dt: f32, at: In<'a, Vortex>, velocity: Induced<'a>, to: Out<'a, Vortex>) {
    block.for_each_of_tile(at.len() as u32, |i| {
        let [from, strength] = at.get(i);
        let [middle, _] = velocity.vortices.get(i);
        to.set(i, [from + dt * velocity.at(middle, 0.0), strength]);
    });
}

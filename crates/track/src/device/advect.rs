//! Moving vertices with a velocity.
//!
//! A velocity that depends on position and time is a value with the trait [`Velocity`]; a kernel of one line
//! moves all vertices with it, all stages of the integration in one launch:
//!
//! ```
//! use ribbonmesh::device::{Block, Parameter, Vec3, kernel};
//! use ribbonmesh_track::advect::{Advection, Velocity, advect};
//!
//! /// Turns around the z axis.
//! #[repr(C)]
//! #[derive(Clone, Copy, Parameter)]
//! pub struct Turn {
//!     /// Radians for each unit of time.
//!     pub speed: f32,
//! }
//! impl Velocity for Turn {
//!     #[inline(always)]
//!     fn at(&self, x: Vec3, _time: f32) -> Vec3 {
//!         self.speed * Vec3::new(-x.y, x.x, 0.0)
//!     }
//! }
//! #[kernel(threads = 256)]
//! pub fn turning<'a>(block: &Block, motion: Advection<'a>, velocity: Turn) {
//!     advect(block, motion, velocity);
//! }
//! # static PTX: ribbonmesh::device::PtxModule = ribbonmesh::device::PtxModule::cpu_only("turn");
//! # fn main() {}
//! ```
//!
//! A velocity that depends on the surface, such as one along normals, is a kernel that writes the velocity of
//! each vertex; [`move_on`] does the rest.
use glam::Vec3;
use ribbonmesh::device::atomic::{self, Order, Scope};
use ribbonmesh::device::{Block, Out, Parameter, Values, ValuesMut, Vertex, VertexId, kernel};
use ribbonmesh::dynamic::DynamicView;

/// Words of the faults of a motion.
pub const FAULTS: u32 = 2;
/// Fault: the least id of a vertex whose new position is not finite.
pub const NOT_FINITE: u32 = 0;
/// Fault: the least id of a vertex that moves too far.
pub const TOO_FAR: u32 = 1;

/// A velocity at each position and time.
pub trait Velocity: Copy {
    /// The velocity at a position and a time.
    fn at(&self, x: Vec3, time: f32) -> Vec3;
}

/// Arguments of a motion of all vertices.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Advection<'a> {
    /// The mesh.
    pub mesh: DynamicView<'a>,
    /// Number of vertices.
    pub n: u32,
    /// The time at the beginning of the step.
    pub time: f32,
    /// The length of the step.
    pub dt: f32,
    /// 1 for the classic Runge–Kutta method of fourth order, 0 for Euler's.
    pub fourth_order: u32,
    /// The squared distance beyond which a vertex moves too far.
    pub most: f32,
    /// Positions at the beginning of the step.
    pub x: Values<'a, Vertex, Vec3>,
    /// Positions at its end.
    pub y: ValuesMut<'a, Vertex, Vec3>,
    /// See [`FAULTS`].
    pub faults: Out<'a, u32>,
}

impl Advection<'_> {
    /// Moves a vertex by a vector, and records faults of the result.
    #[inline(always)]
    fn go(&self, v: VertexId, p: Vec3, by: Vec3) {
        let (q, square) = (p + by, by.length_squared());
        self.y.set(v, q);
        if !q.is_finite() {
            atomic::fetch_min(self.faults, NOT_FINITE, v.index(), Order::Relaxed, Scope::Device);
        } else if square > self.most {
            atomic::fetch_min(self.faults, TOO_FAR, v.index(), Order::Relaxed, Scope::Device);
        }
    }
}

/// Moves all living vertices by one step. To be called by a kernel of 256 threads, in one block for each tile
/// of vertices. 24 bytes for each vertex.
#[inline(always)]
pub fn advect(block: &Block, motion: Advection<'_>, velocity: impl Velocity) {
    let (t, dt) = (motion.time, motion.dt);
    block.for_each_of_tile(motion.n, |i| {
        let v = VertexId::new(i);
        if !motion.mesh.is_living(v) {
            return;
        }
        let p = motion.x.get(v);
        let k = velocity.at(p, t);
        let mean = if motion.fourth_order == 0 {
            k
        } else {
            let l = velocity.at(p + 0.5 * dt * k, t + 0.5 * dt);
            let m = velocity.at(p + 0.5 * dt * l, t + 0.5 * dt);
            let n = velocity.at(p + dt * m, t + dt);
            (k + 2.0 * (l + m) + n) / 6.0
        };
        motion.go(v, p, dt * mean);
    });
}

/// One stage of a motion whose velocities are given.
#[repr(C)]
#[derive(Clone, Copy, Debug, Parameter)]
pub struct Part {
    /// The weight of its velocity in the sum.
    pub weight: f32,
    /// Time from the beginning of the step at which the velocity of the next stage is evaluated, as a part of
    /// the step.
    pub ahead: f32,
    /// 1 for the first one, which begins the sum; else 0.
    pub first: u32,
    /// 1 for the last one, which moves vertices by the sum; else 0.
    pub last: u32,
}

/// Adds the velocities of a stage to the sums, and stores in `y` the positions at which the velocities of the
/// next stage are evaluated; in the last stage, the new positions.
#[kernel(threads = 256)]
pub fn move_on<'a>(
    block: &Block,
    motion: Advection<'a>,
    velocities: Values<'a, Vertex, Vec3>,
    sums: ValuesMut<'a, Vertex, Vec3>,
    part: Part,
) {
    let Part { weight, ahead, first, last } = part;
    block.for_each_of_tile(motion.n, |i| {
        let v = VertexId::new(i);
        if !motion.mesh.is_living(v) {
            return;
        }
        let (p, k) = (motion.x.get(v), velocities.get(v));
        let sum = if first != 0 { weight * k } else { sums.get(v) + weight * k };
        if last != 0 {
            motion.go(v, p, motion.dt * sum);
        } else {
            sums.set(v, sum);
            motion.y.set(v, p + motion.dt * ahead * k);
        }
    });
}

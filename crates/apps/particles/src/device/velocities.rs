//! Velocities after the density constraint: viscosity, cohesion.
use super::cells::part_of;
use super::neighbours::Neighbours;
use super::pressure::direction;
use super::smoothing::{Smoothing, pack, unpack};
use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{Block, In, Out, Quad, kernel};

/// Interactions between particles other than pressure.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Between {
    /// The kernels.
    pub smoothing: Smoothing,
    /// Part of the difference to the mean velocity around that is removed in a step.
    pub viscosity: f32,
    /// The change of velocity that a pair of particles at half the radius gives each other in a step, in m/s.
    pub cohesion: f32,
}

/// The spline of Akinci, Akinci and Teschner 2013, 1 at half of the radius: attraction, and repulsion of near
/// particles.
#[inline(always)]
fn cohesion(q: f32) -> f32 {
    if q >= 1.0 {
        return 0.0;
    }
    let bump = (1.0 - q) * q;
    let whole = 64.0 * bump * bump * bump;
    if q > 0.5 { whole } else { 2.0 * whole - 1.0 }
}

/// Adds the change of positions since `before` by the constraint to velocities.
#[kernel(threads = 128)]
pub fn find_velocities<'a>(
    block: &Block,
    n: u32,
    per: f32,
    fastest: f32,
    order: In<'a, u32>,
    v: In<'a, Vec3>,
    before: In<'a, Quad>,
    after: In<'a, Quad>,
    to: Out<'a, Quad>,
) {
    let (base, count) = part_of(block, n);
    block.for_each_nosync(count, |k| {
        let k = base + k;
        let (p, q) = (unpack(before.get(k)).0, unpack(after.get(k)).0);
        let mut u = v.get(order.get(k)) + (q - p) * per;
        let square = u.length_squared();
        if square > fastest * fastest {
            u *= fastest / sqrt(square);
        }
        to.set(k, pack(u, 0.0));
    });
}

/// Applies viscosity (XSPH: Schechter and Bridson 2012) and cohesion, each equally to both particles of a
/// pair, and copies positions and velocities back into the order of the particles.
#[kernel(threads = 128)]
pub fn finish<'a>(
    block: &Block,
    neighbours: Neighbours<'a>,
    between: Between,
    order: In<'a, u32>,
    points: In<'a, Quad>,
    velocities: In<'a, Quad>,
    x: Out<'a, Vec3>,
    v: Out<'a, Vec3>,
) {
    let (base, count) = part_of(block, neighbours.n);
    let smoothing = between.smoothing;
    block.for_each_nosync(count, |k| {
        let k = base + k;
        let (p, u) = (unpack(points.get(k)).0, unpack(velocities.get(k)).0);
        let (mut others, mut pull) = (Vec3::ZERO, Vec3::ZERO);
        if between.viscosity > 0.0 || between.cohesion > 0.0 {
            neighbours.of(k, |l| {
                let way = p - unpack(points.get(l)).0;
                others += smoothing.weight_at(way.length_squared()) * (unpack(velocities.get(l)).0 - u);
                let (unit, distance) = direction(way, k, l, smoothing.radius);
                pull -= cohesion(distance / smoothing.radius) * unit;
            });
        }
        let i = order.get(k);
        x.set(i, p);
        v.set(i, u + between.viscosity * others + between.cohesion * pull);
    });
}

/// Computes the displacement of each particle from where it was, in the order of cells then.
#[kernel(threads = 128)]
pub fn find_ways<'a>(
    block: &Block,
    n: u32,
    order: In<'a, u32>,
    before: In<'a, Quad>,
    x: In<'a, Vec3>,
    ways: Out<'a, Quad>,
) {
    let (base, count) = part_of(block, n);
    block.for_each_nosync(count, |k| {
        let k = base + k;
        ways.set(k, pack(x.get(order.get(k)) - unpack(before.get(k)).0, 0.0));
    });
}

//! The density constraint (Macklin and Müller 2013).
use super::cells::part_of;
use super::neighbours::Neighbours;
use super::physics::Outside;
use super::smoothing::{Smoothing, apart, pack, unpack};
use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{Block, In, Out, Quad, kernel};

/// Parameters of solving the constraint.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Solving {
    /// The kernels.
    pub smoothing: Smoothing,
    /// Addend of the denominators, in 1/m².
    pub relaxation: f32,
    /// The tensile correction, in m².
    pub tensile: f32,
    /// Reciprocal of the weight at the distance at which the tensile correction is whole.
    pub whole: f32,
    /// The longest displacement that two particles give each other in an iteration.
    pub longest: f32,
}

/// The unit vector from particle `l` to particle `k`, given the vector between them, and their distance.
#[inline(always)]
pub fn direction(way: Vec3, k: u32, l: u32, radius: f32) -> (Vec3, f32) {
    let distance = sqrt(way.length_squared());
    if distance > 1e-6 * radius { (way / distance, distance) } else { (apart(k, l), 0.0) }
}

/// Computes the density of each particle, as a part of that at rest; walls count as liquid.
#[kernel(threads = 128)]
pub fn find_densities<'a>(
    block: &Block,
    neighbours: Neighbours<'a>,
    smoothing: Smoothing,
    outside: Outside,
    order: In<'a, u32>,
    points: In<'a, Quad>,
    densities: Out<'a, f32>,
) {
    let (base, count) = part_of(block, neighbours.n);
    block.for_each_nosync(count, |k| {
        let k = base + k;
        let (p, _) = unpack(points.get(k));
        let mut sum = smoothing.weight_at(0.0) + outside.density(&smoothing, p).0;
        neighbours.of(k, |l| {
            let (q, _) = unpack(points.get(l));
            sum += smoothing.weight_at((p - q).length_squared());
        });
        densities.set(order.get(k), sum);
    });
}

/// Computes the multiplier of the constraint of each particle, which is that its density is not above that at
/// rest. `to` gets the positions with the multipliers, in m².
#[kernel(threads = 128)]
pub fn find_multipliers<'a>(
    block: &Block,
    neighbours: Neighbours<'a>,
    solving: Solving,
    outside: Outside,
    points: In<'a, Quad>,
    to: Out<'a, Quad>,
) {
    let (base, count) = part_of(block, neighbours.n);
    let smoothing = solving.smoothing;
    block.for_each_nosync(count, |k| {
        let k = base + k;
        let (p, _) = unpack(points.get(k));
        let (walls, mut own) = outside.density(&smoothing, p);
        let (mut density, mut squares) = (smoothing.weight_at(0.0) + walls, 0.0);
        neighbours.of(k, |l| {
            let (q, _) = unpack(points.get(l));
            let way = p - q;
            density += smoothing.weight_at(way.length_squared());
            let (unit, distance) = direction(way, k, l, smoothing.radius);
            let slope = smoothing.slope_at(distance);
            own -= slope * unit;
            squares += slope * slope;
        });
        let above = density - 1.0;
        let multiplier =
            if above > 0.0 { -above / (squares + own.length_squared() + solving.relaxation) } else { 0.0 };
        to.set(k, pack(p, multiplier));
    });
}

/// Moves particles by the multipliers of their own and their neighbours' constraints, and out of walls and
/// the ball. `points` has multipliers, `to` gets positions.
#[kernel(threads = 128)]
pub fn displace<'a>(
    block: &Block,
    neighbours: Neighbours<'a>,
    solving: Solving,
    outside: Outside,
    points: In<'a, Quad>,
    to: Out<'a, Quad>,
) {
    let (base, count) = part_of(block, neighbours.n);
    let smoothing = solving.smoothing;
    block.for_each_nosync(count, |k| {
        let k = base + k;
        let (p, own) = unpack(points.get(k));
        let mut sum = own * outside.density(&smoothing, p).1;
        neighbours.of(k, |l| {
            let (q, other) = unpack(points.get(l));
            let both = own + other;
            // a pair that is not pressed together gets no correction
            if both < 0.0 {
                let way = p - q;
                let (unit, distance) = direction(way, k, l, smoothing.radius);
                let part = smoothing.weight_at(way.length_squared()) * solving.whole;
                let apart = solving.tensile * (part * part) * (part * part);
                // the same for both particles of a pair, so that momentum is kept
                let far = (apart - both) * smoothing.slope_at(distance);
                sum += if far < solving.longest { far } else { solving.longest } * unit;
            }
        });
        to.set(k, pack(outside.constrained(p + sum), 0.0));
    });
}

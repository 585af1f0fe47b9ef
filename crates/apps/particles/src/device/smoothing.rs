//! Weights of particles by their distance.
use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use ribbonmesh::device::Quad;
use ribbonmesh::device::math::sqrt;

/// The kernels of a radius (Müller, Charypar and Gross 2003): the weight is poly6, the slope is that of the
/// spiky kernel. Both are multiplied by the volume of a particle, so that weights of particles at rest add up
/// to 1.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Smoothing {
    /// Distance beyond which all kernels are 0.
    pub radius: f32,
    /// Its square.
    pub square: f32,
    /// Factor of (radius² − distance²)³.
    pub weight: f32,
    /// Factor of (radius − distance)².
    pub slope: f32,
}
impl Smoothing {
    /// The weight at a squared distance.
    #[inline(always)]
    pub fn weight_at(&self, square: f32) -> f32 {
        let rest = self.square - square;
        if rest > 0.0 { self.weight * rest * rest * rest } else { 0.0 }
    }
    /// The derivative of [`Smoothing::weight_at`] by the position, given the vector from the particle.
    #[inline(always)]
    pub fn gradient_at(&self, way: Vec3) -> Vec3 {
        let rest = self.square - way.length_squared();
        if rest > 0.0 { way * (-6.0 * self.weight * rest * rest) } else { Vec3::ZERO }
    }
    /// Decrease of the weight with the distance.
    #[inline(always)]
    pub fn slope_at(&self, distance: f32) -> f32 {
        let rest = self.radius - distance;
        if rest > 0.0 { self.slope * rest * rest } else { 0.0 }
    }
    /// The part of all weights beyond a plane at this distance, and its density per unit of length: integrals
    /// of poly6.
    #[inline(always)]
    pub fn beyond(&self, distance: f32) -> (f32, f32) {
        let q = distance / self.radius;
        if q >= 1.0 {
            return (0.0, 0.0);
        }
        let q = if q < -1.0 { -1.0 } else { q };
        let s = q * q;
        // the integral of (1 − q²)⁴
        let integral = q * (1.0 + s * (-4.0 / 3.0 + s * (1.2 + s * (-4.0 / 7.0 + s / 9.0))));
        let rest = (1.0 - s) * (1.0 - s);
        const FACTOR: f32 = 315.0 / 256.0;
        (0.5 - FACTOR * integral, FACTOR * rest * rest / self.radius)
    }
}

/// Packs a position, or a velocity, and a number.
#[inline(always)]
pub fn pack(p: Vec3, w: f32) -> Quad {
    Quad([p.x.to_bits(), p.y.to_bits(), p.z.to_bits(), w.to_bits()])
}
/// Unpacks the values that [`pack`] packed.
#[inline(always)]
pub fn unpack(quad: Quad) -> (Vec3, f32) {
    let [x, y, z, w] = quad.0.map(f32::from_bits);
    (Vec3::new(x, y, z), w)
}

/// The direction in which particle `k` leaves particle `l` if both have the same position; the direction of
/// `l` from `k` is the opposite.
#[inline(always)]
pub fn apart(k: u32, l: u32) -> Vec3 {
    let (low, high, sign) = if k < l { (k, l, 1.0) } else { (l, k, -1.0) };
    let mut word = low.wrapping_mul(0x9e37_79b9) ^ high.wrapping_mul(0x85eb_ca6b);
    word = (word ^ (word >> 15)).wrapping_mul(0x2c1b_3c6d);
    word = (word ^ (word >> 12)).wrapping_mul(0x297a_2d39);
    word ^= word >> 15;
    let part = |shift: u32| ((word >> shift) & 1023) as f32 / 511.5 - 1.0;
    let v = Vec3::new(part(0), part(10), part(20) + 0.001);
    v * (sign / sqrt(v.length_squared() + 1e-12))
}

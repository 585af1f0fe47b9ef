//! The sign of a determinant in integers, if double precision leaves it open.
//!
//! An `f32` is an integer times a power of two. Along each axis the coordinates are divided by the largest
//! power of two that leaves all of them integers; that does not change the sign. Integers are neither rounded
//! nor fused by a compiler. Four points whose coordinates span at most [`NARROW`] bits along each axis take
//! 128 bits, which is nearly all of them; others take as many as `f32` can need.
use crate::intersections::wide::Wide;
use glam::Vec3;

/// Most bits of coordinates for which 128 bits suffice: differences have one more, their products of three,
/// three sums of two of them, at most 3 (40 + 1) + 3 = 126.
const NARROW: i32 = 40;

/// An integer with sign, and the power of two by which it is to be multiplied: together an `f32`.
///
/// The integer is odd, or 0.
#[derive(Clone, Copy)]
struct Parts {
    integer: i32,
    power: i32,
}

impl Parts {
    #[inline(always)]
    fn of(x: f32) -> Self {
        let bits = x.to_bits();
        let (exponent, fraction) = ((bits >> 23 & 0xff) as i32, (bits & 0x7f_ffff) as i32);
        let (magnitude, power) =
            if exponent == 0 { (fraction, -149) } else { (fraction | 1 << 23, exponent - 150) };
        if magnitude == 0 {
            return Self { integer: 0, power: 0 };
        }
        let zeros = magnitude.trailing_zeros();
        let odd = magnitude >> zeros;
        Self { integer: if bits >> 31 == 0 { odd } else { -odd }, power: power + zeros as i32 }
    }
    /// The number of bits of the integer.
    #[inline(always)]
    fn bits(self) -> i32 {
        (u32::BITS - self.integer.unsigned_abs().leading_zeros()) as i32
    }
}

/// The coordinates of four points along an axis, and the smallest power among them.
#[derive(Clone, Copy)]
struct Axis {
    parts: [Parts; 4],
    power: i32,
}

impl Axis {
    #[inline(always)]
    fn of(coordinates: [f32; 4]) -> Self {
        let parts = coordinates.map(Parts::of);
        let mut power = i32::MAX;
        for p in parts {
            if p.integer != 0 && p.power < power {
                power = p.power;
            }
        }
        Self { parts, power }
    }
    /// Shift of the integer of a coordinate.
    #[inline(always)]
    fn shift(&self, i: usize) -> u32 {
        let part = self.parts[i];
        if part.integer == 0 { 0 } else { (part.power - self.power) as u32 }
    }
    /// Greatest number of bits of a coordinate.
    #[inline(always)]
    fn span(&self) -> i32 {
        let mut most = 0;
        for i in 0..4 {
            let bits = self.parts[i].bits() + self.shift(i) as i32;
            if bits > most {
                most = bits;
            }
        }
        most
    }
    /// The differences of the other points from the first one.
    #[inline(always)]
    fn narrow(&self) -> [i64; 3] {
        let at = |i: usize| (self.parts[i].integer as i64) << self.shift(i);
        [at(1) - at(0), at(2) - at(0), at(3) - at(0)]
    }
    #[inline(always)]
    fn wide(&self, i: usize) -> Wide {
        let at = |i: usize| Wide::shifted(self.parts[i].integer, self.shift(i));
        at(i + 1).minus(&at(0))
    }
}

/// The sign of (b − a) × (c − a) · (d − a), for finite coordinates.
#[inline(never)]
pub fn orientation([a, b, c, d]: [Vec3; 4]) -> i32 {
    let x = Axis::of([a.x, b.x, c.x, d.x]);
    let y = Axis::of([a.y, b.y, c.y, d.y]);
    let z = Axis::of([a.z, b.z, c.z, d.z]);
    if x.span() > NARROW || y.span() > NARROW || z.span() > NARROW {
        return orientation_wide(&[x, y, z]);
    }
    let ([ux, vx, wx], [uy, vy, wy], [uz, vz, wz]) = (x.narrow(), y.narrow(), z.narrow());
    let minor = |a: i64, b: i64, c: i64, d: i64| a as i128 * d as i128 - b as i128 * c as i128;
    let det = minor(uy, uz, vy, vz) * wx as i128
        + minor(uz, ux, vz, vx) * wy as i128
        + minor(ux, uy, vx, vy) * wz as i128;
    (det > 0) as i32 - (det < 0) as i32
}

#[inline(never)]
fn orientation_wide(axes: &[Axis; 3]) -> i32 {
    let mut det = Wide::ZERO;
    let mut i = 0;
    while i < 3 {
        let (x, y, z) = (&axes[i], &axes[(i + 1) % 3], &axes[(i + 2) % 3]);
        let minor = y.wide(0).times(&z.wide(1)).minus(&z.wide(0).times(&y.wide(1)));
        det = det.plus(&minor.times(&x.wide(2)));
        i += 1;
    }
    det.sign()
}

//! Moments of the faces of a node, and the winding number that they give at a distance.
//!
//! Barill, Dickson, Schmidt, Levin and Jacobson, *Fast Winding Numbers for Soups and Clouds* (2018): around a
//! centre c the winding number of faces with area vectors is a Taylor series in derivatives of r / |r|³, r =
//! c − q. The terms of order 0, 1 and 2 need ∫ n dA, ∫ (x − c) n dA and ∫ (x − c)(x − c) n dA. Derivatives of
//! r / |r|³ are symmetric, so the symmetric parts of the moments suffice: 3, 6 and 10 numbers.
use glam::{DVec3, Vec3};
use libm::sqrt;
use ribbonmesh::device::Quad;

/// Words of 16 bytes for each node.
pub const WORDS: u32 = 6;

/// The moments of faces around a centre.
///
/// As numbers in single precision they are relative to the radius: area and first moment in radius², then
/// radius³ and radius⁴, so that they neither overflow nor underflow.
#[derive(Clone, Copy)]
pub struct Moments {
    /// The centre of the area, rounded to single precision; the moments are about the rounded point.
    pub centre: DVec3,
    /// Radius of a ball around the centre that has all corners of the faces.
    pub radius: f64,
    /// Area.
    pub area: f64,
    /// ∫ n dA.
    pub zeroth: DVec3,
    /// The symmetric part of ∫ (x − c)ᵢ nⱼ dA: xx, xy, xz, yy, yz, zz.
    pub first: [f64; 6],
    /// The symmetric part of ∫ (x − c)ᵢ (x − c)ⱼ nₖ dA: xxx, xxy, xxz, xyy, xyz, xzz, yyy, yyz, yzz, zzz.
    pub second: [f64; 10],
}

/// The symmetric part of d ⊗ m.
#[inline(always)]
fn symmetric(d: DVec3, [xx, xy, xz, yy, yz, zz]: [f64; 6]) -> [f64; 10] {
    const THIRD: f64 = 1.0 / 3.0;
    [
        d.x * xx,
        (2.0 * d.x * xy + d.y * xx) * THIRD,
        (2.0 * d.x * xz + d.z * xx) * THIRD,
        (d.x * yy + 2.0 * d.y * xy) * THIRD,
        (d.x * yz + d.y * xz + d.z * xy) * THIRD,
        (d.x * zz + 2.0 * d.z * xz) * THIRD,
        d.y * yy,
        (2.0 * d.y * yz + d.z * yy) * THIRD,
        (d.y * zz + 2.0 * d.z * yz) * THIRD,
        d.z * zz,
    ]
}
/// d ⊗ d.
#[inline(always)]
fn square(d: DVec3) -> [f64; 6] {
    [d.x * d.x, d.x * d.y, d.x * d.z, d.y * d.y, d.y * d.z, d.z * d.z]
}

#[allow(clippy::needless_range_loop, reason = "one index for two arrays")]
impl Moments {
    /// Moments of no faces, about the centre of faces with this area and this integral ∫ x dA; about
    /// `else_at` without area.
    #[inline(always)]
    pub fn about(area: f64, sum: DVec3, else_at: DVec3) -> Self {
        let centre = if area > 0.0 { sum / area } else { else_at };
        Self {
            // rounded, so that differences from points in single precision are exact, whatever their size
            centre: centre.as_vec3().as_dvec3(),
            radius: 0.0,
            area: 0.0,
            zeroth: DVec3::ZERO,
            first: [0.0; 6],
            second: [0.0; 10],
        }
    }
    /// Moments of a triangle about its own centre, which is not rounded. The radius is left out.
    #[inline(always)]
    pub fn of_triangle([a, b, c]: [DVec3; 3]) -> Self {
        let centre = (a + b + c) / 3.0;
        let zeroth = 0.5 * (b - a).cross(c - a);
        let mut spread = [0.0; 6];
        for corner in [a, b, c] {
            let of_corner = square(corner - centre);
            for i in 0..6 {
                spread[i] += of_corner[i] / 12.0;
            }
        }
        let area = sqrt(zeroth.length_squared());
        Self { centre, radius: 0.0, area, zeroth, first: [0.0; 6], second: symmetric(zeroth, spread) }
    }
    /// Adds the moments of other faces. The radius does not change.
    #[inline(always)]
    pub fn add(&mut self, other: &Self) {
        let (d, n) = (other.centre - self.centre, other.zeroth);
        self.area += other.area;
        self.zeroth += n;
        let skew = [
            d.x * n.x,
            0.5 * (d.x * n.y + d.y * n.x),
            0.5 * (d.x * n.z + d.z * n.x),
            d.y * n.y,
            0.5 * (d.y * n.z + d.z * n.y),
            d.z * n.z,
        ];
        for i in 0..6 {
            self.first[i] += other.first[i] + skew[i];
        }
        let (by_first, by_zeroth) = (symmetric(d, other.first), symmetric(n, square(d)));
        for i in 0..10 {
            self.second[i] += other.second[i] + 2.0 * by_first[i] + by_zeroth[i];
        }
    }
    /// Converts to single precision.
    #[inline(always)]
    pub fn to_words(self) -> [Quad; WORDS as usize] {
        // rounded up, so that no corner is farther
        let radius = (self.radius * (1.0 + 1e-7)) as f32;
        let unit = if radius > 0.0 { 1.0 / radius as f64 } else { 0.0 };
        let (two, three, four) = (unit * unit, unit * unit * unit, unit * unit * unit * unit);
        let centre = self.centre.as_vec3();
        let zeroth = two * self.zeroth;
        let mut numbers = [0.0_f32; 24];
        (numbers[0], numbers[1], numbers[2], numbers[3]) = (centre.x, centre.y, centre.z, radius);
        numbers[4] = (two * self.area) as f32;
        (numbers[5], numbers[6], numbers[7]) = (zeroth.x as f32, zeroth.y as f32, zeroth.z as f32);
        for i in 0..6 {
            numbers[8 + i] = (three * self.first[i]) as f32;
        }
        for i in 0..10 {
            numbers[14 + i] = (four * self.second[i]) as f32;
        }
        let mut words = [Quad([0; 4]); WORDS as usize];
        for i in 0..24 {
            words[i / 4].0[i % 4] = numbers[i].to_bits();
        }
        words
    }
    /// Converts from single precision.
    #[inline(always)]
    pub fn from_words(words: [Quad; WORDS as usize]) -> Self {
        let number = |i: usize| f32::from_bits(words[i / 4].0[i % 4]) as f64;
        let radius = number(3);
        let (two, three, four) =
            (radius * radius, radius * radius * radius, radius * radius * radius * radius);
        let (mut first, mut second) = ([0.0; 6], [0.0; 10]);
        for i in 0..6 {
            first[i] = three * number(8 + i);
        }
        for i in 0..10 {
            second[i] = four * number(14 + i);
        }
        Self {
            centre: DVec3::new(number(0), number(1), number(2)),
            radius,
            area: two * number(4),
            zeroth: two * DVec3::new(number(5), number(6), number(7)),
            first,
            second,
        }
    }
}

/// Centre and radius of a node, which a search reads first.
#[derive(Clone, Copy)]
pub struct Place {
    centre: Vec3,
    radius: f32,
}

/// 1 / 4π.
const BY_SPHERE: f32 = 0.079_577_47;

impl Place {
    /// Centre and radius from the first words.
    #[inline(always)]
    pub fn of(Quad([x, y, z, radius]): Quad) -> Self {
        let [x, y, z, radius] = [x, y, z, radius].map(f32::from_bits);
        Self { centre: Vec3::new(x, y, z), radius }
    }
    /// The vector from a point to the centre, in radii; `None` if it is not longer than `beta`.
    #[inline(always)]
    pub fn away(&self, point: Vec3, beta: f32) -> Option<Vec3> {
        let way = (self.centre - point) / self.radius;
        // also `None` after an overflow
        (way.length_squared() > beta * beta && way.length_squared() < 1e30).then_some(way)
    }
    /// Whether the faces have no extent: all are in one point.
    #[inline(always)]
    pub fn is_nothing(&self) -> bool {
        self.radius == 0.0
    }
}

/// The winding number of a node's faces around a point that is `way` from their centre, from the words after
/// the first.
///
/// With u = r / |r|: N·u / |r|² + (tr M − 3 u·Mu) / |r|³ + (15 S(u, u, u) − 9 tr S·u) / 2 |r|⁴.
#[inline(always)]
pub fn far(way: Vec3, words: [Quad; 5]) -> f32 {
    let number = |i: usize| f32::from_bits(words[i / 4].0[i % 4]);
    let inverse = 1.0 / libm::sqrtf(way.length_squared());
    let u = way * inverse;
    let zeroth = number(1) * u.x + number(2) * u.y + number(3) * u.z;
    let [xx, xy, xz, yy, yz, zz] = [4, 5, 6, 7, 8, 9].map(number);
    let along = xx * u.x * u.x
        + yy * u.y * u.y
        + zz * u.z * u.z
        + 2.0 * (xy * u.x * u.y + xz * u.x * u.z + yz * u.y * u.z);
    let first = xx + yy + zz - 3.0 * along;
    let [xxx, xxy, xxz, xyy, xyz, xzz, yyy, yyz, yzz, zzz] =
        [10, 11, 12, 13, 14, 15, 16, 17, 18, 19].map(number);
    let trace = (xxx + xyy + xzz) * u.x + (xxy + yyy + yzz) * u.y + (xxz + yyz + zzz) * u.z;
    let cube = u.x * u.x * (xxx * u.x + 3.0 * (xxy * u.y + xxz * u.z))
        + u.y * u.y * (yyy * u.y + 3.0 * (xyy * u.x + yyz * u.z))
        + u.z * u.z * (zzz * u.z + 3.0 * (xzz * u.x + yzz * u.y))
        + 6.0 * xyz * u.x * u.y * u.z;
    let second = 0.5 * (15.0 * cube - 9.0 * trace);
    let sum = zeroth + inverse * (first + inverse * second);
    BY_SPHERE * inverse * inverse * sum
}

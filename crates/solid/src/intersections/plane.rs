//! The side of a plane on which a point is: the sign of a determinant, exact for coordinates of single
//! precision.
use crate::intersections::exact;
use glam::{DVec3, Vec3};

/// The smallest ratio of a computed determinant to its bound that proves its sign.
///
/// With ε = 2⁻⁵³, each of the six products of three differences has a relative error of at most (1 + ε)⁸ − 1:
/// three differences, two products, three sums. That is less than 8.1 ε of the sum of the products' absolute
/// values. The bound is this sum with the same relative error. So 16.5 ε suffices, and 32 ε leaves room. A
/// fused multiplication and addition rounds once instead of twice, which only makes the error smaller.
/// Nothing overflows or underflows: differences of `f32` that are not 0 are between 2⁻¹⁴⁹ and 2¹²⁹, and their
/// products between 2⁻⁴⁴⁷ and 2³⁸⁷.
const CERTAIN: f64 = 1.0 / (1u64 << 48) as f64;

/// A triangle's plane in double precision.
#[derive(Clone, Copy)]
pub struct Plane {
    corner: DVec3,
    normal: DVec3,
    /// Bound for the error of `normal`: its products with their absolute values.
    bound: DVec3,
}

impl Plane {
    /// The plane of a triangle, whose corners may be on a line.
    #[inline(always)]
    pub fn of([a, b, c]: [Vec3; 3]) -> Self {
        let corner = a.as_dvec3();
        let (u, v) = (b.as_dvec3() - corner, c.as_dvec3() - corner);
        let (x, y) = (u.abs(), v.abs());
        let bound = DVec3::new(x.y * y.z + x.z * y.y, x.z * y.x + x.x * y.z, x.x * y.y + x.y * y.x);
        Self { corner, normal: u.cross(v), bound }
    }
    /// The side of a point, as of [`exact::orientation`], if double precision determines it.
    #[inline(always)]
    pub fn certain_side(&self, p: Vec3) -> Option<i32> {
        let w = p.as_dvec3() - self.corner;
        let (det, most) = (self.normal.dot(w), self.bound.dot(w.abs()));
        let error = CERTAIN * most;
        if det > error {
            Some(1)
        } else if det < -error {
            Some(-1)
        } else if most == 0.0 {
            Some(0)
        } else {
            None
        }
    }
}

/// The side of the plane through `a`, `b`, `c` on which `d` is: the sign of (b − a) × (c − a) · (d − a), for
/// finite coordinates. Exact: in double precision with a bound of the error, in integers if that leaves it
/// open.
#[inline(always)]
pub fn orientation(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> i32 {
    match Plane::of([a, b, c]).certain_side(d) {
        Some(side) => side,
        None => exact::orientation([a, b, c, d]),
    }
}

/// A triangle with its plane.
#[derive(Clone, Copy)]
pub struct Triangle {
    /// Its corners.
    pub corners: [Vec3; 3],
    plane: Plane,
}

impl Triangle {
    /// The triangle with these corners.
    #[inline(always)]
    pub fn new(corners: [Vec3; 3]) -> Self {
        Self { corners, plane: Plane::of(corners) }
    }
    /// The side of its plane on which `p` is; 0 if the corners are on a line.
    #[inline(always)]
    pub fn side(&self, p: Vec3) -> i32 {
        match self.plane.certain_side(p) {
            Some(side) => side,
            None => {
                let [a, b, c] = self.corners;
                exact::orientation([a, b, c, p])
            }
        }
    }
}

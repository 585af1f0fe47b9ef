//! Test in single precision whether a triangle is on one side of another one's plane: certainly, or perhaps
//! not.
use glam::Vec3;

/// The smallest ratio of a computed determinant to its bound that proves its sign: 32 ε, as for double
/// precision in [`plane`](crate::intersections::plane), with ε = 2⁻²⁴.
const CERTAIN: f32 = 1.0 / (1 << 19) as f32;
/// A bound of the loss by underflow, per unit of the point's distance: each product loses at most 2⁻¹⁴⁹
/// there, and 2⁻¹²⁶ on machines that flush.
const VANISHED: f32 = 1.0 / (1_u128 << 110) as f32;

/// A triangle with its plane in single precision.
#[derive(Clone, Copy)]
pub struct Rough {
    pub corners: [Vec3; 3],
    normal: Vec3,
    /// Bound for the error of `normal`: its products with their absolute values.
    bound: Vec3,
}

impl Rough {
    #[inline(always)]
    pub fn new(corners: [Vec3; 3]) -> Self {
        let [a, b, c] = corners;
        let (u, v) = (b - a, c - a);
        let (x, y) = (u.abs(), v.abs());
        let bound = Vec3::new(x.y * y.z + x.z * y.y, x.z * y.x + x.x * y.z, x.x * y.y + x.y * y.x);
        Self { corners, normal: u.cross(v), bound }
    }
    /// The side of the plane on which a point is, 1 or −1; 0 if that is not certain. After an overflow the
    /// side is not certain.
    #[inline(always)]
    fn side(&self, p: Vec3) -> i32 {
        let w = p - self.corners[0];
        let far = w.abs();
        let det = self.normal.dot(w);
        let error = CERTAIN * self.bound.dot(far) + VANISHED * (1.0 + far.x + far.y + far.z);
        if det > error {
            1
        } else if -det > error {
            -1
        } else {
            0
        }
    }
    /// Whether all corners of another triangle that are not shared are certainly on one side of this one's
    /// plane; false without such corners.
    #[inline(always)]
    fn has_aside(&self, corners: &[Vec3; 3]) -> bool {
        let [a, b, c] = self.corners;
        let (mut sum, mut own) = (0, 0);
        let mut i = 0;
        while i < 3 {
            let p = corners[i];
            if p != a && p != b && p != c {
                own += 1;
                sum += self.side(p);
            }
            i += 1;
        }
        own > 0 && (sum == own || sum == -own)
    }
    /// Whether the triangles certainly do not intersect, because one is on one side of the other one's plane.
    #[inline(always)]
    pub fn is_apart(&self, corners: [Vec3; 3]) -> bool {
        self.has_aside(&corners) || Self::new(corners).has_aside(&self.corners)
    }
}

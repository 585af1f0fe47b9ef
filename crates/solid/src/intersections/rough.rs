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
    /// Whether a point is certainly on the side to which the normal points, and whether it is certainly on
    /// the other one. After an overflow neither is certain.
    #[inline(always)]
    fn sides(&self, p: Vec3) -> (bool, bool) {
        let w = p - self.corners[0];
        let far = w.abs();
        let det = self.normal.dot(w);
        let error = CERTAIN * self.bound.dot(far) + VANISHED * (1.0 + far.x + far.y + far.z);
        (det > error, -det > error)
    }
    /// Whether a point is a corner.
    #[inline(always)]
    fn has_corner(&self, p: Vec3) -> bool {
        let [a, b, c] = self.corners;
        let is = |q: Vec3| (p.x == q.x) & (p.y == q.y) & (p.z == q.z);
        is(a) | is(b) | is(c)
    }
    /// Whether all corners of another triangle that are not shared are certainly on one side of this one's
    /// plane; false without such corners. Without jumps, since hardly one of them could be foreseen.
    #[inline(always)]
    fn has_aside(&self, corners: &[Vec3; 3]) -> bool {
        let (mut above, mut below, mut any) = (true, true, false);
        let mut i = 0;
        while i < 3 {
            let shared = self.has_corner(corners[i]);
            let (up, down) = self.sides(corners[i]);
            above &= shared | up;
            below &= shared | down;
            any |= !shared;
            i += 1;
        }
        any & (above | below)
    }
    /// Whether the triangles certainly do not intersect, because one is on one side of the other one's plane.
    #[inline(always)]
    pub fn is_apart(&self, corners: [Vec3; 3]) -> bool {
        self.has_aside(&corners) || Self::new(corners).has_aside(&self.corners)
    }
}

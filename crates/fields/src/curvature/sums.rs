//! Sums over the corners of a vertex.
use crate::curvature::turn::Turn;
use glam::Vec3;
use ribbonmesh::device::math::{fast_recip, sqrt};

/// The part of a face's area that belongs to a corner. `aa`, `bb`: squared lengths of the edges at it; `ab`:
/// their scalar product; `next`, `previous`: cotangents at the other corners; `twice`: twice the face's area.
pub trait Share: Copy {
    /// The part.
    fn of(aa: f32, bb: f32, ab: f32, next: f32, previous: f32, twice: f32) -> f32;
}

/// A third of the face.
#[derive(Clone, Copy)]
pub struct Barycentric;
impl Share for Barycentric {
    #[inline(always)]
    fn of(_: f32, _: f32, _: f32, _: f32, _: f32, twice: f32) -> f32 {
        twice * (1.0 / 6.0)
    }
}

/// Meyer et al., Figure 4: the part of the Voronoi cell; in an obtuse face, half of the face at the obtuse
/// corner and a quarter at the others.
#[derive(Clone, Copy)]
pub struct Mixed;
impl Share for Mixed {
    #[inline(always)]
    fn of(aa: f32, bb: f32, ab: f32, next: f32, previous: f32, twice: f32) -> f32 {
        if ab < 0.0 {
            0.25 * twice
        } else if next < 0.0 || previous < 0.0 {
            0.125 * twice
        } else {
            0.125 * (previous * aa + next * bb)
        }
    }
}

/// Product of two squared lengths, scaled by one of them, below which squares leave the range of `f32`.
const SHORT: f32 = 1e-37;
const LONG: f32 = 1e37;

/// Squared sine below which a corner's cross product is rounding.
const FLAT: f32 = 1e-12;

/// The sums over a vertex's corners.
#[derive(Clone, Copy)]
pub struct Sums {
    /// Sum of the angles.
    pub turn: Turn,
    /// Sum of the parts of the faces.
    pub area: f32,
    /// Sum of cot(previous) (v − next) + cot(next) (v − previous).
    laplacian: Vec3,
    /// Sum of the faces' normals, weighted by area.
    normal: Vec3,
}
impl Default for Sums {
    /// The sums of no corners.
    #[inline(always)]
    fn default() -> Self {
        Self { turn: Turn::new(), area: 0.0, laplacian: Vec3::ZERO, normal: Vec3::ZERO }
    }
}
impl Sums {
    /// Adds the corner with edge vectors `a` to the next and `b` to the previous vertex; without area where
    /// the corner is flat. Returns false and adds nothing if one of them is 0, not a number, or so much
    /// longer than the others that `f32` cannot square it.
    #[inline(always)]
    pub fn add<S: Share>(&mut self, a: Vec3, b: Vec3) -> bool {
        let (aa, bb) = (a.dot(a), b.dot(b));
        let product = aa * bb;
        if !(SHORT..=LONG).contains(&product) {
            return false;
        }
        let (n, ab) = (a.cross(b), a.dot(b));
        let squared = n.dot(n);
        let twice = sqrt(squared);
        self.turn.add(ab, twice);
        if squared <= FLAT * product {
            return true;
        }
        let (c, scale) = (b - a, fast_recip(twice));
        let (next, previous) = (-a.dot(c) * scale, b.dot(c) * scale);
        self.laplacian -= a * previous + b * next;
        self.normal += n;
        self.area += S::of(aa, bb, ab, next, previous, twice);
        true
    }
    /// Meyer et al., equation 8: half the length of the mean curvature normal; positive where it points to
    /// the side of the faces' normals, as on a sphere.
    #[inline(always)]
    pub fn mean(&self) -> f32 {
        let length = sqrt(self.laplacian.dot(self.laplacian)) * fast_recip(4.0 * self.area);
        if self.laplacian.dot(self.normal) < 0.0 { -length } else { length }
    }
}

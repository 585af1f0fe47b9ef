//! Locations on a surface.
use crate::device::{NONE, Quad};
use glam::Vec3;

/// A weight that is nearer to 1 than this is 1: who did not move gets a value as it was.
const NEARLY: f32 = 1e-5;

/// A location on a surface: a face and the barycentric weights of its corners, or a vertex without faces.
#[derive(Clone, Copy)]
pub struct Location {
    /// The face; [`NONE`] for a vertex without faces.
    pub face: u32,
    /// The weights of its corners, which add up to 1; of a vertex the first holds its id, as bits.
    pub weights: [f32; 3],
}
impl Location {
    /// A vertex without faces.
    #[inline(always)]
    pub fn of_vertex(vertex: u32) -> Self {
        Self { face: NONE, weights: [f32::from_bits(vertex), 0.0, 0.0] }
    }
    /// The point of a face that is near `p`: its projection, weights below 0 being 0.
    #[inline(always)]
    pub fn in_face(face: u32, corners: [Vec3; 3], p: Vec3) -> Self {
        Self { face, weights: weights(corners, p) }
    }
    /// As it is stored.
    #[inline(always)]
    pub fn to_words(self) -> Quad {
        let [a, b, c] = self.weights;
        Quad([self.face, a.to_bits(), b.to_bits(), c.to_bits()])
    }
    /// As it was stored.
    #[inline(always)]
    pub fn from_words(Quad([face, a, b, c]): Quad) -> Self {
        Self { face, weights: [f32::from_bits(a), f32::from_bits(b), f32::from_bits(c)] }
    }
    /// The vertex, if it is one.
    #[inline(always)]
    pub fn vertex(self) -> Option<u32> {
        if self.face == NONE { Some(self.weights[0].to_bits()) } else { None }
    }
    /// The corner with the greatest weight, the first of several.
    #[inline(always)]
    pub fn heaviest(self) -> u32 {
        let [a, b, c] = self.weights;
        if a >= b && a >= c {
            0
        } else if b >= c {
            1
        } else {
            2
        }
    }
}

/// The weights of a triangle's corners at the projection of `p`, those below 0 set to 0. Coordinates are
/// divided by the longest side, so that products neither overflow nor vanish. Of a triangle without area, the
/// corner nearest to `p` has the weight 1.
#[inline(always)]
fn weights([a, b, c]: [Vec3; 3], p: Vec3) -> [f32; 3] {
    let (u, v, w) = (b - a, c - a, p - a);
    let longest = u.abs().max_element().max(v.abs().max_element());
    let s = if longest > 0.0 { 1.0 / longest } else { 0.0 };
    let (u, v, w) = (u * s, v * s, w * s);
    let n = u.cross(v);
    let square = n.dot(n);
    let has_area = square > 1e-14 && s.is_finite();
    if !has_area {
        let d = [a, b, c].map(|q| (q - p).length_squared());
        return if d[0] <= d[1] && d[0] <= d[2] {
            [1.0, 0.0, 0.0]
        } else if d[1] <= d[2] {
            [0.0, 1.0, 0.0]
        } else {
            [0.0, 0.0, 1.0]
        };
    }
    let of_b = (w.cross(v).dot(n) / square).clamp(0.0, 1.0);
    let of_c = (u.cross(w).dot(n) / square).clamp(0.0, 1.0);
    let of_a = (1.0 - of_b - of_c).clamp(0.0, 1.0);
    let sum = of_a + of_b + of_c;
    let all = [of_a / sum, of_b / sum, of_c / sum];
    if all[0] > 1.0 - NEARLY {
        [1.0, 0.0, 0.0]
    } else if all[1] > 1.0 - NEARLY {
        [0.0, 1.0, 0.0]
    } else if all[2] > 1.0 - NEARLY {
        [0.0, 0.0, 1.0]
    } else {
        all
    }
}

//! Torus knots.

use std::f64::consts::TAU;

use crate::TriangleMesh;
use crate::shapes::{
    ShapeError,
    error::{at_least, at_most},
};

/// Radius of the circle that the torus's tube follows.
const RING: f64 = 1.0;
/// Radius of the torus's tube.
const TUBE: f64 = 0.4;
/// Radius of the rope, in distances between neighbouring strands.
const ROPE: f64 = 0.25;

/// A closed tube along the torus knot with `p` turns around the axis of the torus and `q` around its tube:
/// `around` · `along` vertices and twice as many faces, all of valence 6. Takes O(`around` · `along`).
///
/// The tube is thin enough not to touch itself. Its surface is embedded only if `along` resolves all
/// windings, with about 16 (p + q) sections or more.
///
/// # Errors
/// [`ShapeError::NotAKnot`] unless `p` and `q` are at least 1 and have no common divisor;
/// [`ShapeError::TooSmall`] for `around` or `along` below 3; [`ShapeError::TooLarge`] beyond 32-bit numbers.
pub fn torus_knot(p: u32, q: u32, around: u32, along: u32) -> Result<TriangleMesh, ShapeError> {
    if common_divisor(p, q) != 1 || p == 0 || q == 0 {
        return Err(ShapeError::NotAKnot { p, q });
    }
    at_least("a knot's number of vertices around", around, 3)?;
    at_least("a knot's number of sections", along, 3)?;
    let vertices = u64::from(around) * u64::from(along);
    at_most("a knot's number of sections", along, vertices, vertices.saturating_mul(2))?;
    let (turns, twists) = (f64::from(p), f64::from(q));
    let rope = ROPE * TUBE / turns.max(twists);
    let mut positions = Vec::with_capacity(vertices as usize);
    for section in 0..along {
        let t = TAU * f64::from(section) / f64::from(along);
        let (u, v) = (turns * t, twists * t);
        let outward = [v.cos() * u.cos(), v.cos() * u.sin(), v.sin()];
        let radius = RING + TUBE * v.cos();
        let centre = [radius * u.cos(), radius * u.sin(), TUBE * v.sin()];
        let tangent = [
            -TUBE * twists * v.sin() * u.cos() - turns * radius * u.sin(),
            -TUBE * twists * v.sin() * u.sin() + turns * radius * u.cos(),
            TUBE * twists * v.cos(),
        ];
        // The torus's normal is at right angles to the curve, so it frames the rope without twisting it.
        let side = unit(cross(outward, tangent));
        for step in 0..around {
            let angle = TAU * f64::from(step) / f64::from(around);
            let place = |axis: usize| {
                (centre[axis] + rope * (angle.cos() * outward[axis] + angle.sin() * side[axis])) as f32
            };
            positions.push([0, 1, 2].map(place));
        }
    }
    let mut faces = Vec::with_capacity(2 * vertices as usize);
    for section in 0..along {
        let next = (section + 1) % along;
        for step in 0..around {
            let after = (step + 1) % around;
            let [a, b] = [section * around + step, next * around + step];
            let [c, d] = [next * around + after, section * around + after];
            faces.extend([[a, b, c], [a, c, d]]);
        }
    }
    Ok(TriangleMesh::from_f32(positions, faces))
}

fn common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(vector: [f64; 3]) -> [f64; 3] {
    let length = vector.iter().map(|value| value * value).sum::<f64>().sqrt();
    vector.map(|value| value / length)
}

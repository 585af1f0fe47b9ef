//! Faces without area.
use core::cmp::Ordering;
use glam::DVec3;
use libm::sqrt;

/// Greatest height that counts as 0, in units in the last place of the largest coordinate.
const ROUNDING: f64 = 4.0;

/// Whether a triangle's area is 0 but for rounding: its height above its longest side is at most a few units
/// in the last place, in double precision, of its largest coordinate. False where a coordinate is not finite.
pub fn none(mut corners: [DVec3; 3]) -> bool {
    // sorted, so that all faces with the same corners get the same answer
    for [i, j] in [[0, 1], [1, 2], [0, 1]] {
        if order(corners[i], corners[j]).is_gt() {
            (corners[i], corners[j]) = (corners[j], corners[i]);
        }
    }
    let [a, b, c] = corners;
    let sides = [b - a, c - b, a - c];
    let extent = sides.iter().map(|side| side.abs().max_element()).fold(0.0_f64, greater);
    if extent == 0.0 {
        return a.is_finite();
    }
    // sides of about 1, whose squares neither overflow nor underflow
    let sides = sides.map(|side| side / extent);
    let longest = sides.iter().map(|&side| length(side)).fold(0.0_f64, greater);
    let largest = corners.iter().map(|corner| corner.abs().max_element()).fold(0.0_f64, greater);
    length(sides[0].cross(sides[2])) * extent <= ROUNDING * f64::EPSILON * largest * longest
}

fn order(a: DVec3, b: DVec3) -> Ordering {
    a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z))
}
fn length(v: DVec3) -> f64 {
    sqrt(v.length_squared())
}
/// The greater of two numbers; a number that is not one does not count.
fn greater(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

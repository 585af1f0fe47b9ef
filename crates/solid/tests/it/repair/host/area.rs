//! Faces without area.
use glam::DVec3;

/// Greatest height that counts as 0, in units in the last place of the largest coordinate.
const ROUNDING: f64 = 4.0;

/// Whether a triangle's area is 0 but for rounding: its height above its longest side is at most a few units
/// in the last place, in double precision, of its largest coordinate. False where a coordinate is not finite.
pub(crate) fn none(mut corners: [DVec3; 3]) -> bool {
    // sorted, so that all faces with the same corners get the same answer
    corners.sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z)));
    let [a, b, c] = corners;
    let sides = [b - a, c - b, a - c];
    let extent = sides.iter().map(|side| side.abs().max_element()).fold(0.0, f64::max);
    if extent == 0.0 {
        return a.is_finite();
    }
    // sides of about 1, whose squares neither overflow nor underflow
    let sides = sides.map(|side| side / extent);
    let longest = sides.iter().map(|side| side.length()).fold(0.0, f64::max);
    let largest = corners.iter().map(|corner| corner.abs().max_element()).fold(0.0, f64::max);
    sides[0].cross(sides[2]).length() * extent <= ROUNDING * f64::EPSILON * largest * longest
}

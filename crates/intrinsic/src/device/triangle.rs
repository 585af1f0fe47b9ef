//! Triangles of three lengths. Results do not depend on the order of the lengths, also in their last bits.
use super::number::{greater, lesser, times};

/// The area: Heron's formula in the order of Kahan (2014), precise also for needles. 0 where the lengths are
/// those of no triangle.
#[inline(always)]
pub fn area(a: f64, b: f64, c: f64) -> f64 {
    let (high, low) = (greater(a, b), lesser(a, b));
    let (a, rest) = (greater(high, c), lesser(high, c));
    let (b, c) = (greater(rest, low), lesser(rest, low));
    let square = times(times(a + (b + c), c - (a - b)), times(c + (a - b), a + (b - c)));
    if square > 0.0 { 0.25 * libm::sqrt(square) } else { 0.0 }
}

/// The cotangent of the angle opposite to the side of length `opposite`; not finite in a triangle without
/// area.
#[inline(always)]
pub fn cotangent(opposite: f64, b: f64, c: f64) -> f64 {
    let (high, low) = (greater(b, c), lesser(b, c));
    let squares = times(high - opposite, high + opposite) + times(low, low);
    squares / (4.0 * area(opposite, b, c))
}

/// The other diagonal of two triangles on both sides of an edge of length `edge` from i to j, laid out in a
/// plane. `left` are the lengths from i and from j to the opposite vertex of one of them, `right` those of
/// the other.
#[inline(always)]
pub fn other_diagonal(edge: f64, left: [f64; 2], right: [f64; 2]) -> f64 {
    // how far the feet of the two heights are apart, and the sum of the heights; both times the edge
    let foot = |[i, j]: [f64; 2]| times(i - j, i + j);
    let apart = 0.5 * (foot(left) - foot(right));
    let high = 2.0 * (area(edge, left[0], left[1]) + area(edge, right[0], right[1]));
    libm::sqrt(times(apart, apart) + times(high, high)) / edge
}

//! Angles of corners without a direction, or whose squared lengths leave the range of `f32`.
use glam::Vec3;
use ribbonmesh::device::math::sqrt;

/// The cosine and the sine of π/3.
const THIRD: (f32, f32) = (0.5, 0.866_025_4);

/// The angle at `p` between the directions to `q` and to `r`, as the one of a vector (x, y) with y ≥ 0;
/// `None` if a coordinate is not finite. The angles of a face's three corners add up to π for all positions:
///
/// | equal positions | angles |
/// |---|---|
/// | two | π/2 at both, 0 at the third: the limit of an isosceles triangle whose base shrinks |
/// | three | π/3 each |
/// | none, but all on a line | π at the middle, 0 at the ends |
#[inline(never)]
pub fn corner(p: Vec3, q: Vec3, r: Vec3) -> Option<(f32, f32)> {
    if !(p.is_finite() && q.is_finite() && r.is_finite()) {
        return None;
    }
    Some(match (p == q, p == r) {
        (true, true) => THIRD,
        (true, false) | (false, true) => (0.0, 1.0),
        (false, false) => {
            let (a, b) = (towards(p, q), towards(p, r));
            let n = a.cross(b);
            (a.dot(b), sqrt(n.dot(n)))
        }
    })
}

/// The difference of two points, scaled: its largest coordinate is 1 or −1.
#[inline(always)]
fn towards(p: Vec3, q: Vec3) -> Vec3 {
    const TINY: f32 = 1e-30;
    let difference = q - p;
    let d = if difference.is_finite() { difference } else { 0.5 * q - 0.5 * p };
    let d = if d.abs().max_element() < TINY { d / TINY } else { d };
    d / d.abs().max_element()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn angles(points: [Vec3; 3]) -> [f64; 3] {
        [0, 1, 2].map(|i| {
            let (x, y) = corner(points[i], points[(i + 1) % 3], points[(i + 2) % 3]).expect("finite");
            f64::from(y).atan2(f64::from(x))
        })
    }
    #[test]
    fn three_add_up_to_half_a_turn() {
        let x = [0.0, 1e-45, 1e-38, 3e-30, 1e-8, 1.0, 1.5, 2e19, 3e38, -3e38, -1.0, -1e-45];
        let mut state = 1_usize;
        let mut pick = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            x[(state >> 33) % x.len()]
        };
        for _ in 0..20_000 {
            let points = [(); 3].map(|()| Vec3::new(pick(), pick(), 0.0));
            let sum: f64 = angles(points).iter().sum();
            assert!((sum - PI).abs() < 2e-6, "{points:?}: {:?}", angles(points));
        }
    }
    #[test]
    fn limits() {
        let near = |found: [f64; 3], expected: [f64; 3]| {
            assert!(
                found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6),
                "{found:?}, not {expected:?}"
            );
        };
        near(angles([Vec3::ONE; 3]), [PI / 3.0; 3]);
        near(angles([Vec3::ONE, Vec3::ONE, Vec3::X]), [PI / 2.0, PI / 2.0, 0.0]);
        near(angles([Vec3::ZERO, Vec3::ONE, 3.0 * Vec3::ONE]), [0.0, PI, 0.0]);
        assert_eq!(corner(Vec3::ZERO, Vec3::NAN, Vec3::X), None);
        assert_eq!(corner(Vec3::ZERO, Vec3::Y, Vec3::INFINITY), None);
    }
}

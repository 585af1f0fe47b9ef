//! The points of two elements that are closest to each other, as weights of their four vertices. The
//! difference of the two points is the sum of the vertices by these weights. They are rounded, so a caller
//! that needs certainty has to check its conclusions.
use glam::DVec3;

/// Weights for a point p and a triangle a b c: the weight of p is 1, the weights of the corners are not
/// positive. By the region of the triangle that is nearest (C. Ericson, *Real-Time Collision Detection*,
/// 2005, section 5.1.5).
#[inline(always)]
pub fn point_triangle([p, a, b, c]: [DVec3; 4]) -> [f64; 4] {
    let (ab, ac, bc) = (b - a, c - a, c - b);
    let (ap, bp, cp) = (p - a, p - b, p - c);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    let of = |u: f64, v: f64, w: f64| [1.0, -u, -v, -w];
    if d1 <= 0.0 && d2 <= 0.0 {
        return of(1.0, 0.0, 0.0);
    }
    if d3 >= 0.0 && d4 <= d3 {
        return of(0.0, 1.0, 0.0);
    }
    if d6 >= 0.0 && d5 <= d6 {
        return of(0.0, 0.0, 1.0);
    }
    let beside_ab = d1 * d4 - d3 * d2;
    if beside_ab <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let t = d1 / (d1 - d3);
        return of(1.0 - t, t, 0.0);
    }
    let beside_ac = d5 * d2 - d1 * d6;
    if beside_ac <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let t = d2 / (d2 - d6);
        return of(1.0 - t, 0.0, t);
    }
    let beside_bc = d3 * d6 - d5 * d4;
    if beside_bc <= 0.0 && d4 >= d3 && d5 >= d6 {
        let t = bc.dot(bp) / bc.length_squared();
        return of(0.0, 1.0 - t, t);
    }
    let all = beside_ab + beside_ac + beside_bc;
    let (v, w) = (beside_ac / all, beside_ab / all);
    of(1.0 - v - w, v, w)
}

/// Weights for two segments p q and r s: the weights of p and q are not negative, the weights of r and s are
/// not positive (Ericson, section 5.1.9).
#[inline(always)]
pub fn segments([p, q, r, s]: [DVec3; 4]) -> [f64; 4] {
    let (d, e, between) = (q - p, s - r, p - r);
    let (a, b, c) = (d.length_squared(), d.dot(e), d.dot(between));
    let (g, f) = (e.length_squared(), e.dot(between));
    let within = |x: f64| if x > 0.0 { x.min(1.0) } else { 0.0 };
    let along = |x: f64, length: f64| if length > 0.0 { within(x / length) } else { 0.0 };
    let area = a * g - b * b;
    let mut u = if area > 0.0 { within((b * f - c * g) / area) } else { 0.0 };
    let free = if g > 0.0 { (b * u + f) / g } else { 0.0 };
    let v = within(free);
    if v != free || g <= 0.0 {
        u = along(b * v - c, a);
    }
    [1.0 - u, u, v - 1.0, -v]
}

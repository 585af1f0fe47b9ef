//! Whether a disk in the plane lies on itself.
use glam::DVec2;

/// Whether the boundary of a flat disk crosses or touches itself. A map without folded triangles whose
/// boundary does not is one to one. Sorts segments by their left ends; near O(n log n) for boundaries that
/// are not mostly vertical.
pub fn boundary_meets_itself(boundary: &[u32], at: &[DVec2]) -> bool {
    let n = boundary.len();
    let point = |i: usize| at[boundary[i % n] as usize];
    let left = |i: usize| point(i).x.min(point(i + 1).x);
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| left(i).total_cmp(&left(j)));
    let mut open: Vec<usize> = vec![];
    for &i in &order {
        let from = left(i);
        open.retain(|&j| point(j).x.max(point(j + 1).x) >= from);
        let hit = |&j: &usize| {
            let (a, b, c, d) = (point(i), point(i + 1), point(j), point(j + 1));
            if j == (i + 1) % n {
                goes_back(a, b, d)
            } else if i == (j + 1) % n {
                goes_back(c, d, b)
            } else {
                meet(a, b, c, d)
            }
        };
        if open.iter().any(hit) {
            return true;
        }
        open.push(i);
    }
    false
}
/// Twice the area of a triangle, positive if it turns left.
pub fn turn(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - a)
}
/// Whether a path from a by b to c turns back onto itself.
fn goes_back(a: DVec2, b: DVec2, c: DVec2) -> bool {
    turn(a, b, c) == 0.0 && (b - a).dot(c - b) <= 0.0
}
/// Whether two segments have a point in common.
fn meet(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> bool {
    if a.max(b).cmplt(c.min(d)).any() || c.max(d).cmplt(a.min(b)).any() {
        return false;
    }
    // on one side of the other's line: they do not meet
    let apart = |p: f64, q: f64| (p > 0.0 && q > 0.0) || (p < 0.0 && q < 0.0);
    !apart(turn(a, b, c), turn(a, b, d)) && !apart(turn(c, d, a), turn(c, d, b))
}

//! Vertices and edges that are near each other.
use glam::DVec3;

/// An edge with its ends, the lesser first.
pub(super) struct Edge {
    pub(super) ends: [u32; 2],
    pub(super) at: [DVec3; 2],
}

/// Some vertices by their first coordinate, and a distance.
pub(super) struct Nearby {
    sorted: Vec<(DVec3, u32)>,
    reach: f64,
}

impl Nearby {
    pub(super) fn new(mut sorted: Vec<(DVec3, u32)>, reach: f64) -> Self {
        sorted.sort_unstable_by(|a, b| a.0.x.total_cmp(&b.0.x).then(a.1.cmp(&b.1)));
        Self { sorted, reach }
    }
    /// The vertices in a box that is wider by the distance.
    fn within(&self, low: DVec3, high: DVec3) -> impl Iterator<Item = (DVec3, u32)> + '_ {
        let (low, high) = (low - self.reach, high + self.reach);
        let from = self.sorted.partition_point(|of| of.0.x < low.x);
        let some = self.sorted[from..].iter().copied().take_while(move |of| of.0.x <= high.x);
        some.filter(move |of| low.cmple(of.0).all() && of.0.cmple(high).all())
    }
    /// The vertices near an edge between its ends, from the first end on.
    pub(super) fn on_edge(&self, edge: &Edge) -> Option<Vec<u32>> {
        let [a, b] = edge.at;
        let along = b - a;
        let mut found: Vec<(f64, u32)> = self
            .within(a.min(b), a.max(b))
            .filter(|of| !edge.ends.contains(&of.1))
            .map(|(p, vertex)| ((p - a).dot(along) / along.length_squared(), p, vertex))
            .filter(|&(t, p, _)| t > 0.0 && t < 1.0 && p.distance(a + t * along) <= self.reach)
            .map(|(t, _, vertex)| (t, vertex))
            .collect();
        found.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        (!found.is_empty()).then(|| found.into_iter().map(|of| of.1).collect())
    }
    /// The vertices near a face that are not near its edges.
    pub(super) fn in_face(&self, [a, b, c]: [DVec3; 3], known: &[u32]) -> Vec<u32> {
        let Some(normal) = (b - a).cross(c - a).try_normalize() else { return vec![] };
        // inward, in the plane
        let inward = [[a, b], [b, c], [c, a]].map(|[p, q]| (p, normal.cross(q - p).normalize_or_zero()));
        let mut found: Vec<u32> = self
            .within(a.min(b).min(c), a.max(b).max(c))
            .filter(|of| (of.0 - a).dot(normal).abs() <= self.reach)
            .filter(|of| inward.iter().all(|side| (of.0 - side.0).dot(side.1) > self.reach))
            .map(|of| of.1)
            .filter(|vertex| !known.contains(vertex))
            .collect();
        found.sort_unstable();
        found
    }
}

/// The point between two edges where they are nearest to each other, if it is between the ends of both, and
/// they are within a distance of each other there.
fn passing([a, b]: [DVec3; 2], [c, d]: [DVec3; 2], reach: f64) -> Option<DVec3> {
    /// Sine squared of the angle below which edges are parallel.
    const PARALLEL: f64 = 1e-12;
    let (p, q, r) = (b - a, d - c, a - c);
    let (pp, qq, pq) = (p.length_squared(), q.length_squared(), p.dot(q));
    let area = pp * qq - pq * pq;
    if area <= PARALLEL * pp * qq {
        return None;
    }
    let (s, t) = ((pq * q.dot(r) - qq * p.dot(r)) / area, (pp * q.dot(r) - pq * p.dot(r)) / area);
    let (x, y) = (a + s * p, c + t * q);
    let between = s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0;
    (between && x.distance(y) <= reach).then(|| (x + y) / 2.0)
}

/// The points where edges without a common end pass each other within a distance.
pub(super) fn crossings(edges: &[Edge], reach: f64) -> Vec<DVec3> {
    let mut boxes: Vec<(DVec3, DVec3, &Edge)> = edges
        .iter()
        .map(|edge| (edge.at[0].min(edge.at[1]), edge.at[0].max(edge.at[1]) + reach, edge))
        .collect();
    boxes.sort_by(|a, b| a.0.x.total_cmp(&b.0.x));
    let mut found = vec![];
    for (i, &(low, high, edge)) in boxes.iter().enumerate() {
        for &(other_low, other_high, other) in boxes[i + 1..].iter().take_while(|other| other.0.x <= high.x) {
            let near = low.cmple(other_high).all() && other_low.cmple(high).all();
            if near && !edge.ends.iter().any(|end| other.ends.contains(end)) {
                found.extend(passing(edge.at, other.at, reach));
            }
        }
    }
    found
}

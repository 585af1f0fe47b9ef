//! Search for rims that face each other.
use crate::fill::loops::Loop;
use crate::fill::pair::Pair;
use glam::DVec3;

/// Least cosine between the direction from one rim to the other and the directions in which the surfaces end
/// there.
const FACING: f64 = 0.5;
/// Least cosine between that direction and the normals of the two rims.
const COAXIAL: f64 = 0.7;
/// Least ratio of the lengths of two rims.
const ALIKE: f64 = 0.5;
/// Greatest distance between two rims of different components, in mean edge lengths around them.
const EDGES: f64 = 4.0;
/// Mean cosine from which on a surface is inside of a rim; the cosine is that between the end of the surface
/// and the direction out of the loop. The surface meets the plane of the rim at less than 60 degrees.
const INSIDE: f64 = 0.5;

/// Half the sum of the cross products along a loop: its area, in the direction of its normal.
pub(crate) fn vector_area(points: &[DVec3]) -> DVec3 {
    let Some(&origin) = points.first() else { return DVec3::ZERO };
    let next = points.iter().cycle().skip(1);
    0.5 * points.iter().zip(next).map(|(a, b)| (*a - origin).cross(*b - origin)).sum::<DVec3>()
}

/// The length of a loop.
pub(crate) fn perimeter(points: &[DVec3]) -> f64 {
    points.iter().zip(points.iter().cycle().skip(1)).map(|(a, b)| a.distance(*b)).sum()
}

/// A boundary loop and the surface beside it.
pub(crate) struct Rim {
    points: Vec<DVec3>,
    length: f64,
    /// [`vector_area`] of the loop.
    pub area: DVec3,
    /// Mean, by length, of the unit vectors in which the surface ends at each side: in the plane of the face,
    /// perpendicular to the side.
    ends: DVec3,
    /// Mean, by length, of the cosines between these vectors and the directions out of the loop: 1 where the
    /// surface is inside of it, as at the border of a sheet; -1 where it is outside, as around a hole in a
    /// sheet; 0 at the end of a tube.
    inside: f64,
    middle: DVec3,
    /// Mean length of the edges of the faces across its sides.
    edges: f64,
    component: u32,
}

impl Rim {
    pub fn of(boundary: &Loop, faces: &[[u32; 3]], place: impl Fn(u32) -> DVec3, component: u32) -> Self {
        let points: Vec<DVec3> = boundary.vertices.iter().map(|&v| place(v)).collect();
        let (length, area) = (perimeter(&points), vector_area(&points));
        let normal = area.normalize_or_zero();
        let n = points.len();
        let (mut ends, mut inside, mut edges) = (DVec3::ZERO, 0.0, 0.0);
        for (i, &face) in boundary.across.iter().enumerate() {
            let (a, b) = (points[i], points[(i + 1) % n]);
            let [p, q, r] = faces[face as usize].map(&place);
            edges += (p.distance(q) + q.distance(r) + r.distance(p)) / (3 * n) as f64;
            let third = p + q + r - a - b;
            let along = (b - a).normalize_or_zero();
            let way = a - third;
            let end = (way - way.dot(along) * along).normalize_or_zero() * a.distance(b);
            ends += end;
            inside += end.dot(along.cross(normal));
        }
        let by_length = 1.0 / length.max(f64::MIN_POSITIVE);
        let middle = points.iter().sum::<DVec3>() / n.max(1) as f64;
        Self {
            length,
            area,
            ends: ends * by_length,
            inside: inside * by_length,
            middle,
            edges,
            component,
            points,
        }
    }
    /// Whether the surface is inside of it.
    pub fn is_around(&self) -> bool {
        self.inside > INSIDE
    }
    /// The radius of a circle with the same ratio of area to length.
    fn radius(&self) -> f64 {
        2.0 * self.area.length() / self.length.max(f64::MIN_POSITIVE)
    }
    /// The greatest distance of its partner.
    fn limit(&self, same: bool) -> f64 {
        if same { self.radius() } else { self.radius().min(EDGES * self.edges) }
    }
    /// Whether the surface of this rim ends towards `way`.
    fn faces(&self, way: DVec3) -> bool {
        self.ends.dot(way) >= FACING && self.area.normalize_or_zero().dot(way) >= COAXIAL
    }
    fn meets(&self, other: &Self) -> bool {
        let way = other.middle - self.middle;
        let far = way.length();
        let same = self.component == other.component;
        let alike = self.length.min(other.length) >= ALIKE * self.length.max(other.length);
        let way = way.normalize_or_zero();
        alike && far <= self.limit(same).min(other.limit(same)) && self.faces(way) && other.faces(-way)
    }
}

/// Finds the pairs of rims between which a ring is missing, the nearest pairs first. The rims face each
/// other; they are at most about a radius apart, or a few edges if they belong to different components.
/// `skipped` rims are in no pair.
pub(crate) fn rings(rims: &[Rim], skipped: impl Fn(usize) -> bool) -> Vec<Pair> {
    let mut order: Vec<usize> = (0..rims.len()).filter(|i| !skipped(*i)).collect();
    order.sort_by(|&i, &j| rims[i].middle.x.total_cmp(&rims[j].middle.x).then(i.cmp(&j)));
    let mut near: Vec<(f64, [usize; 2])> = vec![];
    for (at, &i) in order.iter().enumerate() {
        let reach = rims[i].radius();
        let ahead = order[at + 1..].iter().take_while(|&&j| rims[j].middle.x - rims[i].middle.x <= reach);
        for &j in ahead.filter(|&&j| rims[i].meets(&rims[j])) {
            near.push((rims[i].middle.distance(rims[j].middle), [i.min(j), i.max(j)]));
        }
    }
    near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut taken = vec![false; rims.len()];
    let mut pairs = vec![];
    for (_, loops) in near {
        if loops.iter().any(|&i| taken[i]) {
            continue;
        }
        loops.iter().for_each(|&i| taken[i] = true);
        let [first, second] = loops.map(|i| &rims[i].points);
        let away = |k: &usize| second[*k].distance_squared(first[0]);
        let nearest = (0..second.len()).min_by(|a, b| away(a).total_cmp(&away(b))).unwrap_or(0);
        pairs.push(Pair { loops, start: [0, nearest] });
    }
    pairs.sort_by_key(|pair| pair.loops);
    pairs
}

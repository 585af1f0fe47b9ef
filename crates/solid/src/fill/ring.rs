//! Search for rims that face each other.
use crate::fill::loops::Loop;
use crate::fill::measure::{Measures, measures};
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

/// A boundary loop and the surface beside it.
pub(crate) struct Rim {
    /// Its measures.
    pub measures: Measures,
    /// The first vertex of its component.
    pub component: u32,
}

impl Rim {
    pub fn of(boundary: &Loop, faces: &[[u32; 3]], place: impl Fn(u32) -> DVec3, component: u32) -> Self {
        let Loop { vertices, across } = boundary;
        let point = |i: u32| place(vertices[i as usize]);
        let of_face = |i: u32| faces[across[i as usize] as usize].map(&place);
        Self { measures: measures(vertices.len() as u32, point, of_face), component }
    }
    /// Whether the surface is inside of it.
    pub fn is_around(&self) -> bool {
        self.measures.inside > INSIDE
    }
    /// The radius of a circle with the same ratio of area to length.
    fn radius(&self) -> f64 {
        2.0 * self.measures.area.length() / self.measures.length.max(f64::MIN_POSITIVE)
    }
    /// The greatest distance of its partner.
    fn limit(&self, same: bool) -> f64 {
        if same { self.radius() } else { self.radius().min(EDGES * self.measures.edges) }
    }
    /// Whether the surface of this rim ends towards `way`.
    fn faces(&self, way: DVec3) -> bool {
        let Measures { ends, area, .. } = self.measures;
        ends.dot(way) >= FACING && area.normalize_or_zero().dot(way) >= COAXIAL
    }
    fn meets(&self, other: &Self) -> bool {
        let (a, b) = (&self.measures, &other.measures);
        let way = b.middle - a.middle;
        let far = way.length();
        let same = self.component == other.component;
        let alike = a.length.min(b.length) >= ALIKE * a.length.max(b.length);
        let way = way.normalize_or_zero();
        alike && far <= self.limit(same).min(other.limit(same)) && self.faces(way) && other.faces(-way)
    }
}

/// Finds the pairs of rims between which a ring is missing, the lesser rim first; of rims that face several
/// others, the nearest pairs. The rims face each other; they are at most about a radius apart, or a few edges
/// if they belong to different components. `skipped` rims are in no pair.
pub(crate) fn rings(rims: &[Rim], skipped: impl Fn(usize) -> bool) -> Vec<[usize; 2]> {
    let middle = |i: usize| rims[i].measures.middle;
    let mut order: Vec<usize> = (0..rims.len()).filter(|i| !skipped(*i)).collect();
    order.sort_by(|&i, &j| middle(i).x.total_cmp(&middle(j).x).then(i.cmp(&j)));
    let mut near: Vec<(f64, [usize; 2])> = vec![];
    for (at, &i) in order.iter().enumerate() {
        let reach = rims[i].radius();
        let ahead = order[at + 1..].iter().take_while(|&&j| middle(j).x - middle(i).x <= reach);
        for &j in ahead.filter(|&&j| rims[i].meets(&rims[j])) {
            near.push((middle(i).distance(middle(j)), [i.min(j), i.max(j)]));
        }
    }
    near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut taken = vec![false; rims.len()];
    let mut pairs = vec![];
    for (_, loops) in near {
        if loops.iter().all(|&i| !taken[i]) {
            loops.iter().for_each(|&i| taken[i] = true);
            pairs.push(loops);
        }
    }
    pairs.sort_unstable();
    pairs
}

/// The place in `second` of the point nearest to the first one of `first`.
pub(crate) fn nearest(first: &[DVec3], second: &[DVec3]) -> usize {
    let away = |k: &usize| second[*k].distance_squared(first[0]);
    (0..second.len()).min_by(|a, b| away(a).total_cmp(&away(b))).unwrap_or(0)
}

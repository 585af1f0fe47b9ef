//! The division of one face.
use crate::boolean::attach::{ascending, sides};
use glam::{DVec2, DVec3};
use rustc_hash::{FxHashMap, FxHashSet};
use std::f64::consts::PI;

/// Angles by which two diagonals of a quadrilateral are equally good.
const TIE: f64 = 1e-4;

/// The parts of a face.
pub(super) struct Parts<'a> {
    at: &'a FxHashMap<u32, DVec3>,
    /// Two axes of the plane.
    axes: [DVec3; 2],
    parts: Vec<[u32; 3]>,
    /// Edges that stay.
    held: FxHashSet<[u32; 2]>,
}

impl<'a> Parts<'a> {
    pub(super) fn new([a, b, c]: [DVec3; 3], at: &'a FxHashMap<u32, DVec3>) -> Self {
        let normal = (b - a).cross(c - a).normalize_or(DVec3::Z);
        let first = normal.any_orthonormal_vector();
        Self { at, axes: [first, normal.cross(first)], parts: vec![], held: FxHashSet::default() }
    }
    fn flat(&self, vertex: u32) -> DVec2 {
        let p = self.at[&vertex];
        DVec2::from_array(self.axes.map(|axis| axis.dot(p)))
    }
    /// Twice the area of a triangle in the plane.
    fn area(&self, corners: [u32; 3]) -> f64 {
        let [a, b, c] = corners.map(|v| self.flat(v));
        (b - a).perp_dot(c - a)
    }
    /// Fills a closed way, of which parts that are passed both ways are nothing.
    pub(super) fn fill(&mut self, cycle: Vec<u32>) {
        for of in loops(cycle) {
            self.parts.extend((2..of.len()).map(|i| [of[0], of[i - 1], of[i]]));
        }
        self.flip();
    }
    /// Adds a vertex within the parts.
    pub(super) fn insert(&mut self, vertex: u32) {
        let least = |part: &[u32; 3]| {
            sides(*part).map(|[p, q]| self.area([p, q, vertex])).into_iter().fold(f64::INFINITY, f64::min)
        };
        let found =
            (0..self.parts.len()).max_by(|&i, &j| least(&self.parts[i]).total_cmp(&least(&self.parts[j])));
        if let Some(place) = found {
            let three = sides(self.parts[place]).map(|[p, q]| [p, q, vertex]);
            self.parts[place] = three[0];
            self.parts.extend(&three[1..]);
            self.flip();
        }
    }
    /// For each side the part and the corner across.
    fn known(&self) -> FxHashMap<[u32; 2], (usize, u32)> {
        let of = |(i, &[a, b, c]): (usize, &[u32; 3])| [([a, b], (i, c)), ([b, c], (i, a)), ([c, a], (i, b))];
        self.parts.iter().enumerate().flat_map(of).collect()
    }
    /// Whether two segments cross between their ends.
    fn crosses(&self, [a, b]: [u32; 2], [c, d]: [u32; 2]) -> bool {
        let opposite = |x: f64, y: f64| x > 0.0 && y < 0.0 || x < 0.0 && y > 0.0;
        ![c, d].iter().any(|v| [a, b].contains(v))
            && opposite(self.area([a, b, c]), self.area([a, b, d]))
            && opposite(self.area([c, d, a]), self.area([c, d, b]))
    }
    /// Makes the segment between two vertices an edge that stays, if no such edge is in the way.
    pub(super) fn hold(&mut self, ends: [u32; 2]) {
        for _ in 0..4 * self.parts.len() {
            let known = self.known();
            if known.contains_key(&ends) || known.contains_key(&[ends[1], ends[0]]) {
                self.held.insert(ends);
                return;
            }
            let mut across: Vec<[u32; 2]> =
                known.keys().copied().filter(|side| side[0] < side[1] && self.crosses(*side, ends)).collect();
            across.sort_unstable();
            let other = |&[a, b]: &[u32; 2]| Some((known.get(&[a, b])?.1, known.get(&[b, a])?.1));
            // of those that can be exchanged one whose other diagonal crosses no more, if there is one
            let can = |side: &&[u32; 2]| other(side).is_some_and(|(c, d)| self.crosses([c, d], **side));
            let is_better = |side: &&[u32; 2]| other(side).is_some_and(|(c, d)| !self.crosses([c, d], ends));
            let free: Vec<&[u32; 2]> =
                across.iter().filter(|side| !self.held.contains(*side)).filter(can).collect();
            let Some(&&[a, b]) = free.iter().copied().find(is_better).as_ref().or(free.first()) else {
                return;
            };
            let (Some(&(i, c)), Some(&(j, d))) = (known.get(&[a, b]), known.get(&[b, a])) else { return };
            (self.parts[i], self.parts[j]) = ([a, d, c], [d, b, c]);
        }
    }
    /// The parts.
    pub(super) fn end(mut self) -> Vec<[u32; 3]> {
        self.flip();
        self.parts
    }
    /// Exchanges diagonals until opposite angles are at most half a turn together. Of equal ones, that at the
    /// least vertex stays, so that sheets that coincide get the same.
    fn flip(&mut self) {
        let angle = |[a, b]: [u32; 2], apex: u32| {
            let [p, q] = [a, b].map(|v| self.at[&v] - self.at[&apex]);
            p.cross(q).length().atan2(p.dot(q))
        };
        for _ in 0..4 * self.parts.len() {
            let known = self.known();
            let mut edges: Vec<[u32; 2]> = known.keys().copied().filter(|[a, b]| a < b).collect();
            edges.sort_unstable();
            let (mut changed, mut new) = (FxHashSet::default(), FxHashSet::default());
            for [a, b] in edges {
                let (Some(&(i, c)), Some(&(j, d))) = (known.get(&[a, b]), known.get(&[b, a])) else {
                    continue;
                };
                let is_there = [[c, d], [d, c]].iter().any(|side| known.contains_key(side));
                let is_taken = is_there || new.contains(&ascending([c, d])) || self.held.contains(&[a, b]);
                if i == j || c == d || changed.contains(&i) || changed.contains(&j) || is_taken {
                    continue;
                }
                let over = angle([a, b], c) + angle([a, b], d) - PI;
                if over > TIE || over > -TIE && c.min(d) < a {
                    (self.parts[i], self.parts[j]) = ([a, d, c], [d, b, c]);
                    changed.extend([i, j]);
                    new.insert(ascending([c, d]));
                }
            }
            if changed.is_empty() {
                return;
            }
        }
    }
}

/// Parts of a closed way that pass each vertex once. Those of two vertices are nothing.
fn loops(cycle: Vec<u32>) -> Vec<Vec<u32>> {
    let (mut found, mut way) = (vec![], Vec::<u32>::new());
    for vertex in cycle {
        if let Some(place) = way.iter().position(|&v| v == vertex) {
            found.push(way.split_off(place));
        }
        way.push(vertex);
    }
    found.push(way);
    found.retain(|of| of.len() > 2);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_become_loops() {
        assert_eq!(loops(vec![0, 1, 2]), [[0, 1, 2]]);
        // 3 is on two sides near their common end 0; 2 is on the side across
        assert_eq!(loops(vec![0, 3, 1, 2, 3]), [[3, 1, 2]]);
        assert!(loops(vec![0, 2, 1, 2]).is_empty());
        assert_eq!(loops(vec![0, 1, 2, 3, 1, 4]), [[1, 2, 3], [0, 1, 4]]);
    }

    #[test]
    fn parts_cover_the_face_and_have_what_they_hold() {
        // a triangle with two points on a side, one of them off it, one on another side and two within
        let points =
            [[0.0, 0.0], [4.0, 0.0], [0.0, 4.0], [1.0, 0.0], [3.0, 1e-9], [0.0, 1.0], [1.0, 1.0], [2.0, 1.5]];
        let at: FxHashMap<u32, DVec3> =
            (0..).zip(points).map(|(v, [x, y]): (u32, [f64; 2])| (v, DVec3::new(x, y, 1e-9 * x))).collect();
        let mut parts = Parts::new([0, 1, 2].map(|v| at[&v]), &at);
        parts.fill(vec![0, 3, 4, 1, 2, 5]);
        parts.insert(6);
        parts.insert(7);
        parts.hold([2, 4]);
        parts.hold([5, 7]);
        parts.hold([3, 6]);
        let found = parts.end();
        assert_eq!(found.len(), 8);
        let area = |[a, b, c]: [u32; 3]| (at[&b] - at[&a]).cross(at[&c] - at[&a]).z / 2.0;
        assert!(found.iter().all(|&part| area(part) > 0.0));
        assert!((found.iter().map(|&part| area(part)).sum::<f64>() - 8.0).abs() < 1e-6);
        // an edge that stays is between 5 and 7
        for (ends, is_there) in [([2, 4], true), ([3, 6], true), ([5, 7], false)] {
            let has = |part: &[u32; 3]| ends.iter().all(|v| part.contains(v));
            assert_eq!(found.iter().any(has), is_there, "{ends:?}");
        }
    }
}

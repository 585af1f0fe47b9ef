//! Shortest paths, traced back from a vertex to its source.
use super::Exact;
use super::sides::Sides;
use super::solver::Arrival;
use ribbonmesh::glam::DVec3;
use serde::Serialize;

/// Relative distance up to which two places count as the same.
const SAME_PLACE: f64 = 1e-9;

/// A point of a path.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// A vertex.
    Vertex(u32),
    /// A point on an edge: the ends of the edge, and the position from the first end, 0 to 1.
    Edge([u32; 2], f64),
}

/// A shortest path. Its segments are in faces, or on edges.
#[derive(Clone, Debug, PartialEq)]
pub struct GeodesicPath {
    /// The points of the path, beginning at the source.
    pub places: Vec<Place>,
    /// Coordinates of these points, in the units of the positions.
    pub points: Vec<DVec3>,
}
impl GeodesicPath {
    /// The sum of the lengths of its segments.
    pub fn length(&self) -> f64 {
        self.points.windows(2).map(|p| p[0].distance(p[1])).sum()
    }
    /// The vertex at which the path begins.
    pub fn source(&self) -> Option<u32> {
        match self.places.first() {
            Some(Place::Vertex(v)) => Some(*v),
            _ => None,
        }
    }
}

/// A line within a face: it enters at the place `x` of `side`, towards the virtual source `towards`, which is
/// above the side, in the face or beyond it.
#[derive(Clone, Copy)]
struct Line {
    side: u32,
    x: f64,
    towards: [f64; 2],
}

impl Exact {
    /// A shortest path from a source of the last run to `target`, traced back from vertex to vertex by
    /// straight lines through the unfolded faces. `None` if `target` is not reachable or not a vertex. Time
    /// is proportional to the number of faces on the path.
    pub fn path_to(&self, target: u32) -> Option<GeodesicPath> {
        if !self.distances.get(target as usize)?.is_finite() {
            return None;
        }
        let (mut places, mut v) = (vec![Place::Vertex(target)], target);
        // ends: every vertex has a smaller distance than the one before
        loop {
            v = match self.arrivals[v as usize] {
                Arrival::Source | Arrival::Nowhere => break,
                Arrival::Edge { side } => self.other_end(side, v),
                Arrival::Window { side, x, source, root } => {
                    let line = Line { side, x, towards: source };
                    let mut left = 2 * self.sides.faces.len() + 16;
                    match self.follow(line, root, &mut places, &mut left) {
                        Some(next) => next,
                        None => self.along_an_edge(v)?,
                    }
                }
            };
            places.push(Place::Vertex(v));
        }
        places.reverse();
        let points = places.iter().map(|place| self.point(*place)).collect();
        Some(GeodesicPath { places, points })
    }
    fn other_end(&self, side: u32, v: u32) -> u32 {
        let [tail, head] = self.sides.ends(side);
        if tail == v { head } else { tail }
    }
    fn point(&self, place: Place) -> DVec3 {
        let at = |v: u32| self.positions[v as usize];
        match place {
            Place::Vertex(v) => at(v),
            Place::Edge([a, b], part) => at(a).lerp(at(b), part),
        }
    }
    /// Follows a line through its side and the faces beyond, to `root` or to a vertex on the line. Where more
    /// than two faces meet at an edge, tries the line in each of the others. Appends the places that the line
    /// passes; `left` limits the steps.
    fn follow(&self, start: Line, root: u32, places: &mut Vec<Place>, left: &mut usize) -> Option<u32> {
        let mut line = start;
        let begin = places.len();
        loop {
            let length = self.sides.lengths[line.side as usize];
            places.push(Place::Edge(self.sides.ends(line.side), (line.x / length).clamp(0.0, 1.0)));
            let enter = |other: u32| {
                let turned = |x: f64| self.sides.turned(line.side, other, x);
                let [x, y] = line.towards;
                Line { side: other, x: turned(line.x), towards: [turned(x), -y] }
            };
            let entered = if let Some(other) = self.sides.across(line.side) {
                self.through(enter(other), root, left)
            } else {
                let others = self.sides.others(line.side);
                let depth = places.len();
                for other in others {
                    let next = match self.through(enter(other), root, left) {
                        Some(Ok(v)) => Some(v),
                        Some(Err(line)) => self.follow(line, root, places, left),
                        None => None,
                    };
                    if next.is_some() {
                        return next;
                    }
                    places.truncate(depth);
                }
                None
            };
            match entered {
                Some(Ok(v)) => return Some(v),
                Some(Err(next)) => line = next,
                None => {
                    places.truncate(begin);
                    return None;
                }
            }
        }
    }
    /// Follows a line through one face: to the vertex where it ends, or to the side through which it leaves.
    /// `None` if it leads to neither.
    fn through(&self, line: Line, root: u32, left: &mut usize) -> Option<Result<u32, Line>> {
        *left = left.checked_sub(1)?;
        let apex = self.sides.apexes[line.side as usize];
        let v = self.sides.apex(line.side);
        let (dx, dy) = (line.towards[0] - line.x, line.towards[1]);
        let (cx, cy) = (apex[0] - line.x, apex[1]);
        let (rest, to_apex) = (dx.hypot(dy), cx.hypot(cy));
        // twice the area between the line and the apex: positive if the apex is to its left
        let beside = dx * cy - dy * cx;
        let distance = self.distances[v as usize];
        let expected = self.distances[root as usize] + (rest - to_apex).max(0.0);
        let reach = SAME_PLACE * (rest + self.distances[root as usize]);
        let on_the_line =
            beside.abs() <= SAME_PLACE * rest * self.sides.lengths[line.side as usize].max(to_apex);
        if (v == root && rest <= to_apex + reach)
            || (on_the_line && distance <= expected + reach && to_apex <= rest + reach)
        {
            return Some(Ok(v));
        }
        if rest < to_apex && line.towards[1] <= 0.0 {
            return None;
        }
        let length = self.sides.lengths[line.side as usize];
        // the side through which it leaves: its tail and its head, in the frame
        let (next, tail, head) = if beside > 0.0 {
            (Sides::after(line.side), [length, 0.0], apex)
        } else {
            (Sides::before(line.side), apex, [0.0, 0.0])
        };
        let len = self.sides.lengths[next as usize];
        let (ux, uy) = ((head[0] - tail[0]) / len, (head[1] - tail[1]) / len);
        let (px, py) = (line.x - tail[0], -tail[1]);
        let across = ux * dy - uy * dx;
        if across.partial_cmp(&0.0) != Some(std::cmp::Ordering::Less) {
            return None;
        }
        // the crossing is at the part k of the line from p
        let k = (ux * py - uy * px) / -across;
        let x = ((px + k * dx) * ux + (py + k * dy) * uy).clamp(0.0, len);
        let (sx, sy) = (line.towards[0] - tail[0], line.towards[1] - tail[1]);
        let towards = [sx * ux + sy * uy, ux * sy - uy * sx];
        // the source is beyond that side
        (towards[1] <= reach).then_some(Err(Line { side: next, x, towards }))
    }
    /// The neighbour from which the path along an edge is the shortest; used where rounding led a line
    /// astray.
    fn along_an_edge(&self, v: u32) -> Option<u32> {
        let sides = self.sides.corners_at(v).iter().flat_map(|&c| [c, Sides::before(c)]);
        let ways = sides.map(|s| {
            let u = self.other_end(s, v);
            (self.distances[u as usize] + self.sides.lengths[s as usize], u)
        });
        let nearer = ways.filter(|(_, u)| self.distances[*u as usize] < self.distances[v as usize]);
        nearer.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, u)| u)
    }
}

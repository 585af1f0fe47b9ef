//! Straight lines back from a vertex.
use super::fans::Fans;
use super::front::State;
use crate::geodesic::update::{Corner, across_at, may_shorten, way};
use glam::{Vec2, Vec3};

/// Least number of faces that a line passes, if it can, in search of a vertex to join.
const LEAST: u32 = 6;
/// Number of faces without a better vertex after which a line ends.
const PATIENCE: u32 = 12;
/// Most faces that a line passes.
const MOST: u32 = 64;
/// Greatest excess over the expected distance, as a fraction of the line, of a path through a vertex at which
/// the line still ends at once.
const EXCESS: f32 = 2e-5;
/// The same, as a fraction of the distance, for a line that has lost its patience.
const GOOD: f32 = 3e-4;
/// Greatest excess, as a fraction of the distance, with which no other ways are tried.
const DOUBT: f32 = 1e-3;

/// The shortest path so far.
struct Best {
    distance: f32,
    /// Length of its first line.
    length: f32,
    /// The other end of a line has to be nearer to the source than this.
    known: f32,
}
impl Best {
    /// Takes the line of this length to a vertex with this distance if it is shorter; says whether.
    #[inline(always)]
    fn consider(&mut self, distance: f32, length: f32) -> bool {
        let shorter = distance < self.known && distance + length < self.distance;
        if shorter {
            (self.distance, self.length) = (distance + length, length);
        }
        shorter
    }
    /// Whether a line ends here, which has not found a better vertex on the last `idle` faces.
    #[inline(always)]
    fn is_enough(&self, expected: Option<f32>, idle: u32) -> bool {
        let Some(expected) = expected else { return false };
        let excess = self.distance - expected;
        excess <= EXCESS * self.length || idle > PATIENCE && excess <= GOOD * expected
    }
}

/// A vertex of the strip of faces that a line passes.
#[derive(Clone, Copy)]
struct Node<'a> {
    id: u32,
    fan: &'a [[u32; 2]],
    place: Vec3,
    /// Position in the plane, with the line's vertex at the origin.
    flat: Vec2,
    distance: f32,
}

/// The surface that lines from a vertex pass.
struct View<'a> {
    fans: &'a Fans,
    states: &'a [State],
    vertex: u32,
    here: Vec3,
}

/// The length of the shortest path from `v` that is found: a straight line to a vertex that has a path, and
/// on along this; +∞ without one. If `v` has a path, only shorter ones count. A line goes towards the source,
/// through the side by which the front comes. Where the front comes along an edge, and where the path is
/// longer than expected, others follow the way of the front from the middle of each side.
pub fn shortest(fans: &Fans, states: &[State], v: u32) -> f32 {
    let State { place: here, .. } = states[v as usize];
    let known = states[v as usize].passed();
    let view = View { fans, states, vertex: v, here };
    let mut best = Best { distance: known, length: 0.0, known };
    let (mut expected, mut through) = (f32::INFINITY, None);
    // the shortest path along an edge
    let mut along = f32::INFINITY;
    for &pair in fans.of(v) {
        let ends = pair.map(|u| (u, states[u as usize].passed()));
        let corners = ends.map(|(u, distance)| Corner { place: states[u as usize].place - here, distance });
        for ((u, distance), corner) in ends.into_iter().zip(corners) {
            // a face with only one vertex makes it its own neighbour
            if distance < along && u != v {
                let length = corner.place.length();
                best.consider(distance, length);
                along = along.min(distance + length);
            }
        }
        let [a, b] = corners;
        if may_shorten(a, b, expected.min(along)) {
            let (way, part) = across_at(a, b);
            if way < expected {
                (expected, through) = (way, Some((pair, part)));
            }
        }
    }
    let passes = expected < along;
    if let (true, Some((pair, part))) = (passes, through) {
        view.follow(pair, part, Some(expected), &mut best);
    }
    if !passes || best.distance > (1.0 + DOUBT) * expected {
        let is_passed = |&u: &u32| states[u as usize].passed() < f32::INFINITY;
        for &pair in fans.of(v).iter().filter(|pair| pair.iter().any(is_passed)) {
            view.follow(pair, 0.5, None, &mut best);
        }
    }
    best.distance
}

impl<'a> View<'a> {
    #[inline(always)]
    fn node(&self, id: u32) -> Node<'a> {
        let state = self.states[id as usize];
        Node { id, fan: self.fans.of(id), place: state.place, flat: Vec2::ZERO, distance: state.passed() }
    }
    /// Follows a line through the side between two neighbours, at this part of it, from face to face, which
    /// are unfolded into one plane, and considers each vertex that straight lines reach. If it is known what
    /// distance to expect, the line is straight; else it follows the way of the front.
    #[inline(always)]
    fn follow(&self, pair: [u32; 2], part: f32, expected: Option<f32>, best: &mut Best) {
        let [mut right, mut left] = pair.map(|u| self.node(u));
        let (a, b) = (right.place - self.here, left.place - self.here);
        let length = a.length();
        let is_line = length > 0.0;
        if !is_line {
            return;
        }
        right.flat = Vec2::new(length, 0.0);
        left.flat = Vec2::new(a.dot(b), a.cross(b).length()) / length;
        let mut line = right.flat + (left.flat - right.flat) * part;
        // between these, all of the strip is seen
        let (mut low, mut high) = (right.flat, left.flat);
        let (mut from, mut gained) = (self.vertex, 0);
        for passed in 1..=MOST {
            let Some(mut node) = self.beyond(&right, &left, from) else { return };
            let (side, across) = (left.place - right.place, node.place - right.place);
            let square = side.dot(side);
            if square == 0.0 {
                return;
            }
            let flat = left.flat - right.flat;
            let (along, height) = (across.dot(side) / square, side.cross(across).length() / square);
            node.flat = right.flat + flat * along - flat.perp() * height;
            let (above, below) = (low.perp_dot(node.flat) >= 0.0, node.flat.perp_dot(high) >= 0.0);
            if above && below && best.consider(node.distance, node.flat.length()) {
                gained = passed;
            }
            if passed >= LEAST && best.is_enough(expected, passed - gained) {
                return;
            }
            // whether the line leaves the face between its vertex and the left one
            let by_left = match expected {
                Some(_) => line.perp_dot(node.flat) < 0.0,
                None => {
                    let corner = |n: &Node<'_>| Corner { place: n.flat.extend(0.0), distance: n.distance };
                    let way = way([&right, &node, &left].map(corner), line.extend(0.0));
                    line = way.point.truncate();
                    let is_seen = way.side == 1 && above || way.side == 2 && below;
                    if !is_seen {
                        return;
                    }
                    way.side == 2
                }
            };
            if by_left {
                if above {
                    low = node.flat;
                }
                (from, right) = (right.id, node);
            } else {
                if below {
                    high = node.flat;
                }
                (from, left) = (left.id, node);
            }
        }
    }
    /// The third vertex of the face beyond a side, the nearest to the source of several; `from` is the third
    /// vertex of the face on this side. Linear in the faces of the end that has fewer.
    #[inline(always)]
    fn beyond(&self, right: &Node<'a>, left: &Node<'a>, from: u32) -> Option<Node<'a>> {
        let fewer = right.fan.len() <= left.fan.len();
        let (fan, end) = if fewer { (right.fan, left.id) } else { (left.fan, right.id) };
        let mut found: Option<Node<'a>> = None;
        for &[a, b] in fan {
            let other = if a == end { b } else { a };
            if (a == end || b == end) && other != from {
                let node = self.node(other);
                if found.is_none_or(|found| node.distance < found.distance) {
                    found = Some(node);
                }
            }
        }
        found
    }
}

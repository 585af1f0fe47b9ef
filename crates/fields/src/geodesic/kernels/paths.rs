//! Paths: a vertex is joined by straight lines, through unfolded triangles, to vertices nearer to the source.
//! Each distance becomes the length of a path on the surface, so none is less than the exact distance.
use super::{NOT_SETTLED, SIGN, place};
use crate::geodesic::stored::{BREAK, RingView};
use crate::geodesic::update::{Corner, across_at, along, may_shorten, way};
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope};
use ribbonmesh::device::{Block, In, Out, Parameter, Quad, Vec3, kernel, math};

/// Least number of faces that a line passes, if it can, in search of a vertex to join.
const LEAST: u32 = 8;
/// Most faces that a line passes.
const MOST: u32 = 64;
/// Greatest excess over the expected distance, as a fraction of the line, of a path through a vertex at which
/// the line still ends.
const EXCESS: f32 = 5e-6;
/// The value of `around` with which lines turn around the neighbour that is nearest to the source; other
/// values choose the neighbour with the shortest path along an edge.
pub const NEAREST: u32 = 2;
/// Least relative reduction of a distance by a round for which it counts as moved.
const MOVED: f32 = 1e-3;

/// Input of the search for lines.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Lines<'a> {
    /// Neighbours.
    pub ring: RingView<'a>,
    /// Coordinates and distance of each vertex.
    pub states: In<'a, Quad>,
}

/// The next step of the path from each vertex.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Joins<'a> {
    /// The vertex at the end of the line, plus 1; a source has itself; 0 without a line.
    pub to: Out<'a, u32>,
    /// Length of the line.
    pub lengths: Out<'a, f32>,
}

/// The best line of a vertex so far.
#[derive(Clone, Copy)]
struct Join {
    /// Length of the path along it.
    distance: f32,
    to: u32,
    length: f32,
}
impl Join {
    /// Takes the line to vertex `u` if that is nearer to the source than `known` and the path along it is
    /// shorter.
    #[inline(always)]
    fn consider(&mut self, u: u32, distance: f32, length: f32, known: f32) {
        if distance < known && distance + length < self.distance {
            *self = Self { distance: distance + length, to: u + 1, length };
        }
    }
}

/// A vertex of the strip of faces that a line passes.
#[derive(Clone, Copy)]
struct Node {
    id: u32,
    /// Start of its row in the ring, and the number of quads.
    row: (u32, u32),
    /// Coordinates.
    place: Vec3,
    /// Position in the plane, with the line's vertex at the origin.
    flat: Vec3,
    distance: f32,
}
const NOWHERE: Node =
    Node { id: 0, row: (0, 0), place: Vec3::ZERO, flat: Vec3::ZERO, distance: f32::INFINITY };

#[inline(always)]
fn cross(a: Vec3, b: Vec3) -> f32 {
    a.x * b.y - a.y * b.x
}
#[inline(always)]
fn known(state: Quad) -> f32 {
    f32::from_bits(state.0[3] & !SIGN)
}

impl Lines<'_> {
    #[inline(always)]
    fn row(&self, v: u32) -> (u32, u32) {
        let row = self.ring.rows.get(v);
        (row as u32, (row >> 32) as u32)
    }
    /// Finds the best line from `v`; `join` is the line of the round before.
    #[inline(always)]
    fn join(&self, v: u32, join: Join, around: u32) -> Join {
        let own = self.states.get(v);
        let (here, distance) = (place(own), known(own));
        let (mut best, mut expected) = (join, f32::INFINITY);
        // the side through which the front comes, if there is one
        let (mut through, mut part) = ([NOWHERE; 2], -1.0);
        // the shortest path along an edge
        let mut shortest = f32::INFINITY;
        // the neighbour around which to turn, and those before and after it in the ring
        let (mut least, mut hub, mut last, mut after) = (f32::INFINITY, NOWHERE, NOWHERE, NOWHERE);
        let (mut before, mut linked) = (NOWHERE, false);
        let seen = |node: Node| Corner { place: node.place - here, distance: node.distance };
        let (first, quads) = self.row(v);
        self.ring.each(
            first,
            quads,
            |u| self.states.get(u),
            |entry, state| {
                let id = entry & !BREAK;
                let node = Node { id, place: place(state), distance: known(state), ..NOWHERE };
                let (corner, behind) = (seen(node), if linked { before } else { NOWHERE });
                let by = along(corner);
                let length = math::sqrt(corner.place.dot(corner.place));
                best.consider(id, node.distance, length, distance);
                // a face with only one vertex makes it its own neighbour
                if by < shortest && id != v {
                    shortest = by;
                }
                let rank = if around == NEAREST { node.distance } else { by };
                if linked && before.id == hub.id && least.is_finite() {
                    after = node;
                }
                if rank < least && id != v {
                    (least, hub, last, after) = (rank, node, behind, NOWHERE);
                } else if linked && id == hub.id && least.is_finite() {
                    // the walk closes here
                    last = behind;
                }
                if linked && may_shorten(seen(before), corner, expected.min(shortest)) {
                    let (way, at) = across_at(seen(before), corner);
                    if way < expected {
                        (expected, part, through) = (way, at, [before, node]);
                    }
                }
                (before, linked) = (node, entry & BREAK == 0);
            },
        );
        let passes = expected < shortest;
        let expected = expected.min(shortest);
        let begin = |[mut right, mut left]: [Node; 2], part: f32, enough: f32, best: Join| {
            let (a, b) = (right.place - here, left.place - here);
            let length = math::sqrt(a.dot(a));
            let exists = right.distance.is_finite() && left.distance.is_finite() && length > 0.0;
            if !exists {
                return best;
            }
            let normal = a.cross(b);
            (right.row, left.row) = (self.row(right.id), self.row(left.id));
            right.flat = Vec3::new(length, 0.0, 0.0);
            left.flat = Vec3::new(a.dot(b) / length, math::sqrt(normal.dot(normal)) / length, 0.0);
            let point = right.flat + (left.flat - right.flat) * part;
            self.follow(v, distance, enough, [right, left], point, best)
        };
        let mut line = 0;
        while line < 3 {
            let (wanted, side, part, enough) = match line {
                0 => (passes, through, part, expected),
                1 => (around != 0 || !passes, [last, hub], 1.0, -1.0),
                _ => (around != 0 || !passes, [hub, after], 0.0, -1.0),
            };
            if wanted {
                best = begin(side, part, enough, best);
            }
            line += 1;
        }
        best
    }
    /// Follows the way of the front from a point of the side between two vertices, `right` and `left` as `v`
    /// sees them, away from `v`, as long as straight lines from `v` pass the sides; `v` may join each vertex
    /// that these lines reach. After [`LEAST`] faces, a path of length `enough` ends the search.
    #[inline(always)]
    fn follow(
        &self,
        v: u32,
        distance: f32,
        enough: f32,
        [mut right, mut left]: [Node; 2],
        mut point: Vec3,
        mut best: Join,
    ) -> Join {
        let (mut low, mut high, mut from) = (right.flat, left.flat, v);
        let mut passed = 0;
        while passed < MOST {
            let near = best.distance - enough <= EXCESS * best.length;
            if passed >= LEAST && best.to != 0 && near {
                break;
            }
            passed += 1;
            let mut node = self.opposite(right, left, from);
            let (side, across) = (left.place - right.place, node.place - right.place);
            let square = side.dot(side);
            if node.id == from || square == 0.0 {
                break;
            }
            let flat = left.flat - right.flat;
            let (u, h) = (across.dot(side) / square, {
                let normal = side.cross(across);
                math::sqrt(normal.dot(normal)) / square
            });
            node.flat = right.flat + flat * u + Vec3::new(flat.y, -flat.x, 0.0) * h;
            let (above, below) = (cross(low, node.flat) >= 0.0, cross(node.flat, high) >= 0.0);
            if above && below {
                let length = math::sqrt(node.flat.dot(node.flat));
                best.consider(node.id, node.distance, length, distance);
            }
            let way = way(
                [right, node, left].map(|node| Corner { place: node.flat, distance: node.distance }),
                point,
            );
            if way.side == 1 && above {
                if below {
                    high = node.flat;
                }
                (from, left) = (left.id, node);
            } else if way.side == 2 && below {
                if above {
                    low = node.flat;
                }
                (from, right) = (right.id, node);
            } else {
                break;
            }
            point = way.point;
        }
        best
    }
    /// The third vertex of the face beyond a side, the nearest to the source of several; `from`, the third
    /// vertex of the face on this side, if there is no face beyond. Linear in the faces of the end that has
    /// fewer.
    #[inline(always)]
    fn opposite(&self, right: Node, left: Node, from: u32) -> Node {
        let fewer = right.row.1 <= left.row.1;
        let ((first, quads), end) = if fewer { (right.row, left.id) } else { (left.row, right.id) };
        let mut found = Node { id: from, ..NOWHERE };
        let (mut before, mut linked) = (0, false);
        self.ring.each(
            first,
            quads,
            |_| (),
            |entry, ()| {
                let id = entry & !BREAK;
                let beside = before == end || id == end;
                let other = if before == end { id } else { before };
                if linked && beside && other != from {
                    let node = self.node(other);
                    if found.id == from || node.distance < found.distance {
                        found = node;
                    }
                }
                (before, linked) = (id, entry & BREAK == 0);
            },
        );
        if found.id != from {
            found.row = self.row(found.id);
        }
        found
    }
    #[inline(always)]
    fn node(&self, id: u32) -> Node {
        let state = self.states.get(id);
        Node { id, place: place(state), distance: known(state), ..NOWHERE }
    }
}

/// Joins the sources to themselves: the first `n` of the list of levels.
#[kernel(threads = 256)]
pub fn join_sources<'a>(block: &Block, n: u32, vertices: In<'a, Quad>, joins: Joins<'a>) {
    block.for_each_of_tile(n, |k| {
        let v = vertices.get(k).0[0];
        joins.to.set(v, v + 1);
        joins.lengths.set(v, 0.0);
    });
}

/// Finds a better line for each vertex, along the way of the front. If the front comes along an edge, or
/// `around` is not 0, also tries a line around the neighbour at the end of that edge. Only the thread of a
/// vertex reads and writes its line.
#[kernel(threads = 256)]
pub fn join_vertices<'a>(block: &Block, n: u32, lines: Lines<'a>, joins: Joins<'a>, around: u32) {
    block.for_each_of_tile(n, |v| {
        let to = joins.to.get(v);
        if to == v + 1 {
            return;
        }
        let known = if to == 0 { f32::INFINITY } else { known(lines.states.get(v)) };
        let length = if to == 0 { 0.0 } else { joins.lengths.get(v) };
        let join = lines.join(v, Join { distance: known, to, length }, around);
        if join.to != 0 {
            joins.to.set(v, join.to);
            joins.lengths.set(v, join.length);
        }
    });
}

/// The count of one vertex without a path, in the sum of a tile.
const WITHOUT: u64 = 1 << 32;

/// Sets all distances to the lengths of the paths along the lines; +∞ where these do not lead to a source.
/// `counts` gets the number of distances that decreased by more than a thousandth, and the number of vertices
/// without a path; both are 0 before.
#[kernel(threads = 256)]
pub fn measure_paths<'a>(
    block: &Block,
    n: u32,
    joins: Joins<'a>,
    states: Out<'a, Quad>,
    counts: Out<'a, u32>,
) {
    block.for_each_tile(n, |base, len| {
        let measure = |i: u32| {
            let v = base + i;
            // the sum, and its rounding error (compensated summation)
            let (mut at, mut sum, mut lost, mut lines) = (v, 0f32, 0f32, 0);
            let length = loop {
                let to = joins.to.get(at);
                if to == 0 {
                    break f32::INFINITY;
                }
                if to == at + 1 {
                    break sum;
                }
                let term = joins.lengths.get(at) - lost;
                let next = sum + term;
                lost = (next - sum) - term;
                (sum, at, lines) = (next, to - 1, lines + 1);
                if lines > n {
                    // never happens: each line leads to a vertex with a smaller distance
                    block.status().record_code(NOT_SETTLED, 0, v, 0);
                    break f32::INFINITY;
                }
            };
            let words = states.wide::<u32>();
            let before = f32::from_bits(words.get(4 * v + 3) & !SIGN);
            words.set(4 * v + 3, length.to_bits());
            (length < before * (1.0 - MOVED)) as u64 + (joins.to.get(v) == 0) as u64 * WITHOUT
        };
        let found = block.reduce(len, 0, measure, |a, b| a + b);
        block.single_nosync(|| {
            let (moved, none) = (found as u32, (found / WITHOUT) as u32);
            if moved > 0 {
                atomic::fetch_add(counts, 0, moved, Relaxed, Scope::Device);
            }
            if none > 0 {
                atomic::fetch_add(counts, 1, none, Relaxed, Scope::Device);
            }
        });
    });
}

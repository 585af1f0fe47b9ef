//! Triangulation of long boundary loops by cutting ears.
use crate::fill::grid::Grid;
use crate::fill::weight::{normal, sharpness};
use glam::DVec3;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Sharpness of an edge, 1 minus the cosine of the angle, from which on its ears are cut last.
const SHARP: f64 = 1.0;
/// Factor by which sharp edges lengthen a chord.
const BEND: f64 = 8.0;

/// Result of cutting ears off a polygon.
pub(crate) struct Ears {
    /// Triangles, as indices into the polygon.
    pub triangles: Vec<[u32; 3]>,
    /// The polygon that is left: empty, or one whose ears all have an edge that is not legal.
    pub left: Vec<u32>,
}

/// Cuts ears off a polygon, those with short chords first, until a triangle is left. Ears that bend sharply,
/// or that have another vertex of the polygon in front of them, are cut last. `normals` has the normals of
/// the faces across the side from each vertex to the next. Takes O(n log n): the grid of the remaining
/// vertices is rebuilt whenever their number has halved.
pub(crate) fn cut_ears(points: &[DVec3], normals: &[DVec3], legal: impl Fn(usize, usize) -> bool) -> Ears {
    let n = points.len();
    let mut state = State {
        points,
        normals: normals.to_vec(),
        next: (0..n).map(|i| (i + 1) % n).collect(),
        previous: (0..n).map(|i| (i + n - 1) % n).collect(),
        version: vec![0; n],
        heap: BinaryHeap::with_capacity(2 * n),
    };
    let mut left = n;
    let mut triangles = Vec::with_capacity(n - 2);
    let mut alive = vec![true; n];
    let mut grid = Grid::of(points, &alive);
    let mut of_grid = n;
    for i in 0..n {
        state.push(i, &legal, &grid);
    }
    let mut at = 0;
    while left > 3 {
        let Some(Reverse(ear)) = state.heap.pop() else { break };
        let i = ear.vertex as usize;
        if !alive[i] || state.version[i] != ear.version {
            continue;
        }
        let (p, q) = (state.previous[i], state.next[i]);
        triangles.push([p, i, q].map(|place| place as u32));
        alive[i] = false;
        left -= 1;
        (state.next[p], state.previous[q]) = (q, p);
        state.normals[p] = normal([points[p], points[i], points[q]]).0;
        grid.remove(i);
        at = p;
        if 2 * left < of_grid && left > 3 {
            grid = Grid::of(points, &alive);
            of_grid = left;
        }
        for i in [p, q] {
            state.push(i, &legal, &grid);
        }
    }
    while !alive[at] {
        at = state.next[at];
    }
    let mut rest = vec![at as u32];
    let mut i = state.next[at];
    while i != at {
        rest.push(i as u32);
        i = state.next[i];
    }
    if let [a, b, c] = rest[..] {
        triangles.push([a, b, c]);
        rest.clear();
    }
    Ears { triangles, left: rest }
}

struct State<'a> {
    points: &'a [DVec3],
    /// Normals of the faces across the side from each vertex to the next.
    normals: Vec<DVec3>,
    next: Vec<usize>,
    previous: Vec<usize>,
    version: Vec<u32>,
    heap: BinaryHeap<Reverse<Ear>>,
}

impl State<'_> {
    /// Queues the ear at a vertex, and invalidates an earlier one.
    fn push(&mut self, i: usize, legal: &impl Fn(usize, usize) -> bool, grid: &Grid) {
        self.version[i] += 1;
        let (p, q) = (self.previous[i], self.next[i]);
        if !legal(p, q) {
            return;
        }
        let corners = [p, i, q].map(|place| self.points[place]);
        let (normal, _) = normal(corners);
        let bend = sharpness(normal, self.normals[p]).max(sharpness(normal, self.normals[i]));
        let last = if normal == DVec3::ZERO {
            2
        } else {
            u8::from(bend > SHARP || grid.any_before(corners, normal, [p, i, q]))
        };
        let cost = corners[0].distance_squared(corners[2]) * (1.0 + BEND * bend * bend);
        self.heap.push(Reverse(Ear { last, cost, vertex: i as u32, version: self.version[i] }));
    }
}

/// An ear; the least is cut first.
struct Ear {
    last: u8,
    cost: f64,
    vertex: u32,
    version: u32,
}
impl Ord for Ear {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let costs = self.last.cmp(&other.last).then(self.cost.total_cmp(&other.cost));
        costs.then(self.vertex.cmp(&other.vertex)).then(self.version.cmp(&other.version))
    }
}
impl PartialOrd for Ear {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl PartialEq for Ear {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Ear {}

//! Propagation of windows.
use super::sides::{Kind, Sides};
use super::waiting::{Next, Waiting};
use super::window::{EQUAL, Window};
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Error, Result};
use serde::Serialize;
use std::f64::consts::PI;

/// Difference of angles that count as equal, in radians.
const SAME_ANGLE: f64 = 1e-9;

/// The way in which a vertex got its distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Arrival {
    /// The vertex has no distance.
    Nowhere,
    /// The vertex is a source.
    Source,
    /// The distance came along the edge of a side, from the side's other end.
    Edge { side: u32 },
    /// The distance came from the virtual source through the place `x` of a side into its face.
    Window { side: u32, x: f64, source: [f64; 2], root: u32 },
}

/// Exact distances on one mesh, for repeated runs.
///
/// *Windows* (Mitchell, Mount and Papadimitriou 1987; Surazhsky et al. 2005) are propagated face by face, the
/// nearest first. The windows that wait at a side are trimmed against each other. Windows in which a path
/// from an end of the side is shorter are dropped (Xin and Wang 2009). Of the windows that cover the vertex
/// opposite a side, only the nearest is propagated to both sides beyond (Chen and Han 1990). Boundary
/// vertices and vertices with a total angle above 2π are new virtual sources. A window is deleted after its
/// propagation; each vertex stores how it was reached.
pub struct Exact {
    pub(super) sides: Sides,
    pub(super) positions: Vec<DVec3>,
    pub(super) distances: Vec<f64>,
    pub(super) arrivals: Vec<Arrival>,
    /// For each side: the least distance of its apex through it, and the place at which that line crosses it.
    nearest: Vec<(f64, f64)>,
    waiting: Waiting,
    windows: u64,
}

/// Report of an exact run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ExactReport {
    /// Number of different sources.
    pub sources: usize,
    /// Number of vertices with a finite distance.
    pub reached: usize,
    /// Number of vertices that are not connected with a source; their distance is +∞.
    pub unreachable: usize,
    /// Number of propagated windows.
    pub windows: u64,
    /// Largest number of waiting windows, 56 bytes each.
    pub waiting: usize,
}

impl Exact {
    /// Unfolds the triangles. O(n log n).
    /// # Errors
    /// [`Error::IndexOutOfRange`]; [`Error::TooMany`] for more than half a billion vertices or faces.
    pub fn new(positions: &[DVec3], faces: &[[u32; 3]]) -> Result<Self> {
        let sides = Sides::new(positions, faces)?;
        let (n, m) = (positions.len(), 3 * faces.len());
        Ok(Self {
            sides,
            positions: positions.to_vec(),
            distances: vec![f64::INFINITY; n],
            arrivals: vec![Arrival::Nowhere; n],
            nearest: vec![(f64::INFINITY, 0.0); m],
            waiting: Waiting::new(m),
            windows: 0,
        })
    }
    /// Computes the distances from `sources`, vertices in any order. In practice about O(n^1.5) with few
    /// windows for each side; O(n² log n) at worst.
    /// # Errors
    /// [`Error::Option`] without sources, or if a source is not a vertex.
    pub fn run(&mut self, sources: &[u32]) -> Result<ExactReport> {
        let option = |value: String, expected| Error::Option { option: "source", value, expected };
        if let Some(v) = sources.iter().find(|&&v| v as usize >= self.distances.len()) {
            return Err(option(v.to_string(), "the index of a vertex, less than the number of vertices"));
        }
        if sources.is_empty() {
            return Err(option("none".into(), "at least one vertex"));
        }
        self.distances.fill(f64::INFINITY);
        self.arrivals.fill(Arrival::Nowhere);
        self.nearest.fill((f64::INFINITY, 0.0));
        self.waiting.clear();
        self.windows = 0;
        for &v in sources {
            self.reach(v, 0.0, Arrival::Source);
        }
        let mut windows = vec![];
        while let Some((distance, next)) = self.waiting.pop() {
            match next {
                Next::Vertex(v) if self.distances[v as usize] == distance => self.pass_vertex(v),
                Next::Vertex(_) => {}
                Next::Side(s) => {
                    windows.clear();
                    self.waiting.take(s, &mut windows);
                    self.pass_side(s, &mut windows);
                }
            }
        }
        let of = |wanted: fn(&Arrival) -> bool| self.arrivals.iter().filter(|a| wanted(a)).count();
        let unreachable = of(|a| *a == Arrival::Nowhere);
        Ok(ExactReport {
            sources: of(|a| *a == Arrival::Source),
            reached: self.distances.len() - unreachable,
            unreachable,
            windows: self.windows,
            waiting: self.waiting.most(),
        })
    }
    /// The distances of the last run along the surface, in the units of the positions; +∞ for vertices that
    /// are not connected with a source.
    pub fn distances(&self) -> &[f64] {
        &self.distances
    }
    fn reach(&mut self, v: u32, distance: f64, arrival: Arrival) {
        let known = &mut self.distances[v as usize];
        if distance < *known * (1.0 - EQUAL) || (distance < *known && *known == f64::INFINITY) {
            *known = distance;
            self.arrivals[v as usize] = arrival;
            self.waiting.push_vertex(v, distance);
        }
    }
    /// Offers distances along the edges of a vertex; begins windows where straight lines bend at it.
    fn pass_vertex(&mut self, v: u32) {
        for i in 0..self.sides.corners_at(v).len() {
            let corner = self.sides.corners_at(v)[i];
            self.pass_edge(v, corner);
            self.pass_edge(v, Sides::before(corner));
        }
        for i in 0..self.sides.loose_at(v).len() {
            self.pass_edge(v, self.sides.loose_at(v)[i]);
        }
        let arrival = self.arrivals[v as usize];
        let kind = self.sides.kinds[v as usize];
        let wide = match kind {
            Kind::Closed(angle) => angle - PI + SAME_ANGLE,
            _ => f64::INFINITY,
        };
        if arrival == Arrival::Source || kind == Kind::Irregular {
            for i in 0..self.sides.corners_at(v).len() {
                let opposite = Sides::after(self.sides.corners_at(v)[i]);
                self.begin(v, opposite, 0.0, self.sides.lengths[opposite as usize]);
            }
        } else if wide > PI + 2.0 * SAME_ANGLE {
            // the sides with which a walk around the vertex begins, with the angle from the arriving line to
            // each
            let [here, there] = self.beside(arrival);
            if let Some(here) = here {
                self.fan(v, here, wide);
            }
            // in a closed fan the other direction meets the same faces
            if let Some(there) = there
                && (kind == Kind::Open || here.is_none())
            {
                self.fan(v, there, wide);
            }
        }
    }
    /// Offers the other end of a side a distance along its edge.
    fn pass_edge(&mut self, v: u32, side: u32) {
        let [tail, head] = self.sides.ends(side);
        let other = if tail == v { head } else { tail };
        let distance = self.distances[v as usize] + self.sides.lengths[side as usize];
        self.reach(other, distance, Arrival::Edge { side });
    }
    /// The faces on both sides of the line by which a vertex was reached, if there are any: the sides through
    /// which they are entered, and the angles there.
    fn beside(&self, arrival: Arrival) -> [Option<(u32, f64)>; 2] {
        match arrival {
            Arrival::Window { side, x, .. } => {
                let [cx, cy] = self.sides.apexes[side as usize];
                let (dx, dy) = (x - cx, -cy);
                let to = |end: f64| {
                    let (ex, ey) = (end - cx, -cy);
                    (dx * ey - dy * ex).abs().atan2(dx * ex + dy * ey)
                };
                let length = self.sides.lengths[side as usize];
                // on both sides of the line are the faces across the other two sides
                [(Sides::before(side), to(0.0)), (Sides::after(side), to(length))]
                    .map(|(s, angle)| self.sides.across(s).map(|entered| (entered, angle)))
            }
            Arrival::Edge { side } => [Some((side, 0.0)), self.sides.across(side).map(|s| (s, 0.0))],
            Arrival::Source | Arrival::Nowhere => [None, None],
        }
    }
    /// Walks around `v`, beginning in the face of `side`, where the angle from the line by which `v` was
    /// reached is `angle`. Windows begin where this angle is at least π, and at most `wide`.
    fn fan(&mut self, v: u32, (mut side, mut angle): (u32, f64), wide: f64) {
        let low = PI - SAME_ANGLE;
        while angle < wide {
            let corner = self.sides.angle_at(v, side);
            if angle + corner > low {
                let opposite =
                    if self.sides.ends(side)[0] == v { Sides::after(side) } else { Sides::before(side) };
                let entered = self.sides.ends(side);
                let near = if entered[0] == v { entered[1] } else { entered[0] };
                let length = self.sides.lengths[opposite as usize];
                let [cx, cy] = self.sides.apexes[opposite as usize];
                let flip = self.sides.ends(opposite)[0] != near;
                let (cx, place) =
                    (if flip { length - cx } else { cx }, |x: f64| if flip { length - x } else { x });
                let hit = |turn: f64| {
                    if turn <= 0.0 {
                        return 0.0;
                    }
                    let direction = (-cy).atan2(-cx) + turn;
                    if turn >= corner || direction >= 0.0 {
                        return length;
                    }
                    (cx - cy * direction.cos() / direction.sin()).clamp(0.0, length)
                };
                let (a, b) = (place(hit(low - angle)), place(hit(wide - angle)));
                self.begin(v, opposite, a.min(b), a.max(b));
            }
            angle += corner;
            let Some(next) = self.sides.across(self.sides.other_side_at(v, side)) else { return };
            side = next;
        }
    }
    /// Begins a window of `side`, which is opposite to `v`, with `v` as its source.
    fn begin(&mut self, v: u32, side: u32, from: f64, to: f64) {
        let [x, y] = self.sides.apexes[side as usize];
        let window = Window { from, to, x, y: -y, offset: self.distances[v as usize], root: v };
        self.hand_over(side, window);
    }
    /// Hands a window that leaves a face through `side` over to the faces beyond. It is given in the frame of
    /// `side`, mirrored, with the source below.
    fn hand_over(&mut self, side: u32, w: Window) {
        let [tail, head] = self.sides.ends(side).map(|v| self.distances[v as usize]);
        let length = self.sides.lengths[side as usize];
        if length <= 0.0 || w.is_empty() || !useful(&w, [tail, head], length) {
            return;
        }
        for other in self.sides.others(side) {
            let turned = |x: f64| self.sides.turned(side, other, x);
            let (a, b) = (turned(w.from), turned(w.to));
            self.waiting.push(other, Window { from: a.min(b), to: a.max(b), x: turned(w.x), ..w });
            self.windows += 1;
        }
    }
    fn pass_side(&mut self, side: u32, windows: &mut Vec<Window>) {
        let ends = self.sides.ends(side).map(|v| self.distances[v as usize]);
        let length = self.sides.lengths[side as usize];
        windows.retain(|w| useful(w, ends, length));
        if windows.len() > 1 {
            for i in 1..windows.len() {
                let (before, rest) = windows.split_at_mut(i);
                for w in before {
                    w.trim(&mut rest[0]);
                    if rest[0].is_empty() {
                        break;
                    }
                }
            }
            windows.retain(|w| !w.is_empty());
            windows.sort_unstable_by(|a, b| a.nearest().total_cmp(&b.nearest()));
        }
        for w in windows {
            self.pass_window(side, w);
        }
    }
    /// Passes a window through the face of `side`: offers the apex a distance, and hands the window over to
    /// the other two sides.
    fn pass_window(&mut self, side: u32, w: &Window) {
        let (length, apex) = (self.sides.lengths[side as usize], self.sides.apexes[side as usize]);
        let v = self.sides.apex(side);
        let crossing = w.crossing(apex);
        // if the line to the apex misses the window, the path bends at the window's end
        let x = crossing.clamp(w.from, w.to);
        let direct = x == crossing;
        let to_apex = if direct {
            w.offset + (apex[0] - w.x).hypot(apex[1] - w.y)
        } else {
            w.at(x) + (apex[0] - x).hypot(apex[1])
        };
        self.reach(v, to_apex, Arrival::Window { side, x, source: [w.x, w.y], root: w.root });
        let (mut left, mut right) = (crossing > w.from, crossing < w.to);
        if direct {
            let (least, place) = self.nearest[side as usize];
            if to_apex < least {
                self.nearest[side as usize] = (to_apex, crossing);
            }
            // on the far side of the shorter line, lines of this window would cross that line; windows that
            // meet at the line are both handed over
            if to_apex > least * (1.0 + EQUAL) {
                (left, right) = (left && crossing < place, right && crossing >= place);
            }
        }
        let [tail, head] = self.sides.ends(side).map(|v| self.distances[v as usize]);
        if right {
            let next = Sides::after(side);
            let len = self.sides.lengths[next as usize];
            let (ux, uy) = ((apex[0] - length) / len, apex[1] / len);
            // crossing with the side from the head of `side` to the apex
            let hit = |x: f64| {
                let towards = uy * (x - w.x) + ux * w.y;
                if towards > 0.0 { (-w.y * (length - x) / towards).min(len) } else { len }
            };
            let (from, to) = (hit(w.to), if crossing >= w.from { len } else { hit(w.from) });
            let (dx, dy) = (w.x - length, w.y);
            let child = Window { from, to, x: dx * ux + dy * uy, y: -(ux * dy - uy * dx).max(0.0), ..*w };
            let detour = tail + (length + from * ux).hypot(from * uy);
            if detour >= child.at(from) * (1.0 - EQUAL) {
                self.hand_over(next, child);
            }
        }
        if left {
            let next = Sides::before(side);
            let len = self.sides.lengths[next as usize];
            let (ux, uy) = (apex[0] / len, apex[1] / len);
            // crossing with the side from the tail of `side` to the apex
            let hit = |x: f64| {
                let towards = uy * (w.x - x) - ux * w.y;
                if towards > 0.0 { (-w.y * x / towards).min(len) } else { len }
            };
            let (near, far) = (hit(w.from), if crossing <= w.to { len } else { hit(w.to) });
            let y = -(uy * w.x - ux * w.y).max(0.0);
            let x = len - (w.x * ux + w.y * uy);
            let child = Window { from: len - far, to: len - near, x, y, ..*w };
            let detour = head + (length - near * ux).hypot(near * uy);
            if detour >= child.at(len - near) * (1.0 - EQUAL) {
                self.hand_over(next, child);
            }
        }
    }
}

/// Whether lines of a window may be shorter than paths along the side from its ends, whose distances are
/// known.
fn useful(w: &Window, [tail, head]: [f64; 2], length: f64) -> bool {
    tail + w.to >= w.at(w.to) * (1.0 - EQUAL) && head + length - w.from >= w.at(w.from) * (1.0 - EQUAL)
}

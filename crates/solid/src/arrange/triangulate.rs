//! Triangulation of points in a plane with given edges: constrained and nearly Delaunay.
//!
//! Points are inserted in the order of their coordinates; each is outside the hull of those before it, and
//! joined to the sides of the hull that it sees. Then edges are flipped: first until every given edge is
//! there (Sloan 1993), then until no other one has a point within the circle of the triangle across. Turns
//! are exact, so that the triangulation is one in any case; the circles are computed in double precision.
use crate::arrange::points::Points;
use glam::DVec2;
use std::collections::VecDeque;

const NONE: u32 = u32::MAX;

/// Triangles and their neighbours: side `i` is opposite to corner `i`.
struct Net<'a> {
    points: Points<'a>,
    axis: usize,
    /// The points; corners are places in this list.
    list: &'a [u32],
    /// For each point in bits the lines on which it is known to be.
    lines: &'a [u64],
    /// A triangle at each point.
    at: Vec<u32>,
    corners: Vec<[u32; 3]>,
    across: Vec<[u32; 3]>,
    fixed: Vec<[bool; 3]>,
}

/// Triangulates points, no two of which are at one place, projected along `axis`. Each of `edges` joins two
/// of them, by their places in the list, passes through no other, and crosses no other edge. `lines` has for
/// each point in bits lines on which it is; all need not be known, but where they are, nothing is computed.
/// All triangles are counterclockwise, and name places in the list; together they are the convex hull. `None`
/// if the edges contradict this.
pub(crate) fn triangulate(
    points: Points<'_>,
    axis: usize,
    list: &[u32],
    lines: &[u64],
    edges: &[[u32; 2]],
) -> Option<Vec<[u32; 3]>> {
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut order: Vec<u32> = (0..list.len() as u32).collect();
    order.sort_unstable_by(|&a, &b| {
        let (a, b) = (list[a as usize], list[b as usize]);
        points.compare(i, a, b).then_with(|| points.compare(j, a, b))
    });
    let (at, n) = (vec![NONE; list.len()], 2 * list.len());
    let mut net = Net {
        points,
        axis,
        list,
        lines,
        at,
        corners: Vec::with_capacity(n),
        across: Vec::with_capacity(n),
        fixed: Vec::with_capacity(n),
    };
    if !net.sweep(&order) {
        return Some(vec![]);
    }
    for &edge in edges {
        if !net.insert(edge) {
            return None;
        }
    }
    net.improve();
    Some(net.corners)
}

/// A side of a triangle.
type Place = (u32, usize);

impl Net<'_> {
    fn turn(&self, a: u32, b: u32, c: u32) -> i32 {
        let [on_a, on_b, on_c] = [a, b, c].map(|v| self.lines[v as usize]);
        if on_a & on_b & on_c != 0 {
            return 0;
        }
        let [a, b, c] = [a, b, c].map(|v| self.list[v as usize]);
        self.points.turn(self.axis, a, b, c)
    }
    /// A new triangle without neighbours.
    fn add(&mut self, corners: [u32; 3]) -> u32 {
        self.corners.push(corners);
        self.across.push([NONE; 3]);
        self.fixed.push([false; 3]);
        let t = self.corners.len() as u32 - 1;
        corners.iter().for_each(|&v| self.at[v as usize] = t);
        t
    }
    fn join(&mut self, (t, i): Place, (u, j): Place) {
        self.across[t as usize][i] = u;
        self.across[u as usize][j] = t;
    }
    /// The side of `t` across which `u` is.
    fn side_to(&self, t: u32, u: u32) -> usize {
        let across = self.across[t as usize];
        if across[0] == u {
            0
        } else if across[1] == u {
            1
        } else {
            2
        }
    }
    /// Triangulates the hull of points in order; false if all are on a line.
    fn sweep(&mut self, order: &[u32]) -> bool {
        let first = (2..order.len()).find(|&k| self.turn(order[0], order[1], order[k]) != 0);
        let Some(first) = first else { return false };
        // a fan from the first point that is not on the line of those before it
        let apex = order[first];
        let left = self.turn(order[0], order[1], apex) > 0;
        // the hull counterclockwise: each of its points with the triangle at the side to the next point
        let mut hull: Vec<(u32, Place)> = vec![];
        let mut last = NONE;
        for k in 1..first {
            let (a, b) = (order[k - 1], order[k]);
            let t = self.add(if left { [a, b, apex] } else { [b, a, apex] });
            if last != NONE {
                // sides: opposite to b is the side (apex, a)
                let (of_new, of_last) = if left { ((t, 1), (last, 0)) } else { ((t, 0), (last, 1)) };
                self.join(of_new, of_last);
            }
            last = t;
        }
        let (low, high) = (0, last);
        if left {
            hull.extend((1..first).map(|k| (order[k - 1], ((k - 1) as u32, 2))));
            hull.push((order[first - 1], (high, 0)));
            hull.push((apex, (low, 1)));
        } else {
            hull.extend((1..first).rev().map(|k| (order[k], ((k - 1) as u32, 2))));
            hull.push((order[0], (low, 0)));
            hull.push((apex, (high, 1)));
        }
        for &point in &order[first + 1..] {
            self.attach(&mut hull, point);
        }
        true
    }
    /// Joins a point outside of the hull to the sides that it sees, which follow each other.
    fn attach(&mut self, hull: &mut Vec<(u32, Place)>, point: u32) {
        let n = hull.len();
        // the point before is one end of a side that is seen, since the order is that of coordinates: the
        // last of the hull's list
        let seen = |net: &Self, k: usize| net.turn(hull[k % n].0, hull[(k + 1) % n].0, point) < 0;
        // from the last point on, which is entry n - 1: sides ahead, then sides behind
        let mut ahead = n - 1;
        while ahead < 2 * n - 1 && seen(self, ahead) {
            ahead += 1;
        }
        let mut behind = n - 1;
        while behind > 0 && ahead - behind < n - 1 && seen(self, behind - 1) {
            behind -= 1;
        }
        if behind == ahead {
            return;
        }
        let (mut first, mut last) = (NONE, NONE);
        // the sides that are seen
        for k in behind..ahead {
            let ((from, place), to) = (hull[k % n], hull[(k + 1) % n].0);
            let t = self.add([to, from, point]);
            self.join((t, 2), place);
            if last == NONE {
                first = t;
            } else {
                // the side from `from` to the point is opposite to corner 0
                self.join((t, 0), (last, 1));
            }
            last = t;
        }
        // the hull from the end of what is seen around to its start, then the new point
        hull.rotate_left(ahead % n);
        hull.truncate(n + 1 - (ahead - behind));
        if let Some(entry) = hull.last_mut() {
            entry.1 = (first, 0);
        }
        hull.push((point, (last, 1)));
    }
    /// Exchanges the diagonal of the two triangles at side `i` of `t`. The corners stay counterclockwise.
    ///
    /// Afterwards the diagonal is side 1 of `t` and side 1 of the other one.
    fn flip(&mut self, t: u32, i: usize) {
        let u = self.across[t as usize][i];
        let j = self.side_to(u, t);
        let pick = |x: &[u32; 3], k: usize| [x[k], x[(k + 1) % 3], x[(k + 2) % 3]];
        let picked = |x: &[bool; 3], k: usize| [x[k], x[(k + 1) % 3], x[(k + 2) % 3]];
        // t = (a, b, c) across from d: u = (d, c, b)
        let [a, b, c] = pick(&self.corners[t as usize], i);
        let [_, ca, ab] = pick(&self.across[t as usize], i);
        let [_, fixed_ca, fixed_ab] = picked(&self.fixed[t as usize], i);
        let d = self.corners[u as usize][j];
        let [_, bd, dc] = pick(&self.across[u as usize], j);
        let [_, fixed_bd, fixed_dc] = picked(&self.fixed[u as usize], j);
        // new: t = (a, b, d), u = (d, c, a)
        self.corners[t as usize] = [a, b, d];
        self.across[t as usize] = [bd, u, ab];
        self.fixed[t as usize] = [fixed_bd, false, fixed_ab];
        self.corners[u as usize] = [d, c, a];
        self.across[u as usize] = [ca, t, dc];
        self.fixed[u as usize] = [fixed_ca, false, fixed_dc];
        for (v, t) in [(a, t), (b, t), (d, u), (c, u)] {
            self.at[v as usize] = t;
        }
        for (other, from, to) in [(bd, u, t), (ca, t, u)] {
            if other != NONE {
                let side = self.side_to(other, from);
                self.across[other as usize][side] = to;
            }
        }
    }
    /// Whether the two triangles at a side are a strictly convex quadrilateral.
    fn is_convex(&self, t: u32, i: usize) -> bool {
        let u = self.across[t as usize][i];
        let [a, b, c] = [0, 1, 2].map(|k| self.corners[t as usize][(i + k) % 3]);
        let d = self.corners[u as usize][self.side_to(u, t)];
        self.turn(a, b, d) > 0 && self.turn(d, c, a) > 0
    }
    /// Makes a given edge, and marks it.
    fn insert(&mut self, edge: [u32; 2]) -> bool {
        if self.find(edge).is_none() && !self.force(edge) {
            return false;
        }
        self.find(edge).map(|place| self.fix(place)).is_some()
    }
    fn fix(&mut self, (t, i): Place) {
        self.fixed[t as usize][i] = true;
        let u = self.across[t as usize][i];
        if u != NONE {
            let j = self.side_to(u, t);
            self.fixed[u as usize][j] = true;
        }
    }
    /// The first of the triangles around a point, from any one on, of which something holds.
    fn around<T>(&self, point: u32, mut of: impl FnMut(u32, usize) -> Option<T>) -> Option<T> {
        let start = self.at[point as usize];
        let place = |t: u32| self.corners[t as usize].iter().position(|&v| v == point).unwrap_or(0);
        let mut t = start;
        loop {
            let k = place(t);
            if let Some(found) = of(t, k) {
                return Some(found);
            }
            t = self.across[t as usize][(k + 1) % 3];
            if t == NONE || t == start {
                break;
            }
        }
        if t == NONE {
            let mut t = self.across[start as usize][(place(start) + 2) % 3];
            while t != NONE && t != start {
                let k = place(t);
                if let Some(found) = of(t, k) {
                    return Some(found);
                }
                t = self.across[t as usize][(k + 2) % 3];
            }
        }
        None
    }
    /// The side of a triangle that joins two points.
    fn find(&self, [a, b]: [u32; 2]) -> Option<Place> {
        self.around(a, |t, k| {
            let corners = self.corners[t as usize];
            if corners[(k + 1) % 3] == b {
                Some((t, (k + 2) % 3))
            } else if corners[(k + 2) % 3] == b {
                Some((t, (k + 1) % 3))
            } else {
                None
            }
        })
    }
    /// Flips the edges that cross the one from `a` to `b` until there are none; false if an edge is in the
    /// way that may not be flipped.
    fn force(&mut self, [a, b]: [u32; 2]) -> bool {
        // the triangle at `a` through which the edge leaves
        let leaves = self.around(a, |t, k| {
            let [_, q, r] = self.from(t, k);
            (self.turn(a, b, q) < 0 && self.turn(a, b, r) > 0).then_some((t, k))
        });
        let Some((mut t, mut side)) = leaves else { return false };
        // edges that cross, by their ends: flips change the triangles at them
        let mut crossing: VecDeque<[u32; 2]> = VecDeque::new();
        loop {
            let [_, q, r] = self.from(t, side);
            let u = self.across[t as usize][side];
            if u == NONE || self.fixed[t as usize][side] {
                return false;
            }
            crossing.push_back([q, r]);
            let j = self.side_to(u, t);
            let d = self.corners[u as usize][j];
            if d == b {
                break;
            }
            // the corners of `u` after `d` are r, to the left, and q
            side = if self.turn(a, b, d) > 0 { (j + 1) % 3 } else { (j + 2) % 3 };
            t = u;
        }
        // far more than Sloan's rounds ever take
        let mut left = 100 + 4 * crossing.len() * crossing.len();
        while let Some(edge) = crossing.pop_front() {
            if left == 0 {
                return false;
            }
            left -= 1;
            let Some((t, i)) = self.find(edge) else { return false };
            if !self.is_convex(t, i) {
                crossing.push_back(edge);
                continue;
            }
            self.flip(t, i);
            let [p, _, q] = self.corners[t as usize];
            let apart = p != a && p != b && q != a && q != b;
            if apart && self.turn(a, b, p) * self.turn(a, b, q) < 0 {
                crossing.push_back([p, q]);
            }
        }
        true
    }
    /// The corners of a triangle from corner `i` on.
    fn from(&self, t: u32, i: usize) -> [u32; 3] {
        let corners = self.corners[t as usize];
        [corners[i], corners[(i + 1) % 3], corners[(i + 2) % 3]]
    }
    /// Flips edges that are not given while the circle of one triangle contains the corner across.
    fn improve(&mut self) {
        let (i, j) = ((self.axis + 1) % 3, (self.axis + 2) % 3);
        let mut queue: Vec<Place> =
            (0..self.corners.len() as u32).flat_map(|t| [(t, 0), (t, 1), (t, 2)]).collect();
        // rounded circles may contradict each other: the number of flips is bounded
        let mut left = 20 * self.corners.len() + 100;
        while let Some((t, k)) = queue.pop() {
            let u = self.across[t as usize][k];
            if u == NONE || self.fixed[t as usize][k] {
                continue;
            }
            let [a, b, c] = [0, 1, 2].map(|m| self.corners[t as usize][(k + m) % 3]);
            let d = self.corners[u as usize][self.side_to(u, t)];
            let at = |p: u32| {
                let at = self.points.place(self.list[p as usize]).at;
                DVec2::new(at[i], at[j])
            };
            if !in_circle(at(a), at(b), at(c), at(d)) || !self.is_convex(t, k) {
                continue;
            }
            self.flip(t, k);
            left -= 1;
            if left == 0 {
                break;
            }
            queue.extend([(t, 0), (t, 2), (u, 0), (u, 2)]);
        }
    }
}

/// Whether `d` is clearly within the circle of a counterclockwise triangle.
fn in_circle(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> bool {
    let [p, q, r] = [a - d, b - d, c - d];
    let (pp, qq, rr) = (p.length_squared(), q.length_squared(), r.length_squared());
    let terms = [pp * q.perp_dot(r), qq * r.perp_dot(p), rr * p.perp_dot(q)];
    let size = pp.max(qq).max(rr);
    terms.iter().sum::<f64>() > 1e-12 * size * size
}

//! The sides of triangles, unfolded.
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Error, Result};
use std::collections::HashMap;

/// Surroundings of a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// One closed fan of faces with this sum of angles.
    Closed(f64),
    /// One open fan: on the boundary.
    Open,
    /// Neither: the vertex has several fans, an edge of more than two faces, a face that has it twice, or no
    /// face.
    Irregular,
}

/// Triangles by their sides. Side `3 f + i` of face `f` leads from its corner `i` to the next. Each side has
/// its own frame: its tail is the origin, its head is on the positive x-axis, and the face's third vertex,
/// the *apex*, is above.
pub struct Sides {
    pub faces: Vec<[u32; 3]>,
    /// Length of each side.
    pub lengths: Vec<f64>,
    /// The apex of each side in its frame.
    pub apexes: Vec<[f64; 2]>,
    /// The angle at the tail of each side, which is that of the corner.
    pub angles: Vec<f64>,
    /// Surroundings of each vertex.
    pub kinds: Vec<Kind>,
    /// The next side of the same edge, in a ring. For a side of a face that does not count: the side itself.
    next: Vec<u32>,
    /// Corners at each vertex, one vertex after the other; `firsts` has the start of each.
    corners: Vec<u32>,
    firsts: Vec<u32>,
    /// For vertices of faces that do not count: the sides that are edges nevertheless.
    loose: HashMap<u32, Vec<u32>>,
}

impl Sides {
    /// Takes O(n log n). Faces that have a vertex twice, or a length that is not finite, do not count; but
    /// the edge of a face with a vertex twice does.
    pub fn new(positions: &[DVec3], faces: &[[u32; 3]]) -> Result<Self> {
        let (vertices, count) = (positions.len(), faces.len());
        let limit = u64::from(u32::MAX) / 8;
        if vertices.max(count) as u64 > limit {
            return Err(Error::TooMany { what: "elements", count: vertices.max(count) as u64, limit });
        }
        for (face, f) in faces.iter().enumerate() {
            if let Some(&vertex) = f.iter().find(|&&v| v as usize >= vertices) {
                return Err(Error::IndexOutOfRange { face, vertex, vertices });
            }
        }
        let mut sides = Self {
            faces: faces.to_vec(),
            lengths: vec![0.0; 3 * count],
            apexes: vec![[0.0; 2]; 3 * count],
            angles: vec![0.0; 3 * count],
            kinds: vec![Kind::Irregular; vertices],
            next: (0..3 * count as u32).collect(),
            corners: vec![],
            firsts: vec![0; vertices + 1],
            loose: HashMap::new(),
        };
        let counts: Vec<bool> = (0..count).map(|f| sides.unfold(positions, f)).collect();
        sides.link(&counts);
        sides.gather(&counts);
        sides.loosen(&counts);
        sides.kinds = (0..vertices as u32).map(|v| sides.kind(v)).collect();
        Ok(sides)
    }
    /// Computes lengths, apexes and angles of a face; returns whether it counts.
    fn unfold(&mut self, positions: &[DVec3], face: usize) -> bool {
        let f = self.faces[face];
        let p = f.map(|v| positions[v as usize]);
        let mut finite = true;
        for i in 0..3 {
            let (edge, other) = (p[(i + 1) % 3] - p[i], p[(i + 2) % 3] - p[i]);
            let length = edge.length();
            let along = if length > 0.0 { edge.dot(other) / length } else { 0.0 };
            let height = if length > 0.0 { edge.cross(other).length() / length } else { other.length() };
            self.lengths[3 * face + i] = length;
            self.apexes[3 * face + i] = [along, height];
            self.angles[3 * face + i] = edge.cross(other).length().atan2(edge.dot(other));
            finite &= length.is_finite() && along.is_finite() && height.is_finite();
        }
        finite && f[0] != f[1] && f[1] != f[2] && f[2] != f[0]
    }
    fn link(&mut self, counts: &[bool]) {
        let key = |s: u32, [a, b]: [u32; 2]| (u64::from(a.min(b)) << 32 | u64::from(a.max(b)), s);
        let all = (0..self.next.len() as u32).filter(|s| counts[*s as usize / 3]);
        let mut keys: Vec<(u64, u32)> = all.map(|s| key(s, self.ends(s))).collect();
        keys.sort_unstable();
        for edge in keys.chunk_by(|a, b| a.0 == b.0) {
            for (i, &(_, s)) in edge.iter().enumerate() {
                self.next[s as usize] = edge[(i + 1) % edge.len()].1;
            }
        }
    }
    fn gather(&mut self, counts: &[bool]) {
        let used = || self.faces.iter().enumerate().filter(|(f, _)| counts[*f]);
        for v in used().flat_map(|(_, f)| f) {
            self.firsts[*v as usize + 1] += 1;
        }
        for v in 1..self.firsts.len() {
            self.firsts[v] += self.firsts[v - 1];
        }
        let mut at = self.firsts.clone();
        self.corners = vec![0; self.firsts[self.firsts.len() - 1] as usize];
        for (f, corners) in self.faces.iter().enumerate().filter(|(f, _)| counts[*f]) {
            for (i, &v) in corners.iter().enumerate() {
                self.corners[at[v as usize] as usize] = (3 * f + i) as u32;
                at[v as usize] += 1;
            }
        }
    }
    fn loosen(&mut self, counts: &[bool]) {
        for side in (0..3 * self.faces.len() as u32).filter(|s| !counts[*s as usize / 3]) {
            let [a, b] = self.ends(side);
            if a != b && self.lengths[side as usize].is_finite() {
                self.loose.entry(a).or_default().push(side);
                self.loose.entry(b).or_default().push(side);
            }
        }
    }
    fn kind(&self, v: u32) -> Kind {
        if self.loose.contains_key(&v) {
            return Kind::Irregular;
        }
        let corners = self.corners_at(v);
        let Some(&first) = corners.first() else { return Kind::Irregular };
        let (mut angle, mut seen) = (0.0, 0);
        // forwards from the first face, then backwards
        for start in [first, self.other_side_at(v, first)] {
            let mut side = start;
            loop {
                if seen > corners.len() || !self.is_manifold(side) {
                    return Kind::Irregular;
                }
                angle += self.angle_at(v, side);
                seen += 1;
                let Some(entered) = self.across(self.other_side_at(v, side)) else { break };
                if entered == first {
                    return if seen == corners.len() { Kind::Closed(angle) } else { Kind::Irregular };
                }
                side = entered;
            }
            if start == first {
                // the first face is counted twice
                seen -= 1;
            }
        }
        if seen == corners.len() && corners.iter().all(|&c| self.is_manifold(c)) {
            Kind::Open
        } else {
            Kind::Irregular
        }
    }
    fn is_manifold(&self, side: u32) -> bool {
        let next = self.next[side as usize];
        self.next[next as usize] == side
    }
    /// The sides that begin at a vertex: one for each of its corners.
    pub fn corners_at(&self, v: u32) -> &[u32] {
        &self.corners[self.firsts[v as usize] as usize..self.firsts[v as usize + 1] as usize]
    }
    /// Sides at a vertex of faces that do not count.
    pub fn loose_at(&self, v: u32) -> &[u32] {
        self.loose.get(&v).map_or(&[], Vec::as_slice)
    }
    /// Tail and head of a side.
    pub fn ends(&self, side: u32) -> [u32; 2] {
        let f = self.faces[side as usize / 3];
        [f[side as usize % 3], f[(side as usize + 1) % 3]]
    }
    /// The face's vertex that is not on the side.
    pub fn apex(&self, side: u32) -> u32 {
        self.faces[side as usize / 3][(side as usize + 2) % 3]
    }
    /// The next side of the same face, which begins at this one's head.
    pub fn after(side: u32) -> u32 {
        if side % 3 == 2 { side - 2 } else { side + 1 }
    }
    /// The side of the same face that leads to this one's tail.
    pub fn before(side: u32) -> u32 {
        if side.is_multiple_of(3) { side + 2 } else { side - 1 }
    }
    /// The face's other side at `v`, which is an end of `side`.
    pub fn other_side_at(&self, v: u32, side: u32) -> u32 {
        if self.ends(side)[0] == v { Self::before(side) } else { Self::after(side) }
    }
    /// The angle at `v`, an end of `side`.
    pub fn angle_at(&self, v: u32, side: u32) -> f64 {
        let corner = if self.ends(side)[0] == v { side } else { Self::after(side) };
        self.angles[corner as usize]
    }
    /// The side of the same edge in the one other face; `None` on the boundary, or if there are more.
    pub fn across(&self, side: u32) -> Option<u32> {
        let next = self.next[side as usize];
        (next != side && self.next[next as usize] == side).then_some(next)
    }
    /// The sides of the same edge in other faces.
    pub fn others(&self, side: u32) -> impl Iterator<Item = u32> + '_ {
        let follow = move |s: u32| {
            let next = self.next[s as usize];
            (next != side).then_some(next)
        };
        std::iter::successors(follow(side), move |&s| follow(s))
    }
    /// The place `x` of `side`, measured along `other`, a side of the same edge.
    pub fn turned(&self, side: u32, other: u32, x: f64) -> f64 {
        if self.ends(side)[0] == self.ends(other)[0] { x } else { self.lengths[side as usize] - x }
    }
}

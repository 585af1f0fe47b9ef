//! The faces of a filling, while they are made.
use crate::fill::around::{NONE, before, behind, start};
use crate::fill::weight::{cosine, lesser, normal, sharpness};
use glam::DVec3;
use rustc_hash::FxHashMap;

/// Sharpness from which on an edge is a fold: its normals turn by a right angle. Flips to Delaunay make no
/// folds.
const FOLD: f64 = 1.0;
/// Differences of sharpness that do not count: up to 2.5 degrees around 0.
const SHARPER: f64 = 1e-3;
/// Angles opposite to an edge have to exceed 180 degrees by more than rounding.
const DELAUNAY: f64 = 1e-9;
/// Sum of the cosines of these angles above which they are less than 180 degrees, whatever rounding does to
/// them.
const SURELY: f64 = 1e-3;
/// Most flips in one call, per edge.
const FLIPS: usize = 16;

/// Reason for which an edge is flipped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flip {
    /// The edge, or one around it, becomes less sharp; or it becomes Delaunay, and no edge becomes sharper.
    Sharpness,
    /// The edge becomes Delaunay, unless faces are folded.
    Delaunay,
}

/// The faces of a filling, a disc. Its first vertices are those of the boundary loop, in their order.
#[derive(Clone)]
pub(crate) struct Sheet {
    /// Number of vertices of the loop.
    pub rim: usize,
    /// Positions of all its vertices.
    pub points: Vec<DVec3>,
    /// Its faces.
    pub faces: Vec<[u32; 3]>,
    /// For each side, the side of the face across, or [`NONE`] at the loop.
    pub across: Vec<u32>,
    /// Unit normals of the faces across the side of the loop from each vertex to the next.
    pub outside: Vec<DVec3>,
    /// The vertices between which each vertex that is not on the loop was made; `None` for a vertex in the
    /// middle of the whole loop.
    pub parents: Vec<Option<[u32; 3]>>,
}

impl Sheet {
    /// Makes a sheet of faces that form a disc.
    pub fn new(rim: usize, points: Vec<DVec3>, faces: Vec<[u32; 3]>, outside: Vec<DVec3>) -> Self {
        let mut sheet =
            Self { rim, parents: vec![None; points.len() - rim], points, faces, across: vec![], outside };
        let sides = 3 * sheet.faces.len() as u32;
        let mut open: FxHashMap<[u32; 2], u32> = FxHashMap::default();
        sheet.across = vec![NONE; sides as usize];
        for side in 0..sides {
            let [a, b] = sheet.ends(side);
            match open.remove(&[b, a]) {
                Some(other) => sheet.join(side, other),
                None => _ = open.insert([a, b], side),
            }
        }
        sheet
    }
    /// The two vertices of a side.
    pub fn ends(&self, side: u32) -> [u32; 2] {
        [start(&self.faces, side), start(&self.faces, behind(side))]
    }
    /// The vertex opposite to a side.
    pub fn apex(&self, side: u32) -> u32 {
        start(&self.faces, before(side))
    }
    /// The positions of the corners of a face.
    pub fn corners(&self, face: usize) -> [DVec3; 3] {
        self.faces[face].map(|v| self.points[v as usize])
    }
    fn join(&mut self, side: u32, other: u32) {
        self.across[side as usize] = other;
        if other != NONE {
            self.across[other as usize] = side;
        }
    }
    /// The unit normal of the face across a side, also across the loop.
    fn normal_across(&self, side: u32) -> DVec3 {
        match self.across[side as usize] {
            NONE => self.outside[start(&self.faces, side) as usize],
            other => normal(self.corners(other as usize / 3)).0,
        }
    }
    /// The least cosine of an angle between neighbouring normals, at most 1; edges of the loop count.
    pub fn least_cosine(&self) -> f64 {
        let at = |side: usize| cosine(normal(self.corners(side / 3)).0, self.normal_across(side as u32));
        (0..self.across.len()).map(at).fold(1.0, lesser)
    }
    /// The area.
    pub fn area(&self) -> f64 {
        (0..self.faces.len()).map(|face| normal(self.corners(face)).1).sum()
    }
    /// Puts a vertex into a face, which becomes three.
    pub fn divide(&mut self, face: usize, point: DVec3) {
        let [a, b, c] = self.faces[face];
        let v = self.points.len() as u32;
        let [_, second, third] = [0, 1, 2].map(|i| self.across[3 * face + i]);
        let (f, g) = (face as u32, self.faces.len() as u32);
        self.points.push(point);
        self.parents.push(Some([a, b, c]));
        self.faces[face] = [a, b, v];
        self.faces.extend([[b, c, v], [c, a, v]]);
        self.across.extend([NONE; 6]);
        self.join(3 * g, second);
        self.join(3 * g + 3, third);
        self.join(3 * f + 1, 3 * g + 2);
        self.join(3 * g + 1, 3 * g + 5);
        self.join(3 * g + 4, 3 * f + 2);
    }
    /// Whether two vertices have an edge in the sheet. Walks around the first of them, from one of its sides.
    fn connected(&self, from: u32, to: u32) -> bool {
        // both ways, since the walk may end at the loop
        let mut side = from;
        loop {
            if start(&self.faces, behind(side)) == to {
                return true;
            }
            let into = before(side);
            if start(&self.faces, into) == to {
                return true;
            }
            match self.across[into as usize] {
                NONE => break,
                next if next == from => return false,
                next => side = next,
            }
        }
        side = from;
        loop {
            match self.across[side as usize] {
                NONE => return false,
                other => {
                    side = behind(other);
                    if start(&self.faces, behind(side)) == to {
                        return true;
                    }
                }
            }
        }
    }
    /// For each face the nearest side of the loop, counted in faces, by the index of the vertex at which it
    /// begins.
    pub fn nearest_sides(&self) -> Vec<u32> {
        let mut nearest = vec![NONE; self.faces.len()];
        let mut front: Vec<usize> = vec![];
        for (side, &other) in self.across.iter().enumerate() {
            if other == NONE && nearest[side / 3] == NONE {
                nearest[side / 3] = start(&self.faces, side as u32);
                front.push(side / 3);
            }
        }
        let mut at = 0;
        while let Some(&face) = front.get(at) {
            at += 1;
            for side in 3 * face..3 * face + 3 {
                let other = self.across[side];
                if other != NONE && nearest[other as usize / 3] == NONE {
                    nearest[other as usize / 3] = nearest[face];
                    front.push(other as usize / 3);
                }
            }
        }
        nearest
    }
    /// Flips edges for a reason until it holds for no edge, or the limit of flips is reached. `legal` says
    /// whether two vertices of the loop may have an edge.
    pub fn flip_all(&mut self, reason: Flip, legal: &impl Fn(u32, u32) -> bool) {
        self.flip(reason, legal, &mut vec![false; self.across.len()]);
    }
    /// Flips edges to Delaunay as [`Sheet::flip_all`]. `calm` has the sides that were found to be Delaunay:
    /// they are not looked at until a face beside them changes.
    pub fn flip_again(&mut self, calm: &mut Vec<bool>, legal: &impl Fn(u32, u32) -> bool) {
        self.flip(Flip::Delaunay, legal, calm);
    }
    /// Notes that a face has changed, for itself and for the faces across its sides.
    pub fn disturb(&self, face: usize, calm: &mut Vec<bool>) {
        calm.resize(self.across.len(), false);
        for side in 3 * face..3 * face + 3 {
            calm[side] = false;
            if let Some(other) = calm.get_mut(self.across[side] as usize) {
                *other = false;
            }
        }
    }
    fn flip(&mut self, reason: Flip, legal: &impl Fn(u32, u32) -> bool, calm: &mut Vec<bool>) {
        let mut waiting: Vec<u32> = (0..self.across.len() as u32).rev().collect();
        let mut queued = vec![true; self.across.len()];
        let mut left = FLIPS * self.faces.len();
        while let Some(side) = waiting.pop() {
            queued[side as usize] = false;
            if left == 0 {
                return;
            }
            if calm[side as usize] {
                continue;
            }
            if !self.wants(side, reason) {
                // sharpness depends on more faces than the two
                calm[side as usize] = reason == Flip::Delaunay;
                continue;
            }
            if !self.may_flip(side, legal) {
                continue;
            }
            self.turn(side);
            left -= 1;
            let other = self.across[side as usize];
            [side, other].iter().for_each(|&side| self.disturb(side as usize / 3, calm));
            for around in [behind(side), before(side), behind(other), before(other)] {
                if !std::mem::replace(&mut queued[around as usize], true) {
                    waiting.push(around);
                }
            }
        }
    }
    fn may_flip(&self, side: u32, legal: &impl Fn(u32, u32) -> bool) -> bool {
        let other = self.across[side as usize];
        let (c, d) = (self.apex(side), self.apex(other));
        let rim = self.rim as u32;
        (c >= rim || d >= rim || legal(c, d)) && !self.connected(before(side), d)
    }
    fn wants(&self, side: u32, reason: Flip) -> bool {
        let other = self.across[side as usize];
        if other == NONE {
            return false;
        }
        let [a, b] = self.ends(side).map(|v| self.points[v as usize]);
        let [c, d] = [side, other].map(|side| self.points[self.apex(side) as usize]);
        let old = [[a, b, c], [b, a, d]].map(normal);
        let flat = old.iter().any(|(normal, _)| *normal == DVec3::ZERO);
        let cosine = |p: DVec3| {
            let (u, v) = (a - p, b - p);
            u.dot(v) / (u.length_squared() * v.length_squared()).sqrt()
        };
        if reason == Flip::Delaunay && !flat && cosine(c) + cosine(d) > SURELY {
            return false;
        }
        let new = [[c, d, b], [d, c, a]].map(normal);
        if new.iter().any(|(normal, _)| *normal == DVec3::ZERO) {
            return false;
        }
        let opposite = |p: DVec3| (a - p).angle_between(b - p);
        let delaunay = flat || opposite(c) + opposite(d) > std::f64::consts::PI + DELAUNAY;
        let fold = sharpness(new[0].0, new[1].0);
        if reason == Flip::Delaunay {
            return delaunay && (flat || fold < FOLD || fold <= sharpness(old[0].0, old[1].0));
        }
        // sides from b to c and from c to a, from a to d and from d to b
        let around = [behind(side), before(side), behind(other), before(other)];
        let [bc, ca, ad, db] = around.map(|side| self.normal_across(side));
        let beside = [bc, ca, ad, db];
        let sharp = |faces: &[(DVec3, f64); 2], of: [usize; 4]| {
            let around = of.iter().zip(beside).map(|(&i, beside)| sharpness(faces[i].0, beside));
            around.fold(sharpness(faces[0].0, faces[1].0), f64::max)
        };
        let was = if flat { f64::INFINITY } else { sharp(&old, [0, 0, 1, 1]) };
        let is = sharp(&new, [0, 1, 1, 0]);
        is < was - SHARPER || (delaunay && is <= was + SHARPER && fold < FOLD)
    }
    /// Turns an edge to connect the two vertices opposite to it. Both sides keep their numbers.
    fn turn(&mut self, side: u32) {
        let other = self.across[side as usize];
        let [a, b] = self.ends(side);
        let (c, d) = (self.apex(side), self.apex(other));
        let [bc, ca, ad, db] =
            [behind(side), before(side), behind(other), before(other)].map(|side| self.across[side as usize]);
        // the face of `side` becomes c d b with the edge at `side`, the other one d c a
        let set = |faces: &mut Vec<[u32; 3]>, side: u32, vertex: u32| {
            faces.as_flattened_mut()[side as usize] = vertex;
        };
        for (first, corners) in [(side, [c, d, b]), (other, [d, c, a])] {
            set(&mut self.faces, first, corners[0]);
            set(&mut self.faces, behind(first), corners[1]);
            set(&mut self.faces, before(first), corners[2]);
        }
        self.join(behind(side), db);
        self.join(before(side), bc);
        self.join(behind(other), ca);
        self.join(before(other), ad);
    }
}

//! The deleted faces of a region, and the spots where they are.
use crate::resolve::cut::CRUMB;
use crate::resolve::spot::Filled;
use rayon::prelude::*;
use ribbonmesh_mesh::{Sides, TriangleMesh, UnionFind};
use rustc_hash::FxHashMap;

/// Least number of deleted faces whose surroundings threads share.
const MANY: usize = 1 << 11;

/// The faces of a region that are deleted; their number grows. Faces that remain when more is deleted count
/// as outside, like the cluster of which they are a part.
pub(crate) struct Gone<'m> {
    region: &'m TriangleMesh,
    sides: &'m Sides,
    gone: Vec<bool>,
    /// The deleted faces.
    list: Vec<u32>,
    /// Number of those that are part of spots.
    known: usize,
    /// Vertices in one set belong to one spot.
    spots: UnionFind,
    /// Whether each vertex is on the border of the region.
    end: Vec<bool>,
    /// Whether each vertex is one of a deleted face: the faces around it belong to the spot.
    touched: Vec<bool>,
    /// Whether the vertices of each face are in one set: those of all faces around touched vertices are.
    joined: Vec<bool>,
    /// Vertices on the border at which faces are deleted.
    reached: Vec<u32>,
}

/// Holes that are near each other, with the faces around them.
pub(crate) struct Spot {
    /// The faces that are deleted, ascending.
    pub removed: Vec<u32>,
    /// The faces that stay and share a vertex with a deleted one, ascending.
    pub collar: Vec<u32>,
    /// The filling, once it is known.
    pub filled: Option<Filled>,
    /// Whether the faces of the filling were searched for intersections with all others.
    pub searched: bool,
}

impl<'m> Gone<'m> {
    /// Deletes some faces.
    pub fn new(region: &'m TriangleMesh, sides: &'m Sides, deleted: &[bool]) -> Self {
        let mut end = vec![false; region.positions.len()];
        for (f, side) in sides.open() {
            let face = region.faces[f as usize];
            [face[side], face[(side + 1) % 3]].into_iter().for_each(|v| end[v as usize] = true);
        }
        let gone = vec![false; region.faces.len()];
        let spots = UnionFind::new(region.positions.len());
        let touched = vec![false; region.positions.len()];
        let joined = gone.clone();
        let (list, reached) = (vec![], vec![]);
        let mut new = Self { region, sides, gone, list, known: 0, spots, end, touched, joined, reached };
        (0..).zip(deleted).filter(|(_, deleted)| **deleted).for_each(|(f, _)| new.take(f));
        new
    }
    /// The vertices on the border of the region at which faces are deleted, ascending.
    pub fn reached(&self) -> Vec<u32> {
        let mut vertices = self.reached.clone();
        vertices.sort_unstable();
        vertices
    }
    /// Number of deleted faces.
    pub fn len(&self) -> usize {
        self.list.len()
    }
    /// The faces that stay, ascending.
    pub fn left(&self) -> Vec<u32> {
        (0..self.gone.len() as u32).filter(|f| !self.gone[*f as usize]).collect()
    }
    fn take(&mut self, f: u32) {
        if std::mem::replace(&mut self.gone[f as usize], true) {
            return;
        }
        self.list.push(f);
        for v in self.region.faces[f as usize] {
            if std::mem::replace(&mut self.touched[v as usize], true) {
                continue;
            }
            if self.end[v as usize] {
                self.reached.push(v);
            }
            for &near in self.sides.around(v) {
                if !std::mem::replace(&mut self.joined[near as usize], true) {
                    let [a, b, c] = self.region.faces[near as usize];
                    self.spots.join(a, b);
                    self.spots.join(b, c);
                }
            }
        }
    }
    /// Makes the spots of two vertices one.
    pub fn link(&mut self, a: u32, b: u32) {
        self.spots.join(a, b);
    }
    /// Deletes faces, then faces that at most one edge connects with the others, then small parts that are
    /// cut off. Returns whether any of `faces` was still there.
    pub fn cut(&mut self, faces: impl IntoIterator<Item = u32>) -> bool {
        let first = self.list.len();
        faces.into_iter().for_each(|f| self.take(f));
        let mut at = first;
        while let Some(&f) = self.list.get(at) {
            at += 1;
            for other in self.sides.across(f).into_iter().flatten() {
                if !self.gone[other as usize]
                    && is_ear(self.sides.across(other), |third| !self.gone[third as usize])
                {
                    self.take(other);
                }
            }
        }
        let mut at = first;
        while let Some(&f) = self.list.get(at) {
            at += 1;
            for other in self.sides.across(f).into_iter().flatten() {
                self.crumb(other).into_iter().for_each(|f| self.take(f));
            }
        }
        self.list.len() > first
    }
    /// The faces connected with one, if they are few; empty if that face is deleted or the part continues
    /// beyond the region.
    fn crumb(&self, first: u32) -> Vec<u32> {
        if self.gone[first as usize] {
            return vec![];
        }
        let mut faces = vec![first];
        let mut at = 0;
        while let Some(&f) = faces.get(at) {
            at += 1;
            for other in self.sides.across(f) {
                let Some(other) = other else { return vec![] };
                if !self.gone[other as usize] && !faces.contains(&other) {
                    faces.push(other);
                }
            }
            if faces.len() > CRUMB {
                return vec![];
            }
        }
        faces
    }
    /// The faces that have one of some vertices.
    pub fn around(&self, vertices: impl IntoIterator<Item = u32>) -> Vec<u32> {
        vertices.into_iter().flat_map(|v| self.sides.around(v)).copied().collect()
    }
    /// The faces that have a vertex of a spot's holes.
    pub fn ring(&self, spot: &Spot) -> Vec<u32> {
        let corners = spot.removed.iter().flat_map(|f| self.region.faces[*f as usize]);
        let mut vertices: Vec<u32> = corners.collect();
        vertices.sort_unstable();
        vertices.dedup();
        self.around(vertices)
    }
    /// The spots, in the order of the first deleted faces. Their collars have no vertex in common. Spots of
    /// `before` that have not changed keep their filling. Linear in the faces that were deleted since then,
    /// but for sorting.
    pub fn spots(&mut self, before: Vec<Spot>) -> Vec<Spot> {
        let mut places: FxHashMap<u32, usize> = FxHashMap::default();
        let mut spots: Vec<Spot> = vec![];
        for old in before {
            let root = self.spots.root(self.region.faces[old.removed[0] as usize][0]);
            if let Some(&place) = places.get(&root) {
                let spot: &mut Spot = &mut spots[place];
                (spot.filled, spot.searched) = (None, false);
                spot.removed.extend(old.removed);
            } else {
                places.insert(root, spots.len());
                spots.push(old);
            }
        }
        for &f in &self.list[self.known..] {
            let root = self.spots.root(self.region.faces[f as usize][0]);
            let place = *places.entry(root).or_insert_with(|| {
                spots.push(Spot { removed: vec![], collar: vec![], filled: None, searched: false });
                spots.len() - 1
            });
            let spot = &mut spots[place];
            (spot.filled, spot.searched) = (None, false);
            spot.removed.push(f);
        }
        self.known = self.list.len();
        let this = &*self;
        let surround = |spot: &mut Spot| {
            spot.removed.sort_unstable();
            spot.collar = this.ring(spot);
            spot.collar.retain(|f| !this.gone[*f as usize]);
            spot.collar.sort_unstable();
            spot.collar.dedup();
        };
        let open = |spot: &&mut Spot| spot.filled.is_none();
        let faces: usize = spots.iter_mut().filter(open).map(|spot| spot.removed.len()).sum();
        match faces {
            few if few < MANY => spots.iter_mut().filter(open).for_each(surround),
            _ => spots.par_iter_mut().filter(open).for_each(surround),
        }
        spots.sort_unstable_by_key(|spot| spot.removed[0]);
        spots
    }
}

/// Whether at most one edge connects a face with a kept one. At the border of the region, the part beyond
/// counts as a kept face.
fn is_ear(around: [Option<u32>; 3], kept: impl Fn(u32) -> bool) -> bool {
    around.into_iter().filter(|other| other.is_none_or(&kept)).count() <= 1
}

//! Vertices at which a mesh is no oriented manifold, and what the others belong to.
use crate::Result;
use crate::disk::Writer;
use crate::figures::faces_around;
use crate::frame::Frame;
use crate::halo::Whole;
use crate::level::Array;
use crate::streaming::OnDisk;
use ribbonmesh_mesh::UnionFind;
use ribbonmesh_solid::repair::has_no_area;
use rustc_hash::FxHashMap;

/// The label of a vertex at a defect, and of one without a face.
pub const NO_PATCH: u32 = u32::MAX;

/// Labels of vertices, tile by tile. Vertices without a defect that a face has are in the same patch: all
/// faces at vertices of a patch agree in orientation.
pub struct Marks {
    out: Writer,
    frame: Frame,
    /// Whether faces without area are defects.
    area: bool,
    /// Labels up to now.
    labels: u32,
    /// The labels of vertices of borders.
    known: FxHashMap<u32, u32>,
    /// Pairs of labels of the same patch.
    same: Vec<[u32; 2]>,
}

impl Marks {
    /// For a mesh whose tiles are cut.
    pub fn create(mesh: &OnDisk, area: bool) -> Result<Self> {
        let out = Writer::create(mesh.level.array(Array::Labels))?;
        Ok(Self { out, frame: mesh.frame, area, labels: 0, known: FxHashMap::default(), same: vec![] })
    }
    /// Adds the next tile.
    pub fn add(&mut self, tile: &Whole) -> Result<()> {
        let at_defects = self.at_defects(tile);
        let mut sets = UnionFind::new(tile.vertices);
        for face in &tile.faces[..tile.own_faces] {
            let mut usual = face.iter().filter(|&&v| !at_defects[v as usize]);
            if let Some(&first) = usual.next() {
                usual.for_each(|&v| _ = sets.join(first, v));
            }
        }
        let mut labels = vec![NO_PATCH; tile.vertices];
        for v in (0..tile.vertices as u32).filter(|&v| !at_defects[v as usize]) {
            let root = sets.root(v);
            if root == v {
                labels[v as usize] = self.labels;
                self.labels += 1;
            }
            // a root is the least number of its set
            labels[v as usize] = labels[root as usize];
            if tile.shared[v as usize] {
                let label = labels[v as usize];
                let known = *self.known.entry(tile.ids[v as usize]).or_insert(label);
                if known != label && self.same.last() != Some(&[known, label]) {
                    self.same.push([known, label]);
                }
            }
        }
        self.out.add(&labels)
    }
    /// The patch of each label.
    pub fn finish(self) -> Result<Vec<u32>> {
        self.out.close()?;
        let mut sets = UnionFind::new(self.labels as usize);
        self.same.iter().for_each(|&[a, b]| _ = sets.join(a, b));
        Ok(sets.roots())
    }
    /// Whether the mesh is no oriented manifold at each of the tile's vertices.
    fn at_defects(&self, tile: &Whole) -> Vec<bool> {
        let (starts, around) = faces_around(tile);
        let mut sides = vec![];
        let around_of = |v: usize| &around[starts[v] as usize..starts[v + 1] as usize];
        let mut found: Vec<bool> =
            (0..tile.vertices).map(|v| is_defect(tile, v as u32, around_of(v), &mut sides)).collect();
        if self.area {
            let flat =
                |face: &&[u32; 3]| has_no_area(face.map(|v| self.frame.outside(tile.positions[v as usize])));
            for v in tile.faces.iter().filter(flat).flatten() {
                if let Some(found) = found.get_mut(*v as usize) {
                    *found = true;
                }
            }
        }
        found
    }
}

/// A side at a vertex.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Side {
    /// The other vertex.
    to: u32,
    /// Whether the side goes there.
    outward: bool,
    /// The third vertex of the face.
    third: u32,
    /// The face, by its place among those at the vertex.
    at: u32,
}

/// Whether the faces around a vertex are not one fan that agrees in orientation.
fn is_defect(tile: &Whole, v: u32, around: &[u32], sides: &mut Vec<Side>) -> bool {
    sides.clear();
    for (at, &face) in (0..).zip(around) {
        let [a, b, c] = tile.faces[face as usize];
        if a == b || b == c || c == a {
            return true;
        }
        for [from, next, last] in [[a, b, c], [b, c, a], [c, a, b]] {
            if from == v {
                sides.push(Side { to: next, outward: true, third: last, at });
                sides.push(Side { to: last, outward: false, third: next, at });
            }
        }
    }
    sides.sort_unstable();
    let mut fans = UnionFind::new(around.len());
    for edge in sides.chunk_by(|a, b| a.to == b.to) {
        match edge {
            [_] => {}
            [a, b] if a.outward != b.outward && a.third != b.third => _ = fans.join(a.at, b.at),
            _ => return true,
        }
    }
    fans.count() > 1
}

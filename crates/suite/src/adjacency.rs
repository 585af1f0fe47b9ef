//! Brute-force adjacency on the input's own indices: slow, sequential, and separate from the library.
use crate::meshes::Case;
use std::collections::{BTreeMap, BTreeSet};

/// An edge: its two vertices, the smaller first.
pub type Key = (u32, u32);
/// Edge between two vertices.
pub fn key(a: u32, b: u32) -> Key {
    (a.min(b), a.max(b))
}

/// The faces around a vertex in order, each with the two other vertices before it.
pub type Walk = Vec<(u32, u32, u32)>;

/// Adjacency of a mesh.
pub struct Oracle {
    /// Number of vertices.
    pub vertices: usize,
    /// Vertices of each face.
    pub faces: Vec<[u32; 3]>,
    /// The faces of each edge, each once.
    pub edges: BTreeMap<Key, BTreeSet<u32>>,
    /// The edges of each vertex.
    pub vertex_edges: Vec<BTreeSet<Key>>,
    /// The faces of each vertex.
    pub vertex_faces: Vec<BTreeSet<u32>>,
    /// Every edge is at most two sides, no face repeats a vertex.
    pub edge_manifold: bool,
    /// Edges of more than two sides.
    pub non_manifold: BTreeSet<Key>,
}

/// Sides of a face.
pub fn sides(f: [u32; 3]) -> [Key; 3] {
    [key(f[0], f[1]), key(f[1], f[2]), key(f[2], f[0])]
}

impl Oracle {
    /// Reads the triangles of a case.
    pub fn new(case: &Case) -> Self {
        let mut edges: BTreeMap<Key, BTreeSet<u32>> = BTreeMap::new();
        let mut count: BTreeMap<Key, usize> = BTreeMap::new();
        let mut vertex_faces = vec![BTreeSet::new(); case.vertices];
        let mut vertex_edges = vec![BTreeSet::new(); case.vertices];
        for (i, &f) in case.faces.iter().enumerate() {
            for k in sides(f) {
                edges.entry(k).or_default().insert(i as u32);
                *count.entry(k).or_default() += 1;
                vertex_edges[k.0 as usize].insert(k);
                vertex_edges[k.1 as usize].insert(k);
            }
            for v in f {
                vertex_faces[v as usize].insert(i as u32);
            }
        }
        let non_manifold: BTreeSet<Key> = count.iter().filter(|(_, n)| **n > 2).map(|(k, _)| *k).collect();
        let edge_manifold = non_manifold.is_empty() && edges.keys().all(|k| k.0 != k.1);
        let faces = case.faces.clone();
        Self {
            vertices: case.vertices,
            faces,
            edges,
            vertex_edges,
            vertex_faces,
            edge_manifold,
            non_manifold,
        }
    }
    /// Vertices at the other ends of the edges of `v`, without it.
    pub fn neighbours(&self, v: u32) -> BTreeSet<u32> {
        let other = |k: &Key| if k.0 == v { k.1 } else { k.0 };
        self.vertex_edges[v as usize].iter().map(other).filter(|&u| u != v).collect()
    }
    /// The faces at the edges of `f`, without it.
    pub fn face_neighbours(&self, f: u32) -> BTreeSet<u32> {
        let at = sides(self.faces[f as usize]).into_iter().flat_map(|k| &self.edges[&k]).copied();
        at.filter(|&g| g != f).collect()
    }
    /// The edges of the faces of `k`, without it; once for each face.
    pub fn edge_neighbours(&self, k: Key) -> Vec<Key> {
        let faces = self.edges[&k].iter();
        let mut all: Vec<Key> =
            faces.flat_map(|&f| sides(self.faces[f as usize])).filter(|&e| e != k).collect();
        all.sort_unstable();
        all
    }
    /// Whether an edge is on the boundary.
    pub fn boundary_edge(&self, k: Key) -> bool {
        self.edges[&k].len() == 1
    }
    /// Whether a vertex is on the boundary.
    pub fn boundary_vertex(&self, v: u32) -> bool {
        self.vertex_edges[v as usize].iter().any(|&k| self.boundary_edge(k))
    }
    /// Whether a face is on the boundary.
    pub fn boundary_face(&self, f: u32) -> bool {
        sides(self.faces[f as usize]).into_iter().any(|k| self.boundary_edge(k))
    }
    /// The walk around a vertex: its faces in order with the two other vertices of each, and whether it
    /// closes. `None` if there is no such walk.
    pub fn walk(&self, v: u32) -> Option<(Walk, bool)> {
        let mut after: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
        let mut ends = BTreeSet::new();
        for &f in &self.vertex_faces[v as usize] {
            let c = self.faces[f as usize];
            if c[0] == c[1] || c[1] == c[2] || c[2] == c[0] {
                return None;
            }
            let i = c.iter().position(|&x| x == v)?;
            let (a, b) = (c[(i + 1) % 3], c[(i + 2) % 3]);
            if after.insert(a, (b, f)).is_some() || !ends.insert(b) {
                return None;
            }
        }
        let starts: Vec<u32> = after.keys().copied().filter(|a| !ends.contains(a)).collect();
        let closed = starts.is_empty();
        let Some(&first) = starts.first().or(after.keys().next()) else { return Some((vec![], true)) };
        let (mut walk, mut a) = (vec![], first);
        while let Some(&(b, f)) = after.get(&a) {
            walk.push((a, b, f));
            a = b;
            if a == first {
                break;
            }
        }
        (walk.len() == after.len()).then_some((walk, closed))
    }
    /// The vertices within `k` edges of `v`, ring by ring.
    pub fn rings(&self, v: u32, k: u32) -> Vec<BTreeSet<u32>> {
        let (mut seen, mut rings) = (BTreeSet::from([v]), vec![BTreeSet::from([v])]);
        for j in 0..k as usize {
            let next: BTreeSet<u32> =
                rings[j].iter().flat_map(|&u| self.neighbours(u)).filter(|u| !seen.contains(u)).collect();
            seen.extend(&next);
            rings.push(next);
        }
        rings.remove(0);
        rings
    }
}

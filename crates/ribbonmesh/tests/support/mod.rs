//! A dynamic mesh and an independent model: a list of triangles.
#![allow(dead_code, reason = "each test program uses a part")]
pub mod patches;

use super::common::Random;
use ribbonmesh::dynamic::{DynamicAttribute, DynamicMesh};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Device, MeshOptions, StaticMesh, Vertex};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes;
use std::collections::{BTreeMap, BTreeSet};

/// A mesh, its positions, on a device.
pub struct Subject {
    pub mesh: DynamicMesh,
    pub x: DynamicAttribute<Vertex, Vec3>,
}
impl Subject {
    pub fn new(device: &Device, shape: &TriangleMesh, spare: f32) -> Self {
        let options = MeshOptions { patch_size: 128, ..MeshOptions::default() };
        let mesh = StaticMesh::new(device, shape.positions.len(), &shape.faces, &options).expect("a mesh");
        let points: Vec<Vec3> = shape.points();
        let x = Attribute::from_input(&mesh, &points).expect("memory");
        let dynamic = DynamicMesh::new(&mesh, spare).expect("a manifold");
        let x = DynamicAttribute::from_static(&dynamic, &x).expect("memory");
        Self { mesh: dynamic, x }
    }
    /// Living faces by id, from a copy.
    pub fn faces(&mut self) -> Vec<[u32; 3]> {
        let words = self.mesh.read_faces().expect("readable");
        words.into_iter().filter(|f| f[0] != u32::MAX).collect()
    }
    /// Checks it, by itself and by the model; returns the model.
    pub fn check(&mut self, what: &str) -> Model {
        if let Err(e) = self.mesh.validate() {
            panic!("{what}: {e}");
        }
        let model = Model::new(&self.faces());
        model.check(what);
        let [v, e, f] = self.mesh.living().expect("counted");
        assert_eq!((e as usize, f as usize), (model.edges.len(), model.faces), "{what}: living edges, faces");
        assert!(v as usize >= model.links.len(), "{what}: living vertices");
        model
    }
}

/// Adjacency of a list of triangles.
pub struct Model {
    pub faces: usize,
    /// Faces of each edge.
    pub edges: BTreeMap<(u32, u32), u32>,
    /// The edges opposite of each vertex.
    pub links: BTreeMap<u32, Vec<(u32, u32)>>,
    darts: BTreeSet<(u32, u32)>,
}
impl Model {
    pub fn new(faces: &[[u32; 3]]) -> Self {
        let mut model = Self {
            faces: faces.len(),
            edges: BTreeMap::new(),
            links: BTreeMap::new(),
            darts: BTreeSet::new(),
        };
        for &[a, b, c] in faces {
            for (u, v, w) in [(a, b, c), (b, c, a), (c, a, b)] {
                *model.edges.entry((u.min(v), u.max(v))).or_default() += 1;
                model.links.entry(w).or_default().push((u, v));
                model.darts.insert((u, v));
            }
        }
        model
    }
    pub fn euler(&self) -> i64 {
        self.links.len() as i64 - self.edges.len() as i64 + self.faces as i64
    }
    pub fn boundary(&self) -> usize {
        self.edges.values().filter(|&&n| n == 1).count()
    }
    /// An oriented manifold without degenerate or duplicate faces.
    pub fn check(&self, what: &str) {
        assert!(self.edges.keys().all(|(u, v)| u != v), "{what}: degenerate");
        assert!(self.edges.values().all(|&n| n <= 2), "{what}: an edge with more than two faces");
        assert_eq!(self.darts.len(), 3 * self.faces, "{what}: orientation");
        for (v, link) in &self.links {
            // each link is one path or cycle
            let next: BTreeMap<u32, u32> = link.iter().copied().collect();
            let ends: BTreeSet<u32> = link.iter().map(|l| l.1).collect();
            let first = link.iter().map(|l| l.0).find(|u| !ends.contains(u)).unwrap_or(link[0].0);
            let (mut at, mut n) = (first, 0);
            while let Some(&to) = next.get(&at) {
                n += 1;
                at = to;
                if at == first {
                    break;
                }
            }
            assert_eq!(n, link.len(), "{what}: the faces at vertex {v} are not one fan");
        }
    }
}

/// Manifold shapes, closed and with boundary, with many components.
pub fn manifolds() -> Vec<(&'static str, TriangleMesh)> {
    let two = {
        let mut a = shapes::icosphere(2).expect("small");
        let b = shapes::grid(9, 3).expect("small");
        let n = a.positions.len() as u32;
        a.positions.extend(b.positions);
        a.faces.extend(b.faces.iter().map(|f| f.map(|v| v + n)));
        a
    };
    let one = |faces: Vec<[u32; 3]>, n: usize| {
        TriangleMesh::from_f32(
            (0..n).map(|i| [(i as f32).cos(), (i as f32).sin(), (i * i % 7) as f32]),
            faces,
        )
    };
    vec![
        ("one face", one(vec![[0, 1, 2]], 3)),
        ("two faces", one(vec![[0, 1, 2], [0, 2, 3]], 4)),
        ("tetrahedron", one(vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]], 4)),
        ("octahedron", shapes::icosphere(0).expect("small")),
        ("bipyramid", one(vec![[0, 1, 3], [1, 2, 3], [2, 0, 3], [1, 0, 4], [2, 1, 4], [0, 2, 4]], 5)),
        ("icosphere", shapes::icosphere(3).expect("small")),
        ("bumpy sphere", shapes::bumpy_sphere(4, 1).expect("small")),
        ("torus", shapes::torus(30, 1).expect("small")),
        ("grid", shapes::grid(25, 1).expect("small")),
        ("sphere and grid", two),
    ]
}

/// Priorities of this many elements: some are not meant.
pub fn priorities(n: u32, of: u32, seed: u64) -> Vec<f32> {
    let mut random = Random(seed);
    (0..n).map(|_| if random.below(of) == 0 { random.below(1000) as f32 } else { f32::NAN }).collect()
}

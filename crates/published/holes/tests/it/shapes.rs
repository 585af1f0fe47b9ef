//! Meshes with holes, and what a filled mesh has to be.
use crate::oracle::Plain;
use ribbonmesh::Device;
use ribbonmesh::glam::Vec3;
use ribbonmesh_holes::{HoleOptions, Holes, HolesError};
use ribbonmesh_mesh::TriangleMesh;
pub use ribbonmesh_mesh::shapes::{icosphere, shuffle, torus};
use ribbonmesh_solid::intersections::Triangles;
use ribbonmesh_suite::Random;
use std::collections::{HashMap, HashSet};

/// Positions and faces.
#[derive(Clone)]
pub struct Mesh {
    pub x: Vec<Vec3>,
    pub faces: Vec<[u32; 3]>,
}
impl Mesh {
    pub fn of(mesh: &TriangleMesh) -> Self {
        Self { x: mesh.points(), faces: mesh.faces.clone() }
    }
    /// An icosphere whose vertices and faces have a random order.
    pub fn ball(level: u32, seed: u64) -> Self {
        let mut mesh = icosphere(level).expect("small");
        shuffle(&mut mesh, seed);
        Self::of(&mesh)
    }
    /// A cone without its base: one loop of `n` edges.
    pub fn cone(n: u32) -> Self {
        let angle = |i: u32| f64::from(i) / f64::from(n) * std::f64::consts::TAU;
        let rim = (0..n).map(|i| Vec3::new(angle(i).cos() as f32, angle(i).sin() as f32, 0.0));
        let x = rim.chain([Vec3::Z]).collect();
        Self { x, faces: (0..n).map(|i| [i, (i + 1) % n, n]).collect() }
    }
    /// Without the faces of which a test is true.
    pub fn without(mut self, gone: impl Fn(usize, [Vec3; 3]) -> bool) -> Self {
        let (x, mut i) = (&self.x, 0);
        self.faces.retain(|face| {
            i += 1;
            !gone(i - 1, face.map(|v| x[v as usize]))
        });
        self
    }
    /// Without the faces at listed vertices.
    pub fn without_stars(mut self, of: impl Fn(u32) -> bool) -> Self {
        self.faces.retain(|face| !face.iter().any(|&v| of(v)));
        self
    }
    pub fn without_some_faces(self, in_thousand: u32, seed: u64) -> Self {
        let mut random = Random(seed);
        let gone: Vec<bool> = self.faces.iter().map(|_| random.below(1000) < in_thousand).collect();
        self.without(|i, _| gone[i])
    }
    pub fn moved(mut self, by: Vec3) -> Self {
        self.x.iter_mut().for_each(|p| *p += by);
        self
    }
    pub fn and(mut self, other: Self) -> Self {
        let n = self.x.len() as u32;
        self.x.extend(other.x);
        self.faces.extend(other.faces.into_iter().map(|face| face.map(|v| v + n)));
        self
    }
    /// The faces after filling, as a device has them.
    pub fn filled(&self, device: &Device, options: &HoleOptions) -> Result<Plain, HolesError> {
        let (x, faces) = (device.upload(&self.x)?, device.upload(self.faces.as_flattened())?);
        let holes = Holes::of(Triangles { positions: &x, faces: &faces })?;
        let joined = holes.join(options)?;
        let bridges = joined.bridges().read()?;
        let filled = joined.fill(options)?;
        Ok(Plain {
            faces: filled.faces.read()?.as_chunks().0.to_vec(),
            kept: filled.kept,
            holes: filled.holes,
            joined: bridges.iter().filter(|bridge| bridge.is_some()).count() as u32,
            open: filled.open,
        })
    }
}

/// Panics unless faces are a closed, oriented manifold: each side has one across, and the faces of each
/// vertex are one fan.
pub fn assert_closed(faces: &[[u32; 3]], what: &str) {
    let mut next: HashMap<u32, HashMap<u32, u32>> = HashMap::new();
    for &[a, b, c] in faces {
        for [v, from, to] in [[a, b, c], [b, c, a], [c, a, b]] {
            let twice = next.entry(v).or_default().insert(from, to);
            assert!(twice.is_none() && v != from, "{what}: two faces at the side from {v} to {from}");
        }
    }
    for (v, fan) in next {
        let begin = *fan.keys().next().expect("a face");
        let (mut at, mut seen) = (begin, HashSet::new());
        while seen.insert(at) {
            at = *fan.get(&at).unwrap_or_else(|| panic!("{what}: the side from {at} to {v} is open"));
        }
        assert_eq!(seen.len(), fan.len(), "{what}: several fans at vertex {v}");
    }
}

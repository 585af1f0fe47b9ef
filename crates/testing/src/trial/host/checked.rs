//! Triangles looked at by themselves, slowly and in double precision: what comes out of an application.
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh_mesh::TriangleMesh;
use std::collections::{BTreeMap, BTreeSet};

/// An oriented manifold.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Positions of the vertices.
    pub positions: Vec<Vec3>,
    /// Vertices of the faces.
    pub faces: Vec<[u32; 3]>,
    /// Vertices that have faces − edges + faces.
    pub euler: i64,
    /// Connected parts, vertices without faces left out.
    pub components: usize,
    /// Loops of the boundary.
    pub loops: usize,
    /// Vertices of the boundary.
    pub boundary: BTreeSet<u32>,
}

fn root(of: &mut [u32], mut v: u32) -> u32 {
    while of[v as usize] != v {
        of[v as usize] = of[of[v as usize] as usize];
        v = of[v as usize];
    }
    v
}

impl Checked {
    /// The checked triangles of a shape.
    /// # Panics
    /// As [`Checked::new`].
    pub fn of(shape: &TriangleMesh) -> Self {
        Self::new(points(shape), shape.faces.clone())
    }
    /// Checks edges, orientation and fans. Takes O(n log n).
    /// # Panics
    /// If it is not an oriented manifold, which tests want.
    pub fn new(positions: Vec<Vec3>, faces: Vec<[u32; 3]>) -> Self {
        let mut sides = BTreeSet::new();
        let mut around: BTreeMap<u32, Vec<(u32, u32)>> = BTreeMap::new();
        let mut parts: Vec<u32> = (0..positions.len() as u32).collect();
        for (f, &[a, b, c]) in faces.iter().enumerate() {
            assert!(a != b && b != c && c != a, "face {f} is degenerate");
            for (u, v, w) in [(a, b, c), (b, c, a), (c, a, b)] {
                assert!(sides.insert((u, v)), "two faces on one side of {u}-{v}");
                around.entry(w).or_default().push((u, v));
                let (u, v) = (root(&mut parts, u), root(&mut parts, v));
                parts[u as usize] = v;
            }
        }
        for (v, link) in &around {
            assert!(super::surface::one_path(link), "the faces at vertex {v} are not one fan");
        }
        let open: Vec<(u32, u32)> =
            sides.iter().copied().filter(|&(u, v)| !sides.contains(&(v, u))).collect();
        let edges = (sides.len() + open.len()) / 2;
        let components: BTreeSet<u32> = around.keys().map(|&v| root(&mut parts, v)).collect();
        let mut ways: Vec<u32> = (0..positions.len() as u32).collect();
        for &(u, v) in &open {
            let (u, v) = (root(&mut ways, u), root(&mut ways, v));
            ways[u as usize] = v;
        }
        let loops: BTreeSet<u32> = open.iter().map(|&(u, _)| root(&mut ways, u)).collect();
        Self {
            euler: around.len() as i64 - edges as i64 + faces.len() as i64,
            components: components.len(),
            loops: loops.len(),
            boundary: open.iter().flat_map(|&(u, v)| [u, v]).collect(),
            positions,
            faces,
        }
    }
    /// The corners of each face.
    pub fn triangles(&self) -> impl Iterator<Item = [DVec3; 3]> {
        self.faces.iter().map(|f| f.map(|v| self.positions[v as usize].as_dvec3()))
    }
    /// The normal of each face, twice its area long.
    pub fn normals(&self) -> impl Iterator<Item = DVec3> {
        self.triangles().map(|[a, b, c]| (b - a).cross(c - a))
    }
    /// The area of all faces.
    pub fn area(&self) -> f64 {
        self.normals().map(|n| 0.5 * n.length()).sum()
    }
    /// The bits of the positions of the boundary.
    pub fn boundary_points(&self) -> BTreeSet<[u32; 3]> {
        self.boundary.iter().map(|&v| self.positions[v as usize].to_array().map(f32::to_bits)).collect()
    }
    /// The least and the greatest corner of the box around all vertices.
    pub fn corners(&self) -> [Vec3; 2] {
        let all = || self.positions.iter().copied();
        [all().fold(Vec3::INFINITY, Vec3::min), all().fold(Vec3::NEG_INFINITY, Vec3::max)]
    }
    /// The mean length of the sides of faces whose corners are all chosen.
    pub fn mean_side(&self, chosen: impl Fn(DVec3) -> bool) -> f64 {
        let lengths: Vec<f64> = self
            .triangles()
            .filter(|t| t.iter().all(|p| chosen(*p)))
            .flat_map(|[a, b, c]| [a.distance(b), b.distance(c), c.distance(a)])
            .collect();
        lengths.iter().sum::<f64>() / lengths.len() as f64
    }
    /// Points all over it: its vertices, and the middles of its sides and of its faces.
    pub fn samples(&self) -> Vec<DVec3> {
        let mut samples: Vec<DVec3> =
            self.faces.iter().flatten().map(|&v| self.positions[v as usize].as_dvec3()).collect();
        for [a, b, c] in self.triangles() {
            samples.extend([0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a), (a + b + c) / 3.0]);
        }
        samples
    }
    /// The largest distance of its samples from another surface, and the root of the mean square. Takes O(n
    /// m).
    pub fn distance_to(&self, other: &Self) -> [f64; 2] {
        let triangles: Vec<_> = other.triangles().collect();
        let samples = self.samples();
        let (mut most, mut sum) = (0.0f64, 0.0);
        for p in &samples {
            let d = triangles.iter().map(|t| distance(*p, *t)).fold(f64::INFINITY, f64::min);
            most = most.max(d);
            sum += d * d;
        }
        [most, (sum / samples.len() as f64).sqrt()]
    }
    /// Both ways: the larger of either.
    pub fn apart(&self, other: &Self) -> [f64; 2] {
        let ([a, b], [c, d]) = (self.distance_to(other), other.distance_to(self));
        [a.max(c), b.max(d)]
    }
}

/// The distance of a point from a triangle.
pub fn distance(p: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
    let segment = |a: DVec3, b: DVec3| {
        let t = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        if t.is_nan() { p.distance(a) } else { p.distance(a.lerp(b, t)) }
    };
    let least = segment(a, b).min(segment(b, c)).min(segment(c, a));
    let n = (b - a).cross(c - a);
    let left = |a: DVec3, b: DVec3| (b - a).cross(p - a).dot(n) > 0.0;
    if left(a, b) && left(b, c) && left(c, a) { ((p - a).dot(n) / n.length()).abs() } else { least }
}

/// The positions of a shape.
pub fn points(shape: &TriangleMesh) -> Vec<Vec3> {
    shape.points()
}

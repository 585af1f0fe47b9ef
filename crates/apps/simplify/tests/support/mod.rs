//! Triangles looked at by themselves, slowly and in double precision.
#![allow(dead_code, reason = "each test program uses a part")]
pub mod greedy;

use ribbonmesh::Device;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh_shapes::Shape;
use ribbonmesh_simplify::{Simplified, SimplifyOptions, simplify};
use std::collections::{BTreeMap, BTreeSet};

/// An oriented manifold.
pub struct Checked {
    pub positions: Vec<Vec3>,
    pub faces: Vec<[u32; 3]>,
    /// Of the vertices that have faces.
    pub euler: i64,
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
    pub fn of(shape: &Shape) -> Self {
        Self::new(points(shape), shape.faces.clone())
    }
    /// Checks edges, orientation and fans.
    pub fn new(positions: Vec<Vec3>, faces: Vec<[u32; 3]>) -> Self {
        let mut sides = BTreeSet::new();
        let mut around: BTreeMap<u32, Vec<(u32, u32)>> = BTreeMap::new();
        let mut parts: Vec<u32> = (0..positions.len() as u32).collect();
        for &[a, b, c] in &faces {
            assert!(a != b && b != c && c != a, "a degenerate face");
            for (u, v, w) in [(a, b, c), (b, c, a), (c, a, b)] {
                assert!(sides.insert((u, v)), "two faces on one side of {u}-{v}");
                around.entry(w).or_default().push((u, v));
                let (u, v) = (root(&mut parts, u), root(&mut parts, v));
                parts[u as usize] = v;
            }
        }
        for (v, link) in &around {
            let next: BTreeMap<u32, u32> = link.iter().copied().collect();
            let ends: BTreeSet<u32> = next.values().copied().collect();
            let first = link.iter().map(|l| l.0).find(|u| !ends.contains(u)).unwrap_or(link[0].0);
            let (mut at, mut n) = (first, 0);
            while let Some(&to) = next.get(&at) {
                (at, n) = (to, n + 1);
                if at == first {
                    break;
                }
            }
            assert_eq!(n, link.len(), "the faces at vertex {v} are not one fan");
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
    pub fn triangles(&self) -> impl Iterator<Item = [DVec3; 3]> {
        self.faces.iter().map(|f| f.map(|v| self.positions[v as usize].as_dvec3()))
    }
    /// Twice the area long.
    pub fn normals(&self) -> impl Iterator<Item = DVec3> {
        self.triangles().map(|[a, b, c]| (b - a).cross(c - a))
    }
    pub fn area(&self) -> f64 {
        self.normals().map(|n| 0.5 * n.length()).sum()
    }
    /// Points all over it: its vertices, the middles of its sides, and those of its faces.
    pub fn samples(&self) -> Vec<DVec3> {
        let mut samples: Vec<DVec3> =
            self.faces.iter().flatten().map(|&v| self.positions[v as usize].as_dvec3()).collect();
        for [a, b, c] in self.triangles() {
            samples.extend([0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a), (a + b + c) / 3.0]);
        }
        samples
    }
    /// The largest distance of its samples from another surface, and the root of the mean square.
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

pub fn points(shape: &Shape) -> Vec<Vec3> {
    shape.positions.iter().map(|p| Vec3::from_array(*p)).collect()
}

/// Simplifies, and checks what holds always.
pub fn run(device: &Device, shape: &Shape, options: &SimplifyOptions) -> (Simplified, Checked) {
    let options = SimplifyOptions { validate: true, ..options.clone() };
    let result = simplify(device, &points(shape), &shape.faces, &options).expect("a manifold");
    let checked = Checked::new(result.positions.clone(), result.faces.clone());
    let report = &result.report;
    assert_eq!(
        (report.after.vertices as usize, report.after.faces as usize),
        (result.positions.len(), result.faces.len())
    );
    assert_eq!(report.collapses, report.stages.iter().map(|s| s.collapsed).sum::<u64>());
    assert_eq!(report.before.vertices - report.after.vertices, report.collapses);
    assert!(result.vertex_inputs.is_sorted_by(|a, b| a < b));
    assert_eq!(result.vertex_inputs.len(), result.positions.len());
    let before = Checked::of(shape);
    assert_eq!(
        (checked.euler, checked.components, checked.loops),
        (before.euler, before.components, before.loops)
    );
    (result, checked)
}

/// A grid of n × n squares from corner to corner of the unit square, lifted.
pub fn sheet(n: u32, lift: impl Fn(f64, f64) -> [f64; 3]) -> Shape {
    let at = |i: u32, j: u32| (n + 1) * i + j;
    let corner = |k: u32| [k / (n + 1), k % (n + 1)].map(|i| i as f64 / n as f64);
    let positions = (0..(n + 1) * (n + 1)).map(corner).map(|[x, y]| lift(x, y).map(|c| c as f32)).collect();
    let cells = (0..n * n).map(|k| (k / n, k % n));
    let faces = cells
        .flat_map(|(i, j)| {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            if (i + j) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
        })
        .collect();
    Shape { positions, faces }
}

/// The boundary of [−1, 1]³, each side of n × n squares.
pub fn cube(n: u32) -> Shape {
    let mut index = BTreeMap::new();
    let (mut positions, mut faces) = (vec![], vec![]);
    let mut vertex = |p: [u32; 3]| {
        *index.entry(p).or_insert_with(|| {
            positions.push(p.map(|c| 2.0 * c as f32 / n as f32 - 1.0));
            positions.len() as u32 - 1
        })
    };
    for axis in 0..3 {
        for side in [0, n] {
            for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
                let mut at = |i: u32, j: u32| {
                    let mut p = [0; 3];
                    (p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]) = (side, i, j);
                    vertex(p)
                };
                let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                let two = if side == n { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] };
                faces.extend(two);
            }
        }
    }
    Shape { positions, faces }
}

/// Several shapes as one.
pub fn joined(shapes: &[Shape]) -> Shape {
    let mut all = Shape { positions: vec![], faces: vec![] };
    for shape in shapes {
        let n = all.positions.len() as u32;
        all.positions.extend(&shape.positions);
        all.faces.extend(shape.faces.iter().map(|f| f.map(|v| v + n)));
    }
    all
}

/// A shape moved and scaled.
pub fn moved(mut shape: Shape, scale: f32, by: [f32; 3]) -> Shape {
    for p in &mut shape.positions {
        *p = std::array::from_fn(|i| scale * p[i] + by[i]);
    }
    shape
}

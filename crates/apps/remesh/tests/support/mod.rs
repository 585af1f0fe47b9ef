//! A list of triangles, looked at by itself.
use ribbonmesh::Device;
use ribbonmesh::glam::Vec3;
use ribbonmesh_quality::Quality;
use ribbonmesh_remesh::{RemeshOptions, Remeshed, remesh};
use ribbonmesh_shapes::Shape;
use std::collections::{BTreeMap, BTreeSet};

/// An oriented manifold.
pub struct Checked {
    pub positions: Vec<Vec3>,
    pub faces: Vec<[u32; 3]>,
    /// Of the vertices that have faces.
    pub euler: i64,
    pub components: usize,
    boundary: BTreeSet<u32>,
}

impl Checked {
    pub fn of(positions: &[[f32; 3]], faces: &[[u32; 3]]) -> Self {
        Self::of_points(positions.iter().map(|p| Vec3::from_array(*p)).collect(), faces.to_vec())
    }
    /// Checks edges, orientation and fans.
    pub fn of_points(positions: Vec<Vec3>, faces: Vec<[u32; 3]>) -> Self {
        let mut darts = BTreeMap::new();
        let mut links: BTreeMap<u32, BTreeMap<u32, u32>> = BTreeMap::new();
        let mut root: Vec<u32> = (0..positions.len() as u32).collect();
        fn find(root: &mut [u32], mut v: u32) -> u32 {
            while root[v as usize] != v {
                root[v as usize] = root[root[v as usize] as usize];
                v = root[v as usize];
            }
            v
        }
        for (f, &[a, b, c]) in faces.iter().enumerate() {
            assert!(a != b && b != c && c != a, "face {f} is degenerate");
            for (u, v, w) in [(a, b, c), (b, c, a), (c, a, b)] {
                assert!(darts.insert((u, v), f).is_none(), "two faces at {u}-{v}");
                assert!(links.entry(w).or_default().insert(u, v).is_none(), "two faces at {u}-{w}");
                let (u, v) = (find(&mut root, u), find(&mut root, v));
                root[u as usize] = v;
            }
        }
        for (v, link) in &links {
            let ends: BTreeSet<u32> = link.values().copied().collect();
            let first = link
                .keys()
                .find(|u| !ends.contains(u))
                .unwrap_or_else(|| link.keys().next().expect("a face"));
            let (mut at, mut n) = (*first, 0);
            while let Some(&to) = link.get(&at) {
                n += 1;
                at = to;
                if at == *first {
                    break;
                }
            }
            assert_eq!(n, link.len(), "the faces at vertex {v} are not one fan");
        }
        let open: Vec<(u32, u32)> =
            darts.keys().copied().filter(|&(u, v)| !darts.contains_key(&(v, u))).collect();
        let edges = (darts.len() + open.len()) / 2;
        let components: BTreeSet<u32> = links.keys().map(|&v| find(&mut root, v)).collect();
        Self {
            euler: links.len() as i64 - edges as i64 + faces.len() as i64,
            components: components.len(),
            boundary: open.iter().flat_map(|&(u, v)| [u, v]).collect(),
            positions,
            faces,
        }
    }
    /// The bits of the boundary's positions.
    pub fn boundary_points(&self) -> BTreeSet<[u32; 3]> {
        self.boundary.iter().map(|&v| self.positions[v as usize].to_array().map(f32::to_bits)).collect()
    }
    pub fn corners(&self) -> [Vec3; 2] {
        let all = || self.positions.iter().copied();
        [all().fold(Vec3::INFINITY, Vec3::min), all().fold(Vec3::NEG_INFINITY, Vec3::max)]
    }
    pub fn triangles(&self) -> impl Iterator<Item = [Vec3; 3]> {
        self.faces.iter().map(|f| f.map(|v| self.positions[v as usize]))
    }
    /// Twice the area long.
    pub fn normals(&self) -> impl Iterator<Item = Vec3> {
        self.triangles().map(|[a, b, c]| (b - a).cross(c - a))
    }
    /// Of the edges of faces whose corners are all chosen.
    pub fn mean_edge(&self, chosen: impl Fn(Vec3) -> bool) -> f64 {
        let lengths: Vec<f64> = self
            .triangles()
            .filter(|t| t.iter().all(|p| chosen(*p)))
            .flat_map(|[a, b, c]| [a.distance(b), b.distance(c), c.distance(a)])
            .map(f64::from)
            .collect();
        lengths.iter().sum::<f64>() / lengths.len() as f64
    }
}

pub fn surface_area(mesh: &Checked) -> f64 {
    mesh.normals().map(|n| 0.5 * n.length() as f64).sum()
}

/// How far the vertices are from the unit sphere, at most.
pub fn off_sphere(mesh: &Checked) -> f32 {
    mesh.positions.iter().map(|p| (1.0 - p.length()).abs()).fold(0.0, f32::max)
}

/// Remeshes, and checks what comes out.
pub fn run(device: &Device, shape: &Shape, options: &RemeshOptions) -> (Remeshed, Checked) {
    let points: Vec<Vec3> = shape.positions.iter().map(|p| Vec3::from_array(*p)).collect();
    let result = remesh(device, &points, &shape.faces, options).expect("a manifold");
    let checked = Checked::of_points(result.positions.clone(), result.faces.clone());
    let sizes = result.report.after;
    assert_eq!((sizes.vertices as usize, sizes.faces as usize), (result.positions.len(), result.faces.len()));
    assert_eq!(result.report.iterations.len(), options.iterations as usize);
    (result, checked)
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

/// Several shapes beside each other.
pub fn joined(shapes: &[Shape]) -> Shape {
    let mut all = Shape { positions: vec![], faces: vec![] };
    for shape in shapes {
        let n = all.positions.len() as u32;
        all.positions.extend(&shape.positions);
        all.faces.extend(shape.faces.iter().map(|f| f.map(|v| v + n)));
    }
    all
}

/// How good triangles are.
#[derive(Debug)]
pub struct Figures {
    /// Share of the edges from 4/5 to 4/3 of the target length.
    pub lengths_in_range: f64,
    pub mean_length: f64,
    pub least_angle: f64,
    pub mean_least_angle: f64,
    pub valence_6: f64,
}
impl Figures {
    pub fn of(positions: &[Vec3], faces: &[[u32; 3]], target: f64) -> Self {
        let positions: Vec<[f32; 3]> = positions.iter().map(|p| p.to_array()).collect();
        let q = Quality::of(&positions, faces, Some(target));
        let angle = q.smallest_angle.expect("faces").spread;
        Self {
            lengths_in_range: q.edges_near_target.expect("edges"),
            mean_length: q.edge_length.expect("edges").spread.mean,
            least_angle: angle.min,
            mean_least_angle: angle.mean,
            valence_6: q.valence.regular.unwrap_or(0.0),
        }
    }
}

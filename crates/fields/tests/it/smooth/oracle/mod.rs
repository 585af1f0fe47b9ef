//! A step by a plain loop over the faces, in `f64`, solved by a sparse Cholesky factorization.
#![allow(dead_code)]
use faer::linalg::solvers::Solve;
use faer::sparse::{SparseColMat, Triplet};
use faer::{Mat, Side};
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Attribute, Device, FlatTopology, MeshOptions, StaticMesh, Surface, Vertex};
use ribbonmesh_fields::smooth::{
    Boundary, Mass, Preconditioner, SmoothOptions, SmoothReport, Smoother, Solver, TimeStep, Weights,
    smooth_triangles,
};
use ribbonmesh_intrinsic::{LaplacianOptions, Mass as Masses, laplacian};
use std::collections::{BTreeMap, BTreeSet};

/// M and L; entries that are not stored are 0.
pub struct System {
    pub mass: Vec<f64>,
    pub stiffness: BTreeMap<(u32, u32), f64>,
    pub boundary: BTreeSet<u32>,
    pub mean_edge: f64,
}

fn cotangents(p: [DVec3; 3]) -> ([f64; 3], f64) {
    let area2 = (p[1] - p[0]).cross(p[2] - p[0]).length();
    let longest = (0..3).map(|i| (p[(i + 1) % 3] - p[i]).length_squared()).fold(0.0, f64::max);
    let at = |i: usize| {
        let (a, b) = (p[(i + 1) % 3] - p[i], p[(i + 2) % 3] - p[i]);
        if longest > 0.0 { a.dot(b) / area2.max(1e-4 * longest) } else { 0.0 }
    };
    ([at(0), at(1), at(2)], area2.max(1e-4 * longest))
}

impl System {
    pub fn new(x: &[Vec3], faces: &[[u32; 3]], weights: Weights, mass: Mass) -> Self {
        let mut masses = vec![if mass == Mass::Unit { 1.0 } else { 0.0 }; x.len()];
        let mut stiffness = BTreeMap::<(u32, u32), f64>::new();
        let mut sides = BTreeMap::<(u32, u32), u32>::new();
        for f in faces {
            for i in 0..3 {
                let (a, b) = (f[i], f[(i + 1) % 3]);
                if a != b {
                    *sides.entry((a.min(b), a.max(b))).or_default() += 1;
                }
            }
            if f[0] == f[1] || f[1] == f[2] || f[2] == f[0] {
                continue;
            }
            let p = f.map(|v| x[v as usize].as_dvec3());
            let (cot, area2) = cotangents(p);
            for i in 0..3 {
                let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                let (a, b) = (f[j], f[k]);
                if weights == Weights::Cotangent {
                    *stiffness.entry((a.min(b), a.max(b))).or_default() += 0.5 * cot[i];
                }
                let m = &mut masses[f[i] as usize];
                match mass {
                    Mass::Unit => {}
                    Mass::Barycentric => *m += area2 / 6.0,
                    Mass::Mixed if cot[i] <= 0.0 => *m += area2 / 4.0,
                    Mass::Mixed if cot[j] <= 0.0 || cot[k] <= 0.0 => *m += area2 / 8.0,
                    Mass::Mixed => {
                        let voronoi =
                            (p[j] - p[i]).length_squared() * cot[k] + (p[k] - p[i]).length_squared() * cot[j];
                        *m += voronoi / 8.0;
                    }
                }
            }
        }
        if weights == Weights::Uniform {
            stiffness = sides.keys().map(|&e| (e, 1.0)).collect();
        }
        let length = |&(a, b): &(u32, u32)| (x[a as usize].as_dvec3() - x[b as usize].as_dvec3()).length();
        let mean_edge =
            if sides.is_empty() { 0.0 } else { sides.keys().map(length).sum::<f64>() / sides.len() as f64 };
        let once = sides.iter().filter(|(_, n)| **n == 1);
        let boundary = once.flat_map(|((a, b), _)| [*a, *b]).collect();
        Self { mass: masses, stiffness, boundary, mean_edge }
    }
    pub fn time(&self, step: TimeStep) -> f64 {
        match step {
            TimeStep::Absolute(t) => t,
            TimeStep::Edges(t) => t * self.mean_edge * self.mean_edge,
        }
    }
    /// The entries of M + t L.
    pub fn matrix(&self, t: f64) -> BTreeMap<(u32, u32), f64> {
        let mut a: BTreeMap<_, _> = (0..).zip(&self.mass).map(|(v, &m)| ((v, v), m)).collect();
        for (&(i, j), &k) in &self.stiffness {
            *a.get_mut(&(i, i)).expect("a diagonal") += t * k;
            *a.get_mut(&(j, j)).expect("a diagonal") += t * k;
            *a.entry((i, j)).or_default() -= t * k;
            *a.entry((j, i)).or_default() -= t * k;
        }
        a
    }
    /// The positions after a step of time `t`: the displacement d of (M + t L) d = -t L x.
    pub fn step(&self, x: &[DVec3], t: f64, fixed: bool) -> Vec<DVec3> {
        let n = x.len();
        let a = self.matrix(t);
        let greatest = a.values().fold(0.0, |m: f64, v| m.max(v.abs()));
        let held = |v: u32| (fixed && self.boundary.contains(&v)) || a[&(v, v)] <= 1e-14 * greatest;
        let triplets: Vec<Triplet<usize, usize, f64>> = a
            .iter()
            .filter_map(|(&(i, j), &value)| match (held(i) || held(j), i == j) {
                (false, _) => Some(Triplet::new(i as usize, j as usize, value)),
                (true, true) => Some(Triplet::new(i as usize, i as usize, greatest)),
                (true, false) => None,
            })
            .collect();
        let mut b = Mat::<f64>::zeros(n, 3);
        for (&(i, j), &k) in &self.stiffness {
            let pull = (x[j as usize] - x[i as usize]) * (t * k);
            for c in 0..3 {
                if !held(i) {
                    b[(i as usize, c)] += pull[c];
                }
                if !held(j) {
                    b[(j as usize, c)] -= pull[c];
                }
            }
        }
        let matrix = SparseColMat::try_new_from_triplets(n, n, &triplets).expect("a matrix");
        let d = matrix.sp_cholesky(Side::Lower).expect("positive definite").solve(&b);
        (0..n).map(|v| x[v] + DVec3::new(d[(v, 0)], d[(v, 1)], d[(v, 2)])).collect()
    }
}

/// The positions after a step with intrinsic weights.
pub fn intrinsic_step(surface: &Surface, options: &SmoothOptions) -> Vec<DVec3> {
    let mut usual = LaplacianOptions::default();
    if options.mass == Mass::Mixed {
        usual.mass = Masses::Voronoi;
    }
    let found = laplacian(surface, &usual).expect("a Laplacian");
    let mesh = surface.download().expect("memory");
    let x: Vec<DVec3> = mesh.positions.iter().map(|x| x.as_vec3().as_dvec3()).collect();
    let fixed = options.boundary == Boundary::Fixed;
    let boundary = System::new(&mesh.points(), &mesh.faces, Weights::Uniform, Mass::Unit).boundary;
    let held = |v: u32| fixed && boundary.contains(&v);
    let TimeStep::Edges(t) = options.time_step else { panic!("in edge lengths") };
    let (t, n) = (t * found.report().mean_edge_length.powi(2), x.len());
    let mass = found.mass().read().expect("memory");
    let mut b = Mat::<f64>::from_fn(n, 3, |v, c| if held(v as u32) { x[v][c] } else { mass[v] * x[v][c] });
    let mut triplets: Vec<_> =
        (0..n).map(|v| Triplet::new(v, v, if held(v as u32) { 1.0 } else { mass[v] })).collect();
    for (i, j, value) in found.to_csr().expect("a matrix").triplets() {
        let (row, column) = (i as usize, j as usize);
        match (held(i), held(j)) {
            (false, false) => triplets.push(Triplet::new(row, column, t * value)),
            (false, true) => (0..3).for_each(|c| b[(row, c)] -= t * value * x[column][c]),
            _ => {}
        }
    }
    let matrix = SparseColMat::try_new_from_triplets(n, n, &triplets).expect("a matrix");
    let x = matrix.sp_cholesky(Side::Lower).expect("positive definite").solve(&b);
    (0..n).map(|v| DVec3::new(x[(v, 0)], x[(v, 1)], x[(v, 2)])).collect()
}

/// A mesh with positions, on a device.
pub struct Model {
    pub name: String,
    pub x: Vec<Vec3>,
    pub faces: Vec<[u32; 3]>,
    pub mesh: StaticMesh,
}
impl Model {
    pub fn new(device: &Device, name: &str, x: Vec<Vec3>, faces: &[[u32; 3]], patch_size: u32) -> Self {
        let options = MeshOptions { patch_size, ..MeshOptions::default() };
        let mesh = StaticMesh::new(device, x.len(), faces, &options).expect("a mesh");
        Self { name: format!("{name}, patches of {patch_size}"), x, faces: faces.to_vec(), mesh }
    }
    pub fn positions(&self) -> Attribute<Vertex, Vec3> {
        Attribute::from_input(&self.mesh, &self.x).expect("positions")
    }
    /// The result of a [`Smoother`], which is the same twice and has no NaN.
    pub fn smooth(&self, options: &SmoothOptions) -> (Vec<Vec3>, SmoothReport) {
        let once = || {
            let mut x = self.positions();
            let mut smoother = Smoother::new(&self.mesh, options).expect("memory");
            let report = smoother.smooth(&mut x).expect("smooth");
            (x.download().expect("positions"), report)
        };
        let (first, second) = (once(), once());
        assert_eq!(first, second, "{}: {options:?}", self.name);
        assert!(first.0.iter().all(|x| x.is_finite()), "{}: {options:?}", self.name);
        first
    }
    /// Compares one step with Cholesky: differences up to `precision` times the greatest displacement, and
    /// rounding.
    pub fn check(&self, options: &SmoothOptions, precision: f64) {
        self.check_one(options, precision, self.smooth(options));
        // without patches, faces that have a vertex twice add no entries
        let whole = self.faces.iter().all(|[a, b, c]| a != b && b != c && c != a);
        if options.solver == Solver::Assembled && whole {
            let own = options.preconditioner;
            for (solver, preconditioner) in [
                (Solver::Assembled, own),
                (Solver::Direct, own),
                (Solver::Assembled, Preconditioner::Schwarz),
            ] {
                let options = SmoothOptions { solver, preconditioner, ..options.clone() };
                self.check_one(&options, precision, self.smooth_flat(&options));
            }
        }
    }
    /// The result without patches, which is the same twice.
    pub fn smooth_flat(&self, options: &SmoothOptions) -> (Vec<Vec3>, SmoothReport) {
        let device = self.mesh.device();
        let topology = FlatTopology::new(device, self.x.len(), &self.faces).expect("a topology");
        let mean = System::new(&self.x, &self.faces, options.weights, options.mass).mean_edge;
        let once = || {
            let mut x = device.upload(&self.x).expect("memory");
            let report = smooth_triangles(&topology, &mut x, mean, options).expect("smoothed");
            (x.read().expect("memory"), report)
        };
        let (a, b) = (once(), once());
        assert!(a == b, "{}: {options:?}", self.name);
        a
    }
    fn check_one(&self, options: &SmoothOptions, precision: f64, (found, report): (Vec<Vec3>, SmoothReport)) {
        let what = || format!("{}: {options:?}: {report:?}", self.name);
        assert!(report.converged(), "{}", what());
        let system = System::new(&self.x, &self.faces, options.weights, options.mass);
        let t = system.time(options.time_step);
        assert!((report.time_step - t).abs() <= 1e-9 * t, "{} {t}", what());
        let x: Vec<DVec3> = self.x.iter().map(|x| x.as_dvec3()).collect();
        let expected = system.step(&x, t, options.boundary == Boundary::Fixed);
        let moved = expected.iter().zip(&x).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max);
        let size = x.iter().map(|x| x.length()).fold(0.0, f64::max);
        for (v, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let difference = (found.as_dvec3() - *expected).length();
            let allowed = precision * moved + 3e-7 * size;
            assert!(
                difference <= allowed,
                "vertex {v}: {found} {expected}, {difference:e} > {allowed:e}; {}",
                what()
            );
        }
    }
}

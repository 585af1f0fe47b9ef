//! Newton's method for one disk of any size, by factorizations on the host.
use super::disk::{Disk, Glued};
use super::flatten::Descent;
use super::matrix::neighbours;
use super::tutte::to_circle;
use crate::device::chart::{area, force, map_of, response, weights};
use crate::device::complex::Linear;
use crate::device::energy::{Model, energy, first_fold};
use crate::device::parameterize::{ISOMETRY, NEGLIGIBLE};
use glam::{DVec2, DVec3};
use rayon::prelude::*;
use ribbonmesh::{Device, Result};
use ribbonmesh_linear::{Cholesky, Elimination};
use std::sync::Arc;

/// Faces whose sums one thread adds up: the same for any number of threads.
const CHUNK: usize = 4096;
/// Parts by which the diagonal grows where rounding leaves no factorization, until there is one.
const SHIFTS: [f64; 4] = [0.0, 1e-12, 1e-9, 1e-6];
/// Steps that are kept beside a factor.
const KEPT: usize = 8;
/// Halvings of a step until it gains.
const HALVINGS: u32 = 30;

/// Tutte's map of a disk, and from there the least symmetric Dirichlet energy, as the kernel of many charts
/// has it, with exact steps: a factorization of the Hessian without its negative eigenvalues, all of them in
/// one order of elimination. After a whole step the factor is kept, and what steps tell about the Hessian
/// makes it better (L-BFGS; Liu and Nocedal 1989). `None` where rounding folds Tutte's map, or where rounding
/// or memory leaves no factorization.
pub fn descended(device: &Device, mesh: &Glued<'_>, disk: &Disk, descent: Descent) -> Option<Descended> {
    device.install(|| {
        let shapes = disk.shapes(mesh);
        let start = to_circle(disk, &shapes, &disk.boundary(mesh)).ok()?;
        System::new(disk, &shapes).ok()?.minimise(start, descent).ok()?
    })
}
/// A map with the least energy.
pub struct Descended {
    /// Positions of vertices, in the units of space.
    pub positions: Vec<DVec2>,
    /// The mean energy, finite.
    pub energy: f64,
    /// Steps of Newton's method.
    pub steps: u32,
}

/// A disk with the entries of its Hessian: two rows for each vertex.
struct System<'a> {
    corners: &'a [[u32; 3]],
    /// The inverse of each face's shape in the plane.
    shapes: &'a [DVec3],
    /// The first neighbour of each vertex, itself among them, and the end.
    starts: Vec<u32>,
    /// For the corners of each face, the place of each other among its neighbours.
    places: Vec<[[u32; 3]; 3]>,
    /// The place of each vertex among its own neighbours.
    own: Vec<u32>,
    /// The neighbours of the first vertex, which is the first of the neighbours of each.
    of_first: Vec<u32>,
    order: Arc<Elimination>,
    /// The area in space.
    whole: f64,
}
impl<'a> System<'a> {
    fn new(disk: &'a Disk, shapes: &'a [DVec3]) -> Result<Self> {
        let (starts, columns) = neighbours(disk);
        let row = |v: u32| starts[v as usize] as usize..starts[v as usize + 1] as usize;
        let of_pair = |v, w| columns[row(v)].partition_point(|&u| u < w) as u32;
        let of_face = |face: &[u32; 3]| face.map(|v| face.map(|w| of_pair(v, w)));
        let places = disk.corners.par_iter().map(of_face).collect();
        let (mut from, mut to) = (vec![0], vec![]);
        for v in 0..disk.vertices as u32 {
            for _ in 0..2 {
                to.extend(columns[row(v)].iter().flat_map(|w| [2 * w, 2 * w + 1]));
                from.push(to.len() as u32);
            }
        }
        let order = Elimination::new(from, to)?;
        let whole = shapes.iter().copied().map(area).sum();
        let own = (0..disk.vertices as u32).map(|v| of_pair(v, v)).collect();
        let of_first = columns[row(0)].to_vec();
        Ok(Self { corners: &disk.corners, shapes, starts, places, own, of_first, order, whole })
    }
    /// The first of two entries of row 2 v + `a`: those of the neighbour of v at a place.
    fn entry(&self, v: u32, place: u32, a: usize) -> usize {
        let (first, end) = (self.starts[v as usize] as usize, self.starts[v as usize + 1] as usize);
        4 * first + 2 * a * (end - first) + 2 * place as usize
    }
    fn map(&self, face: usize, x: &[DVec2]) -> Linear {
        map_of(self.shapes[face], self.corners[face].map(|v| x[v as usize]))
    }
    /// The sum over faces in a fixed order, or what else `join` makes of their numbers.
    fn fold(&self, none: f64, of: impl Fn(usize) -> f64 + Sync, join: fn(f64, f64) -> f64) -> f64 {
        let faces = self.corners.len();
        let chunk = |k: usize| (k * CHUNK..((k + 1) * CHUNK).min(faces)).map(&of).fold(none, join);
        let all: Vec<f64> = (0..faces.div_ceil(CHUNK)).into_par_iter().map(chunk).collect();
        all.into_iter().fold(none, join)
    }
    fn mean_energy(&self, x: &[DVec2]) -> f64 {
        let of = |face| energy(self.map(face, x)) * area(self.shapes[face]);
        self.fold(0.0, of, |a, b| a + b) / self.whole
    }
    /// Steps from a start until one gains too little.
    fn minimise(&self, mut x: Vec<DVec2>, descent: Descent) -> Result<Option<Descended>> {
        let (mut energy, mut steps) = (self.mean_energy(&x), 0);
        if !energy.is_finite() {
            return Ok(None);
        }
        let mut known: Option<(Inverse, [Vec<f64>; 2])> = None;
        while steps < descent.steps {
            let models = self.models(&x);
            let down = self.down(&models);
            let is_new = known.is_none();
            let inverse = match known.take() {
                Some((mut inverse, [step, before])) => {
                    inverse.learn(step, before.iter().zip(&down).map(|(a, b)| a - b).collect());
                    inverse
                }
                None => match self.factored(&models)? {
                    Some(factor) => Inverse { factor, steps: vec![] },
                    None => return Ok(None),
                },
            };
            let step = inverse.times(&down)?;
            let (by, next, to) = self.along(&x, &step, energy);
            let gained = energy - next;
            (x, energy, steps) = (to, next, steps + 1);
            let is_whole = by >= 1.0;
            if gained <= descent.tolerance * (energy - ISOMETRY) + NEGLIGIBLE && (is_new || is_whole) {
                break;
            }
            // a step that had to be shortened says little about the Hessian where it ended
            known = is_whole.then_some((inverse, [step, down]));
        }
        Ok(Some(Descended { positions: x, energy, steps }))
    }
    fn models(&self, x: &[DVec2]) -> Vec<(Model, Linear)> {
        (0..self.corners.len()).into_par_iter().map(|face| Model::at(self.map(face, x))).collect()
    }
    /// Minus the gradient, 0 at the first vertex, which stays: the energy does not change where all move by
    /// the same.
    fn down(&self, models: &[(Model, Linear)]) -> Vec<f64> {
        let mut down = vec![0.0; 2 * (self.starts.len() - 1)];
        for (face, (_, gradient)) in models.iter().enumerate() {
            let shape = self.shapes[face];
            for (k, v) in self.corners[face].into_iter().enumerate() {
                let by = force(*gradient, weights(shape, k as u32)) * area(shape);
                down[2 * v as usize] -= by.x;
                down[2 * v as usize + 1] -= by.y;
            }
        }
        down[..2].fill(0.0);
        down
    }
    /// The Hessian without negative eigenvalues, factored.
    fn factored(&self, models: &[(Model, Linear)]) -> Result<Option<Cholesky>> {
        let mut values = vec![0.0; 4 * self.starts[self.starts.len() - 1] as usize];
        for (face, (model, _)) in models.iter().enumerate() {
            let (shape, corners) = (self.shapes[face], self.corners[face]);
            let weights = [0, 1, 2].map(|k| weights(shape, k));
            for i in 0..3 {
                for (b, axis) in [DVec2::X, DVec2::Y].into_iter().enumerate() {
                    let along = model.times(response(weights[i], axis));
                    for j in 0..3 {
                        let by = force(along, weights[j]) * area(shape);
                        let place = self.places[face][j][i];
                        for a in 0..2 {
                            values[self.entry(corners[j], place, a) + b] += by[a];
                        }
                    }
                }
            }
        }
        self.hold_first(&mut values);
        for shift in SHIFTS {
            if shift > 0.0 {
                self.scale_diagonal(&mut values, 1.0 + shift);
            }
            if let Some(factor) = Cholesky::if_definite(&self.order, &values)? {
                return Ok(Some(factor));
            }
        }
        Ok(None)
    }
    /// Makes rows and columns of the first vertex those of the identity.
    fn hold_first(&self, values: &mut [f64]) {
        values[..4 * self.starts[1] as usize].fill(0.0);
        for &v in &self.of_first {
            for a in 0..2 {
                let entry = self.entry(v, 0, a);
                values[entry..entry + 2].fill(0.0);
            }
        }
        for a in 0..2 {
            values[self.entry(0, 0, a) + a] = 1.0;
        }
    }
    fn scale_diagonal(&self, values: &mut [f64], factor: f64) {
        for (v, &place) in (0..).zip(&self.own) {
            for a in 0..2 {
                values[self.entry(v, place, a) + a] *= factor;
            }
        }
    }
    /// As much of a step as gains, the energy and the positions after it: it ends before a triangle folds.
    fn along(&self, x: &[DVec2], step: &[f64], now: f64) -> (f64, f64, Vec<DVec2>) {
        let (step, _) = step.as_chunks::<2>();
        let step: Vec<DVec2> = step.iter().copied().map(DVec2::from).collect();
        let of = |face| first_fold(self.map(face, x), self.map(face, &step));
        let mut by = (0.9 * self.fold(f64::INFINITY, of, f64::min)).min(1.0);
        for _ in 0..HALVINGS {
            let to: Vec<DVec2> = x.par_iter().zip(&step).map(|(x, step)| *x + *step * by).collect();
            let next = self.mean_energy(&to);
            if next < now {
                return (by, next, to);
            }
            by *= 0.5;
        }
        (0.0, now, x.to_vec())
    }
}

/// An inverse of the Hessian: of one that was factored, and what later steps have told.
struct Inverse {
    factor: Cholesky,
    /// Steps, how minus the gradient fell by them, and 1 / their product.
    steps: Vec<(Vec<f64>, Vec<f64>, f64)>,
}
impl Inverse {
    /// Keeps a step and how much minus the gradient fell by it.
    fn learn(&mut self, step: Vec<f64>, fell: Vec<f64>) {
        let product = dot(&step, &fell);
        if product > 0.0 {
            self.steps.drain(..(self.steps.len() + 1).saturating_sub(KEPT));
            self.steps.push((step, fell, 1.0 / product));
        }
    }
    /// The product with minus the gradient.
    fn times(&self, down: &[f64]) -> Result<Vec<f64>> {
        let mut q = down.to_vec();
        let mut parts = vec![];
        for (step, fell, inverse) in self.steps.iter().rev() {
            let part = inverse * dot(step, &q);
            add(&mut q, fell, -part);
            parts.push(part);
        }
        self.factor.solve(&mut q, 1)?;
        for ((step, fell, inverse), part) in self.steps.iter().zip(parts.into_iter().rev()) {
            let by = part - inverse * dot(fell, &q);
            add(&mut q, step, by);
        }
        Ok(q)
    }
}
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
fn add(a: &mut [f64], b: &[f64], by: f64) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += b * by);
}

#[cfg(test)]
mod tests {
    use super::super::flatten::{Start, flattened};
    use super::super::segment::twins_of;
    use super::*;
    use ribbonmesh::FlatTopology;
    use ribbonmesh_mesh::shapes;

    /// A sheet with hills, with the corners on the other sides, and all faces in one piece.
    struct Sheet {
        positions: Vec<DVec3>,
        faces: Vec<[u32; 3]>,
        twins: Vec<u32>,
        pieces: Vec<u32>,
        places: Vec<u32>,
    }
    impl Sheet {
        fn new(n: u32) -> Self {
            let mut shape = shapes::grid(n, 3).expect("small");
            for p in &mut shape.positions {
                p.z = 0.4 * (7.0 * p.x).sin() * (5.0 * p.y).cos();
            }
            let topology = FlatTopology::new(&Device::cpu(), shape.positions.len(), &shape.faces);
            let twins = twins_of(&topology.expect("a mesh")).and_then(|twins| twins.read()).expect("memory");
            let places: Vec<u32> = (0..shape.faces.len() as u32).collect();
            let pieces = vec![0; places.len()];
            Self { positions: shape.positions, faces: shape.faces, twins, pieces, places }
        }
        fn glued(&self) -> Glued<'_> {
            let Self { positions, faces, twins, pieces, places } = self;
            Glued { positions, faces, twins, pieces, places }
        }
        fn disk(&self) -> Disk {
            Disk::new(&self.glued(), self.places.clone())
        }
    }

    #[test]
    fn the_energy_of_the_kernel() {
        let (device, sheet) = (Device::cpu(), Sheet::new(24));
        let (mesh, disk) = (sheet.glued(), sheet.disk());
        let descent = Descent { steps: 300, tolerance: 1e-7, hopeless: f64::INFINITY, start: Start::Circle };
        let found = descended(&device, &mesh, &disk, descent).expect("a map");
        let of_kernel = flattened(&device, &mesh, vec![sheet.disk()], descent);
        let of_kernel = of_kernel.expect("memory").remove(0);
        assert!(found.energy > 4.05 && found.steps < 60, "{} in {} steps", found.energy, found.steps);
        let apart = (found.energy - of_kernel.energy).abs();
        assert!(apart < 1e-4 * (found.energy - ISOMETRY), "{} and {}", found.energy, of_kernel.energy);

        // no gradient is left
        let shapes = disk.shapes(&mesh);
        let system = System::new(&disk, &shapes).expect("memory");
        let start = to_circle(&disk, &shapes, &disk.boundary(&mesh)).expect("a map");
        let size = |x: &[DVec2]| {
            let down = system.down(&system.models(x));
            dot(&down, &down).sqrt()
        };
        assert!(size(&found.positions) < 1e-3 * size(&start), "{}", size(&found.positions));
    }

    /// The gradient that is written is that of the energy, by differences.
    #[test]
    fn differences() {
        let sheet = Sheet::new(6);
        let (mesh, disk) = (sheet.glued(), sheet.disk());
        let shapes = disk.shapes(&mesh);
        let system = System::new(&disk, &shapes).expect("memory");
        let x = to_circle(&disk, &shapes, &disk.boundary(&mesh)).expect("a map");
        let down = system.down(&system.models(&x));
        for v in 1..x.len() {
            for k in 0..2 {
                let at = |by: f64| {
                    let mut x = x.clone();
                    x[v][k] += by;
                    system.whole * system.mean_energy(&x)
                };
                let slope = (at(-1e-6) - at(1e-6)) / 2e-6;
                let apart = (slope - down[2 * v + k]).abs();
                assert!(apart < 1e-5 * (1.0 + slope.abs()), "{v}, {k}: {slope}, {}", down[2 * v + k]);
            }
        }
    }
}

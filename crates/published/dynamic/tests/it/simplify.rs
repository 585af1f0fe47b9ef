//! Simplification in the store, beside plain code that collapses one vertex after the other.
use crate::changes::{Subject, roomy, torus};
use ribbonmesh::Device;
use ribbonmesh::device::{ElementKind, Face, Vec3};
use ribbonmesh_dynamic::{Carried, PatchAttribute, PatchStore, StoreOptions};
use ribbonmesh_mesh::shapes;
use ribbonmesh_suite::meshes::Case;
use ribbonmesh_suite::{meshes, size, suite};

type Point = [f64; 3];
fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
fn length(a: Point) -> f64 {
    dot(a, a).sqrt()
}
fn normal(x: &[Point], f: [u32; 3]) -> Point {
    let [a, b, c] = f.map(|v| x[v as usize]);
    cross(minus(b, a), minus(c, a))
}

/// A closed mesh whose vertices are collapsed onto neighbours, the cheapest first, by plain lists of planes.
struct Plain {
    x: Vec<Point>,
    faces: Vec<[u32; 3]>,
    /// Normals of length 1, points and weights of the planes of each vertex.
    planes: Vec<Vec<(Point, Point, f64)>>,
}
impl Plain {
    fn new(x: &[Vec3], faces: &[[u32; 3]]) -> Self {
        let x: Vec<Point> = x.iter().map(|x| x.as_dvec3().to_array()).collect();
        let mut planes = vec![vec![]; x.len()];
        for &f in faces {
            let n = normal(&x, f);
            let l = length(n);
            for v in f {
                planes[v as usize].push((n.map(|a| a / l), x[f[0] as usize], l / 6.0));
            }
        }
        Self { x, faces: faces.to_vec(), planes }
    }
    fn error(&self, v: u32, at: Point) -> f64 {
        self.planes[v as usize].iter().map(|(n, p, w)| w * dot(*n, minus(at, *p)).powi(2)).sum()
    }
    fn around(&self, v: u32) -> Vec<u32> {
        let mut all: Vec<u32> =
            self.faces.iter().filter(|f| f.contains(&v)).flatten().copied().filter(|&u| u != v).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
    fn may(&self, v: u32, to: u32) -> bool {
        let (a, b) = (self.around(v), self.around(to));
        let turned = self.faces.iter().filter(|f| f.contains(&v) && !f.contains(&to)).any(|&f| {
            let (n, m) = (normal(&self.x, f), normal(&self.x, f.map(|u| if u == v { to } else { u })));
            dot(n, m) < 0.5 * length(n) * length(m)
        });
        !turned && a.iter().filter(|u| b.contains(u)).count() == 2
    }
    fn simplify(&mut self, faces: usize) {
        while self.faces.len() > faces {
            let mut all: Vec<(f64, u32, u32)> = vec![];
            for &f in &self.faces {
                for i in 0..3 {
                    let (v, to) = (f[i], f[(i + 1) % 3]);
                    let at = self.x[to as usize];
                    all.push((self.error(v, at) + self.error(to, at), v, to));
                }
            }
            all.sort_by(|a, b| a.0.total_cmp(&b.0));
            let Some(&(_, v, to)) = all.iter().find(|(_, v, to)| self.may(*v, *to)) else { return };
            let planes = std::mem::take(&mut self.planes[v as usize]);
            self.planes[to as usize].extend(planes);
            self.faces.retain(|f| !(f.contains(&v) && f.contains(&to)));
            self.faces.iter_mut().flatten().filter(|u| **u == v).for_each(|u| *u = to);
        }
    }
    /// The mean distance of these points from the faces' planes, each from the nearest centre's.
    fn distance(&self, points: &[Point]) -> f64 {
        let centre = |f: &[u32; 3]| {
            let [a, b, c] = f.map(|v| self.x[v as usize]);
            [0, 1, 2].map(|i| (a[i] + b[i] + c[i]) / 3.0)
        };
        let of = |p: &Point| {
            let near = self
                .faces
                .iter()
                .min_by(|f, g| length(minus(*p, centre(f))).total_cmp(&length(minus(*p, centre(g)))));
            near.map_or(0.0, |f| {
                let n = normal(&self.x, *f);
                (dot(n, minus(*p, centre(f))) / length(n)).abs()
            })
        };
        points.iter().map(of).sum::<f64>() / points.len() as f64
    }
}

fn simplified(subject: &mut Subject, faces: usize) -> ribbonmesh_dynamic::StoreSimplification {
    let report = subject.store.simplify(&mut subject.x, &mut Carried::none(), faces).expect("room");
    println!("{} to {faces}: {report:?}", subject.name);
    report
}
fn sphere(device: &Device, level: u32, patch_size: u32) -> (Subject, Vec<Vec3>, Vec<[u32; 3]>) {
    let shape = shapes::bumpy_sphere(level, 1).expect("small");
    let x = shape.points();
    let case = Case::new("bumpy sphere".to_owned(), x.len(), shape.faces);
    (Subject::new(device, &case, &x, patch_size, &roomy()), x, case.faces)
}

suite! {
    /// As many faces as are wanted, vertices of the input alone, and about the error of plain code.
    fn to_a_number_of_faces(device) {
        let level = 3;
        let (_, x, faces) = sphere(device, level, 64);
        let wanted = faces.len() / 4;
        let mut plain = Plain::new(&x, &faces);
        let points = plain.x.clone();
        plain.simplify(wanted);
        let best = plain.distance(&points);
        for patch_size in [48, 512] {
            let (mut subject, ..) = sphere(device, level, patch_size);
            let report = simplified(&mut subject, wanted);
            assert_eq!(subject.store.count(ElementKind::Face), wanted);
            assert_eq!(report.collapses.grown[2], wanted as i64 - faces.len() as i64);
            let (model, y) = subject.check(true);
            assert!(y.iter().all(|y| x.contains(y)), "vertices stay where they are");
            let found = Plain::new(&y, &model.oracle.faces).distance(&points);
            println!("mean distance {found}, of plain code {best}");
            assert!(found < 1.3 * best, "patches of {patch_size}: {found}, {best}");
        }
    }
    /// One less where the number is not reached by pairs, and nothing at all where there are few.
    fn odd_numbers(device) {
        let (case, x) = torus(size(20, 12));
        for (less, got) in [(7, 8), (0, 0)] {
            let mut subject = Subject::new(device, &case, &x, 64, &roomy());
            simplified(&mut subject, case.faces.len() - less);
            assert_eq!(subject.store.count(ElementKind::Face), case.faces.len() - got);
            subject.check(true);
        }
    }
    /// A flat square loses its vertices inside, without error; its boundary stays.
    fn flat(device) {
        let n = size(24, 16);
        let x: Vec<Vec3> = (0..n * n).map(|i| Vec3::new((i % n) as f32, (i / n) as f32, 0.0)).collect();
        let case = meshes::grid(n);
        let mut subject = Subject::new(device, &case, &x, 64, &roomy());
        simplified(&mut subject, 0);
        let (model, y) = subject.check(true);
        let least = 4 * (n as usize - 1);
        // each face of a square with this boundary and few vertices inside
        assert!(model.oracle.faces.len() < least + least / 2, "{} faces", model.oracle.faces.len());
        let area = |x: &[Vec3], faces: &[[u32; 3]]| {
            faces.iter().map(|f| f.map(|v| x[v as usize])).map(|[a, b, c]| (b - a).cross(c - a).z / 2.0).sum::<f32>()
        };
        let (before, after) = (area(&x, &case.faces), area(&y, &model.oracle.faces));
        assert!((before - after).abs() < 1e-3 * before.abs(), "{before}, {after}");
    }
    /// Edges of three faces and boundaries stay, and stores with little room become larger.
    fn whatever_there_is(device) {
        for case in [meshes::book(40), meshes::mobius(30), meshes::fan(30, true), meshes::soup(60, 100, 9)] {
            let mut random = ribbonmesh_suite::Random(5);
            let x: Vec<Vec3> = (0..case.vertices)
                .map(|_| Vec3::from([0; 3].map(|_| random.below(1000) as f32 / 1000.0)))
                .collect();
            let mut subject = Subject::new(device, &case, &x, 48, &roomy());
            simplified(&mut subject, 10);
            subject.check(false);
        }
        let (case, x) = torus(size(30, 20));
        let options = StoreOptions { room: 1.01, spare: 0.0, ..StoreOptions::default() };
        let mut subject = Subject::new(device, &case, &x, 64, &options);
        simplified(&mut subject, case.faces.len() / 5);
        subject.check(true);
    }
    /// Attributes come along, also where there are as many as a change carries.
    fn with_attributes(device) {
        let (case, x) = torus(size(20, 12));
        let mut subject = Subject::new(device, &case, &x, 64, &roomy());
        let mut height =
            PatchAttribute::from_input(&subject.store, &x.iter().map(|x| x.z).collect::<Vec<_>>()).expect("memory");
        let faces: Vec<u32> = (0..case.faces.len() as u32).collect();
        let mut old = PatchAttribute::<Face, u32>::from_input(&subject.store, &faces).expect("memory");
        let carried = Carried::none().copied::<ribbonmesh::Vertex, _>(&mut height).and_then(|c| c.copied(&mut old));
        let wanted = case.faces.len() / 3;
        subject.store.simplify(&mut subject.x, &mut carried.expect("room"), wanted).expect("room");
        let y = subject.x.values(&subject.store).expect("positions");
        let heights = height.values(&subject.store).expect("values");
        assert!(y.iter().zip(&heights).all(|(y, h)| y.z == *h));
        assert_eq!(old.values(&subject.store).expect("values").len(), subject.store.count(ElementKind::Face));
        subject.check(true);
        let other = PatchStore::new(device, case.vertices, &case.faces, &Default::default(), &roomy());
        let mut elsewhere = PatchAttribute::zeros(&other.expect("a store")).expect("memory");
        let mut subject = Subject::new(device, &case, &x, 64, &roomy());
        assert!(subject.store.simplify(&mut elsewhere, &mut Carried::none(), 10).is_err());
    }
}

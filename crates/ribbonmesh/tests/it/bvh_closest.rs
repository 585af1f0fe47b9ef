//! Closest points against a look at every triangle.
use ribbonmesh::bvh::{Bvh, Closest};
use ribbonmesh::device::NONE;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Attribute, Device, Error, MeshOptions, StaticMesh};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes;
use ribbonmesh_suite::{
    Random, cases,
    distance::{distance, distance_to_triangle, unit, vector},
    meshes, size, suite,
};

/// Triangles with a name for messages.
struct Soup {
    name: String,
    x: Vec<Vec3>,
    faces: Vec<[u32; 3]>,
}
impl Soup {
    fn new(name: impl Into<String>, x: Vec<Vec3>, faces: Vec<[u32; 3]>) -> Self {
        Self { name: name.into(), x, faces }
    }
    fn shape(name: &str, shape: TriangleMesh) -> Self {
        Self::new(name, shape.points(), shape.faces)
    }
    fn bvh(&self, device: &Device) -> Bvh {
        Bvh::new(device, &self.x, &self.faces).unwrap_or_else(|e| panic!("{}: {e}", self.name))
    }
    fn size(&self) -> f64 {
        self.x.iter().map(|p| p.abs().max_element()).fold(0.0, f32::max).into()
    }
    /// Points on it, near it and far from it.
    fn points(&self, n: u32, seed: u64) -> Vec<Vec3> {
        let (mut random, size) = (Random(seed), self.size().max(1e-30) as f32);
        let mut points = vec![Vec3::ZERO, Vec3::splat(1e4 * size), -Vec3::X * 30.0 * size];
        for _ in 0..n {
            points.push(1.5 * size * vector(&mut random));
            if self.faces.is_empty() {
                continue;
            }
            let face = self.faces[random.below(self.faces.len() as u32) as usize];
            let [a, b, c] = face.map(|v| self.x[v as usize]);
            let (u, v) = (0.5 * unit(&mut random).abs(), 0.5 * unit(&mut random).abs());
            // in the interior, at a corner, on an edge, a little off, a little further off
            points.extend([a + u * (b - a) + v * (c - a), b, a + u * (b - a)]);
            points.extend([1e-4, 0.05].map(|by| c + v * (a - c) + by * size * vector(&mut random)));
        }
        points
    }
    /// Searches for `points` must give what looking at every triangle gives.
    fn check(&self, device: &Device, points: &[Vec3]) -> Vec<Closest> {
        let bvh = self.bvh(device);
        let found = bvh.closest(&device.upload(points).expect("points"), None).expect("results");
        let found = found.read().expect("results");
        for (&p, found) in points.iter().zip(&found) {
            self.check_one(p, found);
        }
        found
    }
    fn check_one(&self, p: Vec3, found: &Closest) {
        let message = || format!("{}: {p:?}: {found:?}", self.name);
        let Some(face) = self.faces.get(found.face as usize) else {
            assert!(
                self.faces.is_empty() && found.face == NONE && found.distance.is_infinite(),
                "{}",
                message()
            );
            return;
        };
        let expected = distance(p, &self.x, &self.faces);
        let slack = 1e-6 * self.size() + 3e-6 * expected;
        let corners = face.map(|v| self.x[v as usize].as_dvec3());
        // the distance is that of the nearest triangle, of this one, and of the point; the point is of the
        // triangle
        let q = found.point.as_dvec3();
        let distances = [
            f64::from(found.distance),
            distance_to_triangle(p.as_dvec3(), corners),
            p.as_dvec3().distance(q),
        ];
        for d in distances {
            assert!((d - expected).abs() <= slack, "{}: {distances:?}, expected {expected}", message());
        }
        assert!(distance_to_triangle(q, corners) <= 1e-6 * self.size(), "{}", message());
        let n = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        if n.length() > 1e-4 * self.size().powi(2) {
            assert!((found.normal.as_dvec3() - n.normalize()).length() < 1e-3, "{}", message());
        }
        let length = found.normal.length();
        assert!(length == 0.0 || (length - 1.0).abs() < 1e-6, "{}", message());
    }
}

fn soups() -> Vec<Soup> {
    let mut soups = vec![
        Soup::new("nothing", vec![], vec![]),
        Soup::new("points", vec![Vec3::X, Vec3::Y], vec![]),
        Soup::shape("icosphere", shapes::icosphere(3).expect("small")),
        Soup::shape("torus knot", shapes::torus_knot(2, 3, 8, 90).expect("small")),
        Soup::shape("grid", shapes::grid(20, 1).expect("small")),
        Soup::shape("mobius", shapes::mobius(30, 4).expect("small")),
    ];
    for (i, case) in (1..).zip(meshes::all()) {
        let mut random = Random(i);
        let x = (0..case.vertices).map(|_| vector(&mut random)).collect();
        soups.push(Soup::new(case.name, x, case.faces));
    }
    for n in 1..size(12, 4) {
        let case = meshes::soup(9, n, n.into());
        let mut random = Random(n.into());
        soups.push(Soup::new(case.name, (0..9).map(|_| vector(&mut random)).collect(), case.faces));
    }
    soups
}

/// Triangles of all sizes and shapes, each with vertices of its own.
fn confetti(n: u32, seed: u64) -> Soup {
    let mut random = Random(seed);
    let mut x = vec![];
    for i in 0..n {
        let (at, size) = (vector(&mut random), 10f32.powi(-(random.below(6) as i32)));
        let [a, b, c] = [0; 3].map(|_| at + size * vector(&mut random));
        // every fifth is nearly a line, every seventh nearly a point
        let c = if i % 5 == 0 { a + 0.3 * (b - a) + 1e-7 * c } else { c };
        let (b, c) = if i % 7 == 0 { (a + 1e-7 * b, a) } else { (b, c) };
        x.extend([a, b, c]);
    }
    Soup::new(format!("{n} pieces"), x, (0..n).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect())
}

suite! {
    fn arrays_of_points_in_any_order(device) {
        let soup = Soup::shape("sphere", shapes::bumpy_sphere(3, 1).expect("small"));
        let bvh = soup.bvh(device);
        // as they come, and along a curve
        for n in [100, 3000] {
            let points = soup.points(n, 4);
            let expected = soup.check(device, &points);
            let upload = |points: &[Vec3]| device.upload(points).expect("points");
            let found = bvh.closest_to_arrays(&upload(&points), DVec3::ZERO).expect("results");
            assert_eq!(found.without, None);
            let vectors = [&found.points, &found.normals, &found.weights];
            let [at, normals, weights] = vectors.map(|of| of.read().expect("results"));
            let (faces, distances) = (found.faces.read().expect("results"), found.distances.read().expect("results"));
            assert_eq!(at.len(), points.len());
            for (i, expected) in expected.iter().enumerate() {
                let found = Closest { point: at[i], face: faces[i], normal: normals[i], distance: distances[i] };
                assert_eq!(found, *expected);
                let [a, b, c] = soup.faces[found.face as usize].map(|v| soup.x[v as usize]);
                let [u, v, w] = weights[i].to_array();
                assert!(u >= 0.0 && v >= 0.0 && w >= 0.0 && (u + v + w - 1.0).abs() < 1e-6);
                assert!((u * a + v * b + w * c).distance(found.point) < 1e-5);
            }
            let origin = DVec3::new(512.0, -256.0, 0.0);
            let moved: Vec<Vec3> = points.iter().map(|p| (p.as_dvec3() + origin).as_vec3()).collect();
            let moved = bvh.closest_to_arrays(&upload(&moved), origin).expect("results").points.read().expect("results");
            for (moved, expected) in moved.iter().zip(&expected).skip(3) {
                assert!((moved.as_dvec3() - origin).as_vec3().distance(expected.point) < 0.1, "{moved} {}", expected.point);
            }
            let mut wrong = points;
            wrong[7].y = f32::NAN;
            let error = bvh.closest_to_arrays(&upload(&wrong), DVec3::ZERO).err().expect("refused");
            assert!(matches!(error, Error::PointNotFinite { point: 7 }), "{error}");
        }
        let far = device.upload(&[Vec3::ZERO, Vec3::splat(1e30)]).expect("points");
        assert_eq!(bvh.closest_to_arrays(&far, DVec3::ZERO).expect("results").without, Some(1));
    }
    fn triangles_of_every_kind(device) {
        for soup in soups() {
            soup.check(device, &soup.points(30, 1));
        }
    }
    fn sizes_and_slivers(device) {
        for (seed, n) in [(1, 1), (2, 5), (3, 40), (4, 700), (5, size(3000, 1500))] {
            let soup = confetti(n, seed);
            soup.check(device, &soup.points(if n > 500 { 20 } else { 150 }, seed));
        }
    }
    fn around_a_tile_of_the_sort(device) {
        for n in [1023, 1024, 1025, 2047, 2048, 2049, 4097].into_iter().take(size(7, 3)) {
            let mut random = Random(n.into());
            let at = |_| vector(&mut random);
            let x: Vec<Vec3> = (0..3 * n).map(at).collect();
            let faces = (0..n).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
            let soup = Soup::new(format!("{n} triangles"), x, faces);
            soup.check(device, &soup.points(3, n.into()));
        }
    }
    fn real_meshes(device) {
        for name in cases(["oded-mountain.obj", "stanford-bunny.obj"]) {
            let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/meshes");
            let folder = std::env::var("RIBBONMESH_MESHES").unwrap_or_else(|_| beside.to_owned());
            let path = std::path::Path::new(&folder).join(name);
            if !path.exists() {
                println!("skipped: no {}", path.display());
                continue;
            }
            let mesh = ribbonmesh_io::read(&path).expect("a readable mesh").mesh;
            let soup = Soup::shape(name, mesh);
            soup.check(device, &soup.points(12, 5));
        }
    }
    fn degenerate_triangles(device) {
        let x = vec![Vec3::ZERO, Vec3::X, Vec3::X * 2.0, Vec3::splat(5.0), Vec3::X];
        let soup = Soup::new("lines and points", x, vec![[0, 1, 2], [3, 3, 3], [0, 2, 0], [1, 4, 1]]);
        let found = soup.check(device, &[Vec3::new(1.0, 1.0, 0.0), Vec3::new(-1.0, 0.0, 0.0), Vec3::splat(6.0)]);
        assert_eq!(found.iter().map(|c| c.point).collect::<Vec<_>>(), [Vec3::X, Vec3::ZERO, Vec3::splat(5.0)]);
        assert!(found.iter().all(|c| c.normal == Vec3::ZERO));
    }
    fn ties_go_to_the_smallest_face(device) {
        // a thousand copies of one triangle, and its mirror image behind the point
        let x = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::X + Vec3::Z, Vec3::Y + Vec3::Z];
        let mut faces = vec![[3, 4, 5]; 500];
        faces.extend([[0, 1, 2]; 500]);
        let soup = Soup::new("copies", x, faces);
        let points = [Vec3::new(0.2, 0.2, 0.5), Vec3::new(0.2, 0.2, 0.75), Vec3::new(0.2, 0.2, 0.25)];
        let found = soup.check(device, &points);
        assert_eq!(found.iter().map(|c| c.face).collect::<Vec<_>>(), [0, 0, 500]);
        // a vertex belongs to several faces
        let sphere = Soup::shape("icosphere", shapes::icosphere(3).expect("small"));
        for (v, found) in (0..).zip(sphere.check(device, &sphere.x)) {
            let first = sphere.faces.iter().position(|f| f.contains(&v)).expect("a face");
            assert_eq!((found.face as usize, found.distance), (first, 0.0));
        }
    }
    fn seeds_do_not_change_results(device) {
        for soup in [confetti(800, 3), Soup::shape("torus", shapes::torus(24, 1).expect("small"))] {
            let (bvh, points) = (soup.bvh(device), soup.points(100, 9));
            let n = soup.faces.len() as u32;
            let on_device = device.upload(&points).expect("points");
            let plain = bvh.closest(&on_device, None).expect("results").read().expect("results");
            let mut random = Random(8);
            let best: Vec<u32> = plain.iter().map(|c| c.face).collect();
            let any: Vec<u32> = points.iter().map(|_| random.below(n)).collect();
            for seeds in [best, any, vec![NONE; points.len()], vec![n; points.len()]] {
                let seeds = device.upload(&seeds).expect("seeds");
                let found = bvh.closest(&on_device, Some(&seeds)).expect("results");
                assert!(found.read().expect("results") == plain, "{}", soup.name);
            }
        }
    }
    fn within_a_radius(device) {
        let soup = confetti(800, 3);
        let (bvh, points) = (soup.bvh(device), device.upload(&soup.points(100, 9)).expect("points"));
        let all = bvh.closest(&points, None).expect("results").read().expect("results");
        for radius in [0.0, 0.01, 0.2, 1e9, f32::INFINITY, -1.0, f32::NAN] {
            let within = bvh.closest_within(&points, radius).expect("results").read().expect("results");
            for (found, nearest) in within.iter().zip(&all) {
                // at the radius itself, rounding decides
                if (nearest.distance - radius).abs() <= 1e-6 * radius {
                    continue;
                }
                if nearest.distance < radius {
                    assert_eq!(found, nearest, "{radius}");
                } else {
                    assert_eq!((found.face, found.distance), (NONE, f32::INFINITY), "{radius}");
                }
            }
        }
    }
    fn trees_do_not_depend_on_the_machine(device) {
        let soup = confetti(5000, 6);
        let points = soup.points(500, 2);
        let one = Device::cpu_with_threads(1).expect("a thread");
        let [a, b] = [device, &one].map(|device| {
            let bvh = soup.bvh(device);
            let found = bvh.closest(&device.upload(&points).expect("points"), None).expect("results");
            (bvh.height(), bvh.bytes(), found.read().expect("results"))
        });
        assert_eq!((a.0, a.1), (b.0, b.1));
        for (a, b) in a.2.iter().zip(&b.2) {
            assert!((a.distance - b.distance).abs() <= 1e-6 + 3e-6 * a.distance, "{a:?} {b:?}");
        }
    }
    fn all_in_one_place(device) {
        let x: Vec<Vec3> = [Vec3::ZERO, Vec3::X, Vec3::Y].into_iter().cycle().take(3 * 5000).collect();
        let soup = Soup::new("one place", x, (0..5000).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect());
        let bvh = soup.bvh(device);
        // equal codes are divided by their places
        assert_eq!(bvh.height(), 13);
        let found = soup.check(device, &[Vec3::new(0.2, 0.3, 4.0)]);
        assert_eq!((found[0].face, found[0].distance), (0, 4.0));
    }
    fn large_and_small(device) {
        for scale in cases([1e-37, 1e-30, 1e-10, 1e10, 1e30, 1e37]) {
            let mut soup = Soup::shape("sphere", shapes::bumpy_sphere(2, 1).expect("small"));
            soup.name = format!("sphere of size {scale:e}");
            soup.x.iter_mut().for_each(|p| *p *= scale);
            let points: Vec<Vec3> = soup.points(60, 4).into_iter().map(|p| p.clamp(Vec3::splat(-1e38), Vec3::splat(1e38))).collect();
            soup.check(device, &points);
        }
        // far from the origin
        let mut soup = Soup::shape("sphere far away", shapes::bumpy_sphere(2, 1).expect("small"));
        soup.x.iter_mut().for_each(|p| *p += Vec3::new(1000.0, -3000.0, 500.0));
        soup.check(device, &soup.points(60, 4));
    }
    fn points_that_are_no_points(device) {
        let soup = Soup::shape("sphere", shapes::icosphere(2).expect("small"));
        let points = [Vec3::NAN, Vec3::INFINITY, Vec3::new(0.0, f32::NAN, 0.0), Vec3::ZERO];
        let bvh = soup.bvh(device);
        let (points, seeds) = (device.upload(&points).expect("points"), device.upload(&[3; 4]).expect("seeds"));
        for seeds in [None, Some(&seeds)] {
            let found = bvh.closest(&points, seeds).expect("results").read().expect("results");
            for c in &found[..3] {
                assert_eq!((c.face, c.distance, c.normal), (NONE, f32::INFINITY, Vec3::ZERO));
            }
            assert!(found[3].face < 320 && found[3].distance > 0.9);
        }
        assert!(bvh.closest(&device.upload(&[]).expect("no points"), None).expect("no results").is_empty());
    }
    fn of_a_mesh(device) {
        let shape = shapes::bumpy_sphere(3, 1).expect("small");
        let mesh = StaticMesh::new(device, shape.positions.len(), &shape.faces, &MeshOptions::default()).expect("a mesh");
        let x: Vec<Vec3> = shape.points();
        let positions = Attribute::from_input(&mesh, &x).expect("positions");
        let bvh = Bvh::from_mesh(&mesh, &positions).expect("a tree");
        let soup = Soup::new("bumpy sphere", x, shape.faces);
        let points = soup.points(50, 1);
        let found = bvh.closest(&device.upload(&points).expect("points"), None).expect("results");
        let inputs = mesh.face_inputs().read().expect("faces");
        for (p, c) in points.into_iter().zip(found.read().expect("results")) {
            soup.check_one(p, &Closest { face: inputs[c.face as usize], ..c });
        }
        let other = StaticMesh::new(device, 3, &[[0, 1, 2]], &MeshOptions::default()).expect("a mesh");
        assert!(matches!(Bvh::from_mesh(&other, &positions), Err(Error::OtherMesh { .. })));
    }
    fn refusals(device) {
        let shape = shapes::icosphere(3).expect("small");
        let x: Vec<Vec3> = shape.points();
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let mut x = x.clone();
            x[600].z = bad;
            x[417].y = bad;
            let error = Bvh::new(device, &x, &shape.faces).err().expect("refused");
            assert!(matches!(error, Error::NotFinite { vertex: 417 }), "{error}");
            assert_eq!(error.to_string(), "vertex 417 has a coordinate that is not finite");
        }
        let mut faces = shape.faces.clone();
        faces[1200] = [0, 1, 9999];
        faces[700] = [0, 642, 1];
        let error = Bvh::new(device, &x, &faces).err().expect("refused");
        assert!(matches!(error, Error::IndexOutOfRange { face: 700, vertex: 642, vertices: 642 }), "{error}");
        let (positions, five) = (device.upload(&x).expect("positions"), device.upload(&[0, 1, 2, 0, 1]).expect("faces"));
        assert!(matches!(Bvh::from_buffers(&positions, &five), Err(Error::Length { expected: 6, found: 5, .. })));
        let bvh = Bvh::new(device, &x, &shape.faces).expect("a tree");
        let seeds = device.upload(&[1]).expect("seeds");
        assert!(matches!(bvh.closest(&positions, Some(&seeds)), Err(Error::Length { expected: 642, found: 1, .. })));
        let elsewhere = Device::cpu_with_threads(1).expect("a thread").upload(&x).expect("points");
        assert!(matches!(bvh.closest(&elsewhere, None), Err(Error::OtherDevice { .. })));
    }
}

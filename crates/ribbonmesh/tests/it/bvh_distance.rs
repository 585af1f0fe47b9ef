//! Distances between surfaces against geometry that is known, and against a look at every triangle.
use ribbonmesh::bvh::{Distance, DistanceOptions, OneWay, SampledSurface, distance};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Device, Error};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes;
use ribbonmesh_suite::{Random, cases, distance::vector, meshes, size, suite};

type Mesh = (Vec<Vec3>, Vec<[u32; 3]>);

fn mesh(shape: TriangleMesh) -> Mesh {
    (shape.points(), shape.faces)
}
fn surface(device: &Device, (x, faces): &Mesh) -> SampledSurface {
    SampledSurface::new(device, x, faces).expect("a surface")
}
/// A square from 0 to 1 at height `z`, of 2 n² triangles.
fn square(n: u32, z: f32) -> Mesh {
    let place = |i: u32| i as f32 / n as f32;
    let x = (0..=n).flat_map(|j| (0..=n).map(move |i| Vec3::new(place(i), place(j), z))).collect();
    let corner = |i: u32, j: u32| i + (n + 1) * j;
    let cells = (0..n).flat_map(|j| (0..n).map(move |i| (i, j)));
    let faces = cells.flat_map(|(i, j)| {
        let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    (x, faces.collect())
}
fn between(device: &Device, a: &Mesh, b: &Mesh, samples: u32) -> Distance {
    let options = DistanceOptions { samples, seed: 3 };
    distance(&surface(device, a), &surface(device, b), &options).expect("distances")
}
#[track_caller]
fn near(found: f64, expected: f64, slack: f64) {
    assert!((found - expected).abs() <= slack, "{found}, expected {expected} ± {slack}");
}
fn mean(way: &OneWay) -> f64 {
    way.figures.mean.expect("random points")
}

suite! {
    fn parallel_squares(device) {
        let d = between(device, &square(7, 0.0), &square(4, 0.25), 1000);
        for way in [&d.a_to_b, &d.b_to_a] {
            near(way.figures.hausdorff, 0.25, 1e-6);
            near(mean(way), 0.25, 1e-6);
            near(way.figures.rms.expect("random points"), 0.25, 1e-6);
            assert_eq!(way.samples, 1000);
        }
        assert_eq!((d.a_to_b.vertices, d.b_to_a.vertices), (64, 25));
        near(d.diagonal, 2f64.sqrt(), 1e-6);
        near(d.relative.expect("a size").hausdorff, 0.25 / 2f64.sqrt(), 1e-6);
        assert!(d.a_to_b.at[2] == 0.0 && d.b_to_a.at[2] == 0.25);
    }
    fn a_tilted_square(device) {
        // heights from 0 to 0.5 over the other square: 0.25 in the mean, and √(1/12) in the root mean square
        let mut tilted = square(5, 0.0);
        tilted.0.iter_mut().for_each(|p| p.z = 0.5 * p.x);
        let d = between(device, &tilted, &square(3, 0.0), 20_000);
        near(d.a_to_b.figures.hausdorff, 0.5, 1e-6);
        near(mean(&d.a_to_b), 0.25, 1e-3);
        near(d.a_to_b.figures.rms.expect("random points"), (1f64 / 12.0).sqrt(), 1e-3);
        assert_eq!(d.a_to_b.at[0], 1.0);
    }
    fn one_way_is_not_the_other(device) {
        // the first is a part of the second
        let (mut small, large) = (square(3, 0.0), square(3, 0.0));
        small.0.iter_mut().for_each(|p| *p *= 0.5);
        let d = between(device, &small, &large, 3000);
        assert!(d.a_to_b.figures.hausdorff < 1e-7 && mean(&d.a_to_b) < 1e-7);
        near(d.b_to_a.figures.hausdorff, 0.5f64.sqrt(), 1e-6);
        assert_eq!(d.b_to_a.at, [1.0, 1.0, 0.0]);
        near(d.symmetric.hausdorff, 0.5f64.sqrt(), 1e-6);
        near(d.symmetric.mean.expect("random points"), 0.5 * mean(&d.b_to_a), 1e-7);
    }
    fn what_vertices_miss(device) {
        // the second has a dent inside the first's only two faces
        let flat = square(1, 0.0);
        let mut dent = square(2, 0.0);
        dent.0[4].z = -0.5;
        let d = between(device, &flat, &dent, 50_000);
        let expected = ribbonmesh_suite::distance::distance(Vec3::new(0.5, 0.5, 0.0), &dent.0, &dent.1);
        assert!(d.a_to_b.figures.hausdorff > 0.9 * expected, "{d:?}");
        near(d.b_to_a.figures.hausdorff, 0.5, 1e-6);
    }
    fn spheres(device) {
        let mut large = mesh(shapes::icosphere(size(5, 4)).expect("small"));
        let small = mesh(shapes::icosphere(4).expect("small"));
        large.0.iter_mut().for_each(|p| *p *= 2.0);
        let d = between(device, &small, &large, 10_000);
        near(mean(&d.a_to_b), 1.0, 2e-3);
        near(mean(&d.b_to_a), 1.0, 2e-3);
        near(d.diagonal, 12f64.sqrt(), 1e-2);
    }
    fn the_same_surface(device) {
        let a = mesh(shapes::bumpy_sphere(4, 1).expect("small"));
        let mut shape = TriangleMesh::from_f32(a.0.iter().map(|p| p.to_array()), a.1.clone());
        shapes::shuffle(&mut shape, 4);
        let d = between(device, &a, &mesh(shape), 10_000);
        assert!(d.symmetric.hausdorff < 3e-7, "{d:?}");
    }
    fn random_soups(device) {
        for seed in cases(0..12) {
            let mut random = Random(seed);
            let mut soup = || {
                let case = meshes::soup(5 + random.below(30), 1 + random.below(60), random.next().into());
                ((0..case.vertices).map(|_| vector(&mut random)).collect(), case.faces)
            };
            let (a, b): (Mesh, Mesh) = (soup(), soup());
            let options = DistanceOptions { samples: 300, seed };
            let [first, second] = [&a, &b].map(|mesh| surface(device, mesh));
            let d = distance(&first, &second, &options).expect("distances");
            for (way, from, to) in [(&d.a_to_b, (&first, &a), &b), (&d.b_to_a, (&second, &b), &a)] {
                let samples = from.0.sample(300, seed).expect("points").read().expect("points");
                let far = |p: &Vec3| ribbonmesh_suite::distance::distance(*p, &to.0, &to.1);
                let far_samples: Vec<f64> = samples.iter().map(far).collect();
                let used = |v: u32| from.1.1.iter().any(|f| f.contains(&v));
                let vertices: Vec<Vec3> = (0..).zip(&from.1.0).filter(|(v, _)| used(*v)).map(|(_, p)| *p).collect();
                assert_eq!((way.vertices, way.samples), (vertices.len() as u64, samples.len() as u64));
                let most = vertices.iter().map(far).chain(far_samples.iter().copied()).fold(0.0, f64::max);
                near(way.figures.hausdorff, most, 2e-6);
                near(far(&Vec3::from_array(way.at)), most, 2e-6);
                if !samples.is_empty() {
                    near(mean(way), far_samples.iter().sum::<f64>() / 300.0, 2e-6);
                    let squares = far_samples.iter().map(|d| d * d).sum::<f64>();
                    near(way.figures.rms.expect("random points"), (squares / 300.0).sqrt(), 2e-6);
                }
            }
        }
    }
    fn samples_are_uniform(device) {
        // triangles of very different sizes, and one without area
        let mut random = Random(5);
        let mut x: Vec<Vec3> = (0..60).map(|i| vector(&mut random) * 2f32.powi(-(i / 9)) + 5.0 * Vec3::X * i as f32).collect();
        for i in 0..20 {
            let middle = x[3 * i];
            (1..3).for_each(|k| x[3 * i + k] = middle + 2f32.powi(-(i as i32 / 3)) * vector(&mut random));
        }
        x[59] = x[58];
        let faces: Vec<[u32; 3]> = (0..20).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let area = |f: &[u32; 3]| {
            let [a, b, c] = f.map(|v| x[v as usize].as_dvec3());
            0.5 * (b - a).cross(c - a).length()
        };
        let all: f64 = faces.iter().map(area).sum();
        let surface = SampledSurface::new(device, &x, &faces).expect("a surface");
        near(surface.area(), all, 1e-9 * all);
        let n = 10_000;
        let points = surface.sample(n, 7).expect("points");
        let found = surface.bvh().closest(&points, None).expect("results").read().expect("results");
        assert!(found.iter().all(|c| c.distance < 1e-4));
        for (i, f) in (0..).zip(&faces) {
            let on_it = found.iter().filter(|c| c.face == i).count() as f64;
            // one random point in each part: the parts at both ends may miss
            near(on_it, area(f) / all * f64::from(n), 2.0);
        }
        // within a triangle: the mean is the middle, and the corners' thirds have as many
        let triangle = SampledSurface::new(device, &[Vec3::ZERO, Vec3::X, Vec3::Y], &[[0, 1, 2]]).expect("a surface");
        let points = triangle.sample(n, 1).expect("points").read().expect("points");
        let sum: Vec3 = points.iter().sum();
        assert!((sum / n as f32 - Vec3::new(1.0, 1.0, 0.0) / 3.0).length() < 0.01, "{sum}");
        assert!(points.iter().all(|p| p.x >= 0.0 && p.y >= 0.0 && p.x + p.y <= 1.0 + 1e-6));
        let near_corner = points.iter().filter(|p| p.x + p.y < 0.5).count();
        assert!(near_corner.abs_diff(n as usize / 4) < 150, "{near_corner}");
        // other seeds are other points
        assert!(triangle.sample(n, 2).expect("points").read().expect("points") != points);
    }
    fn without_area(device) {
        let line: Mesh = (vec![Vec3::ZERO, Vec3::X, Vec3::X * 2.0], vec![[0, 1, 2]]);
        let d = between(device, &line, &square(2, 1.0), 100);
        assert_eq!((d.a_to_b.samples, d.b_to_a.samples, d.a_to_b.figures.mean), (0, 100, None));
        near(d.a_to_b.figures.hausdorff, 2f64.sqrt(), 1e-6);
        let point: Mesh = (vec![Vec3::ONE], vec![[0, 0, 0]]);
        let d = between(device, &point, &point, 10);
        assert_eq!((d.symmetric.hausdorff, d.symmetric.mean, d.relative), (0.0, None, None));
    }
    fn vertices_without_a_face_do_not_count(device) {
        let mut a = square(2, 0.0);
        a.0.extend([Vec3::splat(100.0), Vec3::splat(-100.0)]);
        let d = between(device, &a, &square(2, 0.0), 100);
        assert!(d.symmetric.hausdorff < 1e-6 && d.diagonal < 1.5, "{d:?}");
    }
    fn refusals(device) {
        let nothing = SampledSurface::new(device, &[Vec3::ZERO], &[]).err().expect("refused");
        assert!(matches!(nothing, Error::NoFaces { .. }), "{nothing}");
        let (x, faces) = square(2, f32::NAN);
        assert!(matches!(SampledSurface::new(device, &x, &faces), Err(Error::NotFinite { vertex: 0 })));
        let other = Device::cpu_with_threads(1).expect("a thread");
        let [a, b] = [device, &other].map(|device| surface(device, &square(2, 0.0)));
        let error = distance(&a, &b, &DistanceOptions::default()).expect_err("refused");
        assert!(matches!(error, Error::OtherDevice { .. }), "{error}");
    }
}

//! Distances against independent computations.
#[path = "../../../ribbonmesh/tests/common/mod.rs"]
mod common;
mod oracle;
mod parts;
use common::{Random, cases, meshes, size};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Device, Error, MeshOptions, StaticMesh, Vertex};
use ribbonmesh_geodesic::exact::Exact;
use ribbonmesh_geodesic::{Geodesic, GeodesicOptions, GeodesicReport, Order};
use ribbonmesh_io::Format;
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes;

fn build(
    device: &Device,
    x: &[Vec3],
    faces: &[[u32; 3]],
    patch_size: u32,
) -> (StaticMesh, Attribute<Vertex, Vec3>) {
    let options = MeshOptions { patch_size, ..MeshOptions::default() };
    let mesh = StaticMesh::new(device, x.len(), faces, &options).expect("a mesh");
    let positions = Attribute::from_input(&mesh, x).expect("positions");
    (mesh, positions)
}
/// In both orders; these agree but for where a source was taken for another's. The distances by order of distance.
fn run(device: &Device, x: &[Vec3], faces: &[[u32; 3]], sources: &[u32]) -> (Vec<f32>, GeodesicReport) {
    let (mesh, positions) = build(device, x, faces, 64);
    let [near, hops] = Order::ALL.map(|order| {
        let options = GeodesicOptions { order, ..GeodesicOptions::default() };
        let mut geodesic = Geodesic::new(&mesh, &positions).expect("a ring");
        let report = geodesic.run(sources, &options).expect("distances");
        let d = geodesic.distances().expect("distances");
        assert_eq!(report.order, order);
        (d.download().expect("distances"), report)
    });
    for (a, b) in near.0.iter().zip(&hops.0) {
        assert!(a == b || (a - b).abs() < 0.05 * a, "{a} by distance, {b} by hops");
    }
    assert!(apart(&near.0, &hops.0) < 0.005, "{}", apart(&near.0, &hops.0));
    near
}
/// The sum of the differences, by that of the distances.
fn apart(a: &[f32], b: &[f32]) -> f64 {
    let both = || a.iter().zip(b).filter(|(a, _)| a.is_finite()).map(|(a, b)| (f64::from(*a), f64::from(*b)));
    both().map(|(a, b)| (a - b).abs()).sum::<f64>() / both().map(|(a, _)| a).sum::<f64>()
}
fn points(shape: &TriangleMesh) -> Vec<Vec3> {
    shape.points()
}

fn exact(x: &[Vec3], faces: &[[u32; 3]]) -> Exact {
    let positions: Vec<_> = x.iter().map(|p| p.as_dvec3()).collect();
    Exact::new(&positions, faces).expect("a mesh")
}
/// Relative errors.
#[derive(Debug)]
struct Errors {
    mean: f64,
    over: f64,
    under: f64,
    /// The share of vertices with less than 0.995 of the distance.
    low: f64,
}
impl Errors {
    fn of(found: &[f32], exact: &[f64]) -> Self {
        let both = found.iter().zip(exact);
        let errors: Vec<f64> = both
            .filter(|(d, e)| !(d.is_infinite() && e.is_infinite()) && **e > 0.0)
            .map(|(d, e)| (f64::from(*d) - e) / e)
            .collect();
        let most = |sign: f64| errors.iter().fold(0.0, |most: f64, e| most.max(sign * e));
        let mean = errors.iter().map(|e| e.abs()).sum::<f64>() / errors.len() as f64;
        let low = errors.iter().filter(|e| **e < -0.005).count() as f64 / errors.len() as f64;
        Self { mean, over: most(1.0), under: most(-1.0), low }
    }
}

suite! {
    fn every_mesh(device) {
        for case in meshes::all().into_iter().filter(|case| case.vertices > 0) {
            let mut random = Random(case.vertices as u64);
            let mut unit = || random.below(10_000) as f32 / 1e4;
            let x: Vec<Vec3> = (0..case.vertices).map(|_| Vec3::new(unit(), unit(), unit())).collect();
            let (mesh, positions) = build(device, &x, &case.faces, 64);
            let mut geodesic = Geodesic::new(&mesh, &positions).expect("a ring");
            let last = case.vertices as u32 - 1;
            for sources in [vec![0], vec![last, last / 2, 0, last]] {
                let hops = oracle::hops(x.len(), &case.faces, &sources);
                let levels = hops.iter().filter(|&&h| h < u32::MAX).max().map_or(0, |h| h + 1);
                let unreachable = hops.iter().filter(|&&h| h == u32::MAX).count();
                let most = oracle::along_edges(&x, &case.faces, &sources);
                let mut exact = exact(&x, &case.faces);
                exact.run(&sources).expect("distances");
                for order in Order::ALL {
                    let options = GeodesicOptions { order, ..GeodesicOptions::default() };
                    let report = geodesic.run(&sources, &options).expect("distances");
                    let name = format!("{}, by {order}", case.name);
                    assert_eq!((report.levels, report.unreachable), (levels as usize, unreachable), "{name}");
                    assert_eq!(report.reached, x.len() - unreachable, "{name}");
                    assert!(geodesic.hops().expect("levels") == hops, "{name}");
                    let found = geodesic.distances().and_then(|d| d.download()).expect("distances");
                    let found: Vec<f64> = found.into_iter().map(f64::from).collect();
                    for (v, (d, most)) in found.iter().zip(&most).enumerate() {
                        assert!(d == most || *d <= most * (1.0 + 1e-5), "vertex {v} of {name}: {d}, {most}");
                        let source = sources.contains(&(v as u32));
                        assert_eq!(*d == 0.0, source || *most == 0.0, "vertex {v} of {name}: {d}");
                    }
                    for (v, (d, exact)) in found.iter().zip(exact.distances()).enumerate() {
                        assert!(d == exact || *d >= 0.9 * exact, "vertex {v} of {name}: {d}, {exact}");
                    }
                }
            }
        }
    }
    fn surfaces(device) {
        let with_hole = |mut shape: TriangleMesh| {
            shape.faces.retain(|f| f.iter().all(|v| v % 97 > 3));
            shape
        };
        for shape in cases([
            shapes::icosphere(3),
            shapes::bumpy_sphere(3, 4).map(with_hole),
            shapes::torus(24, 2),
            shapes::grid(24, 2).map(with_hole),
            shapes::torus_knot(2, 3, 8, 60),
            shapes::mobius(40, 5),
        ]) {
            let shape = shape.expect("small");
            let x = points(&shape);
            for sources in [vec![9], vec![9, x.len() as u32 / 2, x.len() as u32 - 1]] {
                let (found, _) = run(device, &x, &shape.faces, &sources);
                let mut exact = exact(&x, &shape.faces);
                exact.run(&sources).expect("distances");
                let errors = Errors::of(&found, exact.distances());
                println!("{errors:?}");
                assert!(errors.mean < 0.02 && errors.over < 0.12 && errors.under < 0.008, "{errors:?}");
            }
        }
    }
    fn parts_with_slender_triangles(device) {
        // the mean relative error, the most above and the most below that are allowed
        for (name, part, mean, over, under) in cases([
            ("grid plate", parts::grid_plate(36, 6, 3, 1.0), 0.003, 0.06, 0.001),
            ("stretched grid plate", parts::grid_plate(36, 6, 4, 5.0), 0.01, 0.2, 0.002),
            ("plate", parts::plate(5, 4, 12), 0.4, 2.0, 0.01),
            ("thick plate", parts::thick_plate(3, 3, 12), 0.3, 3.0, 0.01),
            ("bracket", parts::bracket(), 0.5, 2.0, 0.005),
            ("gear", parts::gear(16), 0.3, 2.0, 0.06),
            ("cube", parts::cube(), 1e-6, 1e-6, 1e-6),
        ]) {
            let x: Vec<Vec3> = part.0.iter().map(|p| p.as_vec3()).collect();
            let n = x.len() as u32;
            for source in [0, n / 2, n / 3, n / 5] {
                let mut exact = exact(&x, &part.1);
                exact.run(&[source]).expect("distances");
                for order in Order::ALL {
                    let (mesh, positions) = build(device, &x, &part.1, 64);
                    let mut geodesic = Geodesic::new(&mesh, &positions).expect("a ring");
                    let options = GeodesicOptions { order, ..GeodesicOptions::default() };
                    geodesic.run(&[source], &options).expect("distances");
                    let found = geodesic.distances().and_then(|d| d.download()).expect("distances");
                    let errors = Errors::of(&found, exact.distances());
                    println!("{name}, by {order}: {errors:?}");
                    let fine = errors.mean < mean && errors.over < over && errors.under < under;
                    let fine = fine && errors.low < 0.03;
                    assert!(fine, "{name} from {source} by {order}: {errors:?}");
                }
            }
        }
    }
    fn lines_in_a_plane(device) {
        let shape = shapes::grid(40, 3).expect("small");
        let x = points(&shape);
        for source in cases([0, 39, 820, 1599]) {
            let (found, report) = run(device, &x, &shape.faces, &[source]);
            assert_eq!(report.unreachable, 0);
            for (p, d) in x.iter().zip(found) {
                let expected = p.distance(x[source as usize]);
                assert!((d - expected).abs() <= 1e-5 * expected, "{d}, {expected}");
            }
        }
    }
    fn great_circles(device) {
        for (k, tolerance) in cases([(4, 0.02), (5, 0.01)]) {
            let shape = shapes::icosphere(k).expect("small");
            let x = points(&shape);
            for source in [0, 77] {
                let (found, _) = run(device, &x, &shape.faces, &[source]);
                for (p, d) in x.iter().zip(found) {
                    let exact = x[source as usize].normalize().dot(p.normalize()).clamp(-1.0, 1.0).acos();
                    let radius = p.length();
                    assert!((d - radius * exact).abs() <= tolerance * radius * exact + 1e-3, "{d}, {exact}");
                }
            }
        }
    }
    fn exact_distances(device) {
        // the mean relative error, and the most above and below that are allowed
        let files: [(&str, &[u8], f64, f64, f64); 6] = [
            ("sphere", include_bytes!("exact/sphere.ply"), 0.001, 0.01, 0.001),
            ("bumpy sphere", include_bytes!("exact/bumpy-sphere.ply"), 0.008, 0.06, 0.005),
            ("torus", include_bytes!("exact/torus.ply"), 0.005, 0.03, 0.005),
            ("grid", include_bytes!("exact/grid.ply"), 1e-5, 1e-4, 1e-4),
            ("knot", include_bytes!("exact/knot.ply"), 0.001, 0.02, 0.005),
            ("mobius", include_bytes!("exact/mobius.ply"), 0.004, 0.06, 0.005),
        ];
        for (name, bytes, mean, over, under) in cases(files) {
            let loaded = ribbonmesh_io::read_from(bytes, Format::Ply, name).expect("a mesh");
            let exact = loaded.mesh.vertices().column("distance").expect("distances").scalars();
            let exact: Vec<f64> = (0..exact.len()).filter_map(|v| exact.as_f64(v)).collect();
            let x: Vec<Vec3> = loaded.mesh.points();
            let (found, _) = run(device, &x, &loaded.mesh.faces, &[0]);
            let errors = Errors::of(&found, &exact);
            println!("{name}: {errors:?}");
            assert!(errors.mean < mean && errors.over < over && errors.under < under, "{name}: {errors:?}");
        }
    }
    fn the_same_every_time_and_for_any_patches(device) {
        let shape = shapes::bumpy_sphere(size(4, 3), 2).expect("small");
        let x = points(&shape);
        for order in Order::ALL {
            let options = GeodesicOptions { order, ..GeodesicOptions::default() };
            let mut all = vec![];
            for patch_size in [64, 768] {
                let (mesh, positions) = build(device, &x, &shape.faces, patch_size);
                let mut geodesic = Geodesic::new(&mesh, &positions).expect("a ring");
                for sources in [[5, 600], [600, 5], [3, 3], [5, 600]] {
                    let report = geodesic.run(&sources, &options).expect("distances");
                    let distances = geodesic.distances().and_then(|d| d.download()).expect("distances");
                    if sources[0] != sources[1] {
                        all.push((distances, report.iterations));
                    }
                }
            }
            let [a, b, c, d, e, f] = &all[..] else { panic!("six runs") };
            assert!(a == b && b == c && d == e && e == f, "{order}");
            println!("{order}: {}", apart(&a.0, &d.0));
            for (a, d) in a.0.iter().zip(&d.0) {
                assert!((a - d).abs() <= 0.01 * a, "{order}: {a}, {d}");
            }
            assert!(apart(&a.0, &d.0) < 1e-4, "{order}: {}", apart(&a.0, &d.0));
        }
    }
    fn any_scale(device) {
        let shape = shapes::torus(16, 1).expect("small");
        let x = points(&shape);
        let (plain, _) = run(device, &x, &shape.faces, &[7]);
        for exponent in cases([-100, -40, 40, 100]) {
            let scale = 2f32.powi(exponent);
            let scaled: Vec<Vec3> = x.iter().map(|p| *p * scale).collect();
            let (found, _) = run(device, &scaled, &shape.faces, &[7]);
            assert!(found.iter().zip(&plain).all(|(a, b)| *a == b * scale), "2^{exponent}");
        }
    }
    fn coordinates_that_are_no_numbers(device) {
        let shape = shapes::grid(12, 1).expect("small");
        let mut x = points(&shape);
        x[70] = Vec3::new(f32::NAN, 0.0, f32::INFINITY);
        let (found, _) = run(device, &x, &shape.faces, &[0]);
        for (v, d) in found.iter().enumerate() {
            assert_eq!(d.is_finite(), v != 70, "{v}: {d}");
        }
    }
    fn refused(device) {
        let shape = shapes::icosphere(1).expect("small");
        let x = points(&shape);
        let (mesh, positions) = build(device, &x, &shape.faces, 64);
        let (other, _) = build(device, &x, &shape.faces, 64);
        let run = |sources: &[u32], tolerance| {
            let options = GeodesicOptions { tolerance, ..GeodesicOptions::default() };
            Geodesic::new(&mesh, &positions)?.run(sources, &options).map(drop)
        };
        assert!(run(&[0], 0.0).is_ok());
        assert!(matches!(run(&[], 0.0), Err(Error::Option { option: "source", .. })));
        assert!(matches!(run(&[0, 42], 0.0), Err(Error::Option { option: "source", .. })));
        for tolerance in [-0.1, 0.2, f32::NAN] {
            assert!(matches!(run(&[0], tolerance), Err(Error::Option { option: "tolerance", .. })));
        }
        assert!(matches!(Geodesic::new(&other, &positions), Err(Error::OtherMesh { .. })));
        let elsewhere = Device::cpu_with_threads(1).and_then(|d| mesh.to_device(&d)).expect("a copy");
        assert!(matches!(Geodesic::new(&elsewhere, &positions), Err(Error::OtherDevice { .. })));
    }
}

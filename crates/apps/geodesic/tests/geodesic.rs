//! Distances against independent computations.
#[path = "../../../ribbonmesh/tests/common/mod.rs"]
mod common;
mod oracle;
use common::{Random, cases, meshes, size};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Device, Error, MeshOptions, StaticMesh, Vertex};
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
/// In both orders; these must agree. The distances by order of distance.
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
        assert!(a == b || (a - b).abs() < 0.02 * a, "{a} by distance, {b} by hops");
    }
    near
}
fn points(shape: &TriangleMesh) -> Vec<Vec3> {
    shape.points()
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
                    let shorter = oracle::shortened(&x, &case.faces, &found, 2e-4);
                    assert_eq!(shorter, None, "{name}");
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
                let expected = oracle::distances(&x, &shape.faces, &sources);
                for (v, (a, b)) in found.iter().zip(&expected).enumerate() {
                    let near = (f64::from(*a) - b).abs() < 0.02 * b;
                    assert!(f64::from(*a) == *b || near, "vertex {v}: {a}, {b}");
                }
                let error = |(a, b): (&f32, &f64)| if b.is_finite() { (f64::from(*a) - b).abs() } else { 0.0 };
                let sum = found.iter().zip(&expected).map(error).sum::<f64>();
                let whole = expected.iter().filter(|d| d.is_finite()).sum::<f64>();
                assert!(sum < 1e-4 * whole, "{sum} of {whole}");
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
        // the mean and the largest relative error allowed
        let files: [(&str, &[u8], f64, f64); 6] = [
            ("sphere", include_bytes!("exact/sphere.ply"), 0.0065, 0.03),
            ("bumpy sphere", include_bytes!("exact/bumpy-sphere.ply"), 0.006, 0.033),
            ("torus", include_bytes!("exact/torus.ply"), 0.005, 0.023),
            ("grid", include_bytes!("exact/grid.ply"), 1e-5, 1e-4),
            ("knot", include_bytes!("exact/knot.ply"), 0.002, 0.009),
            ("mobius", include_bytes!("exact/mobius.ply"), 0.004, 0.009),
        ];
        for (name, bytes, mean, most) in cases(files) {
            let loaded = ribbonmesh_io::read_from(bytes, Format::Ply, name).expect("a mesh");
            let exact = loaded.mesh.vertices().column("distance").expect("distances").scalars();
            let exact: Vec<f32> = (0..exact.len()).filter_map(|v| exact.as_f64(v)).map(|d| d as f32).collect();
            let x: Vec<Vec3> = loaded.mesh.points();
            let (found, _) = run(device, &x, &loaded.mesh.faces, &[0]);
            let errors: Vec<f64> = found.iter().zip(&exact).skip(1)
                .map(|(a, b)| f64::from((a - b).abs() / b)).collect();
            let (sum, largest) = errors.iter().fold((0.0, 0.0f64), |(sum, most), e| (sum + e, most.max(*e)));
            println!("{name}: mean error {:.5}, largest {largest:.5}", sum / errors.len() as f64);
            assert!(sum / (errors.len() as f64) < mean && largest < most, "{name}");
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
            for (a, d) in a.0.iter().zip(&d.0) {
                assert!((a - d).abs() <= 1e-5 * a, "{order}: {a}, {d}");
            }
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

//! Tests of distances against independent computations.
mod attributes;
mod oracle;
mod parts;
use parts::Part;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Buffer, Device, DeviceKind, Error, FlatTopology, MeshOptions, Result, Surface};
use ribbonmesh_fields::geodesic::exact::Exact;
use ribbonmesh_fields::geodesic::{
    FlatGeodesic, GeodesicOptions, GeodesicReport, Order, SequentialGeodesic, geodesic,
};
use ribbonmesh_io::Format;
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes;
use ribbonmesh_suite::{Random, cases, meshes, size, suite};

/// A mesh on a device, whose vertices have their numbers.
struct Model {
    topology: FlatTopology,
    positions: Buffer<Vec3>,
    inputs: Buffer<u32>,
}
impl Model {
    fn new(device: &Device, x: &[Vec3], faces: &[[u32; 3]]) -> Self {
        let numbers: Vec<u32> = (0..x.len() as u32).collect();
        Self {
            topology: FlatTopology::new(device, x.len(), faces).expect("triangles"),
            positions: device.upload(x).expect("memory"),
            inputs: device.upload(&numbers).expect("memory"),
        }
    }
    fn solver(&self) -> FlatGeodesic<'_> {
        FlatGeodesic::new(&self.topology, &self.positions, &self.inputs).expect("a ring")
    }
}
fn distances(solver: &FlatGeodesic<'_>) -> Vec<f32> {
    solver.distances().and_then(|d| d.read()).expect("distances")
}
/// The orders of a device.
fn orders(device: &Device) -> Vec<Order> {
    let sequence = (device.kind() == DeviceKind::Cpu).then_some(Order::Sequence);
    Order::PARALLEL.into_iter().chain(sequence).collect()
}
/// A solver in one of the orders.
enum Solver<'m> {
    Parallel(Box<FlatGeodesic<'m>>),
    Sequential(SequentialGeodesic),
}
impl<'m> Solver<'m> {
    fn new(model: &'m Model, x: &[Vec3], faces: &[[u32; 3]], order: Order) -> Self {
        match order {
            Order::Sequence => Self::Sequential(SequentialGeodesic::new(x, faces).expect("triangles")),
            _ => Self::Parallel(Box::new(model.solver())),
        }
    }
    fn run(&mut self, sources: &[u32], options: &GeodesicOptions) -> Result<GeodesicReport> {
        match self {
            Self::Parallel(solver) => solver.run(sources, options),
            Self::Sequential(solver) => solver.run(sources, options),
        }
    }
    fn distances(&self) -> Vec<f32> {
        match self {
            Self::Parallel(solver) => distances(solver),
            Self::Sequential(solver) => solver.distances(),
        }
    }
}
/// Distances in all orders, which must agree; returns those by order of distance.
fn run(device: &Device, x: &[Vec3], faces: &[[u32; 3]], sources: &[u32]) -> (Vec<f32>, GeodesicReport) {
    let model = Model::new(device, x, faces);
    let mut found = orders(device).into_iter().map(|order| {
        let options = GeodesicOptions { order, ..GeodesicOptions::default() };
        let mut geodesic = Solver::new(&model, x, faces, order);
        let report = geodesic.run(sources, &options).expect("distances");
        assert_eq!(report.order, order);
        (geodesic.distances(), report)
    });
    let near = found.next().expect("an order");
    for (other, report) in found {
        for (a, b) in near.0.iter().zip(&other) {
            assert!(a == b || (a - b).abs() < 0.02 * a, "{a} by distance, {b} by {}", report.order);
        }
    }
    near
}

/// Greatest relative difference by which a distance may be less than the exact one: rounding.
const BELOW: f64 = 1e-5;

fn exact(x: &[Vec3], faces: &[[u32; 3]], sources: &[u32]) -> Vec<f64> {
    let positions: Vec<DVec3> = x.iter().map(|p| p.as_dvec3()).collect();
    let mut exact = Exact::new(&positions, faces).expect("a mesh");
    exact.run(sources).expect("distances");
    exact.distances().to_vec()
}
/// Checks the mean and the largest relative error, and that no distance is less than the exact one.
fn check_errors(name: &str, found: &[f32], exact: &[f64], [mean, most]: [f64; 2]) {
    let (mut sum, mut count, mut above, mut below) = (0.0, 0.0, 0.0f64, 0.0f64);
    for (v, (d, exact)) in found.iter().zip(exact).enumerate() {
        let d = f64::from(*d);
        assert!(d == *exact || d.is_finite(), "vertex {v} of {name}: {d}, {exact}");
        if *exact > 0.0 && exact.is_finite() {
            let error = (d - exact) / exact;
            (sum, count) = (sum + error.abs(), count + 1.0);
            (above, below) = (above.max(error), below.min(error));
        }
    }
    println!(
        "{name}: mean {:.5} %, above {:.4} %, below {:.6} %",
        100.0 * sum / count,
        100.0 * above,
        100.0 * below
    );
    assert!(-below <= BELOW, "{name}: {below}");
    assert!(above <= most && sum <= mean * count, "{name}: {above}, {}", sum / count);
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
            let model = Model::new(device, &x, &case.faces);
            let last = case.vertices as u32 - 1;
            for sources in [vec![0], vec![last, last / 2, 0, last]] {
                let hops = oracle::hops(x.len(), &case.faces, &sources);
                let levels = hops.iter().filter(|&&h| h < u32::MAX).max().map_or(0, |h| h + 1);
                let unreachable = hops.iter().filter(|&&h| h == u32::MAX).count();
                let most = oracle::along_edges(&x, &case.faces, &sources);
                let exact = exact(&x, &case.faces, &sources);
                for order in orders(device) {
                    let options = GeodesicOptions { order, ..GeodesicOptions::default() };
                    let mut geodesic = Solver::new(&model, &x, &case.faces, order);
                    let report = geodesic.run(&sources, &options).expect("distances");
                    let name = format!("{}, by {order}", case.name);
                    assert_eq!((report.levels, report.unreachable), (levels as usize, unreachable), "{name}");
                    assert_eq!(report.reached, x.len() - unreachable, "{name}");
                    if let Solver::Parallel(solver) = &geodesic {
                        assert!(solver.hops().expect("levels") == hops, "{name}");
                    }
                    let found: Vec<f64> = geodesic.distances().into_iter().map(f64::from).collect();
                    for (v, (d, most)) in found.iter().zip(&most).enumerate() {
                        assert!(d == most || *d <= most * (1.0 + 1e-5), "vertex {v} of {name}: {d}, {most}");
                        let source = sources.contains(&(v as u32));
                        assert_eq!(*d == 0.0, source || *most == 0.0, "vertex {v} of {name}: {d}");
                    }
                    for (v, (d, least)) in found.iter().zip(&exact).enumerate() {
                        assert!(d == least || *d >= least * (1.0 - BELOW), "vertex {v} of {name}: {d}, {least}");
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
                check_errors("a surface", &found, &exact(&x, &shape.faces, &sources), [0.001, 0.03]);
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
                assert!((d - expected).abs() <= 4e-5 * expected, "{d}, {expected}");
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
    fn estimates_without_paths(device) {
        let shape = shapes::bumpy_sphere(3, 1).expect("small");
        let x = points(&shape);
        let model = Model::new(device, &x, &shape.faces);
        let mut solver = model.solver();
        let options = GeodesicOptions { paths: false, ..GeodesicOptions::default() };
        let report = solver.run(&[5], &options).expect("a source");
        assert_eq!(report.rounds, 0);
        let found = distances(&solver);
        let pairs = found.iter().zip(exact(&x, &shape.faces, &[5])).filter(|(_, exact)| *exact > 0.0);
        let errors: Vec<f64> = pairs.map(|(&d, exact)| (f64::from(d) / exact - 1.0).abs()).collect();
        assert!(errors.iter().sum::<f64>() < 0.01 * errors.len() as f64);
        assert!(errors.iter().all(|&error| error < 0.05));
        // paths are traced only on request
        assert!(solver.trace().expect("paths") > 0);
        let traced = distances(&solver);
        assert_ne!(found, traced);
        assert_eq!(run(device, &x, &shape.faces, &[5]).0, traced);
    }
    fn exact_distances(device) {
        // the mean and the largest relative error allowed
        let files: [(&str, &[u8], [f64; 2]); 6] = [
            ("sphere", include_bytes!("exact/sphere.ply"), [1e-4, 1e-3]),
            ("bumpy sphere", include_bytes!("exact/bumpy-sphere.ply"), [4e-4, 6e-3]),
            ("torus", include_bytes!("exact/torus.ply"), [4e-4, 8e-3]),
            ("grid", include_bytes!("exact/grid.ply"), [1e-5, 4e-5]),
            ("knot", include_bytes!("exact/knot.ply"), [1e-4, 3e-3]),
            ("mobius", include_bytes!("exact/mobius.ply"), [1e-3, 5e-3]),
        ];
        for (name, bytes, most) in cases(files) {
            let loaded = ribbonmesh_io::read_from(bytes, Format::Ply, name).expect("a mesh");
            let exact = loaded.mesh.vertices().column("distance").expect("distances").scalars();
            let exact: Vec<f64> = (0..exact.len()).filter_map(|v| exact.as_f64(v)).collect();
            let x: Vec<Vec3> = loaded.mesh.points();
            let (found, _) = run(device, &x, &loaded.mesh.faces, &[0]);
            check_errors(name, &found, &exact, most);
        }
    }
    fn perforated_plates_and_cad_parts(device) {
        let part = |(x, faces): Part| (x.iter().map(|p| p.as_vec3()).collect::<Vec<_>>(), faces);
        for (name, shape, most) in cases([
            ("plate", parts::plate(4, 3, 10), [0.006, 0.16]),
            ("fine plate", parts::plate(6, 5, 24), [0.006, 0.16]),
            ("thick plate", parts::thick_plate(3, 2, 12), [0.006, 0.16]),
            ("grid plate", parts::grid_plate(24, 6, 3, 1.0), [0.006, 0.16]),
            ("stretched grid plate", parts::grid_plate(24, 6, 4, 5.0), [0.006, 0.16]),
            ("fine grid plate", parts::grid_plate(96, 12, 6, 1.0), [0.006, 0.16]),
            ("bracket", parts::bracket(), [0.006, 0.16]),
            ("gear", parts::gear(12), [0.006, 0.16]),
            ("larger gear", parts::gear(30), [0.006, 0.16]),
            ("cube", parts::cube(), [0.006, 0.16]),
        ]) {
            let (x, faces) = part(shape);
            let n = x.len() as u32;
            for sources in [vec![0], vec![n / 3], vec![n - 1, n / 2]] {
                let exact = exact(&x, &faces, &sources);
                for order in orders(device) {
                    let model = Model::new(device, &x, &faces);
                    let options = GeodesicOptions { order, ..GeodesicOptions::default() };
                    let mut geodesic = Solver::new(&model, &x, &faces, order);
                    let report = geodesic.run(&sources, &options).expect("distances");
                    let found = geodesic.distances();
                    println!("{order}: {} rounds", report.rounds);
                    check_errors(&format!("{name} from {sources:?}"), &found, &exact, most);
                }
            }
        }
    }
    fn soups_and_meshes_of_mixed_orientation(device) {
        let mut soup = shapes::grid(20, 4).expect("small");
        soup.faces.extend([[0, 1, 399], [0, 1, 200], [3, 3, 70], [9, 9, 9], [5, 6, 26], [5, 6, 26], [30, 10, 11]]);
        let open = shapes::torus(16, 3).map(|mut shape| {
            shape.faces.retain(|f| f.iter().all(|v| v % 41 > 1));
            shape.faces.iter_mut().step_by(3).for_each(|f| f.swap(0, 1));
            shape
        });
        let shapes = [
            ("soup".to_owned(), points(&soup), soup.faces.clone()),
            ("an open mesh of mixed orientation".to_owned(), points(open.as_ref().expect("small")), open.expect("small").faces),
        ];
        for (name, x, faces) in cases(shapes) {
            let sources = [x.len() as u32 / 2, 0];
            let (found, _) = run(device, &x, &faces, &sources);
            for (v, (d, exact)) in found.iter().zip(exact(&x, &faces, &sources)).enumerate() {
                let d = f64::from(*d);
                assert!(d == exact || d >= exact * (1.0 - BELOW), "vertex {v} of {name}: {d}, {exact}");
            }
        }
    }
    fn a_vertex_of_very_many_faces(device) {
        // a cone, closed and open: refused beyond 1024 faces, except for exact distances
        for (n, closed) in [(1000, true), (1000, false), (20_000, true)] {
            let at = |i: u32| {
                let angle = std::f64::consts::TAU * f64::from(i) / f64::from(n);
                DVec3::new(angle.cos(), angle.sin(), 0.5).as_vec3()
            };
            let mut x = vec![Vec3::ZERO];
            x.extend((0..n).map(at));
            let faces: Vec<[u32; 3]> =
                (0..n - u32::from(!closed)).map(|i| [0, 1 + i, 1 + (i + 1) % n]).collect();
            if n > 1024 {
                let topology = FlatTopology::new(device, x.len(), &faces).expect("a cone");
                let positions = device.upload(&x).expect("memory");
                let inputs = device.upload(&(0..=n).collect::<Vec<u32>>()).expect("memory");
                let refused = FlatGeodesic::new(&topology, &positions, &inputs).err();
                let is_right = matches!(refused, Some(Error::TooMany { count: 20_000, limit: 1024, .. }));
                assert!(is_right, "{refused:?}");
                let refused = SequentialGeodesic::new(&x, &faces).err();
                assert!(matches!(refused, Some(Error::TooMany { count: 20_000, limit: 1024, .. })));
                assert!(exact(&x, &faces, &[0]).iter().skip(1).all(|d| (d - 1.25f64.sqrt()).abs() < 1e-6));
                continue;
            }
            for source in [0, 1] {
                let model = Model::new(device, &x, &faces);
                for order in orders(device) {
                    let options = GeodesicOptions { order, ..GeodesicOptions::default() };
                    let mut geodesic = Solver::new(&model, &x, &faces, order);
                    let report = geodesic.run(&[source], &options).expect("distances");
                    assert_eq!(report.unreachable, 0);
                    let exact = exact(&x, &faces, &[source]);
                    check_errors("a cone", &geodesic.distances(), &exact, [0.07, 0.2]);
                }
            }
        }
    }
    fn surfaces_with_and_without_patches(device) {
        let shape = shapes::bumpy_sphere(size(4, 3), 2).expect("small");
        let column = |surface: &Surface| {
            let mesh = surface.download().expect("memory");
            mesh.vertices().get::<f32>("distance").expect("distances").to_vec()
        };
        let options = GeodesicOptions::default();
        let mut surface = Surface::new(device, &shape, &MeshOptions::default()).expect("a surface");
        let report = geodesic(&mut surface, &[5, 600], &options).expect("distances");
        assert!(surface.have_patches().is_err() && report.unreachable == 0);
        let flat = column(&surface);
        assert!(flat[5] == 0.0 && flat[600] == 0.0);
        // and the same with patches
        surface.patches().expect("patches");
        geodesic(&mut surface, &[5, 600], &options).expect("distances");
        for (v, (a, b)) in flat.iter().zip(column(&surface)).enumerate() {
            assert!((a - b).abs() <= 1e-5 * b, "vertex {v}: {a}, {b}");
        }
        assert!(geodesic(&mut surface, &[99_999], &options).is_err());
    }
    fn the_same_whatever_was_asked_before(device) {
        // so many faces that they get another order when edges are found
        let shape = shapes::bumpy_sphere(6, 2).expect("small");
        let options = GeodesicOptions { paths: device.kind() == DeviceKind::Cpu, ..GeodesicOptions::default() };
        let found = [false, true].map(|edges| {
            let mut surface = Surface::new(device, &shape, &MeshOptions::default()).expect("a surface");
            if edges {
                surface.flat_topology().expect("edges");
            }
            geodesic(&mut surface, &[5, 600], &options).expect("distances");
            let mesh = surface.download().expect("memory");
            mesh.vertices().get::<f32>("distance").expect("distances").to_vec()
        });
        assert!(found[0] == found[1]);
    }
    fn the_same_every_time(device) {
        let shape = shapes::bumpy_sphere(size(4, 3), 2).expect("small");
        let x = points(&shape);
        let model = Model::new(device, &x, &shape.faces);
        for order in orders(device) {
            let options = GeodesicOptions { order, ..GeodesicOptions::default() };
            let mut geodesic = Solver::new(&model, &x, &shape.faces, order);
            let mut all = vec![];
            for sources in [[5, 600], [600, 5], [3, 3], [5, 600]] {
                let report = geodesic.run(&sources, &options).expect("distances");
                if sources[0] != sources[1] {
                    all.push((geodesic.distances(), report.iterations));
                }
            }
            assert!(all[0] == all[1] && all[1] == all[2], "{order}");
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
        let model = Model::new(device, &x, &shape.faces);
        let run = |sources: &[u32], tolerance| {
            let options = GeodesicOptions { tolerance, ..GeodesicOptions::default() };
            model.solver().run(sources, &options).map(drop)
        };
        assert!(run(&[0], 0.0).is_ok());
        assert!(matches!(run(&[], 0.0), Err(Error::Option { option: "source", .. })));
        assert!(matches!(run(&[0, 42], 0.0), Err(Error::Option { option: "source", .. })));
        for tolerance in [-0.1, 0.2, f32::NAN] {
            assert!(matches!(run(&[0], tolerance), Err(Error::Option { option: "tolerance", .. })));
        }
        let options = |order| GeodesicOptions { order, ..GeodesicOptions::default() };
        let ran = model.solver().run(&[0], &options(Order::Sequence));
        assert!(matches!(ran, Err(Error::Option { option: "order", .. })));
        let mut sequential = SequentialGeodesic::new(&x, &shape.faces).expect("triangles");
        let ran = sequential.run(&[0], &options(Order::Hops));
        assert!(matches!(ran, Err(Error::Option { option: "order", .. })));
        assert!(matches!(sequential.run(&[42], &options(Order::Auto)), Err(Error::Option { option: "source", .. })));
        let wrong = SequentialGeodesic::new(&x, &[[0, 1, 2], [0, 1, 42]]).map(drop);
        assert!(matches!(wrong, Err(Error::IndexOutOfRange { face: 1, vertex: 42, vertices: 42 })));
        let mut surface = Surface::new(device, &shape, &MeshOptions::default()).expect("a surface");
        let ran = geodesic(&mut surface, &[0], &options(Order::Sequence));
        assert_eq!(ran.is_ok(), device.kind() == DeviceKind::Cpu);
        let solver = |positions| FlatGeodesic::new(&model.topology, positions, &model.inputs).map(drop);
        let short = device.upload(&x[1..]).expect("memory");
        assert!(matches!(solver(&short), Err(Error::Length { .. })));
        let elsewhere = Device::cpu_with_threads(1).and_then(|device| device.upload(&x)).expect("memory");
        assert!(matches!(solver(&elsewhere), Err(Error::OtherDevice { .. })));
    }
}

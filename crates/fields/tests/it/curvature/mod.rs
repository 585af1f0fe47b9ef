//! Tests of curvatures against plain loops in `f64`, against known surfaces, and against Gauss and Bonnet.
mod oracle;
use oracle::{Model, gauss_bonnet};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Device, Error};
use ribbonmesh_fields::curvature::{Area, CurvatureReport, FacesWithoutArea, curvatures_of_triangles};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes;
use ribbonmesh_suite::{Random, cases, meshes, size, suite};
use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::PI;

fn random_positions(n: usize, seed: u64) -> Vec<Vec3> {
    let mut random = Random(seed);
    let mut unit = || random.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0;
    (0..n).map(|_| Vec3::new(unit(), unit(), unit())).collect()
}
fn points(shape: &TriangleMesh) -> Vec<Vec3> {
    shape.points()
}
fn sum(values: &[f32]) -> f64 {
    values.iter().map(|v| f64::from(*v)).sum()
}
/// Whether each vertex is at an edge of one face.
fn boundary(vertices: usize, faces: &[[u32; 3]]) -> Vec<bool> {
    let mut edges: BTreeMap<[u32; 2], u32> = BTreeMap::new();
    for f in faces {
        for i in 0..3 {
            let (a, b) = (f[i], f[(i + 1) % 3]);
            *edges.entry([a.min(b), a.max(b)]).or_default() += 1;
        }
    }
    let mut boundary = vec![false; vertices];
    let open = edges.into_iter().filter(|(_, faces)| *faces == 1);
    open.flat_map(|(edge, _)| edge).for_each(|v| boundary[v as usize] = true);
    boundary
}

suite! {
    fn shapes_of_every_kind(device) {
        for (name, shape) in cases(crate::all_shapes()) {
            Model::new(device, name, points(&shape), &shape.faces).check();
        }
    }
    fn meshes_of_every_class(device) {
        for (i, case) in (1..).zip(meshes::all()) {
            Model::new(device, &case.name, random_positions(case.vertices, i), &case.faces).check();
        }
    }
    fn random_soups(device) {
        for seed in cases(0..40) {
            let mut random = Random(seed);
            let case = meshes::soup(1 + random.below(80), random.below(200), seed);
            Model::new(device, &case.name, random_positions(case.vertices, seed), &case.faces).check();
        }
    }
    fn gauss_bonnet_of_everything(device) {
        // faces with a vertex twice do not count
        let whole = |f: &[u32; 3]| f[0] != f[1] && f[1] != f[2] && f[2] != f[0];
        for (i, case) in (1..).zip(meshes::all()) {
            let faces: Vec<_> = case.faces.iter().copied().filter(whole).collect();
            let model = Model::new(device, &case.name, random_positions(case.vertices, i), &case.faces);
            let report = model.report();
            let (total, expected) = (report.total_defect, gauss_bonnet(&faces));
            assert!((total - expected).abs() < 2e-6 * (1.0 + faces.len() as f64), "{}: {total} {expected}", case.name);
            assert!((report.gauss_bonnet() - expected).abs() < 1e-9, "{}: {report:?}", case.name);
            let without = FacesWithoutArea::of(&model.surface()).expect("faces");
            assert_eq!(without.degenerate as usize, case.faces.len() - faces.len(), "{}", case.name);
            assert_eq!(without.count, without.degenerate, "{}", case.name);
        }
    }
    fn gauss_bonnet_with_collapsed_edges(device) {
        // a plate with holes, and a scan of which some edges have no length and some faces no area
        let plate = shapes::grid(40, 3).expect("small");
        let holes: Vec<_> = (0..).zip(&plate.faces).filter(|(f, _)| f / 2 % 7 != 3).map(|(_, f)| *f).collect();
        let scan = shapes::bumpy_sphere(5, 2).expect("small");
        for (name, shape, faces) in [("plate", &plate, &holes), ("scan", &scan, &scan.faces)] {
            let mut x = points(shape);
            let mut random = Random(7);
            let mut face = || faces[random.below(faces.len() as u32) as usize].map(|v| v as usize);
            for _ in 0..60 {
                // an edge, all of a face, a corner to the middle of the side across
                let [a, b, _] = face();
                x[b] = x[a];
                let [a, b, c] = face();
                (x[b], x[c]) = (x[a], x[a]);
                let [a, b, c] = face();
                x[c] = 0.5 * (x[a] + x[b]);
            }
            // so short that squares underflow relative to the others
            let [a, b, _] = face();
            (x[a], x[b]) = (Vec3::ZERO, Vec3::X * 1e-30);
            let area = |f: &[u32; 3]| {
                let [a, b, c] = f.map(|v| x[v as usize].as_dvec3());
                (b - a).cross(c - a).length()
            };
            let flat: Vec<u32> = (0..).zip(faces).filter(|(_, f)| area(f) == 0.0).map(|(i, _)| i).collect();
            assert!(flat.len() > 100, "{name}: {}", flat.len());
            let model = Model::new(device, name, x, faces);
            let (report, expected) = (model.report(), gauss_bonnet(faces));
            assert!((report.gauss_bonnet() - expected).abs() < 1e-9, "{name}: {report:?}");
            assert!((report.total_defect - expected).abs() < 5e-3, "{name}: {expected} {report:?}");
            let without = FacesWithoutArea::of(&model.surface()).expect("faces");
            assert_eq!((without.count as usize, &without.first[..]), (flat.len(), &flat[..8]), "{name}");
        }
    }
    fn total_curvature_of_closed_surfaces(device) {
        for (shape, characteristic) in [
            (shapes::bumpy_sphere(size(6, 4), 1).expect("small"), 2.0),
            (shapes::icosphere(size(6, 4)).expect("small"), 2.0),
            (shapes::torus(size(150, 51), 1).expect("small"), 0.0),
        ] {
            let model = Model::new(device, "closed", points(&shape), &shape.faces);
            for area in Area::ALL {
                let [defect, areas, gaussian, _, geodesic] = model.found(area);
                let total = sum(&defect);
                assert!((total - 2.0 * PI * characteristic).abs() < 5e-4, "{total}");
                let integral: f64 = gaussian.iter().zip(&areas).map(|(k, a)| f64::from(*k) * f64::from(*a)).sum();
                assert!((integral - total).abs() < 1e-2, "{integral} {total}");
                assert!(geodesic.iter().all(|g| *g == 0.0));
            }
        }
    }
    fn total_curvature_with_boundary(device) {
        // a sphere without a cap, a flat grid, a Möbius strip
        let sphere = shapes::icosphere(5).expect("small");
        let open: Vec<_> = sphere.faces.iter().copied()
            .filter(|f| f.iter().all(|&v| sphere.positions[v as usize][2] < 0.4)).collect();
        let grid = shapes::grid(50, 3).expect("small");
        let strip = shapes::mobius(60, 6).expect("small");
        for (x, faces, characteristic) in [
            (points(&sphere), &open, 1.0), (points(&grid), &grid.faces, 1.0), (points(&strip), &strip.faces, 0.0),
        ] {
            let model = Model::new(device, "open", x, faces);
            let boundary = boundary(model.x.len(), faces);
            let report = model.report();
            assert!((report.total_defect - 2.0 * PI * characteristic).abs() < 1e-3, "{report:?}");
            assert!((report.gauss_bonnet() - 2.0 * PI * characteristic).abs() < 1e-12, "{report:?}");
            let used: BTreeSet<u32> = faces.iter().flatten().copied().collect();
            assert_eq!(report.isolated_vertices as usize, model.x.len() - used.len());
            assert_eq!(report.boundary_vertices as usize, boundary.iter().filter(|b| **b).count());
            // ∫K dA over the inner vertices and ∫k ds along the boundary
            let [_, area, gaussian, _, _] = model.found(Area::Mixed);
            let inner: f64 = gaussian.iter().zip(&area).map(|(k, a)| f64::from(*k) * f64::from(*a)).sum();
            let along = report.boundary_defect;
            assert!((inner + along - 2.0 * PI * characteristic).abs() < 2e-3, "{inner} {along}");
            assert!(gaussian.iter().zip(&boundary).all(|(k, b)| !*b || *k == 0.0));
        }
        // a flat grid: all of the defect is on the boundary, and a convex boundary turns one way
        let model = Model::new(device, "flat", points(&grid), &grid.faces);
        let [defect, _, gaussian, mean, geodesic] = model.found(Area::Mixed);
        let corner = geodesic.iter().zip(&defect).map(|(g, d)| if *g > 1.0 { f64::from(*d) } else { 0.0 });
        assert!((corner.sum::<f64>() - 2.0 * PI).abs() < 1e-3);
        assert!(gaussian.iter().all(|k| k.abs() < 0.05) && mean.iter().all(|h| h.abs() < 0.05));
    }
    fn spheres(device) {
        for radius in cases([250.0, 1e-3, 1.0]) {
            let shape = shapes::icosphere(5).expect("small");
            let x: Vec<_> = points(&shape).iter().map(|p| p.normalize() * radius).collect();
            let model = Model::new(device, "sphere", x.clone(), &shape.faces);
            let [_, areas, gaussian, mean, _] = model.found(Area::Mixed);
            assert!((sum(&areas) / (4.0 * PI * f64::from(radius).powi(2)) - 1.0).abs() < 2e-3);
            // near the twelve vertices of valence 5 the cells are not the Voronoi cells of a regular grid
            assert!(gaussian.iter().all(|k| (k * radius * radius - 1.0).abs() < 0.03), "{radius}");
            assert!(mean.iter().all(|h| (h * radius - 1.0).abs() < 0.01), "{radius}");
            let inside_out: Vec<_> = shape.faces.iter().map(|f| [f[0], f[2], f[1]]).collect();
            let [_, _, gaussian, mean, _] = Model::new(device, "inside out", x, &inside_out).found(Area::Mixed);
            assert!(gaussian.iter().all(|k| *k > 0.0) && mean.iter().all(|h| (h * radius + 1.0).abs() < 0.01));
        }
    }
    fn never_a_nan(device) {
        let finite = |name: &str, x: Vec<Vec3>, faces: &[[u32; 3]]| {
            for area in cases(Area::ALL) {
                let found = Model::new(device, name, x.clone(), faces).found(area);
                assert!(found.iter().flatten().all(|v| v.is_finite()), "{name}: {found:?}");
            }
        };
        let shape = shapes::bumpy_sphere(3, 1).expect("small");
        for scale in cases([0.0, 1e-44, 1e-38, 1e-30, 1e-20, 1e10, 1e18, 1e30, 1e38]) {
            finite("sphere of some size", points(&shape).into_iter().map(|p| p * scale).collect(), &shape.faces);
        }
        for flat in cases([1e-6, 1e-3, 1e-12, 0.0]) {
            finite("flat sphere", points(&shape).into_iter().map(|p| p * Vec3::new(1.0, flat, 1.0)).collect(), &shape.faces);
        }
        finite("a point", vec![Vec3::ONE; 4], &[[0, 1, 2], [1, 2, 3]]);
        finite("a line", vec![Vec3::ZERO, Vec3::ONE, Vec3::ONE * 2.0, Vec3::ONE * 5.0], &[[0, 1, 2], [1, 2, 3]]);
        finite("the same vertex twice", random_positions(3, 5), &[[0, 0, 1], [2, 1, 2], [1, 1, 1]]);
        finite("points", random_positions(5, 6), &[]);
        finite("nothing", vec![], &[]);
        finite("no number", vec![Vec3::NAN, Vec3::X, Vec3::Y, Vec3::Z], &[[0, 1, 2], [3, 2, 1]]);
        finite("infinite", vec![Vec3::INFINITY, Vec3::X, Vec3::Y, Vec3::Z], &[[0, 1, 2], [3, 2, 1]]);
        let x = vec![Vec3::ZERO, Vec3::X * 1e-20, Vec3::Y * 1e-20, Vec3::Y, Vec3::Z * 1e13, Vec3::X * 1e-38];
        finite("all sizes at one vertex", x, &[[0, 1, 2], [0, 3, 4], [0, 4, 5], [0, 2, 3]]);
    }
    fn refusals(device) {
        let model = Model::new(device, "grid", random_positions(81, 1), &meshes::grid(9).faces);
        let found = |x| curvatures_of_triangles(&model.topology, x, Area::Mixed).map(drop);
        let short = device.upload(&[Vec3::ZERO; 3]).expect("memory");
        assert!(matches!(found(&short), Err(Error::Length { .. })));
        let elsewhere = Device::cpu_with_threads(1).and_then(|device| device.upload(&[Vec3::ZERO; 81])).expect("memory");
        assert!(matches!(found(&elsewhere), Err(Error::OtherDevice { .. })));
        let small = Model::new(device, "grid", random_positions(9, 1), &meshes::grid(3).faces);
        let report = CurvatureReport::of_triangles(&model.topology, &small.curvatures(Area::Mixed));
        assert!(matches!(report, Err(Error::Length { .. })));
    }
}

#[test]
fn areas_by_name() {
    for area in Area::ALL {
        assert_eq!(area.to_string().to_uppercase().parse::<Area>().expect("its name"), area);
    }
    assert!(matches!("voronoi".parse::<Area>(), Err(Error::Option { option: "area", .. })));
}

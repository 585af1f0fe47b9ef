//! Remeshing by clusters.
use crate::remesh::support::{Figures, off_sphere};
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Device, Error, MeshOptions, Surface};
use ribbonmesh_mesh::{TriangleMesh, shapes};
use ribbonmesh_remeshing::remesh::{ClusterOptions, ClusterReport, Density, Length, remesh_by_clusters};
use ribbonmesh_suite::{
    Checked, cases,
    checked::points,
    forms::{cube, joined, moved},
    suite,
};
use std::collections::BTreeMap;

fn options(vertices: u32) -> ClusterOptions {
    ClusterOptions { density: Density::Vertices(vertices), ..ClusterOptions::default() }
}
/// Remeshes, and checks the result.
fn run(
    device: &Device,
    mesh: &TriangleMesh,
    options: &ClusterOptions,
) -> (TriangleMesh, ClusterReport, Checked) {
    let mut surface = Surface::new(device, mesh, &MeshOptions::default()).expect("a mesh");
    let report = remesh_by_clusters(&mut surface, options).expect("a manifold");
    let result = surface.download().expect("a surface");
    let checked = Checked::new(result.points(), result.faces.clone());
    let sizes = report.after;
    assert_eq!((sizes.vertices as usize, sizes.faces as usize), (result.positions.len(), result.faces.len()));
    assert_eq!(report.asked + report.added, report.after.vertices.max(report.asked));
    (result, report, checked)
}
/// The number of loops of the boundary, each vertex of which has two edges on it.
fn loops(faces: &[[u32; 3]]) -> usize {
    let mut sides: BTreeMap<[u32; 2], u32> = BTreeMap::new();
    for face in faces {
        for i in 0..3 {
            let [a, b] = [face[i], face[(i + 1) % 3]];
            *sides.entry([a.min(b), a.max(b)]).or_default() += 1;
        }
    }
    let mut next: BTreeMap<u32, u32> = BTreeMap::new();
    for face in faces {
        for i in 0..3 {
            let [a, b] = [face[i], face[(i + 1) % 3]];
            if sides[&[a.min(b), a.max(b)]] == 1 {
                assert_eq!(next.insert(a, b), None, "two sides of the boundary begin at vertex {a}");
            }
        }
    }
    let mut count = 0;
    while let Some((&first, _)) = next.iter().next() {
        let mut at = first;
        while let Some(to) = next.remove(&at) {
            at = to;
        }
        count += 1;
    }
    count
}
/// A plate with square holes, `n` × `n` of them, with walls of two faces' width between.
fn perforated(n: u32) -> TriangleMesh {
    let side = 5 * n + 2;
    let mut mesh = shapes::grid(side, 1).expect("small");
    let width = 1.0 / f64::from(side - 1);
    let largest = mesh.positions.iter().fold(0.0_f64, |a, p| a.max(p.x));
    mesh.faces.retain(|face| {
        let sum = face.iter().map(|&v| mesh.positions[v as usize]).fold(DVec3::ZERO, |a, p| a + p);
        let at = sum / (3.0 * largest * width);
        let inside = |t: f64| t % 5.0 > 2.0 && t < f64::from(5 * n);
        !(inside(at.x) && inside(at.y))
    });
    // without the vertices that have lost their faces
    let mut numbers = vec![u32::MAX; mesh.positions.len()];
    let mut positions = vec![];
    for v in mesh.faces.as_flattened_mut() {
        if numbers[*v as usize] == u32::MAX {
            numbers[*v as usize] = positions.len() as u32;
            positions.push(mesh.positions[*v as usize]);
        }
        *v = numbers[*v as usize];
    }
    mesh.positions = positions;
    mesh
}

suite! {
    fn a_sphere(device) {
        let sphere = shapes::icosphere(5).expect("small");
        for n in cases([1000, 200, 12, 4]) {
            let (_, report, after) = run(device, &sphere, &options(n));
            assert_eq!((after.euler, after.components), (2, 1));
            assert!(report.added <= u64::from(n / 100 + 2), "{report:?}");
            if n >= 200 {
                let figures = Figures::of(&after.positions, &after.faces, report.target_length);
                assert!(figures.mean_least_angle > 47.0 && figures.least_angle > 15.0, "{figures:?}");
                assert!(figures.lengths_in_range > 0.85 && figures.valence_6 > 0.6, "{figures:?}");
                // tolerance: the sagitta of an edge
                assert!(off_sphere(&after) < 0.25 * (report.target_length * report.target_length) as f32);
            }
        }
    }
    fn edges_of_a_cube_stay_sharp(device) {
        let (_, report, after) = run(device, &cube(40), &options(600));
        assert_eq!((after.euler, after.components), (2, 1));
        // each of the twelve edges is a chain of vertices on it
        let low = after.positions.iter().fold(Vec3::INFINITY, |a, &p| a.min(p));
        let high = after.positions.iter().fold(Vec3::NEG_INFINITY, |a, &p| a.max(p));
        let tolerance = 0.06 * report.target_length as f32;
        let on = |p: &Vec3| {
            [p.x - low.x, p.y - low.y, p.z - low.z, high.x - p.x, high.y - p.y, high.z - p.z]
                .into_iter()
                .filter(|d| d.abs() < tolerance)
                .count()
        };
        let two = after.positions.iter().filter(|p| on(p) == 2).count() as f64;
        let along = 12.0 * f64::from(high.x - low.x) / report.target_length;
        assert!(two > 0.8 * along, "{two} of {along}");
        assert_eq!(after.positions.iter().filter(|p| on(p) == 3).count(), 8);
        assert!(after.positions.iter().all(|p| on(p) >= 1));
    }
    fn holes_stay(device) {
        let plate = perforated(4);
        assert_eq!(loops(&plate.faces), 17);
        for n in cases([200, 60, 1]) {
            let (result, ..) = run(device, &plate, &options(n));
            assert_eq!(loops(&result.faces), 17, "{n}");
        }
    }
    fn thin_parts_stay(device) {
        // a tube that is thinner than the requested triangles
        let tube = shapes::torus_knot(2, 3, 12, 400).expect("a knot");
        for n in cases([60, 6]) {
            let (_, report, after) = run(device, &tube, &options(n));
            assert_eq!((after.euler, after.components), (0, 1), "{report:?}");
            assert!(report.divisions > 0);
        }
    }
    fn clusters_may_lose_their_vertices(device) {
        // slender triangles, among which some of many clusters vanish
        let mut grid = shapes::grid(60, 1).expect("small");
        for p in &mut grid.positions {
            p.x *= 30.0;
        }
        for n in cases([600, 900, 1200, 1800]) {
            let (result, ..) = run(device, &grid, &options(n));
            assert_eq!(loops(&result.faces), 1, "{n}");
        }
    }
    fn vertices_without_faces(device) {
        let mut sphere = shapes::icosphere(3).expect("small");
        sphere.positions.insert(0, DVec3::splat(2.0));
        sphere.positions.push(DVec3::splat(-3.0));
        sphere.faces.as_flattened_mut().iter_mut().for_each(|v| *v += 1);
        let (result, ..) = run(device, &sphere, &options(50));
        let alone = |p: f64| result.positions.iter().any(|q| q.distance(DVec3::splat(p)) < 1e-6);
        assert!(alone(2.0) && alone(-3.0));
    }
    fn small_components_stay(device) {
        let small = moved(shapes::icosphere(2).expect("small"), 1e-3, [3.0, 0.0, 0.0]);
        let both = joined(&[shapes::icosphere(4).expect("small"), small]);
        let (_, _, after) = run(device, &both, &options(100));
        assert_eq!((after.euler, after.components), (4, 2));
    }
    fn long_edges_are_split(device) {
        let (_, report, after) = run(device, &cube(1), &options(300));
        assert!(report.split > 300, "{report:?}");
        assert_eq!(after.euler, 2);
        let figures = Figures::of(&after.positions, &after.faces, report.target_length);
        assert!(figures.lengths_in_range > 0.8 && figures.mean_least_angle > 44.0, "{figures:?}");
    }
    fn any_order_and_any_machine(device) {
        let shape = shapes::bumpy_sphere(4, 1).expect("small");
        let (one, ..) = run(device, &shape, &options(300));
        let (again, ..) = run(device, &shape, &options(300));
        let (cpu, ..) = run(&Device::cpu(), &shape, &options(300));
        assert_eq!((&one.positions, &one.faces), (&again.positions, &again.faces));
        assert_eq!(one.faces, cpu.faces);
    }
    fn columns_follow(device) {
        let mut sphere = shapes::icosphere(4).expect("small");
        let heights: Vec<f32> = points(&sphere).iter().map(|p| p.y).collect();
        let above: Vec<u32> = sphere.faces.iter().map(|f| (heights[f[0] as usize] > 0.0) as u32).collect();
        sphere.vertices_mut().insert("height", heights).expect("as many");
        sphere.faces_of_mut().insert("above", above).expect("as many");
        let (result, ..) = run(device, &sphere, &options(200));
        let heights = result.vertices().get::<f32>("height").expect("a column").to_vec();
        let worst = result.points().iter().zip(&heights).map(|(p, h)| (p.y - h).abs()).fold(0.0, f32::max);
        assert!(worst < 0.03, "{worst}");
        assert_eq!(result.faces_of().get::<u32>("above").expect("a column").len(), result.faces.len());
    }
    fn refusals(device) {
        let fold = TriangleMesh::from_f32([Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, -Vec3::Z], vec![[0, 1, 2], [1, 0, 3], [0, 1, 4]]);
        let try_it = |mesh: &TriangleMesh, options: &ClusterOptions| {
            let mut surface = Surface::new(device, mesh, &MeshOptions::default()).expect("a mesh");
            remesh_by_clusters(&mut surface, options).map(drop)
        };
        assert!(matches!(try_it(&fold, &options(4)), Err(Error::NotManifold(_))));
        let sphere = shapes::icosphere(1).expect("small");
        assert!(matches!(try_it(&sphere, &options(0)), Err(Error::Option { option: "vertices", .. })));
        let ratio = ClusterOptions { density: Density::Ratio(-1.0), ..ClusterOptions::default() };
        assert!(matches!(try_it(&sphere, &ratio), Err(Error::Option { option: "ratio", .. })));
        let length = |l| ClusterOptions { density: Density::Length(Length::Absolute(l)), ..ClusterOptions::default() };
        assert!(matches!(try_it(&sphere, &length(1e-7)), Err(Error::TooMany { .. } | Error::WouldNotFit { .. })));
        let none = TriangleMesh::from_f32([Vec3::ZERO], vec![]);
        assert!(matches!(try_it(&none, &options(4)), Err(Error::NoFaces { .. })));
        // one cluster at first
        assert!(try_it(&sphere, &length(1e6)).is_ok());
    }
}

//! Flips and remeshing that make no self-intersections, checked by a search of its own.
use crate::remesh::support::Figures;
use ribbonmesh::dynamic::ExecutionMode;
use ribbonmesh::{Device, MeshOptions, Surface};
use ribbonmesh_mesh::{TriangleMesh, shapes};
use ribbonmesh_remeshing::delaunay::{DelaunayOptions, DelaunayReport, Order, delaunay};
use ribbonmesh_remeshing::remesh::{
    ClusterOptions, ClusterReport, Density, Length, RemeshOptions, RemeshReport, remesh, remesh_by_clusters,
};
use ribbonmesh_solid::intersections::{IntersectionOptions, intersections};
use ribbonmesh_suite::{
    Checked,
    forms::{cube, joined, moved, sheet},
    size, suite,
};

fn surface(device: &Device, mesh: &TriangleMesh) -> Surface {
    Surface::new(device, mesh, &MeshOptions::default()).expect("triangles")
}
/// Number of pairs of faces that intersect.
fn pairs(device: &Device, mesh: &TriangleMesh) -> u64 {
    intersections(&mut surface(device, mesh), &IntersectionOptions::default()).expect("finite").report.pairs
}
fn flipped(
    device: &Device,
    shape: &TriangleMesh,
    order: Order,
    no_self_intersections: bool,
) -> (TriangleMesh, DelaunayReport) {
    let mut surface = surface(device, shape);
    let options =
        DelaunayOptions { order, no_self_intersections, validate: true, ..DelaunayOptions::default() };
    let report = delaunay(&mut surface, &options).expect("a manifold");
    (surface.download().expect("memory"), report)
}
fn remeshed(device: &Device, shape: &TriangleMesh, options: &RemeshOptions) -> (TriangleMesh, RemeshReport) {
    let mut surface = surface(device, shape);
    let options = RemeshOptions { validate: true, ..options.clone() };
    let report = remesh(&mut surface, &options).expect("a manifold");
    (surface.download().expect("memory"), report)
}
/// Clusters, one for so many vertices.
fn clustered(
    device: &Device,
    shape: &TriangleMesh,
    each: u32,
    no_self_intersections: bool,
) -> (TriangleMesh, ClusterReport) {
    let mut surface = surface(device, shape);
    let density = Density::Vertices(shape.positions.len() as u32 / each);
    let options = ClusterOptions { density, no_self_intersections, ..ClusterOptions::default() };
    let report = remesh_by_clusters(&mut surface, &options).expect("a manifold");
    (surface.download().expect("memory"), report)
}
/// Edges of this many mean edge lengths of the input.
fn long(edges: f32) -> RemeshOptions {
    RemeshOptions { length: Length::Mean(edges), ..RemeshOptions::default() }
}

/// One sphere closely around another.
fn shells(k: u32) -> TriangleMesh {
    let sphere = shapes::icosphere(k).expect("small");
    joined(&[sphere.clone(), moved(sphere, 0.98, [0.0; 3])])
}
/// Two sheets of waves, one closely above the other, with vertices at different places.
fn waves(n: u32) -> TriangleMesh {
    let wave = |z: f64, by: f64| {
        move |x: f64, y: f64| {
            let (u, v) = (x + by * x * (1.0 - x) * (1.0 - 2.0 * y), y + by * y * (1.0 - y) * (1.0 - 2.0 * x));
            [u, v, 0.1 * (9.0 * u).sin() * (7.0 * v).cos() + z]
        }
    };
    joined(&[sheet(n, wave(0.0, 0.0)), sheet(n, wave(0.01, 0.4))])
}
/// A sheet folded twice, so that three layers lie closely above each other.
fn folded(n: u32) -> TriangleMesh {
    sheet(n, |x, y| {
        let (layer, along) = ((3.0 * x).floor().min(2.0), 3.0 * x);
        let within = along - layer;
        let at = if layer == 1.0 { 1.0 - within } else { within };
        let bend = 0.06 * (9.0 * at).sin() * (8.0 * y).cos();
        [at + 0.002 * y, y, 0.012 * along + bend]
    })
}
/// A bent box with two sides near each other.
fn plate(n: u32) -> TriangleMesh {
    let mut plate = cube(n);
    for p in &mut plate.positions {
        p.z = 0.004 * p.z + 0.1 * (7.0 * p.x).sin() * (5.0 * p.y).cos();
    }
    plate
}
/// Roofs whose ridges are not Delaunay. Under every second ridge is a post, which a flip would hit.
fn roofs(n: u32) -> TriangleMesh {
    let roof = |i: u32| {
        let points = [[-2.0, 0.0, 1.0], [2.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0]];
        let by = [0.0, 3.0 * i as f32, 0.0];
        moved(TriangleMesh::from_f32(points, vec![[0, 1, 2], [1, 0, 3]]), 1.0, by)
    };
    let post = |i: u32| {
        let points = [[0.0, 0.0, 0.5], [0.1, 0.0, -0.5], [-0.1, 0.1, -0.5]];
        moved(TriangleMesh::from_f32(points, vec![[0, 1, 2]]), 1.0, [0.0, 3.0 * i as f32, 0.0])
    };
    joined(&(0..n).map(roof).chain((0..n).step_by(2).map(post)).collect::<Vec<_>>())
}
/// Surfaces that do not intersect themselves, but nearly.
fn near() -> [(&'static str, TriangleMesh); 4] {
    // the sheet is folded along edges
    let (level, n) = (size(3, 2), size(21, 12));
    [("shells", shells(level)), ("waves", waves(21)), ("folded", folded(n)), ("plate", plate(n / 2))]
}

suite! {
    fn flips(device) {
        let shape = roofs(20);
        assert_eq!(pairs(device, &shape), 0);
        for order in [Order::Rounds, Order::Auto] {
            let [(without, free), (with, report)] =
                [false, true].map(|checked| flipped(device, &shape, order, checked));
            let repeats = u32::from(report.order == Order::Rounds);
            assert_eq!((pairs(device, &without), free.flips, free.repeats), (20, 20, 0));
            assert_eq!((pairs(device, &with), report.flips, report.repeats), (0, 10, repeats));
            assert_eq!((report.blocked.intersections, report.non_delaunay_after), (10, 10));
            for (name, shape) in near() {
                assert_eq!(pairs(device, &shape), 0, "{name}");
                let [(without, free), (with, report)] =
                    [false, true].map(|checked| flipped(device, &shape, order, checked));
                assert_eq!(pairs(device, &with), 0, "{name}");
                if pairs(device, &without) == 0 && report.order == Order::Rounds {
                    assert_eq!((report.flips, report.repeats), (free.flips, 0), "{name}");
                    assert_eq!(without.faces, with.faces, "{name}");
                }
            }
        }
    }
    fn remeshing(device) {
        for (name, shape) in near() {
            assert_eq!(pairs(device, &shape), 0, "{name}");
            for (edges, project) in [(1.0, false), (1.5, true)] {
                let free = RemeshOptions { project, ..long(edges) };
                let checked = RemeshOptions { no_self_intersections: true, ..free.clone() };
                let [(without, _), (with, report)] =
                    [&free, &checked].map(|options| remeshed(device, &shape, options));
                assert_eq!(pairs(device, &with), 0, "{name}");
                if pairs(device, &without) > 0 {
                    assert!(report.refused() + report.held > 0 && report.repeats > 0, "{name}");
                } else {
                    // nothing is held up
                    let difference = without.faces.len().abs_diff(with.faces.len());
                    assert!(20 * difference < without.faces.len(), "{name}: {difference}");
                }
            }
        }
    }
    fn as_good_where_nothing_is_near(device) {
        let shape = shapes::bumpy_sphere(size(4, 2), 3).expect("small");
        let [free, checked] = [false, true].map(|no_self_intersections| {
            let options = RemeshOptions { no_self_intersections, ..long(2.0) };
            let (mesh, report) = remeshed(device, &shape, &options);
            assert_eq!((report.repeats, report.held, report.refused()), (0, 0, 0));
            assert_eq!(pairs(device, &mesh), 0);
            Figures::of(&mesh.points(), &mesh.faces, report.target_length)
        });
        assert!((free.mean_length - checked.mean_length).abs() < 0.03, "{free:?}, {checked:?}");
        assert!(checked.mean_least_angle > free.mean_least_angle - 1.0, "{free:?}, {checked:?}");
        assert!(checked.lengths_in_range > free.lengths_in_range - 0.03, "{free:?}, {checked:?}");
    }
    fn those_of_the_input_do_not_hinder(device) {
        let sphere = shapes::icosphere(size(4, 3)).expect("small");
        let shape = joined(&[sphere.clone(), moved(sphere, 1.0, [0.9, 0.1, 0.2])]);
        let before = pairs(device, &shape);
        let options = RemeshOptions { no_self_intersections: true, ..long(1.5) };
        let (mesh, report) = remeshed(device, &shape, &options);
        let after = pairs(device, &mesh);
        assert!(before > 0 && after <= before, "{before}, then {after}");
        assert!(2 * report.after.faces < 3 * report.before.faces / 2, "{:?}", report.after);
    }
    fn clusters(device) {
        let mut parted = 0;
        for (name, shape) in near() {
            for each in [4, 20] {
                let (without, free) = clustered(device, &shape, each, false);
                let (with, report) = clustered(device, &shape, each, true);
                assert_eq!((pairs(device, &with), report.kept_pairs), (0, 0), "{name}, {each}");
                assert_eq!((free.parted, free.repeats, free.held), (0, 0, 0));
                let euler = |mesh: &TriangleMesh| Checked::new(mesh.points(), mesh.faces.clone()).euler;
                assert_eq!(euler(&with), euler(&shape), "{name}, {each}");
                if pairs(device, &without) > 0 {
                    assert!(report.parted > 0 || report.held > 0 || report.repeats > 0, "{name}, {each}");
                }
                if report.parted == 0 {
                    assert_eq!(report.added, free.added, "{name}, {each}");
                }
                parted += report.parted;
            }
        }
        assert!(parted > 0);
    }
    fn clusters_where_nothing_is_near(device) {
        let shape = shapes::bumpy_sphere(size(5, 3), 3).expect("small");
        let [(free, _), (apart, report)] = [false, true].map(|apart| clustered(device, &shape, 8, apart));
        if pairs(device, &free) == 0 {
            assert_eq!((report.parted, report.repeats, report.held), (0, 0, 0));
            assert_eq!((free.points(), free.faces), (apart.points(), apart.faces));
        } else {
            assert_eq!(pairs(device, &apart), 0);
        }
    }
    fn clusters_of_what_intersects(device) {
        let sphere = shapes::icosphere(size(4, 3)).expect("small");
        let shape = joined(&[sphere.clone(), moved(sphere, 1.0, [0.9, 0.1, 0.2])]);
        let before = pairs(device, &shape);
        let (mesh, report) = clustered(device, &shape, 8, true);
        let after = pairs(device, &mesh);
        assert!(before > 0 && after > 0 && after <= before, "{before}, then {after}");
        assert_eq!(report.kept_pairs, after);
        assert!(report.after.faces < report.before.faces / 2, "{report:?}");
    }
    fn the_same_in_every_mode(device) {
        let shape = waves(12);
        let of = |mode| {
            let options = RemeshOptions { no_self_intersections: true, mode, ..long(1.5) };
            let (mesh, _) = remeshed(device, &shape, &options);
            (mesh.points(), mesh.faces)
        };
        let first = of(ExecutionMode::Automatic);
        assert_eq!(of(ExecutionMode::PerPhase), first);
        assert_eq!(of(ExecutionMode::Persistent), first);
    }
}

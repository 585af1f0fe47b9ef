//! Geodesic distances.
use crate::model::{Model, each, random_positions};
use ribbonmesh::device::NONE;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Device, Error, MeshOptions, StaticMesh, Vertex};
use ribbonmesh_dynamic::{Carried, PatchAttribute, PatchStore, StoreError, StoreOptions};
use ribbonmesh_fields::geodesic::{FlatGeodesic, GeodesicOptions, Order};
use ribbonmesh_mesh::shapes;
use ribbonmesh_patches::{Geodesic, StoreGeodesic, geodesic_floor_bytes};
use ribbonmesh_suite::{meshes, size, suite};

fn check(model: &Model) {
    if model.x.is_empty() {
        return;
    }
    let device = model.mesh.device();
    let sources = [model.x.len() as u32 / 2, 0];
    let mut geodesic = Geodesic::new(&model.mesh, &model.positions).expect("a ring");
    let inputs = device.upload(&(0..model.x.len() as u32).collect::<Vec<_>>()).expect("memory");
    let mut flat = FlatGeodesic::new(&model.topology, &model.by_input, &inputs).expect("a ring");
    let report = geodesic.run(&sources, &GeodesicOptions::default()).expect("distances");
    let other = flat.run(&sources, &GeodesicOptions::default()).expect("distances");
    assert_eq!((report.levels, report.reached), (other.levels, other.reached), "{}", model.name);
    assert_eq!(geodesic.hops().expect("levels"), flat.hops().expect("levels"), "{}", model.name);
    let found = geodesic.distances().and_then(|d| d.download()).expect("distances");
    let expected = flat.distances().and_then(|d| d.read()).expect("distances");
    // where orientations differ, or positions are random, ways of nearly equal length are told apart by
    // rounding: distances of a soup differ by a tenth on a GPU
    let is_smooth = ["sphere", "torus knot"].iter().any(|name| model.name.contains(name));
    let tolerance = if is_smooth { 1e-4 } else { 0.2 };
    for (v, (a, b)) in found.iter().zip(&expected).enumerate() {
        assert!(a == b || (a - b).abs() <= tolerance * b, "vertex {v} of {}: {a}, {b}", model.name);
    }
}

/// Distances on a store, and on static patches of the same triangles: in the order of the store.
fn beside(store: &PatchStore, x: &PatchAttribute<Vertex, Vec3>, source: u32) -> [Vec<f32>; 2] {
    let (faces, points) = (store.triangles().expect("faces"), x.values(store).expect("positions"));
    // how long paths are made shorter depends on the number of places
    let options = GeodesicOptions { paths: false, ..GeodesicOptions::default() };
    let mut geodesic = StoreGeodesic::new(store, x).expect("a ring");
    let found = geodesic.run(&[source], &options).expect("distances");
    let distances = geodesic.distances().and_then(|d| d.values(store)).expect("distances");
    assert!(geodesic.bytes() > 0);
    let mesh =
        StaticMesh::new(store.device(), points.len(), &faces, &MeshOptions::default()).expect("a mesh");
    let y = Attribute::from_input(&mesh, &points).expect("positions");
    let inputs = store.inputs::<Vertex>().expect("inputs").into_iter();
    let source = inputs.filter(|&input| input != NONE).position(|input| input == source).expect("the source");
    let mut flat = Geodesic::new(&mesh, &y).expect("a ring");
    let expected = flat.run(&[source as u32], &options).expect("distances");
    assert_eq!((found.levels, found.reached), (expected.levels, expected.reached));
    [distances, flat.distances().and_then(|d| d.download()).expect("distances")]
}

suite! {
    /// A store before it changes, after flips, and laid out without room.
    fn on_a_store_that_changes(device) {
        let mut shape = shapes::bumpy_sphere(size(5, 4), 1).expect("small");
        shapes::shuffle(&mut shape, 1);
        let patches = MeshOptions { patch_size: 64, ..MeshOptions::default() };
        let (vertices, points) = (shape.positions.len(), shape.points());
        let options = StoreOptions::default();
        let store = PatchStore::new(device, vertices, &shape.faces, &patches, &options);
        let mut store = store.expect("a store");
        let mut x = PatchAttribute::from_input(&store, &points).expect("positions");
        for step in 0..3 {
            match step {
                1 => assert!(store.flip_delaunay(&mut x).expect("room").filled > 0),
                2 => store.compact(&mut x, &mut Carried::none(), &StoreOptions::still()).expect("memory"),
                _ => (),
            }
            let [found, expected] = beside(&store, &x, 7);
            assert_eq!(found.len(), vertices);
            for (v, (a, b)) in found.iter().zip(&expected).enumerate() {
                assert!((a - b).abs() <= 1e-5 * b, "step {step}, vertex {v}: {a}, {b}");
            }
        }
    }
    /// Boundaries, edges of three faces, faces of either side up: vertices without a walk around them.
    fn on_a_store_of_any_triangles(device) {
        let cases = [meshes::grid(9), meshes::book(30), meshes::mobius(30), meshes::soup(60, 100, 9)];
        for case in cases {
            let x = random_positions(case.vertices, 1);
            let patches = MeshOptions { patch_size: 32, ..MeshOptions::default() };
            let store =
                PatchStore::new(device, case.vertices, &case.faces, &patches, &StoreOptions::default())
                    .expect("a store");
            let x = PatchAttribute::from_input(&store, &x).expect("positions");
            let [found, expected] = beside(&store, &x, 0);
            for (v, (a, b)) in found.iter().zip(&expected).enumerate() {
                // ways of nearly equal length are told apart by rounding
                assert!(a == b || (a - b).abs() <= 0.2 * b, "vertex {v} of {}: {a}, {b}", case.name);
            }
            let mut geodesic = StoreGeodesic::new(&store, &x).expect("a ring");
            let beyond = geodesic.run(&[case.vertices as u32], &GeodesicOptions::default());
            assert!(matches!(beyond, Err(StoreError::Library(Error::Option { .. }))), "{beyond:?}");
        }
    }
    fn as_without_patches(device) {
        each(device, check);
    }
    fn the_same_every_time_and_for_any_patches(device) {
        let shape = shapes::bumpy_sphere(size(4, 3), 2).expect("small");
        for order in Order::PARALLEL {
            let options = GeodesicOptions { order, ..GeodesicOptions::default() };
            let mut all = vec![];
            for patch_size in [64, 768] {
                let model = Model::new(device, "sphere", shape.points(), &shape.faces, patch_size);
                let mut geodesic = Geodesic::new(&model.mesh, &model.positions).expect("a ring");
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
    fn refused(device) {
        let model = || Model::new(device, "grid", random_positions(81, 1), &meshes::grid(9).faces, 64);
        let (a, b) = (model(), model());
        assert!(matches!(Geodesic::new(&b.mesh, &a.positions), Err(Error::OtherMesh { .. })));
        let copy = |device: Device| -> ribbonmesh::Result<StaticMesh> { a.mesh.to_device(&device) };
        let elsewhere = Device::cpu_with_threads(1).and_then(copy).expect("a copy");
        assert!(matches!(Geodesic::new(&elsewhere, &a.positions), Err(Error::OtherDevice { .. })));
        assert!(geodesic_floor_bytes(&a.mesh)[0] > 0);
    }
}

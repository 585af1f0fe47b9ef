//! Geodesic distances.
use crate::model::{Model, each, random_positions};
use ribbonmesh::{Device, Error, StaticMesh};
use ribbonmesh_fields::geodesic::{FlatGeodesic, GeodesicOptions, Order};
use ribbonmesh_mesh::shapes;
use ribbonmesh_patches::{Geodesic, geodesic_floor_bytes};
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

suite! {
    fn as_without_patches(device) {
        each(device, check);
    }
    fn the_same_every_time_and_for_any_patches(device) {
        let shape = shapes::bumpy_sphere(size(4, 3), 2).expect("small");
        for order in Order::ALL {
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

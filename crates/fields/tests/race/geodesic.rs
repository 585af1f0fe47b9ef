//! Test that the kernels have no race in shared memory, and that leaving out any barrier makes one. With
//! `--features race-check`, on the CPU.
use ribbonmesh::device::race::needed_barriers;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Device, FlatTopology};
use ribbonmesh_fields::geodesic::{FlatGeodesic, GeodesicOptions, Order};
use ribbonmesh_suite::meshes;

type Work<'a> = (String, Box<dyn FnMut() -> ribbonmesh::Result<()> + 'a>);

pub fn no_race() {
    let device = Device::cpu_with_threads(1).expect("a thread");
    let mut degenerate = meshes::grid(12);
    degenerate.faces.extend([[3, 3, 9], [5, 6, 6]]);
    for case in [meshes::torus(14), meshes::grid(24), meshes::book(40), degenerate] {
        let topology = FlatTopology::new(&device, case.vertices, &case.faces).expect("triangles");
        let x: Vec<Vec3> =
            (0..case.vertices).map(|i| Vec3::new(i as f32, (i % 7) as f32, (i * i % 5) as f32)).collect();
        let positions = device.upload(&x).expect("memory");
        let inputs = device.upload(&(0..case.vertices as u32).collect::<Vec<_>>()).expect("memory");
        // enough sources that several blocks share a list
        let sources: Vec<u32> = (0..case.vertices as u32).step_by(2).collect();
        let mut works: Vec<Work<'_>> = vec![];
        for order in Order::PARALLEL {
            let options = GeodesicOptions { order, ..GeodesicOptions::default() };
            let mut geodesic = FlatGeodesic::new(&topology, &positions, &inputs).expect("a ring");
            let sources = &sources;
            let run = move || geodesic.run(sources, &options).map(drop);
            works.push((format!("by {order}"), Box::new(run)));
        }
        for (name, work) in works {
            let needed = needed_barriers(format!("{name} of {}", case.name), work);
            assert!(!needed.is_empty() && !needed.contains(&false), "{name} of {}: {needed:?}", case.name);
        }
    }
}

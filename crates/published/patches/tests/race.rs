//! Races in shared memory: none in the kernels as written, and one for each barrier that is left out. With
//! `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::device::race::needed_barriers;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Device, MeshOptions, StaticMesh, Vertex};
use ribbonmesh_fields::curvature::Area;
use ribbonmesh_fields::normals::Weight;
use ribbonmesh_patches::{curvatures_of, normals_of, ring_of};
use ribbonmesh_suite::meshes;

type Work<'a> = (String, Box<dyn Fn() -> ribbonmesh::Result<()> + 'a>);

fn works<'a>(mesh: &'a StaticMesh, x: &'a Attribute<Vertex, Vec3>) -> Vec<Work<'a>> {
    let mut works: Vec<Work<'a>> = vec![("a ring".into(), Box::new(move || ring_of(mesh).map(drop)))];
    for weight in Weight::ALL {
        works.push((format!("normals by {weight}"), Box::new(move || normals_of(mesh, x, weight).map(drop))));
    }
    for area in Area::ALL {
        works.push((format!("{area} curvature"), Box::new(move || curvatures_of(mesh, x, area).map(drop))));
    }
    works
}

/// One test: the checker's state is the process's.
#[test]
fn no_race_and_every_barrier_matters() {
    let device = Device::cpu_with_threads(1).expect("a thread");
    let mut degenerate = meshes::grid(12);
    degenerate.faces.extend([[3, 3, 9], [5, 6, 6]]);
    for case in [meshes::torus(14), meshes::grid(14), meshes::book(40), degenerate] {
        let options = MeshOptions { patch_size: 64, ..MeshOptions::default() };
        let mesh = StaticMesh::new(&device, case.vertices, &case.faces, &options).expect("a mesh");
        let x: Vec<Vec3> =
            (0..case.vertices).map(|i| Vec3::new(i as f32, (i % 7) as f32, (i * i % 5) as f32)).collect();
        let x = Attribute::from_input(&mesh, &x).expect("positions");
        for (name, work) in works(&mesh, &x) {
            let mut needed = needed_barriers(format!("{name} of {}", case.name), work);
            if name == "a ring" {
                // the last barrier of a ring ends a query; only the threads that wrote its rows read them
                needed.pop();
            }
            assert!(!needed.is_empty() && !needed.contains(&false), "{name} of {}: {needed:?}", case.name);
        }
    }
}

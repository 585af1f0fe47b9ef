//! Races in shared memory: none in the kernels as written, and one for each barrier that is left out. With
//! `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
mod oracle;
use oracle::Model;
use ribbonmesh::Device;
use ribbonmesh::device::race::assert_each_barrier_needed;
use ribbonmesh::glam::Vec3;
use ribbonmesh_curvature::{Area, curvatures_of};
use ribbonmesh_suite::meshes;

/// One test: the checker's state is the process's.
#[test]
fn no_race_and_every_barrier_matters() {
    let device = Device::cpu();
    let mut degenerate = meshes::grid(12);
    degenerate.faces.extend([[3, 3, 9], [5, 6, 6]]);
    for case in [meshes::torus(14), meshes::grid(14), meshes::book(40), degenerate] {
        let x = (0..case.vertices).map(|i| Vec3::new(i as f32, (i % 7) as f32, (i * i % 5) as f32)).collect();
        let model = Model::new(&device, &case.name, x, &case.faces, 64);
        for area in Area::ALL {
            let work = || curvatures_of(&model.mesh, &model.positions, area).map(drop);
            assert_each_barrier_needed(format!("{area} of {}", model.name), work);
        }
    }
}

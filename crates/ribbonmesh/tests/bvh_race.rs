//! Races in shared memory: none in the kernels as written, and one for each barrier that is left out. With
//! `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::Device;
use ribbonmesh::bvh::{DistanceOptions, SampledSurface, distance};
use ribbonmesh::device::race::assert_each_barrier_needed;
use ribbonmesh::glam::Vec3;
use ribbonmesh_mesh::shapes;

/// One test: the checker's state is the process's.
#[test]
fn no_race_and_every_barrier_matters() {
    let device = Device::cpu();
    let shape = shapes::torus(40, 1).expect("small");
    let x: Vec<Vec3> = shape.points();
    let options = DistanceOptions { samples: 300, seed: 1 };
    let work = || {
        let surface = SampledSurface::new(&device, &x, &shape.faces)?;
        distance(&surface, &surface, &options).map(drop)
    };
    assert_each_barrier_needed("distances", work);
}

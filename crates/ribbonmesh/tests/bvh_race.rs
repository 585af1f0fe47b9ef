//! Races in shared memory: none in the kernels as written, and one for each barrier that is left out. With
//! `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::Device;
use ribbonmesh::bvh::{DistanceOptions, SampledSurface, distance};
use ribbonmesh::device::race::{leave_out, take_report};
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
    take_report();
    work().expect("distances");
    let report = take_report();
    assert_eq!(report.races, 0, "{:?}", report.first);
    assert!(report.barriers > 0);
    for barrier in 0..report.barriers {
        leave_out(Some(barrier));
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        leave_out(None);
        assert!(result.is_ok());
        assert!(take_report().races > 0, "barrier {barrier}");
    }
}

//! Test that the kernels have no race in shared memory, and that leaving out any barrier makes one. With
//! `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
#[path = "../../../ribbonmesh/tests/common/mod.rs"]
mod common;
mod oracle;
use common::meshes;
use oracle::Model;
use ribbonmesh::device::race::{leave_out, take_report};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Device};
use ribbonmesh_denoise::{DenoiseOptions, Denoiser, Method};

/// One test only: the state of the checker belongs to the process.
#[test]
fn no_race_and_every_barrier_matters() {
    let device = Device::cpu_with_threads(1).expect("a thread");
    // whether at least one mesh needs the barrier: a patch of few vertices, or one that has all of a mesh,
    // does not need each of them
    let mut matters = vec![];
    let cases =
        [meshes::torus(14), meshes::grid(40), meshes::book(40), meshes::icosphere(3)].map(|case| (case, 400));
    // blocks with several patches
    for (case, patch_size) in cases.into_iter().chain([(meshes::grid(40), 100)]) {
        let x = (0..case.vertices).map(|i| Vec3::new(i as f32, (i % 7) as f32, (i * i % 5) as f32)).collect();
        let model = Model::new(&device, &case.name, x, &case.faces, patch_size);
        let options =
            DenoiseOptions { method: Method::Bilateral, iterations: Some(1), ..DenoiseOptions::default() };
        let work = || {
            let mut to = Attribute::zeros(&model.mesh)?;
            Denoiser::new(&model.mesh, &options)?.denoise(&model.positions, &mut to).map(drop)
        };
        take_report();
        work().expect("denoised");
        let report = take_report();
        assert_eq!(report.races, 0, "{}: {:?}", model.name, report.first);
        assert!(report.barriers > 0);
        matters.resize(matters.len().max(report.barriers as usize), false);
        for barrier in 0..report.barriers {
            leave_out(Some(barrier));
            let result = work();
            leave_out(None);
            let races = take_report().races;
            matters[barrier as usize] |= result.is_err() || races > 0;
        }
    }
    let idle: Vec<_> = matters.iter().enumerate().filter(|(_, m)| !**m).map(|(b, _)| b).collect();
    assert!(idle.is_empty(), "barriers {idle:?} are of no use");
}

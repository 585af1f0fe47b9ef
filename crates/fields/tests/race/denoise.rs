//! Test that the kernels have no race in shared memory, and that leaving out any barrier makes one. With
//! `--features race-check`, on the CPU.
// The tests of results have the model, in another program.
#[expect(dead_code, reason = "the model is enough")]
#[path = "../it/denoise/oracle.rs"]
mod oracle;
use oracle::Model;
use ribbonmesh::device::race::needed_barriers;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Device};
use ribbonmesh_fields::denoise::{DenoiseOptions, Denoiser, Method};
use ribbonmesh_suite::meshes;

pub fn no_race() {
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
        let needed = needed_barriers(&model.name, work);
        assert!(!needed.is_empty());
        matters.resize(matters.len().max(needed.len()), false);
        matters.iter_mut().zip(needed).for_each(|(matters, needed)| *matters |= needed);
    }
    let idle: Vec<_> = matters.iter().enumerate().filter(|(_, m)| !**m).map(|(b, _)| b).collect();
    assert!(idle.is_empty(), "barriers {idle:?} are of no use");
}

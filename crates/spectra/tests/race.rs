//! Races in shared memory: none. With `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::device::race::assert_none;
use ribbonmesh::mesh::shapes;
use ribbonmesh::{Device, MeshOptions, Surface};
use ribbonmesh_spectra::{SpectrumOptions, spectrum};

/// One test: the checker's state is the process's.
#[test]
fn no_race() {
    let shape = shapes::torus(20, 1).expect("small");
    let surface = Surface::new(&Device::cpu(), &shape, &MeshOptions::default()).expect("a surface");
    assert_none("a spectrum", || {
        let options = SpectrumOptions { count: 5, ..SpectrumOptions::default() };
        let found = spectrum(&surface, &options).expect("a spectrum");
        assert_eq!(found.report().converged, 5);
    });
}

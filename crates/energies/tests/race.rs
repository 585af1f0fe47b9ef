//! Races in shared memory: none, since kernels have a thread for each number. With `--features race-check`,
//! on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::Device;
use ribbonmesh::device::race::assert_none;
use ribbonmesh_energies::{Elements, NewtonOptions, Potential, SpringsArguments, newton};

/// One test: the checker's state is the process's.
#[test]
fn no_race() {
    let device = Device::cpu();
    assert_none("springs", || {
        let elements = Elements::new(&device, 3, &[[0, 1], [1, 2]]).expect("elements");
        let rest = device.upload(&[1.0, 1.0]).expect("memory");
        let springs = SpringsArguments { stiffness: 10.0, rest: rest.view() };
        let mut potential = Potential::new(&elements, springs).expect("a potential");
        let fixed = device.upload(&[7, 0, 7]).expect("memory");
        let mut x = device.upload(&[0.0, 0.0, 0.0, 1.2, 0.1, 0.0, 3.0, 0.0, 0.0]).expect("memory");
        let report = newton(&mut potential, &fixed, &mut x, &NewtonOptions::default()).expect("a minimum");
        assert!(report.converged, "{report:?}");
    });
}

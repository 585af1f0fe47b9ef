//! Test that the kernels have no race in shared memory, and that leaving out any barrier makes one. With
//! `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
#[path = "../../../ribbonmesh/tests/common/mod.rs"]
mod common;
mod oracle;
use common::meshes;
use oracle::Model;
use ribbonmesh::Device;
use ribbonmesh::device::race::{leave_out, take_report};
use ribbonmesh::glam::Vec3;
use ribbonmesh_smooth::{Boundary, Mass, Preconditioner, SmoothOptions, Smoother, Solver, Weights};

/// One test only: the state of the checker belongs to the process.
#[test]
fn no_race_and_every_barrier_matters() {
    let device = Device::cpu();
    let mut degenerate = meshes::grid(12);
    degenerate.faces.extend([[3, 3, 9], [5, 6, 6]]);
    for case in [meshes::torus(14), meshes::grid(14), meshes::book(40), degenerate] {
        let x = (0..case.vertices).map(|i| Vec3::new(i as f32, (i % 7) as f32, (i * i % 5) as f32)).collect();
        let model = Model::new(&device, &case.name, x, &case.faces, 64);
        for weights in [Weights::Cotangent, Weights::Uniform] {
            for solver in [Solver::MatrixFree, Solver::Assembled] {
                for (preconditioner, boundary) in
                    [(Preconditioner::None, Boundary::Free), (Preconditioner::Jacobi, Boundary::Fixed)]
                {
                    let options = SmoothOptions {
                        weights,
                        solver,
                        preconditioner,
                        boundary,
                        mass: if solver == Solver::Assembled { Mass::Mixed } else { Mass::Unit },
                        max_iterations: 3,
                        ..SmoothOptions::default()
                    };
                    let name = format!("{weights} {solver} {preconditioner} of {}", model.name);
                    take_report();
                    Smoother::new(&model.mesh, &options)
                        .and_then(|mut s| s.smooth(&mut model.positions()))
                        .expect("smooth");
                    let report = take_report();
                    assert_eq!(report.races, 0, "{name}: {:?}", report.first);
                    every_barrier(&model, &options, &name);
                }
            }
        }
    }
}

/// Leaves out each barrier of the kernels of a step in turn; the neighbours are stored already.
fn every_barrier(model: &Model, options: &SmoothOptions, name: &str) {
    let x = model.positions();
    let mut smoother = Smoother::new(&model.mesh, options).expect("memory");
    let mut step = || smoother.begin(&x).and_then(|()| smoother.iterate(&x));
    take_report();
    step().expect("a step");
    let report = take_report();
    assert!(report.barriers > 0);
    for barrier in 0..report.barriers {
        leave_out(Some(barrier));
        let result = step();
        leave_out(None);
        assert!(result.is_ok());
        assert!(take_report().races > 0, "{name}: barrier {barrier}");
    }
}

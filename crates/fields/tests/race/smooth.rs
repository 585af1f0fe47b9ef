//! Test that the kernels have no race in shared memory, and that leaving out any barrier makes one. With
//! `--features race-check`, on the CPU.
// The tests of results have the model, in another program.
#[path = "../it/smooth/oracle/mod.rs"]
mod oracle;
use oracle::Model;
use ribbonmesh::Device;
use ribbonmesh::device::race::{assert_each_barrier_needed, assert_none};
use ribbonmesh::glam::Vec3;
use ribbonmesh_fields::smooth::{Boundary, Mass, Preconditioner, SmoothOptions, Smoother, Solver, Weights};
use ribbonmesh_suite::meshes;

pub fn no_race() {
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
                    assert_none(&name, || {
                        let mut smoother = Smoother::new(&model.mesh, &options).expect("memory");
                        smoother.smooth(&mut model.positions()).expect("smooth");
                    });
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
    assert_each_barrier_needed(name, || smoother.begin(&x).and_then(|()| smoother.iterate(&x)));
}

//! Times of one iteration of conjugate gradients in smoothing.
use crate::rxmesh;
use crate::subject::Subject;
use crate::timed::{Clock, Origin, Timed};
use anyhow::{Result, ensure};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, FlatTopology, Op, StaticMesh, Vertex};
use ribbonmesh_fields::smooth::{
    DividedStep, Mass, Preconditioner, SmoothOptions, Smoother, Solver, TimeStep, Weights,
};
use std::cell::{Cell, RefCell};

/// Iterations that are timed, and the peer's time.
type Case = (&'static str, SmoothOptions, fn(usize) -> Option<f64>);

fn cases() -> Vec<Case> {
    // so long a step that no repetition reaches its end
    let uniform = SmoothOptions {
        weights: Weights::Uniform,
        mass: Mass::Unit,
        time_step: TimeStep::Absolute(1e4),
        solver: Solver::MatrixFree,
        preconditioner: Preconditioner::None,
        tolerance: 0.0,
        ..SmoothOptions::default()
    };
    let cotangent = SmoothOptions {
        weights: Weights::Cotangent,
        mass: Mass::Barycentric,
        time_step: TimeStep::Edges(1e4),
        ..uniform.clone()
    };
    let assembled = |options: &SmoothOptions| SmoothOptions { solver: Solver::Assembled, ..options.clone() };
    let jacobi = |options: SmoothOptions| SmoothOptions { preconditioner: Preconditioner::Jacobi, ..options };
    vec![
        ("iteration, uniform weights, matrix-free", uniform.clone(), rxmesh::smooth_uniform_ms),
        ("iteration, uniform weights, assembled", assembled(&uniform), rxmesh::smooth_assembled_ms),
        ("iteration, cotangents, matrix-free", cotangent.clone(), rxmesh::smooth_cotangent_ms),
        ("iteration, cotangents, assembled", assembled(&cotangent), |_| None),
        ("iteration, cotangents, matrix-free, Jacobi", jacobi(cotangent.clone()), |_| None),
        ("iteration, cotangents, assembled, Jacobi", jacobi(assembled(&cotangent)), |_| None),
    ]
}

/// Times an iteration in each way; `mesh` is of `subject`.
pub fn measure(mesh: &StaticMesh, subject: &Subject, from: Origin, clock: Clock) -> Result<Vec<Timed>> {
    let positions: Vec<Vec3> = subject.points();
    let positions = Attribute::<Vertex, Vec3>::from_input(mesh, &positions)?;
    let mut times = Vec::new();
    for (name, options, peer) in cases() {
        let smoother = RefCell::new(Smoother::new(mesh, &options)?);
        smoother.borrow_mut().begin(&positions)?;
        let (floor, launched) = (smoother.borrow().floor_bytes(), Cell::new(0));
        times.push(clock.time(mesh, from, name.to_owned(), floor, peer(mesh.faces()), || {
            launched.set(launched.get() + 1);
            smoother.borrow_mut().iterate(&positions)
        })?);
        let done = smoother.borrow().progress()?.iterations;
        ensure!(done == launched.get(), "{name}: {done} of {} iterations did something", launched.get());
    }
    times.push(with_domains(mesh, &positions, from, clock)?);
    Ok(times)
}
/// Times an iteration with domains, in flat arrays.
fn with_domains(
    mesh: &StaticMesh,
    positions: &Attribute<Vertex, Vec3>,
    from: Origin,
    clock: Clock,
) -> Result<Timed> {
    let faces = mesh.query(Op::FV)?.values().read()?;
    let topology = FlatTopology::new(mesh.device(), mesh.vertices(), faces.as_chunks::<3>().0)?;
    let options = SmoothOptions {
        time_step: TimeStep::Absolute(1e4),
        solver: Solver::Assembled,
        preconditioner: Preconditioner::Schwarz,
        tolerance: 0.0,
        ..SmoothOptions::default()
    };
    let step = RefCell::new(DividedStep::new(&topology, positions.buffer(), 1.0, &options)?);
    let (floor, launched) = (step.borrow().floor_bytes(), Cell::new(0));
    let name = "iteration, cotangents, assembled, domains";
    let timed = clock.time(mesh, from, name.to_owned(), floor, None, || {
        launched.set(launched.get() + 1);
        step.borrow_mut().iterate()
    })?;
    let done = step.borrow().progress()?.iterations;
    ensure!(done == launched.get(), "{name}: {done} of {} iterations did something", launched.get());
    Ok(timed)
}

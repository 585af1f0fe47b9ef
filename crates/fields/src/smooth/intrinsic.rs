//! Steps on an intrinsic Delaunay triangulation.
use crate::smooth::options::{Mass, Solver};
use crate::smooth::wide::{NarrowPositions, WidenPositions};
use crate::smooth::{SmoothOptions, StepReport};
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Buffer, FlatTopology, Result};
use ribbonmesh_heat::{Chosen, Diffusion};
use ribbonmesh_intrinsic::{Calculus, LaplacianOptions, Mass as Masses, Triangulation};
use ribbonmesh_linear::Outcome;

/// Moves positions by a step of time `t`, in squared units of the positions, on the triangulation that they
/// have at its beginning; and how its system was solved. Vertices with a 1 in `fixed` stay.
pub(crate) fn intrinsic_step(
    topology: &FlatTopology,
    x: &mut Buffer<Vec3>,
    t: f64,
    fixed: Option<&Buffer<u32>>,
    options: &SmoothOptions,
) -> Result<(StepReport, Chosen)> {
    let (device, n) = (topology.device(), x.len());
    let (mut points, mut numbers) = (device.unspecified::<DVec3>(n)?, device.unspecified::<f64>(3 * n)?);
    let (to, all) = (points.view_mut(), numbers.view_mut());
    device.launch_each(n as u32, WidenPositions { x: x.view(), points: to, numbers: all })?;
    let usual = LaplacianOptions::default();
    let faces = topology.face_vertices().try_clone()?;
    let mut of = Triangulation::new(&points, faces, usual.mollify)?;
    of.flip_to_delaunay(usual.rounds)?;
    let mass = if options.mass == Mass::Mixed { Masses::Voronoi } else { Masses::Lumped };
    let solver = match options.solver {
        Solver::Auto => ribbonmesh_heat::Solver::Auto,
        Solver::Assembled | Solver::MatrixFree => ribbonmesh_heat::Solver::Iterative,
        Solver::Direct => ribbonmesh_heat::Solver::Direct,
    };
    let mut diffusion = Diffusion::new(&Calculus::of(of, mass)?, t, fixed, solver)?;
    let progress = diffusion.step(&mut numbers, 3, options.tolerance)?;
    device.launch_each(n as u32, NarrowPositions { numbers: numbers.view(), x: x.view_mut() })?;
    let report = StepReport {
        iterations: progress.iterations,
        residual: progress.residual(),
        converged: progress.outcome == Outcome::Converged,
        volume: None,
        held: 0,
    };
    Ok((report, diffusion.chosen()))
}

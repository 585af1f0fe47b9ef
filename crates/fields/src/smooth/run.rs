//! Smoothing a surface.
use crate::smooth::flat_system::smooth_flat;
use crate::smooth::{Preconditioner, SmoothOptions, SmoothReport, Smoother, Solver, Weights};
use ribbonmesh::{DeviceKind, Error, Result, Surface};

/// Iterations in whose time a CPU factors the matrix, for a step of a mesh of any size; measured.
const WORTH: usize = 120;
/// Iterations in whose time a GPU makes domains and begins to solve with them; measured.
const WORTH_DOMAINS: usize = 240;
/// A matrix has slivers where so many of its edges are [`STIFF`]: iterations of Jacobi's method will then be
/// more than those in whose time something better is done. Scans that converge in 200 have at most 30.
const SLIVERS: usize = 100;
/// The part of the root of the product of two diagonal entries that the entry of a stiff edge has at least.
const STIFF: f32 = 0.9;
/// The reason for domains.
const DIVIDED: &str =
    "a GPU iterates in less time than its host takes for a factorization; with domains, for slivers";

/// Moves the vertices of a surface by mean curvature flow, as [`Smoother::smooth`] does. Attributes do not
/// change, except that normals of vertices are recomputed ([`Surface::moved`]). With 0 steps nothing changes.
/// With [`Solver::Direct`], with intrinsic weights, with [`Preconditioner::Schwarz`], and where a vertex has
/// too many faces for a patch, the matrix is assembled in flat arrays
/// ([`smooth_triangles`](crate::smooth::smooth_triangles)).
/// # Errors
/// As [`Surface::patches`], [`Smoother::new`] and [`Smoother::smooth`]. After an error, the surface is
/// unchanged.
pub fn smooth(surface: &mut Surface, options: &SmoothOptions) -> Result<SmoothReport> {
    options.check()?;
    if options.in_flat_arrays() {
        return smooth_whole(surface, options, None);
    }
    let on_cpu = surface.device().kind() == DeviceKind::Cpu;
    let (mesh, positions) = match surface.patches_mut() {
        Err(Error::PatchTooLarge { .. }) => return smooth_whole(surface, options, None),
        patches => patches?,
    };
    let may_factor = options.solver == Solver::Auto && on_cpu && options.max_iterations > WORTH;
    let may_divide = options.preconditioner == Preconditioner::Auto
        && options.solver != Solver::MatrixFree
        && !on_cpu
        && options.max_iterations > WORTH_DOMAINS;
    let most = match (may_factor, may_divide) {
        (true, _) => WORTH,
        (_, true) => WORTH_DOMAINS,
        _ => options.max_iterations,
    };
    let tried = SmoothOptions { max_iterations: most, ..options.clone() };
    let mut smoother = Smoother::new(mesh, &tried)?;
    let mut smoothed = positions.try_clone()?;
    let may_change = may_factor || may_divide;
    let slivers = may_change
        && options.weights == Weights::Cotangent
        && smoother.stiff_edges(&smoothed, STIFF)? >= SLIVERS;
    let tried = if slivers { None } else { Some(smoother.smooth_while(&mut smoothed, may_change)?) };
    drop(smoother);
    let tried = tried.filter(|report| !may_change || report.converged());
    let Some(mut report) = tried else {
        if may_factor {
            let reason = match slivers {
                true => "a factorization on a CPU takes less time than iterations, for slivers",
                false => "iterations had not converged in the time of a factorization on a CPU",
            };
            return smooth_whole(surface, options, Some(reason));
        }
        let divided = SmoothOptions { preconditioner: Preconditioner::Schwarz, ..options.clone() };
        let mut report = smooth_whole(surface, &divided, None)?;
        if options.solver == Solver::Auto {
            report.reason = DIVIDED;
        }
        return Ok(report);
    };
    if options.solver == Solver::Auto {
        report.reason = match on_cpu {
            true => "iterations converge in less time than a factorization takes on a CPU",
            false => "a GPU iterates in less time than its host takes for a factorization",
        };
    }
    *positions = smoothed;
    if !report.steps.is_empty() {
        surface.moved();
    }
    Ok(report)
}

/// Smooths by a matrix in flat arrays; by a factorization if there is a reason for one and the matrix has
/// one.
fn smooth_whole(
    surface: &mut Surface,
    options: &SmoothOptions,
    factor: Option<&'static str>,
) -> Result<SmoothReport> {
    let scale = surface.extent("the surface to smooth")?.scale;
    let mean = surface.mean_edge_length(scale)? / scale;
    let (topology, positions) = surface.flat_topology()?;
    let mut smoothed = positions.try_clone()?;
    let report = smooth_flat(topology, &mut smoothed, mean, options, factor)?;
    if !report.steps.is_empty() {
        surface.move_to(smoothed)?;
    }
    Ok(report)
}

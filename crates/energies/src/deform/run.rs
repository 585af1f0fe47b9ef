//! Deformation of a surface.
use super::handles::Handles;
use super::options::DeformOptions;
use super::rigid::Rigid;
use crate::device::assemble::Narrow;
use crate::host::error::{EnergyError, Result};
use crate::host::objective::Objective;
use crate::host::quasi_newton::{Metric, QuasiNewtonOptions, quasi_newton};
use crate::host::report::MinimumReport;
use crate::host::solver::{Solver, Width};
use crate::of_mesh::{coordinates, triangles};
use glam::{DVec3, Vec3};
use ribbonmesh::{Buffer, Surface};
use ribbonmesh_linear::axpby;
use ribbonmesh_mesh::UnionFind;

/// The residual to which the first displacement is computed.
const FINE: f64 = 1e-3;
/// The residual to which the Laplacian is solved in each iteration. A solution to 10⁻³ takes three times as
/// long, and saves hardly any iterations.
const LOOSE: f64 = 0.1;
/// Steps that the search remembers.
const MEMORY: usize = 6;

/// The outcome of a deformation.
#[derive(Clone, Debug, PartialEq)]
pub struct DeformReport {
    /// Vertices that are held.
    pub handles: usize,
    /// The search for the minimum.
    pub minimum: MinimumReport,
}

/// Moves the handles of a surface to their positions. All other vertices follow such that the surface around
/// each vertex is as little stretched and bent as possible: a minimum of the as-rigid-as-possible energy over
/// spokes and rims ([`Arap`](crate::Arap)), found by L-BFGS on top of the Laplacian, whose multigrid levels
/// are made once. Vertices without faces stay, unless they are handles.
///
/// The minimum is one near the surface as it is with a smooth displacement of the handles: a handle that is
/// turned by more than half a turn may give another one than a path would.
/// # Errors
/// [`EnergyError::Handles`] for a vertex that there is not; [`EnergyError::Free`] for a part of the surface
/// without handles; [`EnergyError::Flat`] for a face without area, such as one that names a vertex twice;
/// [`EnergyError::Option`]; out of memory; errors of the driver.
pub fn deform(surface: &mut Surface, options: &DeformOptions) -> Result<DeformReport> {
    options.check()?;
    surface.put_in_order()?;
    let (device, origin) = (surface.device().clone(), surface.origin());
    let (positions, faces) = (surface.triangles().positions(), surface.triangles().faces());
    let vertices = positions.len();
    check_parts(vertices, &faces.read()?, &options.handles)?;
    let elements = triangles(surface)?;
    let mut x = coordinates(positions)?;
    let rest = Rigid::rest(&elements, &x)?;
    let mut rigid = Rigid::new(&elements, &rest)?;
    let fixed = device.upload(&held(vertices, &options.handles))?;
    let fixed = rigid.fixed(&fixed)?;
    let mut solver = Solver::new(rigid.pattern().clone(), Width::Alike, &fixed)?;
    rigid.hessian(&x, &fixed, 0.0, false, solver.matrix_mut())?;
    solver.prepare(&x)?;
    move_handles(&mut x, origin, &options.handles)?;
    // a smooth displacement, in which nothing turns, is a better beginning than handles that have left alone
    let (mut g, mut d) = (device.zeros::<f64>(x.len())?, device.zeros::<f64>(x.len())?);
    rigid.gradient_as_turned(&x, &fixed, &mut g)?;
    solver.solve(&g, &mut d, FINE)?;
    axpby(&device, -1.0, &d, 1.0, &mut x)?;
    let search = QuasiNewtonOptions {
        tolerance: options.tolerance,
        iterations: options.iterations as usize,
        memory: MEMORY,
    };
    let metric = Metric::Matrix(&mut solver, LOOSE);
    let minimum = quasi_newton(&mut rigid, metric, &fixed, &mut x, &search)?;
    let mut to = device.unspecified::<Vec3>(vertices)?;
    device.launch_each(3 * vertices as u32, Narrow { from: x.view(), to: to.view_mut().wide() })?;
    surface.move_to(to)?;
    Ok(DeformReport { handles: options.handles.len(), minimum })
}

/// The unknowns of handles: all three of a vertex.
fn held(vertices: usize, handles: &Handles) -> Vec<u32> {
    let mut fixed = vec![0; vertices];
    handles.iter().for_each(|(vertex, _)| fixed[vertex as usize] = 7);
    fixed
}
/// Moves handles to their positions.
fn move_handles(x: &mut Buffer<f64>, origin: DVec3, handles: &Handles) -> Result<()> {
    let mut all = x.read()?;
    for (vertex, at) in handles.iter() {
        if let Some(at) = at {
            let first = 3 * vertex as usize;
            all[first..first + 3].copy_from_slice(&(at - origin).to_array());
        }
    }
    Ok(x.write(&all)?)
}
/// Refuses handles that are no vertices, and parts of the surface that have none.
fn check_parts(vertices: usize, faces: &[u32], handles: &Handles) -> Result<()> {
    let mut parts = UnionFind::new(vertices);
    parts.join_faces(faces.as_chunks::<3>().0);
    let mut is_held = vec![false; vertices];
    for (vertex, _) in handles.iter() {
        if vertex as usize >= vertices {
            let found = format!("vertex {vertex} is not among the {vertices} vertices");
            return Err(EnergyError::Handles(found));
        }
        is_held[parts.root(vertex) as usize] = true;
    }
    match faces.iter().find(|&&vertex| !is_held[parts.root(vertex) as usize]) {
        Some(&vertex) => Err(EnergyError::Free { vertex: vertex as usize }),
        None => Ok(()),
    }
}

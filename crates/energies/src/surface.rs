//! Energies of a surface by their names, with gradients and Hessians, for positions that others have.
use crate::deform::rigid::Rigid;
use crate::device::assemble::Widen;
use crate::device::dirichlet::SymmetricDirichletArguments;
use crate::device::rows::{EntriesOfBlocks, StartsOfBlocks};
use crate::device::springs::SpringsArguments;
use crate::host::elements::Elements;
use crate::host::error::{EnergyError, Result, fits, length};
use crate::host::objective::{Objective, Potential};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Surface};
use ribbonmesh_multigrid::Blocks;

/// An energy of the elements of a surface, which is at rest as it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SurfaceEnergy {
    /// Springs along edges ([`Springs`](crate::Springs)).
    Springs {
        /// The force of a spring of twice its length.
        stiffness: f64,
    },
    /// The symmetric Dirichlet energy of a map of faces to the plane of the first two coordinates
    /// ([`SymmetricDirichlet`](crate::SymmetricDirichlet)).
    SymmetricDirichlet,
    /// As rigid as possible over spokes and rims, with rotations that follow ([`Arap`](crate::Arap)); the
    /// Hessian is that with rotations as they are.
    Arap,
}
/// The numbers of a matrix as compressed rows: where rows begin, and the end; columns, ascending; entries.
pub type CompressedRows = (Buffer<u32>, Buffer<u32>, Buffer<f64>);

/// An energy with its derivatives.
#[derive(Debug)]
pub struct SurfaceDerivatives {
    /// The energy; infinite where an element is turned inside out and may not be.
    pub value: f64,
    /// The derivative by each coordinate of each vertex: three numbers for each, in the order of the output.
    pub gradient: Buffer<f64>,
    /// The second derivatives, symmetric: a row for each coordinate of each vertex.
    pub hessian: Option<CompressedRows>,
}

/// Computes an energy of a surface at other positions of its vertices, its gradient and, if asked for, its
/// Hessian, with elements projected onto matrices without negative eigenvalues if `project`. Vertices are in
/// the order of the output. Lists of elements are made anew; waits.
/// # Errors
/// [`ribbonmesh::Error::Length`]; [`EnergyError::AtRest`] and [`EnergyError::Flat`] for elements without
/// length or area at rest; [`EnergyError::Element`] for a face with a vertex twice; [`EnergyError::Option`];
/// out of memory; errors of the driver.
pub fn surface_energy(
    surface: &mut Surface,
    energy: SurfaceEnergy,
    positions: &Buffer<Vec3>,
    hessian: Option<bool>,
) -> Result<SurfaceDerivatives> {
    surface.put_in_order()?;
    let vertices = surface.triangles().positions().len();
    length("positions", vertices, positions.len())?;
    fits("coordinates of vertices", 3 * vertices)?;
    let (still, x) = (widened(surface.triangles().positions())?, widened(positions)?);
    match energy {
        SurfaceEnergy::Springs { stiffness } => {
            if !(stiffness > 0.0 && stiffness.is_finite()) {
                let (option, expected) = ("stiffness", "above 0");
                return Err(EnergyError::Option { option, value: stiffness, expected });
            }
            let ends = surface.flat_topology()?.0.number_edges()?.ends;
            let elements = Elements::new(x.device(), vertices, &ends.read()?)?;
            let rest = elements.springs_at_rest(&still)?;
            let springs = SpringsArguments { stiffness, rest: rest.view() };
            derived(Potential::new(&elements, springs)?, &x, hessian)
        }
        SurfaceEnergy::SymmetricDirichlet => {
            let elements = triangles(surface, vertices)?;
            let rest = elements.flat_triangles_at_rest(&still)?;
            let energy = SymmetricDirichletArguments { rest: rest.view() };
            derived(Potential::new(&elements, energy)?, &x, hessian)
        }
        SurfaceEnergy::Arap => {
            let elements = triangles(surface, vertices)?;
            derived(Rigid::new(&elements, &still)?, &x, hessian)
        }
    }
}
fn triangles(surface: &Surface, vertices: usize) -> Result<Elements> {
    Elements::on_device(vertices, 3, surface.triangles().faces().try_clone()?)
}
fn widened(x: &Buffer<Vec3>) -> Result<Buffer<f64>> {
    let mut to = x.device().unspecified::<f64>(3 * x.len())?;
    let numbers = to.len() as u32;
    x.device().launch_each(numbers, Widen { from: x.view().wide(), to: to.view_mut() })?;
    Ok(to)
}
fn derived<O: Objective>(mut of: O, x: &Buffer<f64>, hessian: Option<bool>) -> Result<SurfaceDerivatives> {
    let (device, pattern) = (x.device(), of.pattern().clone());
    let (free, mut gradient) = (device.zeros::<u32>(pattern.rows())?, device.zeros::<f64>(x.len())?);
    let value = of.gradient(x, &free, &mut gradient)?;
    let hessian = match hessian {
        None => None,
        Some(project) => {
            let numbers = device.zeros(9 * pattern.len())?;
            let mut matrix = Blocks::of_pattern(pattern, [3, 3], numbers)?;
            of.hessian(x, &free, 0.0, project, &mut matrix)?;
            Some(compressed(&matrix)?)
        }
    };
    Ok(SurfaceDerivatives { value, gradient, hessian })
}
/// A matrix of blocks of 3 × 3 numbers by single rows.
fn compressed(matrix: &Blocks<f64>) -> Result<CompressedRows> {
    let (device, pattern) = (matrix.device(), matrix.pattern());
    let (rows, places) = (pattern.rows(), pattern.len());
    fits("entries of the matrix", 9 * places)?;
    let mut starts = device.unspecified::<u32>(3 * rows + 1)?;
    let of = pattern.starts().view();
    device.launch_each(3 * rows as u32 + 1, StartsOfBlocks { starts: of, to: starts.view_mut() })?;
    let mut columns = device.unspecified::<u32>(9 * places)?;
    let mut values = device.unspecified::<f64>(9 * places)?;
    let kernel = EntriesOfBlocks {
        starts: pattern.starts().view(),
        rows: pattern.places().view(),
        columns: pattern.indices().view(),
        numbers: matrix.numbers().view(),
        to_columns: columns.view_mut(),
        to_values: values.view_mut(),
    };
    device.launch_each(places as u32, kernel)?;
    Ok((starts, columns, values))
}

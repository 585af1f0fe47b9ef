//! Energies of a mesh by name, with gradients and Hessians, for positions that others have.
use crate::deform::rigid::Rigid;
use crate::device::assemble::Widen;
use crate::device::dirichlet::SymmetricDirichletArguments;
use crate::device::neo_hooke::NeoHookeanArguments;
use crate::device::rows::{EntriesOfBlocks, StartsOfBlocks};
use crate::device::springs::SpringsArguments;
use crate::host::elements::Elements;
use crate::host::error::{EnergyError, Result, fits, length};
use crate::host::objective::{Objective, Potential};
use ribbonmesh::device::BufferView;
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
pub struct MeshDerivatives {
    /// The energy; infinite where an element is turned inside out and may not be.
    pub value: f64,
    /// The derivative by each coordinate of each vertex, three numbers for each.
    pub gradient: Buffer<f64>,
    /// The second derivatives, symmetric: a row for each coordinate of each vertex.
    pub hessian: Option<CompressedRows>,
}

/// The elements of a mesh with an energy, which is 0 or least where they rest: made once, for derivatives at
/// any positions. Some 150 bytes for each triangle, 300 for each tetrahedron.
#[derive(Debug)]
pub struct MeshEnergy {
    elements: Elements,
    law: Law,
    rest: Buffer<f64>,
}
#[derive(Debug)]
enum Law {
    Springs { stiffness: f64 },
    SymmetricDirichlet,
    Arap,
    NeoHookean { mu: f64, lambda: f64 },
}

impl MeshEnergy {
    /// The energy of a surface, which rests as it is. Vertices are in the order of the output. Waits.
    /// # Errors
    /// [`EnergyError::Short`] for an edge without length; [`EnergyError::Flat`] for a face without area;
    /// [`EnergyError::Option`]; out of memory; errors of the driver.
    pub fn of_surface(surface: &mut Surface, energy: SurfaceEnergy) -> Result<Self> {
        surface.put_in_order()?;
        let vertices = surface.triangles().positions().len();
        fits("coordinates of vertices", 3 * vertices)?;
        let still = coordinates(surface.triangles().positions())?;
        match energy {
            SurfaceEnergy::Springs { stiffness } => Self::of_edges(surface, &still, stiffness),
            SurfaceEnergy::SymmetricDirichlet => {
                let elements = triangles(surface)?;
                let rest = elements.flat_triangles_at_rest(&still).map_err(of_face)?;
                Ok(Self { rest, law: Law::SymmetricDirichlet, elements })
            }
            SurfaceEnergy::Arap => {
                let elements = triangles(surface)?;
                Ok(Self { rest: Rigid::rest(&elements, &still)?, law: Law::Arap, elements })
            }
        }
    }
    /// Springs along the edges of a surface.
    fn of_edges(surface: &mut Surface, still: &Buffer<f64>, stiffness: f64) -> Result<Self> {
        if !(stiffness > 0.0 && stiffness.is_finite()) {
            let (option, expected) = ("stiffness", "a finite number above 0");
            return Err(EnergyError::Option { option, value: stiffness, expected });
        }
        let ends = surface.flat_topology()?.0.number_edges()?.ends.read()?;
        let short = |error| match error {
            // of a face with a vertex twice
            EnergyError::Element { element, .. } | EnergyError::AtRest { element } => {
                EnergyError::Short { ends: ends[element] }
            }
            error => error,
        };
        let elements = Elements::new(still.device(), still.len() / 3, &ends).map_err(short)?;
        let rest = elements.springs_at_rest(still).map_err(short)?;
        Ok(Self { rest, law: Law::Springs { stiffness }, elements })
    }
    /// The energy of neo-Hookean tetrahedra ([`NeoHookean`](crate::NeoHookean)) with Lamé's parameters, which
    /// rest at positions of vertices, three coordinates for each. Waits.
    /// # Errors
    /// [`EnergyError::Empty`] for a tetrahedron without volume or turned inside out;
    /// [`EnergyError::Element`] for a vertex that there is not; [`EnergyError::Option`]; out of memory;
    /// errors of the driver.
    pub fn of_tetrahedra(still: &Buffer<f64>, cells: &[[u32; 4]], [mu, lambda]: [f64; 2]) -> Result<Self> {
        if !(mu > 0.0 && mu.is_finite()) {
            let (option, expected) = ("mu", "a finite number above 0");
            return Err(EnergyError::Option { option, value: mu, expected });
        }
        // below, a change of volume alone would gain energy
        if !(lambda > -2.0 / 3.0 * mu && lambda.is_finite()) {
            let (option, expected) = ("lambda", "a finite number above -2/3 mu");
            return Err(EnergyError::Option { option, value: lambda, expected });
        }
        fits("coordinates of vertices", still.len())?;
        let elements = Elements::new(still.device(), still.len() / 3, cells)?;
        let rest = elements.tetrahedra_at_rest(still).map_err(|error| match error {
            EnergyError::AtRest { element } => EnergyError::Empty { cell: element },
            error => error,
        })?;
        Ok(Self { rest, law: Law::NeoHookean { mu, lambda }, elements })
    }
    /// The energy at positions of vertices, three coordinates for each, its gradient and, if asked for, its
    /// Hessian, with elements projected onto matrices without negative eigenvalues if that is `true`. Waits.
    /// # Errors
    /// [`ribbonmesh::Error::Length`]; [`ribbonmesh::Error::OtherDevice`]; out of memory; errors of the
    /// driver.
    pub fn derivatives(&self, x: &Buffer<f64>, hessian: Option<bool>) -> Result<MeshDerivatives> {
        let Self { elements, law, rest } = self;
        length("coordinates of vertices", 3 * elements.vertices(), x.len())?;
        if !x.device().same(elements.device()) {
            return Err(ribbonmesh::Error::OtherDevice { what: "the positions" }.into());
        }
        let rest_of = rest.view();
        match *law {
            Law::Springs { stiffness } => {
                let springs = SpringsArguments { stiffness, rest: rest_of };
                derived(Potential::new(elements, springs)?, x, hessian)
            }
            Law::SymmetricDirichlet => {
                let energy = SymmetricDirichletArguments { rest: rest_of };
                derived(Potential::new(elements, energy)?, x, hessian)
            }
            Law::Arap => derived(Rigid::new(elements, rest)?, x, hessian),
            Law::NeoHookean { mu, lambda } => {
                let materials = BufferView::empty();
                let energy = NeoHookeanArguments { mu, lambda, materials, rest: rest_of };
                derived(Potential::new(elements, energy)?, x, hessian)
            }
        }
    }
}

/// The triangles of a surface in the order of the output.
/// # Errors
/// [`EnergyError::Flat`] for a face with a vertex twice; as [`Elements::on_device`].
pub fn triangles(of: &Surface) -> Result<Elements> {
    let (positions, faces) = (of.triangles().positions(), of.triangles().faces());
    Elements::on_device(positions.len(), 3, faces.try_clone()?).map_err(of_face)
}
/// An error of a triangle as one of a face: faces of a surface name vertices that there are, so that a wrong
/// one names a vertex twice.
fn of_face(error: EnergyError) -> EnergyError {
    match error {
        EnergyError::Element { element, .. } | EnergyError::AtRest { element } => {
            EnergyError::Flat { face: element }
        }
        error => error,
    }
}
/// Positions as coordinates in double precision, three for each. Does not wait.
/// # Errors
/// [`ribbonmesh::Error::TooMany`]; out of memory; errors of the driver.
pub fn coordinates(of: &Buffer<Vec3>) -> Result<Buffer<f64>> {
    let numbers = fits("coordinates of vertices", 3 * of.len())?;
    let mut to = of.device().unspecified::<f64>(3 * of.len())?;
    of.device().launch_each(numbers, Widen { from: of.view().wide(), to: to.view_mut() })?;
    Ok(to)
}
fn derived<O: Objective>(mut of: O, x: &Buffer<f64>, hessian: Option<bool>) -> Result<MeshDerivatives> {
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
    Ok(MeshDerivatives { value, gradient, hessian })
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

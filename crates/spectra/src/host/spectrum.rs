//! The spectrum of a surface.
use super::laplacian::SurfaceProblem;
use super::lobpcg::{Found, lowest};
use super::options::{SpectrumOptions, SpectrumReport};
use super::problem::Problem;
use crate::device::functions::ColumnOf;
use ribbonmesh::mesh::Role;
use ribbonmesh::{Buffer, Error, Result, Surface, array};
use ribbonmesh_intrinsic::{Laplacian, laplacian};
use std::time::Instant;

/// The lowest eigenvalues of a surface's Laplacian, and their eigenfunctions: L φ = λ M φ.
///
/// Vertices are numbered as by [`Surface::download`].
#[derive(Debug)]
pub struct Spectrum {
    pub(super) values: Vec<f64>,
    pub(super) vectors: Buffer<f64>,
    report: SpectrumReport,
}

/// The lowest eigenpairs of a surface's Laplacian. The zeros come first, one for each component, with the
/// functions that are constant there. Waits.
/// # Errors
/// As [`ribbonmesh_intrinsic::laplacian()`], [`SurfaceProblem::new`] and [`lowest`].
pub fn spectrum(surface: &Surface, options: &SpectrumOptions) -> Result<Spectrum> {
    options.check()?;
    Spectrum::of(laplacian(surface, &options.laplacian)?, options)
}
impl Spectrum {
    /// That of a Laplacian; the options of the triangulation are not used.
    /// # Errors
    /// As [`SurfaceProblem::new`] and [`lowest`].
    pub fn of(laplacian: Laplacian, options: &SpectrumOptions) -> Result<Self> {
        options.check()?;
        let started = Instant::now();
        let mut problem = SurfaceProblem::new(laplacian)?;
        let seconds = started.elapsed().as_secs_f64();
        let Found { values, vectors, block, iterations, residual, converged, mut times } =
            lowest(&mut problem, options)?;
        times.levels = seconds;
        let report = SpectrumReport {
            count: values.len(),
            components: problem.known(),
            area: problem.area(),
            block,
            iterations,
            residual,
            converged,
            levels: problem.hierarchy().levels.len(),
            times: options.timed.then_some(times),
        };
        Ok(Self { values, vectors, report })
    }
    /// The eigenvalues, ascending, in the units of an inverse area.
    pub fn values(&self) -> &[f64] {
        &self.values
    }
    /// The eigenfunctions: as many numbers for each vertex as there are eigenvalues. The integral of the
    /// square of each is 1, that of a product of two is 0. Their signs have no meaning; where eigenvalues are
    /// equal, so have their functions.
    pub fn vectors(&self) -> &Buffer<f64> {
        &self.vectors
    }
    /// How they were found.
    pub fn report(&self) -> &SpectrumReport {
        &self.report
    }
    /// The eigenvalues and the eigenfunctions.
    pub fn into_parts(self) -> (Vec<f64>, Buffer<f64>) {
        (self.values, self.vectors)
    }
}

/// Gives a surface the first of several columns of numbers of vertices, in the order of
/// [`Surface::download`], as vertex attributes of these names.
/// # Errors
/// [`Error::Length`] unless there are `columns` numbers for each vertex; as
/// [`Surface::insert_of_vertices`].
pub fn insert_columns(
    surface: &mut Surface,
    values: &Buffer<f64>,
    columns: usize,
    names: &[String],
) -> Result<()> {
    let (device, places) = (values.device().clone(), surface.triangles().vertex_places()?);
    let n = places.len();
    let (expected, found) = (n * columns, values.len());
    if expected != found {
        return Err(Error::Length { what: "numbers of columns", expected, found });
    }
    for (column, name) in names.iter().enumerate().take(columns) {
        let mut own = device.unspecified::<f64>(n)?;
        let kernel = ColumnOf {
            column: column as u32,
            columns: columns as u32,
            from: values.view(),
            to: own.view_mut(),
        };
        device.launch_each(n as u32, kernel)?;
        let own = array::gather(&own, &*surface.triangles().vertex_places()?)?;
        surface.insert_owned_of_vertices(name, Role::Custom, own)?;
    }
    Ok(())
}

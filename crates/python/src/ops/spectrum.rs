//! The spectrum of a mesh.
use super::{on_surface, text, value};
use crate::arrays::give;
use crate::failure::Failure;
use crate::mesh::NativeMesh;
use crate::options::parse;
use pyo3::prelude::*;
use ribbonmesh_intrinsic::LaplacianOptions;
use ribbonmesh_spectra::{Distance, SpectrumOptions};
use serde_json::json;

/// Numbers of vertices, so many for each.
type Columns = (Vec<f64>, usize);

/// The result of a run.
struct Found {
    values: Vec<f64>,
    functions: Columns,
    signatures: [Option<Columns>; 2],
    distances: Option<Vec<f64>>,
    report: String,
}

/// Eigenvalues, eigenfunctions, both signatures and distances if they are asked for, and a report.
type Arrays<'py> = (
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Option<Bound<'py, PyAny>>,
    Option<Bound<'py, PyAny>>,
    Option<Bound<'py, PyAny>>,
    String,
);

/// The lowest eigenpairs, and what they tell about vertices.
#[pyfunction]
#[pyo3(signature = (mesh, count, tolerance, max_iterations, masses, hks, wks, source, distance))]
#[expect(clippy::too_many_arguments, reason = "those of the method")]
pub fn spectrum<'py>(
    py: Python<'py>,
    mesh: &NativeMesh,
    count: usize,
    tolerance: f64,
    max_iterations: usize,
    masses: &str,
    hks: Option<usize>,
    wks: Option<usize>,
    source: Option<u32>,
    distance: &str,
) -> PyResult<Arrays<'py>> {
    let laplacian = LaplacianOptions { mass: parse("masses", masses)?, ..LaplacianOptions::default() };
    let options = SpectrumOptions {
        count,
        tolerance,
        iterations: max_iterations,
        laplacian,
        ..SpectrumOptions::default()
    };
    let distance: Distance = parse("distance", distance)?;
    let found = on_surface(py, mesh, None, None, move |_, _, surface| -> Result<Found, Failure> {
        let spectrum = ribbonmesh_spectra::spectrum(&surface, &options)?;
        let mut report = value(spectrum.report());
        let heat = match hks {
            Some(count) => {
                let times = spectrum.heat_times(count)?;
                let columns = spectrum.heat_kernel(&times)?.read()?;
                report["times"] = json!(times);
                Some((columns, count))
            }
            None => None,
        };
        let waves = match wks {
            Some(count) => Some((spectrum.wave_kernel(count)?.read()?, count)),
            None => None,
        };
        let distances = match source {
            Some(source) => Some(spectrum.distances(source, distance)?.read()?),
            None => None,
        };
        let (values, functions) = spectrum.into_parts();
        let functions = (functions.read()?, values.len());
        Ok(Found { values, functions, signatures: [heat, waves], distances, report: text(&report) })
    })?;
    let matrix = |(numbers, width): Columns| -> PyResult<_> {
        give(py, numbers, 1)?.call_method1("reshape", (-1, width as i64))
    };
    let [heat, waves] = found.signatures.map(|columns| columns.map(matrix).transpose());
    Ok((
        give(py, found.values, 1)?,
        matrix(found.functions)?,
        heat?,
        waves?,
        found.distances.map(|numbers| give(py, numbers, 1)).transpose()?,
        found.report,
    ))
}

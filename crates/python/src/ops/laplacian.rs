//! The Laplacian, the mass matrix and the gradient of a mesh.
use super::{on_surface, text, value};
use crate::arrays::give;
use crate::dlpack::{DeviceArray, Source};
use crate::failure::Failure;
use crate::mesh::NativeMesh;
use crate::options::parse;
use pyo3::prelude::*;
use ribbonmesh::{Buffer, Surface};
use ribbonmesh_intrinsic::{Correspondence, LaplacianOptions, RefineOptions};
use ribbonmesh_sparse::Csr;
use serde_json::json;
use std::sync::Arc;

/// A matrix of compressed rows: where rows begin, columns, entries.
type Matrix = (Buffer<u32>, Buffer<u32>, Buffer<f64>);

/// An array of the host, or on the device.
pub enum Numbers {
    Host(Vec<i32>),
    HostDoubles(Vec<f64>),
    Device(Source),
}
impl Numbers {
    pub fn of(buffer: Buffer<u32>, on_device: bool) -> Result<Self, Failure> {
        Ok(match on_device {
            true => Self::Device(Source::Numbers(Arc::new(buffer))),
            false => Self::Host(bytemuck::cast_vec(buffer.read()?)),
        })
    }
    pub fn of_doubles(buffer: Buffer<f64>, on_device: bool) -> Result<Self, Failure> {
        Ok(match on_device {
            true => Self::Device(Source::Doubles(Arc::new(buffer))),
            false => Self::HostDoubles(buffer.read()?),
        })
    }
    pub fn array(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        match self {
            Self::Host(numbers) => give(py, numbers, 1),
            Self::HostDoubles(numbers) => give(py, numbers, 1),
            Self::Device(source) => Ok(Bound::new(py, DeviceArray::new(source)?)?.into_any()),
        }
    }
}

/// Arrays of compressed rows of a matrix of a mesh.
pub type Arrays<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>);

fn matrix<'py, T: Send + 'static>(
    py: Python<'py>,
    mesh: &NativeMesh,
    make: impl FnOnce(Surface) -> Result<(Matrix, T), Failure> + Send + 'static,
) -> PyResult<(Arrays<'py>, T)> {
    let on_device = mesh.content.resident;
    let (arrays, more) = on_surface(py, mesh, None, None, move |_, _, surface| {
        let ((starts, columns, values), more) = make(surface)?;
        let starts = Numbers::of(starts, on_device)?;
        Ok(((starts, Numbers::of(columns, on_device)?, Numbers::of_doubles(values, on_device)?), more))
    })?;
    let (starts, columns, values) = arrays;
    Ok(((starts.array(py)?, columns.array(py)?, values.array(py)?), more))
}

/// The Laplacian: rows, columns, entries, and a report.
#[pyfunction]
#[pyo3(signature = (mesh, extrinsic, mollify, max_rounds))]
pub fn laplacian<'py>(
    py: Python<'py>,
    mesh: &NativeMesh,
    extrinsic: bool,
    mollify: f64,
    max_rounds: u32,
) -> PyResult<(Arrays<'py>, String)> {
    let options = LaplacianOptions { extrinsic, mollify, rounds: max_rounds, ..LaplacianOptions::default() };
    matrix(py, mesh, move |surface| {
        let found = ribbonmesh_intrinsic::laplacian(&surface, &options)?;
        let report = text(&value(found.report()));
        let (starts, columns, values, _) = found.into_parts();
        Ok(((starts, columns, values), report))
    })
}
/// The masses of vertices.
#[pyfunction]
#[pyo3(signature = (mesh, masses, extrinsic, mollify, max_rounds))]
pub fn mass<'py>(
    py: Python<'py>,
    mesh: &NativeMesh,
    masses: &str,
    extrinsic: bool,
    mollify: f64,
    max_rounds: u32,
) -> PyResult<Bound<'py, PyAny>> {
    let options = LaplacianOptions { extrinsic, mollify, rounds: max_rounds, mass: parse("masses", masses)? };
    let on_device = mesh.content.resident;
    let found = on_surface(py, mesh, None, None, move |_, _, surface| {
        let found = ribbonmesh_intrinsic::laplacian(&surface, &options)?;
        Numbers::of_doubles(found.into_parts().3, on_device)
    })?;
    found.array(py)
}
/// Matrices and a mesh of an intrinsic triangulation that knows where it is on the mesh.
struct Found {
    laplacian: [Numbers; 3],
    masses: Numbers,
    interpolation: Csr<f64>,
    positions: Vec<f64>,
    faces: Vec<i32>,
    report: String,
}
/// The Laplacian, masses, the interpolation of values to the common subdivision, points and faces of that,
/// and a report.
type Intrinsic<'py> =
    (Arrays<'py>, Bound<'py, PyAny>, Arrays<'py>, Bound<'py, PyAny>, Bound<'py, PyAny>, String);

/// An intrinsic triangulation without small angles, and its common subdivision with the mesh.
#[pyfunction]
#[pyo3(signature = (mesh, min_angle, masses, mollify, max_insertions))]
pub fn intrinsic<'py>(
    py: Python<'py>,
    mesh: &NativeMesh,
    min_angle: f64,
    masses: &str,
    mollify: f64,
    max_insertions: usize,
) -> PyResult<Intrinsic<'py>> {
    let (options, mass) = (RefineOptions { min_angle, max_insertions }, parse("masses", masses)?);
    let on_device = mesh.content.resident;
    let found = on_surface(py, mesh, None, None, move |_, _, surface| -> Result<Found, Failure> {
        let mut both = Correspondence::of(&surface, mollify)?;
        let refined = both.refine(&options)?;
        let laplacian = both.laplacian(surface.device(), mass)?;
        let mut report = value(laplacian.report());
        for (name, number) in value(refined).as_object().into_iter().flatten() {
            report[name] = number.clone();
        }
        report["crossings"] = json!(both.crossings());
        let subdivision = both.subdivision()?;
        let positions = subdivision.of_input(&surface.exact_positions()?.read()?);
        let (starts, columns, values, masses) = laplacian.into_parts();
        Ok(Found {
            laplacian: [
                Numbers::of(starts, on_device)?,
                Numbers::of(columns, on_device)?,
                Numbers::of_doubles(values, on_device)?,
            ],
            masses: Numbers::of_doubles(masses, on_device)?,
            interpolation: subdivision.interpolation(both.vertices())?,
            positions: positions.iter().flat_map(|p| p.to_array()).collect(),
            faces: bytemuck::cast_vec(subdivision.faces.into_flattened()),
            report: text(&report),
        })
    })?;
    let [starts, columns, values] = found.laplacian;
    let matrix = &found.interpolation;
    let indices = |numbers: &[u32]| give(py, numbers.iter().map(|&i| i as i32).collect::<Vec<i32>>(), 1);
    Ok((
        (starts.array(py)?, columns.array(py)?, values.array(py)?),
        found.masses.array(py)?,
        (indices(matrix.starts())?, indices(matrix.indices())?, give(py, matrix.values().to_vec(), 1)?),
        give(py, found.positions, 3)?,
        give(py, found.faces, 3)?,
        found.report,
    ))
}
/// The gradient: rows, columns, entries.
#[pyfunction]
#[pyo3(signature = (mesh))]
pub fn gradient<'py>(py: Python<'py>, mesh: &NativeMesh) -> PyResult<Arrays<'py>> {
    let found = matrix(py, mesh, |surface| Ok((ribbonmesh_intrinsic::gradient(&surface)?.into_parts(), ())))?;
    Ok(found.0)
}

//! The Laplacian, the mass matrix and the gradient of a mesh.
use super::{on_surface, text, value};
use crate::arrays::give;
use crate::dlpack::{DeviceArray, Source};
use crate::failure::Failure;
use crate::mesh::NativeMesh;
use crate::options::parse;
use pyo3::prelude::*;
use ribbonmesh::{Buffer, Surface};
use ribbonmesh_intrinsic::LaplacianOptions;
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
/// The gradient: rows, columns, entries.
#[pyfunction]
#[pyo3(signature = (mesh))]
pub fn gradient<'py>(py: Python<'py>, mesh: &NativeMesh) -> PyResult<Arrays<'py>> {
    let found = matrix(py, mesh, |surface| Ok((ribbonmesh_intrinsic::gradient(&surface)?.into_parts(), ())))?;
    Ok(found.0)
}

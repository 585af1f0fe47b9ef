//! A kernel of one's own from Python: `blur_mesh.blur(vertices, faces, values, steps=10, weight=0.5)`.
//!
//! The page `docs/own-kernels.md` explains it.
use ::blur::BlurOptions;
use numpy::ndarray::ArrayView2;
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use ribbonmesh::glam::Vec3;
use ribbonmesh::mesh::{Column, Role};
use ribbonmesh::{Device, Error, MeshOptions, Surface, TriangleMesh};
use std::sync::OnceLock;

/// The machine, opened at the first call.
fn device() -> Device {
    static DEVICE: OnceLock<Device> = OnceLock::new();
    DEVICE.get_or_init(Device::auto).clone()
}

/// Converts an error: a wrong argument becomes a `ValueError`, an error of the machine a `RuntimeError`.
fn raised(error: Error) -> PyErr {
    match error {
        Error::OutOfMemory { .. } | Error::Cuda { .. } => PyRuntimeError::new_err(error.to_string()),
        error => PyValueError::new_err(error.to_string()),
    }
}

fn threes<'a, T: numpy::Element>(array: ArrayView2<'a, T>, what: &str) -> PyResult<ArrayView2<'a, T>> {
    match array.dim() {
        (_, 3) => Ok(array),
        shape => Err(PyValueError::new_err(format!("{what} have the shape {shape:?}: (n, 3) is needed"))),
    }
}

/// Values of vertices, each moved some steps towards the mean of its neighbours'.
///
/// Parameters
/// ----------
/// vertices : float32 array (n, 3)
/// faces : uint32 array (m, 3)
/// values : float32 array (n)
/// steps, weight
///     Number of steps, and the part of the way in each, above 0 and at most 1.
#[pyfunction]
#[pyo3(name = "blur", signature = (vertices, faces, values, *, steps=10, weight=0.5))]
fn blurred<'py>(
    py: Python<'py>,
    vertices: PyReadonlyArray2<'py, f32>,
    faces: PyReadonlyArray2<'py, u32>,
    values: PyReadonlyArray1<'py, f32>,
    steps: u32,
    weight: f32,
) -> PyResult<Bound<'py, PyArray1<f32>>> {
    // copies, so that no other thread changes them while the interpreter's lock is free
    let points = threes(vertices.as_array(), "vertices")?;
    let points: Vec<Vec3> = points.rows().into_iter().map(|p| Vec3::new(p[0], p[1], p[2])).collect();
    let corners = threes(faces.as_array(), "faces")?;
    let corners: Vec<[u32; 3]> = corners.rows().into_iter().map(|f| [f[0], f[1], f[2]]).collect();
    let values: Vec<f32> = values.as_array().to_vec();
    let blurred = py.detach(move || -> Result<Vec<f32>, Error> {
        let mut mesh = TriangleMesh::from_f32(points, corners);
        mesh.check()?;
        mesh.vertices_mut().insert_column(Column::with_role("value", Role::Custom, values))?;
        let mut surface = Surface::new(&device(), &mesh, &MeshOptions::default())?;
        ::blur::blur(&mut surface, &BlurOptions { steps, weight, ..BlurOptions::new("value") })?;
        surface.values_of_vertices::<f32>("value")?.read()
    });
    Ok(PyArray1::from_vec(py, blurred.map_err(raised)?))
}

/// Kernels of our own.
#[pymodule]
mod blur_mesh {
    #[pymodule_export]
    use super::blurred;
}

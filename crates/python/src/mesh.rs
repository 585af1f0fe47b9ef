//! The mesh that Python holds.
use crate::arrays::{faces, lend, points};
use crate::columns;
use crate::content::Content;
use crate::dlpack::{Copied, DeviceArray, Source, count, taken};
use crate::failure::{Failure, Kind};
use crate::watch::{self, Size};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use ribbonmesh::{DeviceKind, MeshOptions, Surface};
use ribbonmesh_mesh::{Element, Precision, TriangleMesh};
use std::sync::{Arc, OnceLock};

/// A mesh that does not change.
#[pyclass(frozen, module = "ribbonmesh._native")]
pub struct NativeMesh {
    pub content: Arc<Content>,
    /// Positions in single precision, if they were asked for.
    single: OnceLock<Vec<f32>>,
}

impl NativeMesh {
    pub fn new(content: Content) -> Self {
        Self { content: Arc::new(content), single: OnceLock::new() }
    }
}

fn options(patch_size: Option<u32>, seed: Option<u64>) -> MeshOptions {
    let default = MeshOptions::default();
    MeshOptions { patch_size: patch_size.unwrap_or(default.patch_size), seed: seed.unwrap_or(default.seed) }
}

#[pymethods]
impl NativeMesh {
    /// A mesh of arrays of the host: float32 or float64 (n, 3), and integers (m, 3), in native byte order and aligned.
    #[staticmethod]
    #[pyo3(signature = (vertices, faces_, device, patch_size=None, seed=None))]
    fn of_arrays(
        py: Python<'_>,
        vertices: &Bound<'_, PyAny>,
        faces_: &Bound<'_, PyAny>,
        device: &str,
        patch_size: Option<u32>,
        seed: Option<u64>,
    ) -> PyResult<Self> {
        let choice = device.parse()?;
        let (positions, precision) = points(vertices, "vertices")?;
        let mut mesh = TriangleMesh::new(positions, faces(faces_)?);
        mesh.precision = precision;
        count(Copied::OnHost);
        count(Copied::OnHost);
        let size = Size::Faces(mesh.faces.len());
        let mesh = watch::run(py, size, None, move |_| {
            mesh.check()?;
            match mesh.positions.iter().position(|p| !p.is_finite()) {
                Some(vertex) => Err(ribbonmesh::Error::NotFinite { vertex }.into()),
                None => Ok(mesh),
            }
        })?;
        Ok(Self::new(Content::of_host(mesh, choice, options(patch_size, seed))))
    }
    /// A mesh of arrays on a device, which give their memory by DLPack or the CUDA array interface.
    #[staticmethod]
    #[pyo3(signature = (vertices, faces_, device, patch_size=None, seed=None))]
    fn of_device(
        py: Python<'_>,
        vertices: &Bound<'_, PyAny>,
        faces_: &Bound<'_, PyAny>,
        device: &str,
        patch_size: Option<u32>,
        seed: Option<u64>,
    ) -> PyResult<Self> {
        let choice: crate::device::Choice = device.parse()?;
        let opened = choice.open().map_err(Failure::from)?;
        let positions = taken::vectors(py, &opened, vertices, "vertices")?;
        let corners = taken::faces(py, &opened, faces_)?;
        let options = options(patch_size, seed);
        let sizes = [positions.len(), corners.faces()];
        let size = Size::Faces(sizes[1]);
        let content = watch::run(py, size, None, move |session| {
            session.turn(&opened, |turn| {
                let surface = Surface::from_buffers(positions, corners.narrow(turn)?, &options)?;
                Ok(Content::of_buffers(surface, sizes, choice, options))
            })
        })?;
        Ok(Self::new(content))
    }
    /// Vertices and faces.
    #[getter]
    fn sizes(&self) -> (usize, usize) {
        let [vertices, faces] = self.content.sizes;
        (vertices, faces)
    }
    /// Whether arrays live on the device.
    #[getter]
    fn resident(&self) -> bool {
        self.content.resident
    }
    /// The kind of device it works on: `cpu` or `cuda`; opens the device.
    fn kind(&self) -> PyResult<&'static str> {
        Ok(match self.content.device()?.kind() {
            DeviceKind::Cpu => "cpu",
            DeviceKind::Cuda => "cuda",
        })
    }
    /// The same with its arrays on the device, or on the host.
    pub fn moved(&self, py: Python<'_>, to_device: bool) -> PyResult<Self> {
        let content = Arc::clone(&self.content);
        let size = Size::Faces(content.sizes[1]);
        let moved = watch::run(py, size, None, move |session| match to_device {
            true => content.on_device(session),
            false => content.on_host(session),
        });
        Ok(Self::new(moved?))
    }
    /// The same for another device.
    #[pyo3(signature = (device))]
    fn to(&self, py: Python<'_>, device: &str) -> PyResult<Self> {
        let (content, choice) = (Arc::clone(&self.content), device.parse()?);
        let size = Size::Faces(content.sizes[1]);
        let moved = watch::run(py, size, None, move |session| {
            Ok(Content::of_host(content.host(session)?.clone(), choice, content.options.clone()))
        });
        Ok(Self::new(moved?))
    }
    /// Positions: an array (n, 3), on the device or on the host.
    #[getter]
    fn vertices<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, mesh) = (slf.py(), slf.get());
        if mesh.content.resident {
            return Ok(
                Bound::new(py, DeviceArray::new(Source::Positions(Arc::clone(&mesh.content)))?)?.into_any()
            );
        }
        let host = mesh.host(py)?;
        match host.precision {
            Precision::Double => {
                let numbers: &[f64] = bytemuck::cast_slice(&host.positions);
                // SAFETY: the mesh is in the object, which never changes it.
                unsafe { lend(slf.as_any(), numbers, 3) }
            }
            Precision::Single => {
                let numbers = mesh.single.get_or_init(|| {
                    count(Copied::OnHost);
                    host.positions.iter().flat_map(|p| p.as_vec3().to_array()).collect()
                });
                // SAFETY: as above.
                unsafe { lend(slf.as_any(), numbers, 3) }
            }
        }
    }
    /// Vertices of faces: an array (m, 3) of int32, on the device or on the host.
    #[getter]
    fn faces<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, mesh) = (slf.py(), slf.get());
        if mesh.content.resident {
            return Ok(
                Bound::new(py, DeviceArray::new(Source::Faces(Arc::clone(&mesh.content)))?)?.into_any()
            );
        }
        // there are at most 1.2 · 10⁹ vertices, so that all are positive
        let numbers: &[i32] = bytemuck::cast_slice(mesh.host(py)?.faces.as_flattened());
        // SAFETY: the mesh is in the object, which never changes it.
        unsafe { lend(slf.as_any(), numbers, 3) }
    }
    /// Names of the attributes of an element.
    fn attributes<'py>(&self, py: Python<'py>, element: &str) -> PyResult<Bound<'py, PyList>> {
        let element = columns::element(element)?;
        let columns = self.host(py)?.attributes(element);
        PyList::new(py, columns.iter().map(|column| column.name()))
    }
    /// An attribute, as a read-only array of the host.
    fn attribute<'py>(slf: &Bound<'py, Self>, element: &str, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let element = columns::element(element)?;
        match slf.get().host(slf.py())?.attributes(element).column(name) {
            // SAFETY: the mesh is in the object, which never changes it.
            Some(column) => unsafe { columns::array(slf.as_any(), column) },
            None => Err(pyo3::exceptions::PyKeyError::new_err(name.to_owned())),
        }
    }
    /// The same mesh with attributes put in or, in the place of None, taken out: a dictionary for each element.
    fn with_attributes(&self, py: Python<'_>, changes: &Bound<'_, PyDict>) -> PyResult<Self> {
        let mut mesh = self.host(py)?.clone();
        for (name, of) in changes {
            let element = columns::element(&name.extract::<String>()?)?;
            if element == Element::Edge {
                return Err(Failure::argument("attributes of edges cannot be set").into());
            }
            let rows = mesh.attributes(element).rows();
            for (name, array) in of.cast::<PyDict>()? {
                let name: String = name.extract()?;
                if array.is_none() {
                    mesh.attributes_mut(element).remove(&name);
                    continue;
                }
                let column = columns::column(element, &name, &array, rows)?;
                mesh.attributes_mut(element).insert_column(column).map_err(Failure::from)?;
            }
        }
        let content = Arc::clone(&self.content);
        let size = Size::Faces(content.sizes[1]);
        Ok(Self::new(watch::run(py, size, None, move |session| content.like(session, mesh))?))
    }
}

impl NativeMesh {
    /// The mesh on the host; a download is done without the interpreter's lock.
    fn host(&self, py: Python<'_>) -> PyResult<&TriangleMesh> {
        if self.content.known().is_none() {
            let content = Arc::clone(&self.content);
            let size = Size::Faces(content.sizes[1]);
            watch::run(py, size, None, move |session| content.host(session).map(drop))?;
        }
        let missing = || Failure::new(Kind::Internal, "a mesh that was downloaded is not there");
        Ok(self.content.known().ok_or_else(missing)?)
    }
}

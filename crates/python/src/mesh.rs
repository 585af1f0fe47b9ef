//! The mesh that Python holds.
use crate::arrays::{faces, give, lend, points};
use crate::columns;
use crate::content::Content;
use crate::dlpack::{Copied, DeviceArray, Source, count, taken};
use crate::failure::Failure;
use crate::watch::{self, Size};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use ribbonmesh::glam::{DMat3, DVec3};
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

pub fn options(patch_size: Option<u32>, seed: Option<u64>) -> MeshOptions {
    let default = MeshOptions::default();
    MeshOptions { patch_size: patch_size.unwrap_or(default.patch_size), seed: seed.unwrap_or(default.seed) }
}

#[pymethods]
impl NativeMesh {
    /// A mesh of arrays of the host: float32 or float64 (n, 3), and integers (m, 3), in native byte order and
    /// aligned.
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
            if let Some(vertex) = mesh.positions.iter().position(|p| !p.is_finite()) {
                return Err(ribbonmesh::Error::NotFinite { vertex }.into());
            }
            let around = mesh.points_around(mesh.local_origin());
            let size = |v: &usize| mesh.positions[*v].abs().max_element();
            let far = (0..around.len()).filter(|&v| !around[v].is_finite());
            match far.max_by(|a, b| size(a).total_cmp(&size(b))) {
                Some(vertex) => {
                    let text = format!(
                        "vertex {vertex} is too far away for single precision, in which the mesh is worked on"
                    );
                    Err(Failure::mesh(text).of_vertex(vertex))
                }
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
        let sizes = [positions.buffer().len(), corners.faces()];
        let size = match opened.kind() {
            DeviceKind::Cuda => Size::Quick(sizes[1]),
            DeviceKind::Cpu => Size::Faces(sizes[1]),
        };
        let content = watch::run(py, size, None, move |session| {
            session.turn(&opened, |turn| {
                let (positions, lent_positions) = positions.copy()?;
                let (corners, lent_corners) = corners.copy(turn)?;
                let surface = Surface::from_buffers(positions, corners, &options)?;
                // it has waited for its check of the faces, and so for both copies
                drop((lent_positions, lent_corners));
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
        Ok(self.content.device()?.kind().name())
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
    /// The same mesh with attributes added, or removed if the value is None: a dictionary for each element.
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
        self.alike(py, mesh)
    }
    /// The same mesh after an affine map, by the first three rows of its matrix. Normals follow; a mirror
    /// image has its faces turned.
    fn transformed(&self, py: Python<'_>, rows: [[f64; 4]; 3]) -> PyResult<Self> {
        let mut mesh = self.host(py)?.clone();
        let [x, y, z] = rows.map(|[a, b, c, _]| DVec3::new(a, b, c));
        let shift = DVec3::from(rows.map(|row| row[3]));
        let linear = DMat3::from_cols(x, y, z).transpose();
        let determinant = linear.determinant();
        if !(determinant.is_finite() && determinant != 0.0 && shift.is_finite()) {
            return Err(Failure::argument("the matrix is singular, or not finite").into());
        }
        mesh.positions.iter_mut().for_each(|p| *p = linear * *p + shift);
        if mesh.precision == Precision::Single {
            mesh.positions.iter_mut().for_each(|p| *p = p.as_vec3().as_dvec3());
        }
        let normals = linear.inverse().transpose();
        for element in [Element::Vertex, Element::Face, Element::Corner] {
            let of_normals =
                |column: &&ribbonmesh_mesh::Column| column.role() == ribbonmesh_mesh::Role::Normal;
            let names: Vec<String> = mesh
                .attributes(element)
                .iter()
                .filter(of_normals)
                .map(|column| column.name().into())
                .collect();
            for name in names {
                // columns of other types than float32 are rare, and left out
                match mesh.attributes_mut(element).get_mut::<[f32; 3]>(&name) {
                    Ok(rows) => rows.iter_mut().for_each(|n| {
                        let turned = normals * DVec3::from(n.map(f64::from));
                        *n = turned.normalize_or_zero().as_vec3().to_array();
                    }),
                    Err(_) => {
                        mesh.attributes_mut(element).remove(&name);
                    }
                }
            }
        }
        if determinant < 0.0 {
            (0..mesh.faces.len() as u32).for_each(|face| {
                mesh.turn_face(face);
            });
        }
        self.alike(py, mesh)
    }
    /// Some faces with their vertices and attributes, in the order that is given.
    fn part(&self, py: Python<'_>, kept: Vec<u32>) -> PyResult<Self> {
        let mesh = self.host(py)?;
        if let Some(face) = kept.iter().find(|face| **face as usize >= mesh.faces.len()) {
            let text = format!("face {face}: the mesh has {} faces, numbered from 0", mesh.faces.len());
            return Err(Failure::argument(text).into());
        }
        let mut new = vec![u32::MAX; mesh.positions.len()];
        kept.iter().flat_map(|&face| mesh.faces[face as usize]).for_each(|v| new[v as usize] = 0);
        let vertices: Vec<u32> = (0..).zip(&new).filter(|(_, new)| **new == 0).map(|(v, _)| v).collect();
        (0..).zip(&vertices).for_each(|(i, &v)| new[v as usize] = i);
        let of = |&face: &u32| (face, mesh.faces[face as usize].map(|v| new[v as usize]));
        let faces: Vec<(u32, [u32; 3])> = kept.iter().map(of).collect();
        let mut part = mesh.part(&vertices, &faces).map_err(Failure::from)?;
        part.tables = mesh.tables.clone();
        self.alike(py, part)
    }
    /// This mesh and others one after the other; also returns the data that did not fit, in words.
    fn joined(&self, py: Python<'_>, others: Vec<PyRef<'_, Self>>) -> PyResult<(Self, Vec<String>)> {
        let mut mesh = self.host(py)?.clone();
        let mut notes = vec![];
        for other in others {
            notes.extend(mesh.append(other.host(py)?).map_err(Failure::from)?);
        }
        Ok((self.alike(py, mesh)?, notes))
    }
    /// The component of each face: faces that share an edge have the same component; components are numbered
    /// from 0 in the order of the faces.
    fn components<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mesh = self.host(py)?;
        let sides = |(face, &[a, b, c]): (u32, &[u32; 3])| {
            [[a, b], [b, c], [c, a]].map(|[a, b]| (a.min(b), a.max(b), face))
        };
        let mut all: Vec<(u32, u32, u32)> = (0..).zip(&mesh.faces).flat_map(sides).collect();
        all.sort_unstable();
        let mut root: Vec<u32> = (0..mesh.faces.len() as u32).collect();
        let find = |root: &mut [u32], mut face: u32| {
            while root[face as usize] != face {
                root[face as usize] = root[root[face as usize] as usize];
                face = root[face as usize];
            }
            face
        };
        for pair in all.windows(2).filter(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1)) {
            let (a, b) = (find(&mut root, pair[0].2), find(&mut root, pair[1].2));
            root[a.max(b) as usize] = a.min(b);
        }
        // a root is the first face of its component
        let (mut label, mut count) = (vec![0_i32; mesh.faces.len()], 0);
        for face in 0..mesh.faces.len() {
            let first = find(&mut root, face as u32) as usize;
            label[face] = if first == face { count } else { label[first] };
            count += i32::from(first == face);
        }
        give(py, label, 1)
    }
}

impl NativeMesh {
    /// Another mesh of the host, where this one is.
    fn alike(&self, py: Python<'_>, mesh: TriangleMesh) -> PyResult<Self> {
        let content = Arc::clone(&self.content);
        let size = Size::Faces(content.sizes[1]);
        Ok(Self::new(watch::run(py, size, None, move |session| content.like(session, mesh))?))
    }
    /// The mesh on the host; a download is done without the interpreter's lock.
    fn host(&self, py: Python<'_>) -> PyResult<&TriangleMesh> {
        if self.content.known().is_none() {
            let content = Arc::clone(&self.content);
            let size = Size::Faces(content.sizes[1]);
            watch::run(py, size, None, move |session| content.host(session).map(drop))?;
        }
        let missing = || Failure::bug("a mesh that was downloaded is not there");
        Ok(self.content.known().ok_or_else(missing)?)
    }
}

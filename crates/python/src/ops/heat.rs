//! The heat method, with what its calls share.
use super::{text, value};
use crate::arrays::give;
use crate::content::Content;
use crate::failure::Failure;
use crate::mesh::NativeMesh;
use crate::options::parse;
use crate::watch::{self, Size};
use pyo3::prelude::*;
use ribbonmesh::Buffer;
use ribbonmesh::glam::DVec3;
use ribbonmesh_heat::{HeatMethod, HeatOptions, HeatReport, VectorHeat, VectorOptions};
use std::sync::{Arc, Mutex, PoisonError};

/// Numbers of vertices, so many for each, and a report for each result.
type Columns<'py> = (Bound<'py, PyAny>, Vec<String>);

/// The methods, each made by the first call that needs it.
struct Kept {
    heat: HeatOptions,
    vector: VectorOptions,
    distances: Mutex<Option<HeatMethod>>,
    vectors: Mutex<Option<VectorHeat>>,
}

/// Distances, vectors and coordinates by heat on a mesh that does not change.
#[pyclass(frozen, module = "ribbonmesh._native")]
pub struct NativeHeat {
    content: Arc<Content>,
    kept: Arc<Kept>,
}

/// Works with a method that is kept, made where it is not there.
fn made<M, T>(
    kept: &Mutex<Option<M>>,
    make: impl FnOnce() -> Result<M, Failure>,
    work: impl FnOnce(&mut M) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    let method = match &mut *kept {
        Some(method) => method,
        none => none.insert(make()?),
    };
    work(method)
}
fn report(of: &HeatReport) -> String {
    text(&value(of))
}

impl NativeHeat {
    fn size(&self) -> Size {
        Size::Faces(self.content.sizes[1])
    }
    /// Works with the method for distances.
    fn by_distances<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut HeatMethod) -> Result<T, Failure> + Send + 'static,
    ) -> PyResult<T> {
        let (content, kept) = (Arc::clone(&self.content), Arc::clone(&self.kept));
        watch::run(py, self.size(), None, move |session| {
            session.turn(&content.device()?, |turn| {
                made(&kept.distances, || Ok(HeatMethod::new(&content.surface(turn)?, &kept.heat)?), work)
            })
        })
    }
    /// Works with the method for vectors.
    fn by_vectors<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut VectorHeat) -> Result<T, Failure> + Send + 'static,
    ) -> PyResult<T> {
        let (content, kept) = (Arc::clone(&self.content), Arc::clone(&self.kept));
        watch::run(py, self.size(), None, move |session| {
            session.turn(&content.device()?, |turn| {
                made(&kept.vectors, || Ok(VectorHeat::new(&content.surface(turn)?, &kept.vector)?), work)
            })
        })
    }
}

#[pymethods]
impl NativeHeat {
    #[new]
    fn new(mesh: &NativeMesh, time: f64, solver: &str) -> PyResult<Self> {
        let solver = parse("solver", solver)?;
        let heat = HeatOptions { time, solver, ..HeatOptions::default() };
        let vector = VectorOptions { time, solver, ..VectorOptions::default() };
        heat.check().map_err(Failure::from)?;
        let kept = Kept { heat, vector, distances: Mutex::default(), vectors: Mutex::default() };
        Ok(Self { content: Arc::clone(&mesh.content), kept: Arc::new(kept) })
    }
    /// Distances from each of several lists of vertices, one list's after the other's.
    fn distances<'py>(&self, py: Python<'py>, each: Vec<Vec<u32>>) -> PyResult<Columns<'py>> {
        let (numbers, reports) = self.by_distances(py, move |method| {
            let lists: Vec<&[u32]> = each.iter().map(Vec::as_slice).collect();
            let found = method.distances_of_each(&lists)?;
            let (mut numbers, mut reports) = (vec![], vec![]);
            for (distances, of) in found {
                numbers.extend(distances.read()?);
                reports.push(report(&of));
            }
            Ok((numbers, reports))
        })?;
        Ok((give(py, numbers, 1)?, reports))
    }
    /// Vectors carried from each of several lists of vertices to all vertices.
    fn transport<'py>(&self, py: Python<'py>, each: Vec<Vec<(u32, [f64; 3])>>) -> PyResult<Columns<'py>> {
        let (numbers, reports) = self.by_vectors(py, move |method| {
            let gift = |&(v, x): &(u32, [f64; 3])| (v, DVec3::from_array(x));
            let lists: Vec<Vec<(u32, DVec3)>> =
                each.iter().map(|list| list.iter().map(gift).collect()).collect();
            let found = method.transport_each(&lists.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
            let (mut numbers, mut reports) = (vec![], vec![]);
            for (vectors, of) in found {
                numbers.extend(vectors.read()?.iter().flat_map(|x| x.to_array()));
                reports.push(report(&of));
            }
            Ok((numbers, reports))
        })?;
        Ok((give(py, numbers, 3)?, reports))
    }
    /// The logarithmic map of each of several vertices.
    fn log_maps<'py>(&self, py: Python<'py>, sources: Vec<u32>) -> PyResult<Columns<'py>> {
        let (numbers, reports) = self.by_vectors(py, move |method| {
            let (mut numbers, mut reports) = (vec![], vec![]);
            for found in method.logarithmic_maps(&sources)? {
                let read = |axis: &Buffer<f64>| axis.read();
                let [x, y] = &found.coordinates;
                numbers.extend(read(x)?.into_iter().zip(read(y)?).flat_map(<[f64; 2]>::from));
                reports.push(report(&found.report));
            }
            Ok((numbers, reports))
        })?;
        Ok((give(py, numbers, 2)?, reports))
    }
    /// Distances from a curve, with a sign.
    fn signed<'py>(&self, py: Python<'py>, curve: Vec<u32>) -> PyResult<Columns<'py>> {
        let (numbers, reports) = self.by_vectors(py, move |method| {
            let found = method.signed_distances(&curve)?;
            Ok((found.distances.read()?, vec![report(&found.report)]))
        })?;
        Ok((give(py, numbers, 1)?, reports))
    }
    /// The two axes of the tangent plane of a vertex.
    fn basis<'py>(&self, py: Python<'py>, vertex: u32) -> PyResult<Bound<'py, PyAny>> {
        let axes = self.by_vectors(py, move |method| Ok(method.basis(vertex)?))?;
        give(py, axes.iter().flat_map(|axis| axis.to_array()).collect::<Vec<f64>>(), 3)
    }
}

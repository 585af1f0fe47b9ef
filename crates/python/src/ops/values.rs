//! Values of vertices.
use super::{on_surface, spread, text, value};
use crate::arrays::give;
use crate::content::Content;
use crate::dlpack::{Copied, DeviceArray, Source, count};
use crate::failure::Failure;
use crate::mesh::NativeMesh;
use crate::options::parse;
use crate::watch::{self, Size};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use ribbonmesh::{Buffer, Surface};
use ribbonmesh_curvature::{CurvatureOptions, FacesWithoutArea};
use ribbonmesh_geodesic::GeodesicOptions;
use ribbonmesh_geodesic::exact::Exact;
use ribbonmesh_mesh::Value as HostValue;
use serde_json::json;
use std::sync::Arc;

/// A value for each vertex, where the arrays of the mesh live.
enum Values<T> {
    Host(Vec<T>),
    Device(Arc<Buffer<T>>),
}

/// The column of vertices of that name, which was just put in.
fn column<T: HostValue + ribbonmesh::Value>(
    content: &Content,
    surface: &Surface,
    name: &str,
) -> Result<Values<T>, Failure> {
    let values = surface.values_of_vertices::<T>(name)?;
    if content.resident {
        return Ok(Values::Device(Arc::new(values)));
    }
    count(Copied::ToHost);
    Ok(Values::Host(values.read()?))
}

fn floats(py: Python<'_>, values: Values<f32>) -> PyResult<Bound<'_, PyAny>> {
    match values {
        Values::Host(values) => give(py, values, 1),
        Values::Device(values) => Ok(Bound::new(py, DeviceArray::new(Source::Floats(values))?)?.into_any()),
    }
}

/// Columns that `curvature` puts in.
const CURVATURES: [&str; 5] =
    ["gaussian_curvature", "mean_curvature", "geodesic_curvature", "angle_defect", "vertex_area"];

/// Curvatures of vertices by name, and a report.
#[pyfunction]
#[pyo3(signature = (mesh, area))]
pub fn curvature<'py>(
    py: Python<'py>,
    mesh: &NativeMesh,
    area: &str,
) -> PyResult<(Bound<'py, PyDict>, String)> {
    let options = CurvatureOptions { area: parse("area", area)? };
    let (found, report) = on_surface(py, mesh, None, None, move |content, _, mut surface| {
        let done = ribbonmesh_curvature::curvature(&mut surface, &options)?;
        let without = FacesWithoutArea::of(&surface)?;
        let surface = surface.try_clone()?;
        let found: Result<Vec<_>, _> =
            CURVATURES.iter().map(|name| column::<f32>(content, &surface, name)).collect();
        let report = json!({
            "area": options.area.name(),
            "surface_area": done.area,
            "vertices_on_boundary": done.boundary_vertices,
            "isolated_vertices": done.isolated_vertices,
            "faces_without_area": without.count,
            "first_without_area": without.first,
            "degenerate_faces": without.degenerate,
            "total_defect": done.total_defect,
            "boundary_defect": done.boundary_defect,
            "gauss_bonnet": done.gauss_bonnet(),
            "gaussian": spread(done.gaussian),
            "mean": spread(done.mean),
            "geodesic": spread(done.geodesic),
        });
        Ok((found?, text(&report)))
    })?;
    let arrays = PyDict::new(py);
    for (name, values) in CURVATURES.iter().zip(found) {
        arrays.set_item(name, floats(py, values)?)?;
    }
    Ok((arrays, report))
}

/// Refuses vertices that are not there.
fn check(option: &str, vertices: &[u32], mesh: &NativeMesh) -> Result<(), Failure> {
    let n = mesh.content.sizes[0];
    if option == "source" && vertices.is_empty() {
        return Err(Failure::argument("source names no vertex"));
    }
    match vertices.iter().find(|v| **v as usize >= n) {
        None => Ok(()),
        Some(v) => {
            Err(Failure::argument(format!("{option} is {v}: the mesh has {n} vertices, numbered from 0")))
        }
    }
}

/// Geodesic distances from sources, and a report.
#[pyfunction]
#[pyo3(signature = (mesh, source, order, tolerance, estimate))]
pub fn geodesic<'py>(
    py: Python<'py>,
    mesh: &NativeMesh,
    source: Vec<u32>,
    order: &str,
    tolerance: f32,
    estimate: bool,
) -> PyResult<(Bound<'py, PyAny>, String)> {
    check("source", &source, mesh)?;
    let options = GeodesicOptions { order: parse("order", order)?, tolerance, paths: !estimate };
    let (found, report) = on_surface(py, mesh, None, None, move |content, _, mut surface| {
        let done = ribbonmesh_geodesic::geodesic(&mut surface, &source, &options)?;
        let surface = surface.try_clone()?;
        Ok((column::<f32>(content, &surface, "distance")?, text(&value(done))))
    })?;
    Ok((floats(py, found)?, report))
}

/// A path as Python gets it: the target, the source, the length and the points.
type Path<'py> = (u32, Option<u32>, Option<f64>, Bound<'py, PyAny>);

/// Exact geodesic distances, shortest paths, and a report.
#[pyfunction]
#[pyo3(signature = (mesh, source, path_to))]
pub fn geodesic_exact<'py>(
    py: Python<'py>,
    mesh: &NativeMesh,
    source: Vec<u32>,
    path_to: Vec<u32>,
) -> PyResult<(Bound<'py, PyAny>, Vec<Path<'py>>, String)> {
    check("source", &source, mesh)?;
    check("path_to", &path_to, mesh)?;
    let content = Arc::clone(&mesh.content);
    let (distances, paths, report) = watch::run(py, Size::Long, None, move |session| {
        let mesh = content.host(session)?;
        let mut exact = Exact::new(&mesh.positions, &mesh.faces)?;
        let done = exact.run(&source)?;
        let paths: Vec<_> = path_to.iter().map(|&v| (v, exact.path_to(v))).collect();
        Ok((exact.distances().to_vec(), paths, text(&value(done))))
    })?;
    let paths = paths.into_iter().map(|(to, path)| {
        let numbers = path.iter().flat_map(|path| &path.points).flat_map(|p| p.to_array()).collect();
        let points = give::<f64>(py, numbers, 3)?;
        Ok((to, path.as_ref().and_then(|p| p.source()), path.as_ref().map(|p| p.length()), points))
    });
    Ok((give(py, distances, 1)?, paths.collect::<PyResult<Vec<_>>>()?, report))
}

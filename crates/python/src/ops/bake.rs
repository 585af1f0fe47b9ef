//! Textures from one mesh to another.
use super::text;
use crate::arrays::give;
use crate::failure::Failure;
use crate::mesh::NativeMesh;
use crate::watch::{self, Size};
use pyo3::prelude::*;
use ribbonmesh_unwrap::{BakeOptions, Quantity, Texture};
use serde_json::json;
use std::sync::Arc;

/// The numbers of all texels by rows, what covers each texel, and a report.
type Arrays<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, String);

/// A texture of a mesh with texture coordinates, from the values of another mesh.
#[pyfunction]
#[pyo3(signature = (mesh, source, of, resolution, dilate, max_distance))]
pub fn bake<'py>(
    py: Python<'py>,
    mesh: &NativeMesh,
    source: &NativeMesh,
    of: &str,
    resolution: u32,
    dilate: u32,
    max_distance: Option<f64>,
) -> PyResult<Arrays<'py>> {
    let (target, source) = (Arc::clone(&mesh.content), Arc::clone(&source.content));
    let options = BakeOptions { quantity: Quantity::of_name(of), resolution, dilate, distance: max_distance };
    let size = Size::Faces(target.sizes[1] + source.sizes[1] + (resolution as usize).pow(2));
    let texture = watch::run(py, size, None, move |session| -> Result<Texture, Failure> {
        let device = target.device()?;
        let (target, source) = (target.host(session)?, source.host(session)?);
        session.turn(&device, |turn| Ok(ribbonmesh_unwrap::bake(turn, source, target, &options)?))
    })?;
    let [texels, all] = texture.counts();
    let report = json!({
        "resolution": texture.side,
        "channels": texture.width,
        "texels": texels,
        "dilated": all - texels,
        "linear": texture.linear,
    });
    let shape = (texture.side as i64, texture.side as i64, i64::from(texture.width));
    let values = give(py, texture.values, 1)?.call_method1("reshape", shape)?;
    let covered: Vec<u8> = texture.covered.iter().map(|&state| state as u8).collect();
    let covered = give(py, covered, 1)?.call_method1("reshape", (shape.0, shape.1))?;
    Ok((values, covered, text(&report)))
}

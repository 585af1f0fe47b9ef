//! The functions of the libraries, as the command has them: each gives a report as JSON.
pub mod application;
pub mod bake;
pub mod energy;
pub mod heat;
pub mod laplacian;
pub mod lod;
pub mod measure;
pub mod picture;
pub mod query;
pub mod serve;
pub mod shapes;
pub mod sparse;
pub mod spectrum;
pub mod tiles;
pub mod track;
pub mod volume;

use crate::content::Content;
use crate::device::{Choice, Session, Turn};
use crate::failure::Failure;
use crate::mesh::NativeMesh;
use crate::watch::{self, Size};
use pyo3::prelude::*;
use ribbonmesh::{Statistics, Surface};
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// A report as JSON.
fn text(report: &Value) -> String {
    report.to_string()
}
/// As a value of JSON. The libraries' reports have no maps with other keys than text, so that this cannot
/// fail.
fn value(report: impl Serialize) -> Value {
    serde_json::to_value(report).unwrap_or_default()
}
fn spread(statistics: Option<Statistics>) -> Value {
    match statistics {
        None => Value::Null,
        Some(Statistics { count, min, max, mean, standard_deviation }) => {
            json!({"count": count, "min": min, "max": max, "mean": mean, "standard_deviation": standard_deviation})
        }
    }
}

/// Works on a device, in a turn.
fn in_turn<T: Send + 'static>(
    py: Python<'_>,
    choice: Choice,
    size: Size,
    progress: Option<Bound<'_, PyAny>>,
    work: impl FnOnce(&Turn) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    watch::run(py, size, progress, move |session| session.turn(&choice.open()?, work))
}

/// Works on a surface of the mesh in a turn on its device, with a report.
fn on_surface<T: Send + 'static>(
    py: Python<'_>,
    mesh: &NativeMesh,
    size: Option<Size>,
    progress: Option<Bound<'_, PyAny>>,
    work: impl FnOnce(&Content, &Turn, Surface) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let content = Arc::clone(&mesh.content);
    let size = size.unwrap_or(Size::Faces(content.sizes[1]));
    watch::run(py, size, progress, move |session| with_surface(session, &content, work))
}
/// The same within work that has a session.
fn with_surface<T>(
    session: &mut Session,
    content: &Content,
    work: impl FnOnce(&Content, &Turn, Surface) -> Result<T, Failure>,
) -> Result<T, Failure> {
    session.turn(&content.device()?, |turn| work(content, turn, content.surface(turn)?))
}

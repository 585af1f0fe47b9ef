//! Levels of detail.
use super::{text, value};
use crate::content::Content;
use crate::mesh::NativeMesh;
use crate::watch::{self, Size};
use pyo3::prelude::*;
use ribbonmesh::MeshOptions;
use ribbonmesh::glam::DVec3;
use ribbonmesh_tiles::lod::{Cut, Levels, LevelsOptions};
use std::path::PathBuf;
use std::sync::Arc;

/// The levels of detail of a surface, in memory or in files.
#[pyclass(frozen, module = "ribbonmesh._native")]
pub struct NativeLevels(Arc<Levels>);

#[pymethods]
impl NativeLevels {
    /// Makes those of a mesh.
    #[staticmethod]
    #[pyo3(signature = (mesh, feature_angle, curve_weight, max_turn))]
    fn build(
        py: Python<'_>,
        mesh: &NativeMesh,
        feature_angle: Option<f32>,
        curve_weight: Option<f32>,
        max_turn: Option<f32>,
    ) -> PyResult<Self> {
        let content = Arc::clone(&mesh.content);
        let usual = LevelsOptions::default();
        let options = LevelsOptions {
            feature_angle,
            curve_weight: curve_weight.unwrap_or(usual.curve_weight),
            max_turn: max_turn.unwrap_or(usual.max_turn),
        };
        let built = watch::run(py, Size::Long, None, move |session| {
            Ok(Levels::build(content.host(session)?, &options)?)
        });
        Ok(Self(Arc::new(built?)))
    }
    /// Those of files.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let opened = watch::run(py, Size::Long, None, move |_| Ok(Levels::open(&path)?));
        Ok(Self(Arc::new(opened?)))
    }
    /// Writes them.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<PathBuf> {
        let levels = Arc::clone(&self.0);
        watch::run(py, Size::Long, None, move |_| Ok(levels.write(&path)?))
    }
    /// The surface of an error, or of an error at distance 1 from a point.
    #[pyo3(signature = (error, eye, slope, device))]
    fn cut(
        &self,
        py: Python<'_>,
        error: f64,
        eye: Option<[f64; 3]>,
        slope: f64,
        device: &str,
    ) -> PyResult<NativeMesh> {
        let (levels, choice) = (Arc::clone(&self.0), device.parse()?);
        let cut = match eye {
            Some(eye) => Cut::View { from: DVec3::from_array(eye), slope },
            None => Cut::Error(error),
        };
        let mesh = watch::run(py, Size::Long, None, move |_| Ok(levels.mesh(&cut)?))?;
        Ok(NativeMesh::new(Content::of_host(mesh, choice, MeshOptions::default())))
    }
    /// Their sizes.
    fn about(&self) -> String {
        text(&value(self.0.about()))
    }
    /// The diagonal of the box around the surface.
    fn diagonal(&self) -> f64 {
        self.0.about().diagonal()
    }
}

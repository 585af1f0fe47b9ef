//! Simplification and remeshing of files tile by tile, on whose tiles anyone may work.
use super::application::given;
use super::{text, value};
use crate::failure::Failure;
use crate::watch::{self, Size};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use ribbonmesh_application::OptionValue;
use ribbonmesh_applications::find;
use ribbonmesh_clean::Bytes;
use ribbonmesh_tiles::{Job, RemeshTiles, Run, SLOTS, SimplifyTiles, Target, work_on};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// A run in a folder, until it is finished.
#[pyclass(frozen, module = "ribbonmesh._native")]
pub struct NativeTiles(Arc<Mutex<Option<Run>>>);

fn with<T>(
    run: &Mutex<Option<Run>>,
    work: impl FnOnce(&mut Run) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let mut run = run.lock().unwrap_or_else(PoisonError::into_inner);
    run.as_mut().map_or_else(|| Err(Failure::argument("the tiles are finished")), work)
}

/// Memory, most faces of a tile, and whether the folder is kept.
type Room = (Bytes, Option<u64>, bool);

fn simplification(
    (faces, ratio): (Option<u32>, Option<f64>),
    (feature_angle, curve_weight, max_turn): (Option<f32>, Option<f32>, Option<f32>),
    work: PathBuf,
    (memory, tile_faces, keep): Room,
) -> Job {
    let target = match (faces, ratio) {
        (Some(faces), _) => Target::Faces(faces),
        (None, ratio) => Target::Ratio(ratio.unwrap_or(1.0)),
    };
    let usual = SimplifyTiles::new(target, work);
    let curve_weight = curve_weight.unwrap_or(usual.curve_weight);
    let max_turn = max_turn.unwrap_or(usual.max_turn);
    let memory = memory.0;
    SimplifyTiles { memory, tile_faces, keep, feature_angle, curve_weight, max_turn, ..usual }.into()
}

fn remeshing(options: &Bound<'_, PyDict>, work: PathBuf, (memory, tile_faces, keep): Room) -> PyResult<Job> {
    let missing = || Failure::argument("remesh is not an application");
    let schema = find("remesh").ok_or_else(missing)?.description().schema;
    let given = given(schema, options)?;
    let failed = |failure| Failure::from(failure).of_options(schema);
    let usual = RemeshTiles::given(&given, work).map_err(failed)?;
    Ok(RemeshTiles { memory: memory.0, tile_faces, keep, ..usual }.into())
}

#[pymethods]
impl NativeTiles {
    #[new]
    #[pyo3(signature = (mesh, output, faces, ratio, memory, tile_faces, work, keep, shape, remesh))]
    #[expect(clippy::too_many_arguments, reason = "they are the command's options")]
    fn new(
        py: Python<'_>,
        mesh: PathBuf,
        output: PathBuf,
        faces: Option<u32>,
        ratio: Option<f64>,
        memory: &str,
        tile_faces: Option<u64>,
        work: PathBuf,
        keep: bool,
        shape: (Option<f32>, Option<f32>, Option<f32>),
        remesh: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let memory = Bytes::parse(memory).map_err(|error| Failure::argument(format!("memory: {error}")))?;
        let job = match remesh {
            Some(options) => remeshing(options, work, (memory, tile_faces, keep))?,
            None => simplification((faces, ratio), shape, work, (memory, tile_faces, keep)),
        };
        let opened = watch::run(py, Size::Long, None, move |_| Ok(Run::open(&mesh, &output, job)?));
        Ok(Self(Arc::new(Mutex::new(Some(opened?)))))
    }
    /// Ends a round and begins the next one: its tiles that are not done.
    fn round(&self, py: Python<'_>) -> PyResult<Option<Vec<usize>>> {
        let run = Arc::clone(&self.0);
        watch::run(py, Size::Long, None, move |_| with(&run, |run| Ok(run.round(&mut drop)?)))
    }
    /// Works on all tiles of the round.
    fn work(&self, py: Python<'_>) -> PyResult<()> {
        let run = Arc::clone(&self.0);
        let threads = rayon::current_num_threads().min(SLOTS as usize);
        watch::run(py, Size::Long, None, move |_| with(&run, |run| Ok(run.work(threads)?)))
    }
    /// The work on a tile of the round.
    fn task<'py>(&self, py: Python<'py>, tile: usize) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| with(&self.0, |run| Ok(run.task(tile)?)))?;
        Ok(PyBytes::new(py, &bytes))
    }
    /// Keeps the result of a tile.
    fn put(&self, py: Python<'_>, tile: usize, result: &[u8]) -> PyResult<()> {
        Ok(py.detach(|| with(&self.0, |run| Ok(run.put(tile, result)?)))?)
    }
    /// Writes the output: the report.
    fn finish(&self, py: Python<'_>) -> PyResult<String> {
        let run = Arc::clone(&self.0);
        watch::run(py, Size::Long, None, move |_| {
            let taken = run.lock().unwrap_or_else(PoisonError::into_inner).take();
            let run = taken.ok_or_else(|| Failure::argument("the tiles are finished"))?;
            Ok(text(&value(run.finish()?)))
        })
    }
}

/// The result of a task.
#[pyfunction]
pub fn work_on_tile<'py>(py: Python<'py>, task: Vec<u8>) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = watch::run(py, Size::Long, None, move |_| Ok(work_on(&task)?))?;
    Ok(PyBytes::new(py, &bytes))
}

//! Surfaces that move.
use super::{text, value};
use crate::arrays::give;
use crate::content::Content;
use crate::device::{Choice, Turn};
use crate::dlpack::{Copied, DeviceArray, Source, count, taken};
use crate::failure::Failure;
use crate::mesh::NativeMesh;
use crate::options::word;
use crate::watch::{self, Size};
use numpy::{PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use ribbonmesh::dynamic::DynamicAttribute;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Buffer, Device, Error, MeshOptions, Surface};
use ribbonmesh_track::{
    Adaptive, AlongNormals, Boundary, ByCurvature, Computed, Flips, Flow, Given, Integration, Method,
    StepReport, Subdivision, TrackError, TrackOptions, Tracker,
};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

/// A surface that moves.
#[pyclass(frozen, module = "ribbonmesh._native")]
pub struct NativeTracker {
    state: Arc<Mutex<State>>,
    choice: Choice,
    options: MeshOptions,
    /// Whether arrays of Python live on the device.
    resident: bool,
}

struct State {
    tracker: Tracker,
    /// Whether a step has ended in the middle.
    broken: bool,
}

/// The motion of the surface.
enum Velocity {
    Normals(f32),
    Curvature(f32),
    Vertices(Buffer<Vec3>),
    Function(Py<PyAny>),
}

/// The state, unless somebody works on it.
fn free(state: &Mutex<State>) -> Result<MutexGuard<'_, State>, Failure> {
    match state.try_lock() {
        Ok(state) if state.broken => {
            Err(Failure::argument("a step of the tracker was stopped in the middle: make a new tracker"))
        }
        Ok(state) => Ok(state),
        // work that failed has said so
        Err(TryLockError::Poisoned(_)) => {
            Err(Failure::argument("the tracker has failed: make a new tracker"))
        }
        Err(TryLockError::WouldBlock) => Err(Failure::argument("the tracker is in the middle of a step")),
    }
}

/// Whether the surface is in the middle of a step after this error.
fn is_in_between(error: &TrackError) -> bool {
    matches!(error, TrackError::Library(error) if !matches!(error, Error::Option { .. }))
}

/// An array of the host or of the device as vectors there: `n` rows.
fn vectors(
    py: Python<'_>,
    device: &Device,
    object: &Bound<'_, PyAny>,
    resident: bool,
    n: usize,
) -> PyResult<Buffer<Vec3>> {
    let what = "velocities";
    let buffer = if resident {
        // what was lent goes back here
        taken::vectors(py, device, object, what)?.copy()?.0
    } else {
        let array: PyReadonlyArray2<'_, f32> = object
            .extract()
            .map_err(|_| Failure::argument("velocities are no float32 array of the shape (n, 3)"))?;
        if !array.is_c_contiguous() || array.shape()[1] != 3 {
            return Err(Failure::argument("velocities are not rows of three numbers").into());
        }
        let rows: &[[f32; 3]] = bytemuck::cast_slice(array.as_slice()?);
        let vectors: Vec<Vec3> = rows.iter().copied().map(Vec3::from).collect();
        count(Copied::ToDevice);
        device.upload(&vectors).map_err(Failure::from)?
    };
    if buffer.len() != n {
        let shape = format!("velocities have the shape ({}, 3): ({n}, 3) is needed", buffer.len());
        return Err(Failure::argument(shape).into());
    }
    Ok(buffer)
}
/// Vectors that are to become an array, where arrays of Python live.
enum Vectors {
    Device(Buffer<Vec3>),
    Single(Vec<Vec3>),
    Double(Vec<DVec3>),
}
impl Vectors {
    /// In a turn on their device: reading waits. `origin`, to which they are relative, is added on the host.
    fn of(_turn: &Turn, vectors: Buffer<Vec3>, origin: DVec3, resident: bool) -> Result<Self, Error> {
        if resident {
            return Ok(Self::Device(vectors));
        }
        count(Copied::ToHost);
        let vectors = vectors.read()?;
        if origin == DVec3::ZERO {
            return Ok(Self::Single(vectors));
        }
        Ok(Self::Double(vectors.iter().map(|v| v.as_dvec3() + origin).collect()))
    }
    fn array(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        match self {
            Self::Device(vectors) => {
                Ok(Bound::new(py, DeviceArray::new(Source::Vectors(Arc::new(vectors)))?)?.into_any())
            }
            Self::Single(vectors) => give::<f32>(py, vectors.iter().flat_map(|v| v.to_array()).collect(), 3),
            Self::Double(vectors) => give::<f64>(py, vectors.iter().flat_map(|v| v.to_array()).collect(), 3),
        }
    }
}

#[pymethods]
impl NativeTracker {
    #[new]
    #[pyo3(signature = (mesh, method, collisions, integration, length, shortest, longest, adaptive, tolerance, range, flips, subdivision, keep_boundary, improvement, correct_volume, validate))]
    #[expect(clippy::too_many_arguments, reason = "they are the command's options")]
    fn new(
        py: Python<'_>,
        mesh: &NativeMesh,
        method: &str,
        collisions: bool,
        integration: &str,
        length: Option<f32>,
        shortest: f32,
        longest: f32,
        adaptive: bool,
        tolerance: Option<f32>,
        range: Option<[f32; 2]>,
        flips: &str,
        subdivision: &str,
        keep_boundary: bool,
        improvement: bool,
        correct_volume: bool,
        validate: bool,
    ) -> PyResult<Self> {
        let usual = Adaptive::default();
        let options = TrackOptions {
            method: word("method", [(Method::Improve, "improve"), (Method::GridFree, "grid-free")], method)?,
            collisions,
            integration: word(
                "integration",
                [(Integration::RungeKutta, "rk4"), (Integration::Euler, "euler")],
                integration,
            )?,
            length,
            shortest,
            longest,
            adaptive: adaptive.then(|| Adaptive {
                tolerance: tolerance.unwrap_or(usual.tolerance),
                range: range.unwrap_or(usual.range),
            }),
            flips: word("flips", [(Flips::Delaunay, "delaunay"), (Flips::Shorter, "shorter")], flips)?,
            subdivision: word(
                "subdivision",
                [(Subdivision::Butterfly, "butterfly"), (Subdivision::Middle, "middle")],
                subdivision,
            )?,
            boundary: if keep_boundary { Boundary::Keep } else { Boundary::Refine },
            improve: improvement,
            correct_volume,
            validate,
            trace: true,
            ..TrackOptions::default()
        };
        let content = Arc::clone(&mesh.content);
        let (choice, mesh_options) = (content.choice, content.options.clone());
        let resident = content.resident;
        let tracker = watch::run(py, Size::Faces(content.sizes[1]), None, move |session| {
            let host = content.host(session)?;
            session.turn(&content.device()?, |turn| Ok(Tracker::new(turn, host, &options)?))
        })?;
        let state = Arc::new(Mutex::new(State { tracker, broken: false }));
        Ok(Self { state, choice, options: mesh_options, resident })
    }
    /// One step, by velocities along normals, against curvature, of vertices, or of a function of positions
    /// and the time. Its report.
    #[pyo3(signature = (dt, kind, velocity, progress))]
    fn step(
        &self,
        py: Python<'_>,
        dt: f64,
        kind: &str,
        velocity: &Bound<'_, PyAny>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        let velocity = match kind {
            "normals" => Velocity::Normals(velocity.extract()?),
            "curvature" => Velocity::Curvature(velocity.extract()?),
            "function" => Velocity::Function(velocity.clone().unbind()),
            _ => {
                let (n, device) = self.alone(py, |_, tracker| {
                    tracker.compact()?;
                    Ok((tracker.vertex_count(), tracker.device().clone()))
                })?;
                Velocity::Vertices(vectors(py, &device, velocity, self.resident, n as usize)?)
            }
        };
        let faces = free(&self.state)?.tracker.face_count();
        let (state, resident) = (Arc::clone(&self.state), self.resident);
        watch::run(py, Size::Faces(faces as usize), progress, move |session| {
            let mut state = free(&state)?;
            let device = state.tracker.device().clone();
            session.turn(&device, |turn| {
                let (done, in_between) = step(turn, &mut state.tracker, dt, velocity, resident);
                state.broken = in_between;
                Ok(text(&value(done?)))
            })
        })
    }
    /// Improves the mesh without moving it. Its report.
    #[pyo3(signature = (progress))]
    fn improve(&self, py: Python<'_>, progress: Option<Bound<'_, PyAny>>) -> PyResult<String> {
        let faces = free(&self.state)?.tracker.face_count();
        let state = Arc::clone(&self.state);
        watch::run(py, Size::Faces(faces as usize), progress, move |session| {
            let mut state = free(&state)?;
            let device = state.tracker.device().clone();
            session.turn(&device, |_| {
                let done = state.tracker.improve_only();
                state.broken = done.as_ref().is_err_and(is_in_between);
                Ok(text(&value(done?)))
            })
        })
    }
    /// Positions of the vertices of now, where arrays of Python live.
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let resident = self.resident;
        let of = move |turn: &Turn, tracker: &mut Tracker| {
            Ok(Vectors::of(turn, tracker.points()?, tracker.origin(), resident)?)
        };
        self.alone(py, of)?.array(py)
    }
    /// The surface of now as a mesh: with its attributes, or without any on its device.
    #[pyo3(signature = (attributes))]
    fn mesh(&self, py: Python<'_>, attributes: bool) -> PyResult<NativeMesh> {
        let (choice, options, resident) = (self.choice, self.options.clone(), self.resident);
        let content = self.alone(py, move |_, tracker| {
            if resident && !attributes {
                count(Copied::OnDevice);
                if tracker.origin() != DVec3::ZERO {
                    return Ok(Content::of_host(tracker.download()?, choice, options));
                }
                let (x, faces) = tracker.triangles()?;
                let sizes = [x.len(), faces.len() / 3];
                let surface = Surface::from_buffers(x, faces, &options)?;
                return Ok(Content::of_buffers(surface, sizes, choice, options));
            }
            count(Copied::ToHost);
            Ok(Content::of_host(tracker.download()?, choice, options))
        })?;
        if resident && !content.resident {
            return NativeMesh::new(content).moved(py, true);
        }
        Ok(NativeMesh::new(content))
    }
    /// Time, steps, edge length, vertices, faces.
    #[getter]
    fn figures(&self) -> PyResult<(f64, u64, f32, u32, u32)> {
        let state = free(&self.state)?;
        let tracker = &state.tracker;
        Ok((tracker.time(), tracker.steps(), tracker.length(), tracker.vertex_count(), tracker.face_count()))
    }
    /// The vertex of the input that each vertex is, or -1.
    #[getter]
    fn input_index<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let found = self.alone(py, |_, tracker| Ok(tracker.input_vertices()?))?;
        give::<i64>(py, found.into_iter().map(|v| v.map_or(-1, i64::from)).collect(), 1)
    }
    /// The point to which positions on the device are relative.
    #[getter]
    fn origin(&self) -> PyResult<[f64; 3]> {
        Ok(free(&self.state)?.tracker.origin().to_array())
    }
    /// Ids of the components.
    #[getter]
    fn components(&self) -> PyResult<Vec<u32>> {
        Ok(free(&self.state)?.tracker.components())
    }
}

impl NativeTracker {
    /// Short work on the tracker, in a turn on its device.
    fn alone<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Turn, &mut Tracker) -> Result<T, Failure> + Send + 'static,
    ) -> PyResult<T> {
        let faces = free(&self.state)?.tracker.face_count();
        let state = Arc::clone(&self.state);
        watch::run(py, Size::Faces(faces as usize), None, move |session| {
            let mut state = free(&state)?;
            let device = state.tracker.device().clone();
            session.turn(&device, |turn| work(turn, &mut state.tracker))
        })
    }
}

/// A step, and whether it has ended in the middle.
fn step(
    turn: &Turn,
    tracker: &mut Tracker,
    dt: f64,
    velocity: Velocity,
    resident: bool,
) -> (Result<StepReport, Failure>, bool) {
    let origin = tracker.origin();
    let mut raised = None;
    let done = match velocity {
        Velocity::Normals(speed) => tracker.step(dt, &mut AlongNormals { speed }),
        Velocity::Curvature(speed) => tracker.step(dt, &mut ByCurvature { speed }),
        Velocity::Vertices(velocities) if tracker.is_empty() => {
            drop(velocities);
            tracker.step(dt, &mut AlongNormals { speed: 0.0 })
        }
        Velocity::Vertices(velocities) => DynamicAttribute::from_buffer(tracker.mesh(), &velocities)
            .map_err(TrackError::from)
            .and_then(|velocities| tracker.step(dt, &mut Given(&velocities))),
        Velocity::Function(function) => {
            let mut flow = Computed(|x: Buffer<Vec3>, time: f64| {
                let n = x.len();
                let x = Vectors::of(turn, x, origin, resident)?;
                // the function may use the package, too, and needs a turn then
                let asked = turn.pause(|| {
                    Python::attach(|py| {
                        vectors(py, turn, &function.bind(py).call1((x.array(py)?, time))?, resident, n)
                    })
                })?;
                asked.map_err(|error| {
                    raised = Some(error);
                    Error::Stopped
                })
            });
            let flow: &mut dyn Flow = &mut flow;
            tracker.step(dt, flow)
        }
    };
    if let Some(error) = raised {
        // the mesh for which velocities were asked has not moved, or was restored
        return (Err(Failure::raised(error)), false);
    }
    let in_between = done.as_ref().is_err_and(is_in_between);
    (done.map_err(Failure::from), in_between)
}

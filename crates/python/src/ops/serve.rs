//! A mesh that is served while Python computes.
use crate::arrays;
use crate::device::{Choice, Session};
use crate::dlpack::{Copied, count, taken};
use crate::failure::Failure;
use crate::watch::{self, Size};
use numpy::{PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Device};
use ribbonmesh_serve::stream::{
    Control, Description, Encoded, Extent, Found, Frames, Lacking, Limits, Query, Refusal, Source, Step,
    Triangles, View,
};
use ribbonmesh_serve::{Background, Live, Moment, Options, Server};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

/// A source that takes turns on its device with the other threads of the process.
struct Turned {
    live: Live,
    device: Device,
}
impl Turned {
    fn turn<T>(&mut self, work: impl FnOnce(&mut Live) -> Result<T, String>) -> Result<T, String> {
        let (device, live) = (self.device.clone(), &mut self.live);
        let done = Session::of_work().turn(&device, |_| Ok(work(live)));
        done.unwrap_or_else(|failure| Err(failure.message().to_owned()))
    }
}
impl Source for Turned {
    fn describe(&self) -> Description {
        let done = Session::of_work().turn(&self.device, |_| Ok(self.live.describe()));
        // a device that fails says so with the next frame
        done.unwrap_or_default()
    }
    fn revision(&self) -> u64 {
        self.live.revision()
    }
    fn step(&self) -> Step {
        self.live.step()
    }
    fn frames(&mut self) -> &mut dyn Frames {
        self
    }
    fn control(&mut self, control: Control) -> Result<(), Refusal> {
        self.live.control(control)
    }
}

impl Frames for Turned {
    fn prepare(&mut self, query: &Query) -> Result<String, String> {
        self.turn(|live| live.frames().prepare(query))
    }
    fn encode(&mut self, query: &Query, view: &View) -> Result<Encoded, String> {
        self.turn(|live| live.frames().encode(query, view))
    }
    fn extent(&mut self, view: &View) -> Result<Option<Extent>, String> {
        self.turn(|live| live.frames().extent(view))
    }
    fn triangles(&mut self, query: &Query, view: &View, lacking: Lacking) -> Result<Triangles, String> {
        self.turn(|live| live.frames().triangles(query, view, lacking))
    }
    fn probe(&mut self, query: &Query, view: &View, pixel: [u32; 2]) -> Result<Option<Found>, String> {
        self.turn(|live| live.frames().probe(query, view, pixel))
    }
}

/// A server on a thread, until it is closed.
#[pyclass(frozen, module = "ribbonmesh._native")]
pub struct NativeServer {
    serving: Mutex<Option<Arc<Background<Turned>>>>,
    device: Device,
    url: String,
}

impl Drop for NativeServer {
    fn drop(&mut self) {
        let ended = self.serving.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        Python::try_attach(|py| drop_detached(py, ended));
    }
}

/// Ends a server without the interpreter's lock: its thread may wait for a turn of a thread that waits for
/// the interpreter.
fn drop_detached(py: Python<'_>, ended: Option<Arc<Background<Turned>>>) {
    if ended.is_some() {
        py.detach(move || drop(ended));
    }
}

/// Numbers of the host, or of the device.
enum Numbers {
    Host(Vec<f32>),
    Lent(taken::Given<f32>),
}
/// A field: its name, whether it is of faces, how many numbers an element has, and these.
type Field = (String, bool, usize, Numbers);

/// Arrays that are dropped when the device has made its copies.
type Lent = Vec<Box<dyn Send>>;

fn numbers(
    py: Python<'_>,
    device: &Device,
    object: &Bound<'_, PyAny>,
    what: &str,
) -> PyResult<(usize, Numbers)> {
    let Ok(array) = object.extract::<PyReadonlyArrayDyn<'_, f32>>() else {
        let (lent, width) = taken::rows(py, device, object, what)?;
        return Ok((width, Numbers::Lent(lent)));
    };
    count(Copied::ToDevice);
    let width = if array.ndim() < 2 { 1 } else { array.shape()[1] };
    Ok((width, Numbers::Host(array.as_array().iter().copied().collect())))
}

impl Numbers {
    fn copy(self, device: &Device, lent: &mut Lent) -> Result<Buffer<f32>, Failure> {
        match self {
            Self::Host(numbers) => Ok(device.upload(&numbers)?),
            Self::Lent(given) => {
                let (own, owner) = given.copy()?;
                lent.push(Box::new(owner));
                Ok(own)
            }
        }
    }
}

/// Positions of the host, or of the device.
enum Points {
    Host(Vec<Vec3>),
    Lent(taken::Given<Vec3>),
}
/// Faces of the host, or of the device.
enum Faces {
    Host(Vec<[u32; 3]>),
    Lent(taken::Corners),
}

#[pymethods]
impl NativeServer {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "they are the server's options")]
    fn new(
        py: Python<'_>,
        title: String,
        device: &str,
        up: &str,
        at: (String, u16),
        hosts: Vec<String>,
        embed: bool,
        clients: usize,
    ) -> PyResult<Self> {
        let wrong = |what: &str, value: &str| Failure::argument(format!("{what} is {value:?}"));
        let (bind, port) = at;
        let bind: IpAddr = bind.parse().map_err(|_| wrong("bind", &bind))?;
        let up = up.parse().map_err(|_| wrong("up", up))?;
        let device = device.parse::<Choice>()?.open().map_err(Failure::from)?;
        let limits = Limits { clients, ..Limits::default() };
        let server = Server::bind(Options { bind, port, hosts, embed, limits }).map_err(Failure::from)?;
        let on = device.clone();
        let live = watch::run(py, Size::Quick(1), None, move |session| {
            session.turn(&on, |turn| Ok(Live::new(turn, title, up)?))
        })?;
        let url = server.url();
        let source = Turned { live, device: device.clone() };
        let background = Background::start(server, source).map_err(Failure::from)?;
        Ok(Self { serving: Mutex::new(Some(Arc::new(background))), device, url })
    }
    /// The address of the page, with the token.
    #[getter]
    fn url(&self) -> &str {
        &self.url
    }
    /// Shows a moment from now on. Arrays are numpy's float32, faces integers; or they live on the device.
    fn update(
        &self,
        py: Python<'_>,
        time: f64,
        positions: Option<Bound<'_, PyAny>>,
        faces: Option<Bound<'_, PyAny>>,
        fields: Vec<(String, bool, Bound<'_, PyAny>)>,
    ) -> PyResult<()> {
        let serving = self.serving()?;
        let device = self.device.clone();
        let of_host = |object: &Bound<'_, PyAny>| object.cast::<numpy::PyUntypedArray>().is_ok();
        let positions = match &positions {
            None => None,
            Some(array) if of_host(array) => {
                count(Copied::ToDevice);
                let (points, _) = arrays::points(array, "positions")?;
                Some(Points::Host(points.iter().map(|p| p.as_vec3()).collect()))
            }
            Some(array) => Some(Points::Lent(taken::vectors(py, &device, array, "positions")?)),
        };
        let faces = match &faces {
            None => None,
            Some(array) if of_host(array) => {
                count(Copied::ToDevice);
                Some(Faces::Host(arrays::faces(array)?))
            }
            Some(array) => Some(Faces::Lent(taken::faces(py, &device, array)?)),
        };
        let fields = fields.into_iter().map(|(name, of_faces, array)| {
            let (width, numbers) = numbers(py, &device, &array, &format!("values of {name:?}"))?;
            Ok((name, of_faces, width, numbers))
        });
        let fields: Vec<Field> = fields.collect::<PyResult<_>>()?;
        let moment = watch::run(py, Size::Quick(1), None, move |session| {
            session.turn(&device, |turn| {
                let mut lent: Lent = vec![];
                let mut moment = Moment::at(time);
                match positions {
                    None => {}
                    Some(Points::Host(points)) => moment = moment.positions(turn.upload(&points)?),
                    Some(Points::Lent(given)) => {
                        let (own, owner) = given.copy()?;
                        lent.push(Box::new(owner));
                        moment = moment.positions(own);
                    }
                }
                match faces {
                    None => {}
                    Some(Faces::Host(faces)) => moment = moment.faces(turn.upload(faces.as_flattened())?),
                    Some(Faces::Lent(corners)) => {
                        let (own, owner) = corners.copy(turn)?;
                        lent.push(Box::new(owner));
                        moment = moment.faces(own);
                    }
                }
                for (name, of_faces, width, numbers) in fields {
                    let (width, values) = (width as u32, numbers.copy(turn, &mut lent)?);
                    moment = match of_faces {
                        true => moment.rows_of_faces(name, width, values),
                        false => moment.rows_of_vertices(name, width, values),
                    };
                }
                // then the owners have their arrays back
                turn.synchronize()?;
                drop(lent);
                Ok(moment)
            })
        })?;
        let shown = py.detach(move || serving.with(move |source, _| source.live.update(moment)));
        Ok(shown.map_err(Failure::from)?.map_err(Failure::from)?)
    }
    /// Whether the program is to make a step now; a step that a client has asked for is counted as made.
    fn take_turn(&self, py: Python<'_>) -> PyResult<bool> {
        self.ask(py, |source| source.live.take_turn())
    }
    /// Whether it is paused.
    fn is_paused(&self, py: Python<'_>) -> PyResult<bool> {
        self.ask(py, |source| source.live.is_paused())
    }
    /// Does what a client asks for by `play`, `pause` or `step`.
    fn steer(&self, py: Python<'_>, word: &str) -> PyResult<()> {
        let control = match word {
            "play" => Control::Play,
            "pause" => Control::Pause,
            "step" => Control::Step,
            _ => return Err(Failure::argument(format!("{word:?} is none of play, pause, step")).into()),
        };
        self.ask(py, move |source| source.live.steer(control))
    }
    /// The number of clients.
    fn clients(&self, py: Python<'_>) -> PyResult<usize> {
        let serving = self.serving()?;
        Ok(py.detach(move || serving.with(|_, server| server.clients())).map_err(Failure::from)?)
    }
    /// Ends it; again does nothing.
    fn close(&self, py: Python<'_>) {
        let ended = self.serving.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop_detached(py, ended);
    }
    /// Whether it has been closed.
    fn closed(&self) -> bool {
        self.serving().is_err()
    }
}

impl NativeServer {
    fn serving(&self) -> Result<Arc<Background<Turned>>, Failure> {
        let serving = self.serving.lock().unwrap_or_else(PoisonError::into_inner);
        serving.clone().ok_or_else(|| Failure::argument("the server is closed"))
    }
    fn ask<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Turned) -> T + Send + 'static,
    ) -> PyResult<T> {
        let serving = self.serving()?;
        Ok(py.detach(move || serving.with(|source, _| work(source))).map_err(Failure::from)?)
    }
}

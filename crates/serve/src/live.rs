//! A mesh that changes while it is served.

use crate::moment::Moment;
use crate::shown::Shown;
use crate::{LiveError, Server};
use ribbonmesh::{Device, Error};
use ribbonmesh_render::Up;
use ribbonmesh_stream::{
    Control, Description, Encoded, Extent, Found, Lacking, Query, Refusal, Source, Step, Triangles, View,
};
use std::cell::OnceCell;
use std::time::Duration;

/// How long a paused program waits for messages before it looks at its state again.
const PAUSED: Duration = Duration::from_millis(10);

/// A mesh whose places, faces, fields and time a program replaces while it is served. The buffers are on a
/// device and stay there: a browser gets the points that it sees, or the triangles where these are few.
///
/// A program makes a step, calls [`Live::update`], then [`Live::wait_for_turn`], which serves the clients,
/// and waits while one of them has paused it. Names and counts of fields, vertices and faces may be others at
/// each moment: clients are told. An expression that does not fit any more is refused, and its client keeps
/// the last picture.
///
/// ```no_run
/// use ribbonmesh::{Device, glam::Vec3};
/// use ribbonmesh_render::Up;
/// use ribbonmesh_serve::{Live, Moment, Options, Server};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let device = Device::auto();
/// let mut server = Server::bind(Options::default())?;
/// println!("{}", server.url());
/// let mut live = Live::new(&device, "a triangle that grows", Up::Z)?;
/// let faces = device.upload(&[0_u32, 1, 2])?;
/// live.update(Moment::at(0.0).positions(device.zeros(3)?).faces(faces))?;
/// for step in 1..=1000 {
///     let time = f64::from(step) * 0.01;
///     let size = time as f32;
///     // a simulation has these buffers on its device already
///     let positions = device.upload(&[Vec3::ZERO, size * Vec3::X, size * Vec3::Y])?;
///     let heat = device.upload(&[0.0, size, size * size])?;
///     live.update(Moment::at(time).positions(positions).of_vertices("heat", heat))?;
///     live.wait_for_turn(&mut server)?;
/// }
/// // the last moment, as long as the program runs
/// live.end();
/// loop {
///     server.poll(&mut live, std::time::Duration::from_secs(1));
/// }
/// # }
/// ```
pub struct Live {
    shown: Shown,
    title: String,
    up: Up,
    step: u64,
    time: f64,
    /// Counts changes of what is described.
    revision: u64,
    bounds: OnceCell<[[f64; 3]; 2]>,
    motion: Motion,
}

/// Whether a program is to make steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Motion {
    Plays,
    /// Paused, with steps that were asked for and are to be made.
    Paused(u32),
    Ended,
}

impl Live {
    /// Nothing yet, which plays. `title` is shown in the page; `up` points up there.
    /// # Errors
    /// Errors of the driver.
    pub fn new(device: &Device, title: impl Into<String>, up: Up) -> Result<Self, LiveError> {
        Ok(Self {
            shown: Shown::new(device)?,
            title: title.into(),
            up,
            step: 0,
            time: 0.0,
            revision: 0,
            bounds: OnceCell::new(),
            motion: Motion::Plays,
        })
    }

    /// The device on which the buffers of all moments are.
    pub fn device(&self) -> &Device {
        self.shown.device()
    }

    /// Shows another moment from now on, as the next step. Fields are those of the moment alone; positions
    /// and faces that it does not have stay. Nothing is copied, and no kernel runs, unless positions are
    /// relative to a point.
    ///
    /// A face that names a vertex that does not exist is found when it is drawn: clients are told.
    /// # Errors
    /// [`LiveError`]; then all is as before.
    pub fn update(&mut self, moment: Moment) -> Result<(), LiveError> {
        let before = (self.shown.counts(), self.shown.layout());
        let time = moment.time;
        self.shown.replace(moment)?;
        if before != (self.shown.counts(), self.shown.layout()) {
            self.revision += 1;
        }
        self.bounds = OnceCell::new();
        (self.step, self.time) = (self.step + 1, time);
        Ok(())
    }

    /// Serves the clients between two steps: returns after at most two frames for each while it plays; while
    /// a client has paused it, waits until one asks for a step or to go on.
    ///
    /// Where there are clients, the work of the device is waited for first, so that errors of the program's
    /// kernels are the program's, and those of pictures are the clients'.
    /// # Errors
    /// Errors of kernels that the program launched before, and of the driver.
    pub fn wait_for_turn(&mut self, server: &mut Server) -> Result<(), Error> {
        self.serve(server, Duration::ZERO)?;
        while !self.take_turn() {
            self.serve(server, PAUSED)?;
        }
        Ok(())
    }

    fn serve(&mut self, server: &mut Server, wait: Duration) -> Result<(), Error> {
        if server.clients() > 0 {
            self.device().synchronize()?;
        }
        server.poll(self, wait);
        Ok(())
    }

    /// Whether the program is to make a step now: it plays, or a client has asked for a step, which is
    /// counted as made. For programs that poll by themselves.
    pub fn take_turn(&mut self) -> bool {
        match &mut self.motion {
            Motion::Plays | Motion::Ended => true,
            Motion::Paused(0) => false,
            Motion::Paused(steps) => {
                *steps -= 1;
                true
            }
        }
    }

    /// Whether it is paused.
    pub fn is_paused(&self) -> bool {
        matches!(self.motion, Motion::Paused(_))
    }

    /// Pauses, plays or asks for a step, as a client does.
    pub fn steer(&mut self, control: Control) {
        self.motion = match (self.motion, control) {
            (Motion::Ended, _) => Motion::Ended,
            (_, Control::Play) => Motion::Plays,
            (_, Control::Pause) => Motion::Paused(0),
            (Motion::Paused(steps), Control::Step) => Motion::Paused(steps.saturating_add(1)),
            (Motion::Plays, Control::Step) => Motion::Paused(1),
        };
    }

    /// Ends the steps: the last moment is served, and play, pause and step are refused.
    pub fn end(&mut self) {
        self.motion = Motion::Ended;
        self.revision += 1;
    }
}

impl Source for Live {
    fn describe(&self) -> Description {
        let ends = || match self.shown.bounds() {
            Ok(Some(ends)) => ends.map(|end| end.to_array()),
            // a device that fails says so with the next frame
            Ok(None) | Err(_) => [[0.0; 3]; 2],
        };
        Description {
            title: self.title.clone(),
            bounds: *self.bounds.get_or_init(ends),
            axes: self.up.axes().to_cols_array_2d(),
            moves: self.motion != Motion::Ended,
            ..self.shown.describe()
        }
    }
    fn revision(&self) -> u64 {
        self.revision
    }
    fn step(&self) -> Step {
        Step { number: self.step, time: self.time }
    }
    fn prepare(&mut self, query: &Query) -> Result<String, String> {
        self.shown.prepare(query)
    }
    fn encode(&mut self, query: &Query, view: &View) -> Result<Encoded, String> {
        self.shown.encode(query, view)
    }
    fn extent(&mut self, _: &View) -> Result<Option<Extent>, String> {
        Ok(Some(self.shown.extent()))
    }
    fn triangles(&mut self, query: &Query, _: &View, lacking: Lacking) -> Result<Triangles, String> {
        self.shown.triangles(query, lacking)
    }
    fn probe(&mut self, query: &Query, view: &View, pixel: [u32; 2]) -> Result<Option<Found>, String> {
        self.shown.probe(query, view, pixel)
    }
    fn control(&mut self, control: Control) -> Result<(), Refusal> {
        if self.motion == Motion::Ended {
            return Err(Refusal::Still);
        }
        self.steer(control);
        Ok(())
    }
}

//! A mesh that changes while it is served.

use crate::seen::Seen;
use crate::surface::Surface;
use crate::{LiveError, Server};
use ribbonmesh::{Device, Error};
use ribbonmesh_expression::Field;
use ribbonmesh_render::Up;
use ribbonmesh_stream::{Control, Description, Frames, Refusal, Source, Step};
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
/// It shows a surface, with a [`Moment`](crate::Moment) at each step; [`Live::of`] shows a
/// [`Grid`](crate::Grid) of cells in space or a map of [`HeightMap`](crate::HeightMap) as well.
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
pub struct Live<S = Surface> {
    seen: S,
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
        Ok(Self::of(Surface::new(device)?, title, up))
    }
}

impl<S: Seen> Live<S> {
    /// A shape that plays. `title` is shown in the page; `up` points up there.
    pub fn of(seen: S, title: impl Into<String>, up: Up) -> Self {
        Self {
            seen,
            title: title.into(),
            up,
            step: 0,
            time: 0.0,
            revision: 0,
            bounds: OnceCell::new(),
            motion: Motion::Plays,
        }
    }

    /// The device on which the buffers of all moments are.
    pub fn device(&self) -> &Device {
        self.seen.device()
    }

    /// Shows another moment from now on, as the next step. Fields are those of the moment alone; positions
    /// and faces that it does not have stay. Nothing is copied, and no kernel runs, unless positions are
    /// relative to a point.
    ///
    /// A face that names a vertex that does not exist is found when it is drawn: clients are told.
    /// # Errors
    /// [`LiveError`]; then all is as before.
    pub fn update(&mut self, moment: S::Moment) -> Result<(), LiveError> {
        let before = self.layout();
        let time = self.seen.replace(moment)?;
        if before != self.layout() {
            self.revision += 1;
        }
        self.bounds = OnceCell::new();
        (self.step, self.time) = (self.step + 1, time);
        Ok(())
    }

    /// Numbers of elements, and names and types of fields.
    fn layout(&self) -> (Vec<(&'static str, u64)>, Vec<Field>) {
        let Description { fields, domain, .. } = self.seen.describe();
        (domain.1, fields.into_iter().map(|served| served.field).collect())
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

impl<S: Seen> Source for Live<S> {
    fn describe(&self) -> Description {
        let ends = || match self.seen.bounds() {
            Ok(Some(ends)) => ends.map(|end| end.to_array()),
            // a device that fails says so with the next frame
            Ok(None) | Err(_) => [[0.0; 3]; 2],
        };
        Description {
            title: self.title.clone(),
            bounds: *self.bounds.get_or_init(ends),
            axes: self.up.axes().to_cols_array_2d(),
            moves: self.motion != Motion::Ended,
            ..self.seen.describe()
        }
    }
    fn revision(&self) -> u64 {
        self.revision
    }
    fn step(&self) -> Step {
        Step { number: self.step, time: self.time }
    }
    fn frames(&mut self) -> &mut dyn Frames {
        &mut self.seen
    }
    fn control(&mut self, control: Control) -> Result<(), Refusal> {
        if self.motion == Motion::Ended {
            return Err(Refusal::Still);
        }
        self.steer(control);
        Ok(())
    }
}

//! One client's session.

use crate::choice::Meter;
use crate::limits::Rate;
use crate::{
    Choice, Control, Extent, Frame, Lacking, Limits, Message, Mode, Probe, Query, Refusal, Request, Slice,
    Source, VERSION, View, answer,
};
use ribbonmesh_expression::{Expression, Type};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// An action that a session asks for.
#[derive(Clone, PartialEq, Debug)]
pub enum Reply {
    /// Text for the client.
    Text(String),
    /// Text for all clients.
    ToAll(String),
    /// The session has ended.
    Close(Refusal),
}

/// The query and the view that a client wants to see, how, and since when.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Wanted {
    query: u32,
    view: u32,
    choice: Choice,
    since: Duration,
}

/// The last frame, or the last refusal of one.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Answered {
    query: u32,
    view: u32,
    choice: Choice,
    step: u64,
    /// The slice of triangles, which are the same from all cameras; none of points.
    triangles: Option<Option<Slice>>,
}

/// A frame that is due.
#[derive(Clone, Debug)]
pub struct Due {
    /// The query.
    pub query: Arc<Query>,
    /// The view.
    pub view: Arc<View>,
    /// Since when they are wanted.
    pub since: Duration,
}

/// The session of one client: its queries, views and credits. It knows no sockets and no clock.
#[derive(Debug)]
pub struct Session {
    limits: Limits,
    greeted: bool,
    credits: u32,
    wanted: Option<Wanted>,
    answered: Option<Answered>,
    /// The triangles that the client has.
    has: Option<Extent>,
    /// The last automatic choice.
    told: Option<Mode>,
    meter: Meter,
    /// Query, view and choice of the last refusal, until a frame can be made again.
    refused: Option<(u32, u32, Choice)>,
    /// The revision of the description that the client has.
    described: u64,
    queries: Kept<Query>,
    views: Kept<View>,
    heard: Duration,
    messages: Rate,
    asked: Rate,
    probed: Rate,
}

impl Session {
    /// A session that begins now.
    pub fn new(limits: Limits, now: Duration) -> Self {
        Self {
            limits,
            greeted: false,
            credits: limits.start.min(limits.most),
            wanted: None,
            answered: None,
            has: None,
            told: None,
            meter: Meter::default(),
            refused: None,
            described: 0,
            queries: Kept::new("queries", limits.kept),
            views: Kept::new("views", limits.kept),
            heard: now,
            messages: Rate::new(limits.messages, now),
            asked: Rate::new(limits.queries, now),
            probed: Rate::new(limits.probes, now),
        }
    }

    /// The frames that may be sent.
    pub fn credits(&self) -> u32 {
        self.credits
    }

    /// Takes a message of the client, and says what is to be done. After [`Reply::Close`] the session is
    /// over.
    pub fn receive(&mut self, bytes: &[u8], now: Duration, source: &mut dyn Source) -> Vec<Reply> {
        self.heard = now;
        let message = match self.messages.allows(now) {
            true => Message::read(bytes, &self.limits),
            false => Err(Refusal::Flood(self.limits.messages)),
        };
        let message = match message {
            Ok(message) if matches!(message, Message::Hello { .. }) == self.greeted => {
                return vec![Reply::Close(Refusal::Greeting)];
            }
            Ok(message) => message,
            Err(refusal) => return vec![Reply::Close(refusal)],
        };
        let about = numbered(&message);
        match self.act(message, now, source) {
            Ok(reply) => reply.into_iter().collect(),
            Err(refusal) if refusal.is_fatal() => vec![Reply::Close(refusal)],
            Err(refusal) => vec![Reply::Text(answer::refusal(&refusal, about))],
        }
    }

    fn act(
        &mut self,
        message: Message,
        now: Duration,
        source: &mut dyn Source,
    ) -> Result<Option<Reply>, Refusal> {
        match message {
            Message::Hello { version, credits } => self.greet(version, credits, source).map(Some),
            Message::Query { number, text } => self.query(number, text, now, source).map(Some),
            Message::View { number, view } => {
                view.check(&self.limits)?;
                if view.slice.is_some() && !source.describe().slices {
                    return Err(Refusal::View("nothing here has slices".into()));
                }
                self.views.insert(number, *view)?;
                Ok(None)
            }
            Message::Request(request) => self.request(request, now).map(|()| None),
            Message::Control(control) => Self::control(control, source).map(Some),
            Message::Probe(probe) => self.probe(probe, now, source).map(Some),
            Message::Ping(number) => Ok(Some(Reply::Text(answer::pong(number)))),
        }
    }

    fn greet(
        &mut self,
        version: u32,
        credits: Option<u32>,
        source: &mut dyn Source,
    ) -> Result<Reply, Refusal> {
        if version != VERSION {
            return Err(Refusal::Version(version));
        }
        self.greeted = true;
        self.credits = credits.unwrap_or(self.limits.start).min(self.limits.most);
        Ok(self.describe(source, false))
    }

    fn describe(&mut self, source: &dyn Source, changed: bool) -> Reply {
        self.described = source.revision();
        (self.refused, self.has) = (None, None);
        Reply::Text(answer::description(&source.describe(), source.step(), &self.limits, changed))
    }

    /// The description, if it is another one than the client has. Its triangles are forgotten.
    pub fn redescribe(&mut self, source: &dyn Source) -> Option<Reply> {
        (self.described != source.revision()).then(|| self.describe(source, true))
    }

    fn query(
        &mut self,
        number: u32,
        text: String,
        now: Duration,
        source: &mut dyn Source,
    ) -> Result<Reply, Refusal> {
        if !self.asked.allows(now) {
            return Err(Refusal::Queries(self.limits.queries));
        }
        self.queries.check(number)?;
        let fields: Vec<_> = source.describe().fields.into_iter().map(|served| served.field).collect();
        let expression = match Expression::parse_within(&text, &fields, &self.limits.expression) {
            Ok(expression) => expression,
            Err(error) => return Ok(Reply::Text(answer::wrong(number, &error))),
        };
        if expression.result() != Type::Scalar {
            let why =
                "the result is a vector, and colours show numbers: use mag(…) or a component such as .x";
            return Ok(Reply::Text(answer::not_served(number, why, text.len())));
        }
        let query = Query { text, expression };
        match source.prepare(&query) {
            Ok(by) => {
                let accepted = answer::accepted(number, query.expression.of(), &by);
                self.queries.insert(number, query)?;
                Ok(Reply::Text(accepted))
            }
            Err(why) => Ok(Reply::Text(answer::not_served(number, &why, query.text.len()))),
        }
    }

    fn request(&mut self, request: Request, now: Duration) -> Result<(), Refusal> {
        let Request { mode, credits, query, view } = request;
        // credits count whatever else is wrong: the client has received so many frames
        self.credits = self.credits.saturating_add(u32::from(credits)).min(self.limits.most);
        let unknown = self.meter.rate().is_none();
        self.meter.arrived(credits, now);
        let choice = Choice::of(mode).ok_or(Refusal::Mode(mode))?;
        if choice != Choice::Automatic {
            self.told = None;
        } else if unknown && self.meter.rate().is_some() && self.told == Some(Mode::Rixel) {
            // chosen before the network was measured
            self.answered = None;
        }
        self.kept(query, view)?;
        let new = Wanted { query, view, choice, since: now };
        let same = self.wanted.filter(|wanted| Wanted { since: now, ..*wanted } == new);
        self.wanted = Some(same.unwrap_or(new));
        Ok(())
    }

    fn control(control: Control, source: &mut dyn Source) -> Result<Reply, Refusal> {
        source.control(control)?;
        Ok(Reply::ToAll(answer::controlled(control)))
    }

    fn probe(&mut self, probe: Probe, now: Duration, source: &mut dyn Source) -> Result<Reply, Refusal> {
        if !self.probed.allows(now) {
            return Err(Refusal::Probes(self.limits.probes));
        }
        let (query, view) = self.kept(probe.query, probe.view)?;
        if probe.pixel[0] >= view.size[0] || probe.pixel[1] >= view.size[1] {
            let ([x, y], [w, h]) = (probe.pixel, view.size);
            return Err(Refusal::View(format!("pixel {x}, {y} is not in {w} x {h}")));
        }
        let found = source.probe(&query, &view, probe.pixel).map_err(Refusal::Source)?;
        Ok(Reply::Text(answer::found(probe.probe, found.as_ref())))
    }

    fn kept(&self, query: u32, view: u32) -> Result<(Arc<Query>, Arc<View>), Refusal> {
        let missing = |what, number| Refusal::Missing { what, number };
        let of_query = self.queries.get(query).ok_or_else(|| missing("query", query))?;
        Ok((of_query, self.views.get(view).ok_or_else(|| missing("view", view))?))
    }

    /// Takes the credits of a client that is silent for too long, and says so.
    pub fn tick(&mut self, now: Duration) -> Option<Reply> {
        let silent = now.saturating_sub(self.heard) >= self.limits.silence && self.credits > 0;
        silent.then(|| {
            self.credits = 0;
            Reply::Text(answer::silent(self.limits.silence.as_secs()))
        })
    }

    /// When the client loses its credits if it remains silent; none without credits.
    pub fn deadline(&self) -> Option<Duration> {
        (self.credits > 0).then(|| self.heard + self.limits.silence)
    }

    /// The frame that is due at this step: there is a credit, and the last frame was another one. Frames of
    /// triangles do not depend on the camera.
    pub fn due(&self, step: u64) -> Option<Due> {
        let wanted = self.wanted.filter(|_| self.credits > 0)?;
        let (query, view) = self.kept(wanted.query, wanted.view).ok()?;
        let is_fresh = self.answered.is_none_or(|last| {
            let same_view = match last.triangles {
                Some(slice) => slice == view.slice,
                None => last.view == wanted.view,
            };
            (last.query, last.choice, last.step) != (wanted.query, wanted.choice, step) || !same_view
        });
        is_fresh.then_some(Due { query, view, since: wanted.since })
    }

    /// Whether the frame that is due may be one of triangles.
    pub fn may_have_triangles(&self) -> bool {
        self.wanted.is_some_and(|wanted| wanted.choice != Choice::Points)
    }

    /// The parts that the frame that is due must have if it is one of triangles, of which there are so many;
    /// none if it is one of points. A choice of the session that is another one than before is told.
    /// # Errors
    /// A sentence for the client, which asks for triangles where there are none.
    pub fn choose(
        &mut self,
        extent: Option<&Extent>,
        step: u64,
    ) -> Result<(Option<Lacking>, Option<Reply>), String> {
        let choice = self.wanted.map_or(Choice::Points, |wanted| wanted.choice);
        let Some(extent) = extent else {
            return match choice {
                Choice::Triangles => Err("this source has no triangles".into()),
                Choice::Points | Choice::Automatic => Ok((None, None)),
            };
        };
        let lacking = Lacking {
            faces: self.has.is_none_or(|has| has.topology != extent.topology),
            places: self.has.is_none_or(|has| has.placement != extent.placement),
        };
        if choice == Choice::Triangles {
            return Ok((Some(lacking), None));
        }
        let moves = self.answered.is_some_and(|last| last.step != step);
        let (suits, because) = self.meter.suits(extent, lacking, moves, &self.limits);
        let mode = if suits { Mode::Geometry } else { Mode::Rixel };
        let is_new = self.told.replace(mode) != Some(mode);
        let reply = is_new.then(|| Reply::Text(answer::chosen(mode, &because)));
        Ok((suits.then_some(lacking), reply))
    }

    /// Makes the frame that is due the client's own: it costs a credit. After a frame of triangles the client
    /// has them.
    pub fn send(&mut self, mut frame: Frame, triangles: Option<Extent>, now: Duration) -> Option<Frame> {
        let wanted = self.wanted.filter(|_| self.credits > 0)?;
        self.credits -= 1;
        let slice = self.kept(wanted.query, wanted.view).ok().and_then(|(_, view)| view.slice);
        self.answer(frame.header.step, triangles.map(|_| slice));
        self.has = triangles.or(self.has);
        self.meter.sent(frame.len(), frame.header.mode, now);
        self.refused = None;
        (frame.header.query, frame.header.view) = (wanted.query, wanted.view);
        Some(frame)
    }

    fn answer(&mut self, step: u64, triangles: Option<Option<Slice>>) {
        let answered = |Wanted { query, view, choice, .. }| Answered { query, view, choice, step, triangles };
        self.answered = self.wanted.map(answered);
    }

    /// Bytes a second to the client, by the times at which credits came back; none before a frame of 16 KiB
    /// has arrived.
    pub fn rate(&self) -> Option<f64> {
        self.meter.rate()
    }

    /// Refuses the frame that is due: it cannot be made. The session asks for it again at the next step; the
    /// client is told once, until a frame can be made or the description changes.
    pub fn fail(&mut self, why: String, step: u64) -> Option<Reply> {
        let wanted = self.wanted?;
        self.answer(step, None);
        let of = Some((wanted.query, wanted.view, wanted.choice));
        if std::mem::replace(&mut self.refused, of) == of {
            return None;
        }
        let refusal = Refusal::Source(why);
        Some(Reply::Text(answer::refusal(&refusal, Some(("query", wanted.query)))))
    }
}

/// The key and the number of what a message is about.
fn numbered(message: &Message) -> Option<(&'static str, u32)> {
    match message {
        Message::Query { number, .. } => Some(("query", *number)),
        Message::View { number, .. } => Some(("view", *number)),
        Message::Probe(probe) => Some(("probe", probe.probe)),
        Message::Request(_) | Message::Hello { .. } | Message::Control(_) | Message::Ping(_) => None,
    }
}

/// The newest few of what a client has sent, by number. Numbers ascend, so that what a number stands for
/// never changes.
#[derive(Debug)]
struct Kept<T> {
    what: &'static str,
    most: usize,
    items: VecDeque<(u32, Arc<T>)>,
}

impl<T> Kept<T> {
    fn new(what: &'static str, most: usize) -> Self {
        Self { what, most: most.max(1), items: VecDeque::new() }
    }

    fn check(&self, number: u32) -> Result<(), Refusal> {
        match self.items.back() {
            Some(&(last, _)) if number <= last => Err(Refusal::Number { what: self.what, number, last }),
            _ => Ok(()),
        }
    }

    fn insert(&mut self, number: u32, item: T) -> Result<(), Refusal> {
        self.check(number)?;
        if self.items.len() == self.most {
            self.items.pop_front();
        }
        self.items.push_back((number, Arc::new(item)));
        Ok(())
    }

    fn get(&self, number: u32) -> Option<Arc<T>> {
        let found = self.items.iter().find(|(kept, _)| *kept == number);
        found.map(|(_, item)| item.clone())
    }
}

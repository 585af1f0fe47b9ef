//! One client's session.

mod due;
mod kept;

use self::kept::Kept;
use crate::choice::Meter;
use crate::limits::Rate;
use crate::{
    Choice, Control, Extent, Limits, Message, Mode, Probe, Query, Refusal, Request, Slice, Source, VERSION,
    View, answer,
};
use ribbonmesh_expression::{Expression, Type};
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

    /// Whether the client has got what it asked for last, and waits for something new.
    pub fn waits(&self) -> bool {
        self.answered.is_some() && self.credits > 0
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
        match source.frames().prepare(&query) {
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
        let found = source.frames().probe(&query, &view, probe.pixel).map_err(Refusal::Source)?;
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

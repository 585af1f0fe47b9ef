//! All clients of a source.

use crate::session::Due;
use crate::{Extent, Frame, Lacking, Limits, Query, Refusal, Reply, Session, Source, Step, View};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

/// A client's number; it is never used again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Client(pub u64);

/// Work to be done for clients.
#[derive(Clone, Debug)]
pub enum Action {
    /// Sends a text.
    Text(Client, String),
    /// Sends a frame.
    Frame(Client, Frame),
    /// Ends the connection and says why. The client is forgotten.
    Close(Client, Refusal),
}

/// The sessions of all clients, and the frames that they share.
///
/// Times are from any moment that the caller chooses; they should not go back.
#[derive(Debug)]
pub struct Hub {
    limits: Limits,
    sessions: BTreeMap<Client, Session>,
    next: u64,
    /// The client after which the next turn begins.
    served: Client,
    shared: Shared,
    /// Texts that go before the next frame.
    before: VecDeque<Action>,
    /// The newest step, and when it was first seen.
    step: Option<(u64, Duration)>,
}

impl Hub {
    /// Without clients.
    pub fn new(limits: Limits) -> Self {
        let shared = Shared { most: limits.shared, ..Shared::default() };
        Self {
            limits,
            sessions: BTreeMap::new(),
            next: 1,
            served: Client(0),
            shared,
            before: VecDeque::new(),
            step: None,
        }
    }

    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The number of clients.
    pub fn clients(&self) -> usize {
        self.sessions.len()
    }

    /// Admits a client.
    /// # Errors
    /// [`Refusal::Clients`]: there are too many.
    pub fn connect(&mut self, now: Duration) -> Result<Client, Refusal> {
        if self.sessions.len() >= self.limits.clients {
            return Err(Refusal::Clients(self.sessions.len()));
        }
        let client = Client(self.next);
        self.next += 1;
        self.sessions.insert(client, Session::new(self.limits, now));
        Ok(client)
    }

    /// Forgets a client, whose connection has ended.
    pub fn disconnect(&mut self, client: Client) {
        self.sessions.remove(&client);
        self.before.retain(|action| !matches!(action, Action::Text(of, _) if *of == client));
    }

    /// Takes a message of a client. Messages of clients that are forgotten do nothing.
    pub fn receive(
        &mut self,
        client: Client,
        bytes: &[u8],
        now: Duration,
        source: &mut dyn Source,
    ) -> Vec<Action> {
        let Some(session) = self.sessions.get_mut(&client) else { return vec![] };
        let replies = session.receive(bytes, now, source);
        replies.into_iter().flat_map(|reply| self.action(client, reply)).collect()
    }

    fn action(&mut self, client: Client, reply: Reply) -> Vec<Action> {
        match reply {
            Reply::Text(text) => vec![Action::Text(client, text)],
            Reply::ToAll(text) => {
                self.sessions.keys().map(|&each| Action::Text(each, text.clone())).collect()
            }
            Reply::Close(refusal) => {
                self.sessions.remove(&client);
                vec![Action::Close(client, refusal)]
            }
        }
    }

    /// Takes the credits of silent clients.
    pub fn tick(&mut self, now: Duration) -> Vec<Action> {
        let replies: Vec<_> = self
            .sessions
            .iter_mut()
            .filter_map(|(&client, session)| Some((client, session.tick(now)?)))
            .collect();
        replies.into_iter().flat_map(|(client, reply)| self.action(client, reply)).collect()
    }

    /// When [`Hub::tick`] may have something to do next.
    pub fn deadline(&self) -> Option<Duration> {
        self.sessions.values().filter_map(Session::deadline).min()
    }

    /// Makes the frame of the present step for the next client that one is due to, in turns; none if nobody
    /// waits for one. A client that does not know the source's present description gets that first. `clock`
    /// is asked before and after encoding. Before a frame of another kind there may be a text.
    pub fn serve(&mut self, source: &mut dyn Source, clock: impl Fn() -> Duration) -> Option<Action> {
        if let Some(text) = self.before.pop_front() {
            return Some(text);
        }
        let step = source.step();
        let seen = self.seen(step, clock());
        // the next client, if one's refusal has been told before
        loop {
            let Some((client, due)) = self.next_due(step.number) else { return self.tell(source) };
            if let Some(reply) = self.sessions.get_mut(&client)?.redescribe(source) {
                return self.action(client, reply).pop();
            }
            self.served = client;
            let made = self.frame(client, &due, source, step);
            let session = self.sessions.get_mut(&client)?;
            let action = match made {
                Ok((mut frame, triangles)) => {
                    let now = clock();
                    let age = now.saturating_sub(due.since.max(seen)).as_micros();
                    frame.header.age = u32::try_from(age).unwrap_or(u32::MAX);
                    Some(Action::Frame(client, session.send(frame, triangles, now)?))
                }
                Err(why) => {
                    let reply = session.fail(why, step.number);
                    reply.and_then(|reply| self.action(client, reply).pop())
                }
            };
            self.before.extend(action);
            if let Some(action) = self.before.pop_front() {
                return Some(action);
            }
        }
    }

    /// The description for a client that has seen the present step, if it does not know this one: a source
    /// that changes without a step.
    fn tell(&mut self, source: &dyn Source) -> Option<Action> {
        let waiting = self.sessions.iter_mut().filter(|(_, session)| session.waits());
        let (client, reply) =
            waiting.filter_map(|(&client, session)| Some((client, session.redescribe(source)?))).next()?;
        self.action(client, reply).pop()
    }

    /// The frame that is due to a client, and its triangles if it is one of these.
    fn frame(
        &mut self,
        client: Client,
        due: &Due,
        source: &mut dyn Source,
        step: Step,
    ) -> Result<(Frame, Option<Extent>), String> {
        let gone = || "the client has left".to_owned();
        let session = self.sessions.get_mut(&client).ok_or_else(gone)?;
        let extent = if session.may_have_triangles() { source.frames().extent(&due.view)? } else { None };
        let (lacking, reply) = session.choose(extent.as_ref(), step.number)?;
        if let Some(reply) = reply {
            let told = self.action(client, reply);
            self.before.extend(told);
        }
        let kind = match (extent, lacking) {
            (Some(extent), Some(lacking)) => Kind::Triangles(extent, lacking),
            _ => Kind::Points(due.view.clone()),
        };
        let triangles = extent.filter(|_| lacking.is_some());
        Ok((self.shared.frame(source, due, kind, step)?, triangles))
    }

    /// When a step was first seen.
    fn seen(&mut self, step: Step, now: Duration) -> Duration {
        match self.step {
            Some((number, seen)) if number == step.number => seen,
            _ => {
                self.step = Some((step.number, now));
                now
            }
        }
    }

    /// The next client in turn to which a frame is due.
    fn next_due(&self, step: u64) -> Option<(Client, Due)> {
        let after = self.sessions.range((std::ops::Bound::Excluded(self.served), std::ops::Bound::Unbounded));
        let before = self.sessions.range(..=self.served);
        after.chain(before).find_map(|(&client, session)| Some((client, session.due(step)?)))
    }
}

/// Frames that are the same for the same query.
#[derive(Clone, PartialEq, Debug)]
enum Kind {
    Points(Arc<View>),
    Triangles(Extent, Lacking),
}

/// Frames of the present step, which clients with the same query and view share.
#[derive(Debug, Default)]
struct Shared {
    most: usize,
    step: Option<u64>,
    frames: VecDeque<(Arc<Query>, Kind, Frame)>,
}

impl Shared {
    fn frame(
        &mut self,
        source: &mut dyn Source,
        Due { query, view, .. }: &Due,
        kind: Kind,
        step: Step,
    ) -> Result<Frame, String> {
        if self.step != Some(step.number) {
            self.frames.clear();
            self.step = Some(step.number);
        }
        let same = |(q, k, _): &&(Arc<Query>, Kind, Frame)| q.text == query.text && *k == kind;
        if let Some((_, _, frame)) = self.frames.iter().find(same) {
            return Ok(frame.clone());
        }
        let encoded = match kind {
            Kind::Points(_) => source.frames().encode(query, view)?,
            Kind::Triangles(_, lacking) => source.frames().triangles(query, view, lacking)?.encoded(),
        };
        let frame = encoded.framed(step.number, step.time);
        self.frames.push_back((query.clone(), kind, frame.clone()));
        let bytes = |frames: &VecDeque<(_, _, Frame)>| frames.iter().map(|(_, _, f)| f.len()).sum::<usize>();
        while self.frames.len() > 1 && (bytes(&self.frames) > self.most || self.frames.len() > 64) {
            self.frames.pop_front();
        }
        Ok(frame)
    }
}

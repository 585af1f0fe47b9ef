//! The server.

use crate::connection::{self, Bounds, Event, Outbox, Parcel};
use crate::guard::{Guard, Refused};
use crate::{ServeError, Token, page};
use ribbonmesh_stream::{Action, Client, Hub, Limits, Source};
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// Connections beyond the clients: pages, and requests that are refused.
const MORE_CONNECTIONS: usize = 16;
/// The time in which clients of a server that ends must take what it has told them.
const FAREWELL: Duration = Duration::from_secs(1);

/// Where and for whom a server serves.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address to which it is bound.
    pub bind: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// Names under which browsers may ask for it, beside `localhost` and numbers: that of a proxy.
    pub hosts: Vec<String>,
    /// Whether pages of other sites, such as a notebook, may have the page in a frame. They need the token:
    /// whoever gives it to a page trusts that page.
    pub embed: bool,
    /// Limits of clients.
    pub limits: Limits,
}

impl Default for Options {
    /// Any free port of this machine, not reachable from others, and not in frames of other sites.
    fn default() -> Self {
        let (bind, limits) = (Ipv4Addr::LOCALHOST.into(), Limits::default());
        Self { bind, port: 0, hosts: vec![], embed: false, limits }
    }
}

/// A server of one source. The thread that calls [`Server::poll`] does all work on the source.
pub struct Server {
    hub: Hub,
    outboxes: BTreeMap<Client, Outbox>,
    events: Receiver<Event>,
    sender: SyncSender<Event>,
    woken: bool,
    address: SocketAddr,
    token: Token,
    begin: Instant,
    ends: Arc<AtomicBool>,
}

impl Server {
    /// Binds the address, and takes connections from now on.
    /// # Errors
    /// [`ServeError`].
    pub fn bind(options: Options) -> Result<Self, ServeError> {
        let token = Token::random()?;
        let asked = SocketAddr::new(options.bind, options.port);
        let failed = |error| ServeError::Bind { address: asked, error };
        let listener = TcpListener::bind(asked).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let limits = options.limits;
        let (sender, events) = sync_channel(256);
        let ends = Arc::new(AtomicBool::new(false));
        let door = Door {
            guard: Guard { token: token.clone(), hosts: options.hosts, embed: options.embed },
            bounds: Bounds { message: limits.message, frames: limits.most as usize },
            open: AtomicUsize::new(0),
            most: limits.clients + MORE_CONNECTIONS,
            ends: ends.clone(),
        };
        let door = Arc::new(door);
        let to_hub = sender.clone();
        std::thread::Builder::new()
            .name("ribbonmesh-door".into())
            .spawn(move || door.watch(&listener, &to_hub))
            .map_err(ServeError::Thread)?;
        Ok(Self {
            hub: Hub::new(limits),
            outboxes: BTreeMap::new(),
            events,
            sender,
            woken: false,
            address,
            token,
            begin: Instant::now(),
            ends,
        })
    }

    /// The address that it is bound to.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The token.
    pub fn token(&self) -> &Token {
        &self.token
    }

    /// The address of the page, with the token, as this machine sees it.
    pub fn url(&self) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(Ipv4Addr::LOCALHOST.into());
        }
        format!("http://{address}/?token={}", self.token.secret())
    }

    /// The number of clients.
    pub fn clients(&self) -> usize {
        self.hub.clients()
    }

    /// A function for other threads that has [`Server::poll`] return soon, the present call or the next one.
    pub fn waker(&self) -> impl Fn() + Send + Sync + use<> {
        let sender = self.sender.clone();
        // where events wait, the thread is awake; where the server is gone, nobody sleeps
        move || _ = sender.try_send(Event::Wake)
    }

    /// Answers clients and makes the frames that are due, for at least as long as `wait`, unless it is woken.
    /// Without waiting it returns after at most two frames for each client, so that no client can hold up a
    /// simulation.
    pub fn poll(&mut self, source: &mut dyn Source, wait: Duration) {
        let end = self.now() + wait;
        let mut turns = 2 * self.hub.limits().clients;
        loop {
            while let Ok(event) = self.events.try_recv() {
                self.handle(event, source);
            }
            let now = self.now();
            let silent = self.hub.tick(now);
            self.follow(silent);
            let begin = self.begin;
            if let Some(action) = self.hub.serve(source, || begin.elapsed()) {
                self.follow(vec![action]);
                turns = turns.saturating_sub(1);
                if !self.woken && (turns > 0 || self.now() < end) {
                    continue;
                }
            }
            let now = self.now();
            if now >= end || std::mem::take(&mut self.woken) {
                return;
            }
            let until = self.hub.deadline().map_or(end, |deadline| deadline.min(end));
            match self.events.recv_timeout(until.saturating_sub(now)) {
                Ok(event) => self.handle(event, source),
                Err(RecvTimeoutError::Timeout) => {}
                // nobody else can come
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn now(&self) -> Duration {
        self.begin.elapsed()
    }

    fn handle(&mut self, event: Event, source: &mut dyn Source) {
        let now = self.now();
        match event {
            Event::Open { outbox, admitted } => match self.hub.connect(now) {
                Ok(client) if admitted.send(client).is_ok() => {
                    self.outboxes.insert(client, outbox);
                }
                Ok(client) => self.hub.disconnect(client),
                Err(refusal) => {
                    outbox.send(Parcel::Close(Some(refusal)));
                }
            },
            Event::Message(client, bytes) => {
                let actions = self.hub.receive(client, &bytes, now, source);
                self.follow(actions);
            }
            Event::Gone(client) => self.forget(client),
            Event::Wake => self.woken = true,
        }
    }

    fn forget(&mut self, client: Client) {
        self.hub.disconnect(client);
        self.outboxes.remove(&client);
    }

    fn follow(&mut self, actions: Vec<Action>) {
        for action in actions {
            let (client, parcel) = match action {
                Action::Text(client, text) => (client, Parcel::Text(text)),
                Action::Frame(client, frame) => (client, Parcel::Frame(frame)),
                Action::Close(client, refusal) => {
                    if let Some(outbox) = self.outboxes.remove(&client) {
                        outbox.send(Parcel::Close(Some(refusal)));
                    }
                    continue;
                }
            };
            let Some(outbox) = self.outboxes.get(&client) else { continue };
            if !outbox.send(parcel) {
                outbox.cut();
                self.forget(client);
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
        // what clients were told before the end arrives; those that take nothing are cut off
        self.outboxes.retain(|_, outbox| {
            let told = outbox.send(Parcel::Close(None));
            if !told {
                outbox.cut();
            }
            told
        });
        let begin = Instant::now();
        while self.outboxes.values().any(|outbox| !outbox.is_empty()) && begin.elapsed() < FAREWELL {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.outboxes.values().filter(|outbox| !outbox.is_empty()).for_each(Outbox::cut);
        // wakes the thread that waits for connections; if this cannot reach it, nobody does
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(Ipv4Addr::LOCALHOST.into());
        }
        _ = TcpStream::connect_timeout(&address, Duration::from_secs(1));
    }
}

/// The thread that waits for connections.
struct Door {
    guard: Guard,
    bounds: Bounds,
    open: AtomicUsize,
    most: usize,
    ends: Arc<AtomicBool>,
}

impl Door {
    fn watch(self: &Arc<Self>, listener: &TcpListener, events: &SyncSender<Event>) {
        for stream in listener.incoming() {
            if self.ends.load(Ordering::Relaxed) {
                return;
            }
            match stream {
                Ok(stream) => self.admit(stream, events),
                // such as too many open files: others may leave meanwhile
                Err(_) => std::thread::sleep(Duration::from_millis(50)),
            }
        }
    }

    fn admit(self: &Arc<Self>, mut stream: TcpStream, events: &SyncSender<Event>) {
        if self.open.fetch_add(1, Ordering::Relaxed) >= self.most {
            self.open.fetch_sub(1, Ordering::Relaxed);
            _ = stream.set_write_timeout(Some(Duration::from_millis(100)));
            _ = page::refuse(&mut stream, &Refused::Busy);
            return;
        }
        let (door, events) = (self.clone(), events.clone());
        let spawned = std::thread::Builder::new().name("ribbonmesh-client".into()).spawn(move || {
            connection::serve(stream, &door.guard, door.bounds, &events);
            door.open.fetch_sub(1, Ordering::Relaxed);
        });
        if spawned.is_err() {
            self.open.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

//! A client without a browser, and a server on a thread.

use crate::sphere::Sphere;
use ribbonmesh_serve::stream::{Header, Request};
use ribbonmesh_serve::{Options, Server};
use serde_json::{Value, json};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// A server on a thread, until it is dropped.
pub struct Served<T = Sphere> {
    pub address: SocketAddr,
    pub token: String,
    pub url: String,
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<T>>,
}

impl Served<Sphere> {
    pub fn new(sphere: Sphere, options: Options) -> Self {
        Self::with(options, move |server, told| {
            let mut sphere = sphere;
            while !told() {
                sphere.step += u64::from(sphere.plays);
                server.poll(&mut sphere, Duration::from_millis(20));
            }
            sphere
        })
    }

    pub fn end(mut self) -> Sphere {
        self.ends.store(true, Ordering::Relaxed);
        self.thread.take().expect("once").join().expect("no panic")
    }
}

impl Served<()> {
    /// A server on a thread that does what `work` says until it is told to end.
    pub fn of(work: impl FnOnce(&mut Server, &dyn Fn() -> bool) + Send + 'static) -> Self {
        Self::with(Options::default(), work)
    }
}

impl<T: Send + 'static> Served<T> {
    fn with(
        options: Options,
        work: impl FnOnce(&mut Server, &dyn Fn() -> bool) -> T + Send + 'static,
    ) -> Self {
        let mut server = Server::bind(options).expect("a free port");
        let (address, token, url) = (server.address(), server.token().secret().to_owned(), server.url());
        let ends = Arc::new(AtomicBool::new(false));
        let told = ends.clone();
        let thread = std::thread::spawn(move || work(&mut server, &|| told.load(Ordering::Relaxed)));
        Self { address, token, url, ends, thread: Some(thread) }
    }

    pub fn connect(&self) -> Talk {
        self.connect_with(&[], &self.token).expect("a handshake")
    }

    pub fn connect_with(&self, headers: &[(&'static str, &str)], token: &str) -> Result<Talk, String> {
        Talk::with(self.address, headers, token)
    }
}

impl<T> Drop for Served<T> {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
    }
}

/// A connection.
pub struct Talk {
    pub socket: WebSocket<TcpStream>,
}

impl Talk {
    pub fn with(to: SocketAddr, headers: &[(&'static str, &str)], token: &str) -> Result<Self, String> {
        let mut request =
            format!("ws://{to}/frames?token={token}").into_client_request().expect("an address");
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().expect("a header"));
        }
        let stream = TcpStream::connect(to).expect("a server");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a time");
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Self { socket }),
            Err(error) => Err(error.to_string()),
        }
    }
    pub fn say(&mut self, message: Value) {
        self.socket.send(Message::text(message.to_string())).expect("sent");
    }
    pub fn request(&mut self, credits: u16, query: u32, view: u32) {
        let bytes = Request { mode: 2, credits, query, view }.to_bytes().to_vec();
        self.socket.send(Message::binary(bytes)).expect("sent");
    }
    pub fn text(&mut self) -> Value {
        match self.socket.read().expect("a message") {
            Message::Text(text) => serde_json::from_str(&text).expect("JSON"),
            other => panic!("{other:?}"),
        }
    }
    pub fn frame(&mut self) -> Header {
        match self.socket.read().expect("a message") {
            Message::Binary(bytes) => Header::read(&bytes).expect("a frame"),
            other => panic!("{other:?}"),
        }
    }
    /// Why the session ends.
    pub fn end(&mut self) -> String {
        loop {
            match self.socket.read() {
                Ok(Message::Close(Some(frame))) => return frame.reason.to_string(),
                Ok(_) => {}
                Err(error) => return format!("error: {error}"),
            }
        }
    }
    /// From hello to a request.
    pub fn begin(&mut self) {
        self.say(json!({"hello": 1}));
        assert_eq!(self.text()["title"], "a sphere");
        self.say(json!({"query": 1, "expr": "wave"}));
        assert_eq!(self.text()["tier"], "test");
        self.say(looking(1, [64, 64]));
        self.request(0, 1, 1);
    }
}

/// A view from z at the sphere, in parallel projection of 5 units.
pub fn looking(number: u32, size: [u32; 2]) -> Value {
    let view = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -10, 0, -10, 1];
    let projection = [0.4, 0., 0., 0., 0., 0.4, 0., 0., 0., 0., -0.1, 0., 0., 0., -1., 1.];
    json!({"view": number, "size": size, "V": view, "P": projection, "depth": 16})
}

//! Sources, servers on this machine, and clients without a browser.
use anyhow::{Context, Result, anyhow, bail, ensure};
use ribbonmesh::glam::{DMat4, DVec3};
use ribbonmesh_rixels::View as Camera;
use ribbonmesh_serve::stream::{
    Control, DepthBits, Description, Encoded, Found, Frames, Header, Query, Refusal, Request, Step, View,
};
use ribbonmesh_serve::{MeshSource, Options, Server, Source};
use serde_json::{Value, json};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Bytes, Message, WebSocket};

/// A mesh with steps, in which nothing changes but their number.
pub struct Moving {
    mesh: MeshSource,
    /// The present step.
    pub step: u64,
    /// When it was made, in seconds since 1970.
    made: f64,
    /// Whether clients have said `play`.
    pub plays: bool,
}

impl Moving {
    /// At rest.
    pub fn new(mesh: MeshSource) -> Self {
        Self { mesh, step: 0, made: 0.0, plays: false }
    }
    /// Makes a step.
    pub fn advance(&mut self) {
        self.step += 1;
        self.made = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64());
    }
}

impl Source for Moving {
    fn describe(&self) -> Description {
        Description { moves: true, ..self.mesh.describe() }
    }
    fn step(&self) -> Step {
        Step { number: self.step, time: self.made }
    }
    fn frames(&mut self) -> &mut dyn Frames {
        self
    }
    fn control(&mut self, control: Control) -> Result<(), Refusal> {
        match control {
            Control::Play => self.plays = true,
            Control::Pause => self.plays = false,
            Control::Step => self.advance(),
        }
        Ok(())
    }
}

impl Frames for Moving {
    fn prepare(&mut self, query: &Query) -> Result<String, String> {
        self.mesh.frames().prepare(query)
    }
    fn encode(&mut self, query: &Query, view: &View) -> Result<Encoded, String> {
        self.mesh.frames().encode(query, view)
    }
    fn probe(&mut self, query: &Query, view: &View, pixel: [u32; 2]) -> Result<Option<Found>, String> {
        self.mesh.frames().probe(query, view, pixel)
    }
}

/// A view of a point in parallel projection: `width` of the world for the picture's side, turned by an angle
/// around y.
pub fn looking(side: u32, at: DVec3, width: f64, turn: f64) -> View {
    let eye = DMat4::from_translation(DVec3::new(0.0, 0.0, -4.0 * width))
        * DMat4::from_rotation_y(turn)
        * DMat4::from_translation(-at);
    let projection = Camera::parallel(width, width, 0.1 * width, 8.0 * width);
    View {
        size: [side, side],
        view: eye.to_cols_array(),
        projection: projection.to_cols_array(),
        depth: DepthBits::Bits16,
        slice: None,
    }
}

/// The message of a view.
pub fn view_message(number: u32, view: &View) -> Value {
    json!({"view": number, "size": view.size, "V": view.view, "P": view.projection, "depth": view.depth.bits()})
}

/// Where a server is, and its secret.
#[derive(Clone)]
pub struct Place {
    /// The address.
    pub address: SocketAddr,
    /// The token.
    pub token: String,
    /// The address of the page.
    pub url: String,
}

impl Place {
    /// Of a server.
    pub fn of(server: &Server) -> Self {
        Self { address: server.address(), token: server.token().secret().to_owned(), url: server.url() }
    }
}

/// A server's options for clients that ask as fast as they can.
pub fn without_haste() -> Options {
    let mut options = Options::default();
    options.limits.messages = 1_000_000;
    options
}

/// Serves a source on this thread while a client works on another one.
pub fn serve_while<T: Send>(
    source: &mut dyn Source,
    client: impl FnOnce(&Place) -> Result<T> + Send,
) -> Result<T> {
    let mut server = Server::bind(without_haste())?;
    let place = Place::of(&server);
    std::thread::scope(|scope| {
        let work = scope.spawn(|| client(&place));
        while !work.is_finished() {
            server.poll(source, Duration::from_millis(5));
        }
        work.join().map_err(|_| anyhow!("the client has panicked"))?
    })
}

/// As [`serve_while`], of a mesh that makes a step every so often.
pub fn serve_steps<T: Send>(
    source: &mut Moving,
    every: Duration,
    client: impl FnOnce(&Place) -> Result<T> + Send,
) -> Result<T> {
    let mut server = Server::bind(without_haste())?;
    let place = Place::of(&server);
    std::thread::scope(|scope| {
        let work = scope.spawn(|| client(&place));
        let mut next = Instant::now();
        while !work.is_finished() {
            if Instant::now() >= next {
                source.advance();
                next = Instant::now() + every;
            }
            server.poll(source, next.saturating_duration_since(Instant::now()));
        }
        work.join().map_err(|_| anyhow!("the client has panicked"))?
    })
}

/// A connection to a server, without a browser.
pub struct Client {
    socket: WebSocket<TcpStream>,
}

impl Client {
    /// Connects.
    /// # Errors
    /// The handshake is refused; the network.
    pub fn connect(place: &Place) -> Result<Self> {
        let address = format!("ws://{}/frames?token={}", place.address, place.token);
        let stream = TcpStream::connect(place.address)?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        stream.set_nodelay(true)?;
        match tungstenite::client(address.into_client_request()?, stream) {
            Ok((socket, _)) => Ok(Self { socket }),
            Err(error) => bail!("no handshake: {error}"),
        }
    }
    /// Connects, says hello with so many credits, and asks queries, which get the numbers from 1 on.
    /// # Errors
    /// A query is refused; the network.
    pub fn begin(place: &Place, credits: u32, queries: &[&str]) -> Result<Self> {
        let mut client = Self::connect(place)?;
        client.say(&json!({"hello": 1, "credits": credits}))?;
        ensure!(client.text()?["version"].is_number(), "the server does not say hello");
        for (number, text) in (1..).zip(queries) {
            client.say(&json!({"query": number, "expr": text}))?;
            let answer = client.text()?;
            ensure!(answer["error"].is_null(), "{text}: {answer}");
        }
        Ok(client)
    }
    /// The connection.
    pub fn stream(&self) -> &TcpStream {
        self.socket.get_ref()
    }
    /// Sends a message.
    /// # Errors
    /// The network.
    pub fn say(&mut self, message: &Value) -> Result<()> {
        self.say_text(message.to_string())
    }
    /// Sends a text, whatever it is.
    /// # Errors
    /// The network.
    pub fn say_text(&mut self, text: String) -> Result<()> {
        Ok(self.socket.send(Message::text(text))?)
    }
    /// Ends the session as a WebSocket should.
    /// # Errors
    /// The network.
    pub fn close(&mut self) -> Result<()> {
        Ok(self.socket.close(None)?)
    }
    /// Sends bytes.
    /// # Errors
    /// The network.
    pub fn send(&mut self, bytes: Vec<u8>) -> Result<()> {
        Ok(self.socket.send(Message::binary(bytes))?)
    }
    /// Asks for frames.
    /// # Errors
    /// The network.
    pub fn request(&mut self, credits: u16, query: u32, view: u32) -> Result<()> {
        self.send(Request { mode: 2, credits, query, view }.to_bytes().to_vec())
    }
    /// The next message.
    /// # Errors
    /// The network; the end, with its reason.
    pub fn next(&mut self) -> Result<Answer> {
        loop {
            match self.socket.read()? {
                Message::Text(text) => return Ok(Answer::Text(serde_json::from_str(&text)?)),
                Message::Binary(bytes) => return Ok(Answer::Frame(bytes)),
                Message::Close(reason) => bail!("the server has ended: {reason:?}"),
                Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => {}
            }
        }
    }
    /// The next message, which must be text.
    /// # Errors
    /// As [`Client::next`]; a frame.
    pub fn text(&mut self) -> Result<Value> {
        match self.next()? {
            Answer::Text(text) => Ok(text),
            Answer::Frame(_) => bail!("a frame where an answer is due"),
        }
    }
    /// The next frame; answers before it are left out.
    /// # Errors
    /// As [`Client::next`]; an error in words; bytes that are no frame.
    pub fn frame(&mut self) -> Result<(Header, Bytes)> {
        loop {
            match self.next()? {
                Answer::Text(text) => ensure!(text["error"].is_null(), "{text}"),
                Answer::Frame(bytes) => return Ok((Header::read(&bytes).context("no frame")?, bytes)),
            }
        }
    }
}

/// A message of the server.
pub enum Answer {
    /// Words.
    Text(Value),
    /// A frame.
    Frame(Bytes),
}

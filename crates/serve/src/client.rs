//! A client without a browser.

use ribbonmesh::glam::{DMat4, DVec3, DVec4};
use ribbonmesh_mesh::{Class, Classified, Resource};
use ribbonmesh_rixels::{Depth, Header as RixelHeader, RixelError, Rixels, View as Camera};
use ribbonmesh_stream::{Header, HeaderError, Mode, Request};
use serde_json::{Value, json};
use std::io;
use std::net::TcpStream;
use std::time::{Duration, Instant};
use thiserror::Error;
use tungstenite::{Bytes, Message, WebSocket};

/// Something that keeps a client from frames.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ClientError {
    /// Another address than those that servers print.
    #[error("{0:?} is not the address of a server, such as http://127.0.0.1:8080/?token=…")]
    Address(String),
    /// The connection cannot be made, or is lost.
    #[error("{address}: {why}")]
    Connection {
        /// The machine and the port.
        address: String,
        /// The reason.
        why: String,
    },
    /// The server does not speak the protocol.
    #[error("the server says what is not understood: {0}")]
    Unknown(String),
    /// The server refuses an expression or something else.
    #[error("refused: {0}")]
    Refused(String),
    /// Bytes that are no frame.
    #[error(transparent)]
    Frame(#[from] HeaderError),
    /// A frame whose parts do not fit.
    #[error(transparent)]
    Rixels(#[from] RixelError),
}

impl Classified for ClientError {
    fn class(&self) -> Class {
        match self {
            Self::Address(_) | Self::Refused(_) => Class::data(),
            _ => Class::device(Resource::Driver),
        }
    }
}

/// A frame that has been received and decoded.
#[derive(Clone, Debug)]
pub struct Received {
    /// The header.
    pub header: Header,
    /// The points.
    pub rixels: Rixels,
    /// Bytes of the frame.
    pub bytes: usize,
    /// How long it took to decode them.
    pub decoding: Duration,
    /// When they had come.
    pub at: Instant,
}

/// A connection to a [`Server`](crate::Server): for tests and measurements, and for programs that want
/// numbers.
pub struct Client {
    socket: WebSocket<TcpStream>,
    address: String,
    description: Value,
    asked: u32,
    looked: u32,
}

impl Client {
    /// Connects to the address that a server printed, and greets.
    /// # Errors
    /// [`ClientError`].
    pub fn connect(url: &str) -> Result<Self, ClientError> {
        let bare = url.strip_prefix("http://").and_then(|rest| rest.split_once('/'));
        let Some((address, query)) = bare else { return Err(ClientError::Address(url.into())) };
        let address = if address.contains(':') { address.to_owned() } else { format!("{address}:80") };
        let lost = |why: String| ClientError::Connection { address: address.clone(), why };
        let stream = TcpStream::connect(&address).map_err(|error| lost(error.to_string()))?;
        stream.set_nodelay(true).map_err(|error| lost(error.to_string()))?;
        let query = query.split('#').next().unwrap_or_default();
        let handshake = tungstenite::client(format!("ws://{address}/frames{query}"), stream);
        let (socket, _) = handshake.map_err(|error| lost(error.to_string()))?;
        let mut client = Self { socket, address, description: Value::Null, asked: 0, looked: 0 };
        client.say(&json!({ "hello": 1 }))?;
        while client.description.is_null() {
            client.text()?;
        }
        Ok(client)
    }

    /// The description of the source, as the protocol describes it; the newest that has come.
    pub fn description(&self) -> &Value {
        &self.description
    }

    /// Asks for an expression, from the next request on.
    /// # Errors
    /// [`ClientError::Refused`] with the reason; the connection is lost.
    pub fn ask(&mut self, expression: &str) -> Result<(), ClientError> {
        self.asked += 1;
        self.say(&json!({ "query": self.asked, "expr": expression }))?;
        loop {
            let text = self.text()?;
            if text["query"] == self.asked {
                return match text["error"].as_str() {
                    Some(why) => Err(ClientError::Refused(why.into())),
                    None => Ok(()),
                };
            }
        }
    }

    /// Looks from the front at the box of what is served, in parallel projection.
    /// # Errors
    /// The connection is lost; a description without a box.
    pub fn look(&mut self, [width, height]: [u32; 2]) -> Result<(), ClientError> {
        let vector = |value: &Value| -> Option<DVec3> {
            Some(DVec3::new(value[0].as_f64()?, value[1].as_f64()?, value[2].as_f64()?))
        };
        let place = |name: &str, k: usize| {
            let missing = || ClientError::Unknown(format!("the description has no {name}"));
            vector(&self.description[name][k]).ok_or_else(missing)
        };
        let (low, high) = (place("box", 0)?, place("box", 1)?);
        let [right, up, front] = [place("axes", 0)?, place("axes", 1)?, place("axes", 2)?];
        let radius = (0.5 * (high - low).length()).max(1e-30);
        let turned =
            DMat4::from_cols(right.extend(0.0), up.extend(0.0), front.extend(0.0), DVec4::W).transpose();
        let view = DMat4::from_translation(DVec3::new(0.0, 0.0, -2.0 * radius))
            * turned
            * DMat4::from_translation(-0.5 * (low + high));
        let half =
            DVec3::new(f64::from(width), f64::from(height), 0.0) / f64::from(width.min(height)) * radius;
        let projection = Camera::parallel(2.0 * half.x, 2.0 * half.y, 0.9 * radius, 3.1 * radius);
        self.looked += 1;
        self.say(&json!({
            "view": self.looked,
            "size": [width, height],
            "V": view.to_cols_array(),
            "P": projection.to_cols_array(),
            "depth": 16,
        }))
    }

    /// Asks for frames of the last expression and view, and gives back credits.
    /// # Errors
    /// The connection is lost.
    pub fn request(&mut self, credits: u16) -> Result<(), ClientError> {
        let request = Request { mode: Mode::Rixel.number(), credits, query: self.asked, view: self.looked };
        self.send(Message::binary(request.to_bytes().to_vec()))
    }

    /// The next frame; none if none comes in this time. The client is to [`Client::request`] another one.
    /// # Errors
    /// The connection is lost; the server refuses; bytes that are no frame.
    pub fn frame(&mut self, wait: Duration) -> Result<Option<Received>, ClientError> {
        let end = Instant::now() + wait;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            let timeout = self.socket.get_ref().set_read_timeout(Some(left));
            timeout.map_err(|error| self.lost(&error))?;
            match self.socket.read() {
                Ok(Message::Binary(bytes)) => return decoded(&bytes).map(Some),
                Ok(message) => {
                    let text = self.heard(message)?;
                    if let Some(why) = text["error"]["message"].as_str() {
                        return Err(ClientError::Refused(why.into()));
                    }
                }
                Err(tungstenite::Error::Io(error)) if is_late(&error) => return Ok(None),
                Err(error) => return Err(self.lost(&error)),
            }
        }
    }

    /// The next text, with frames left out.
    fn text(&mut self) -> Result<Value, ClientError> {
        loop {
            let timeout = self.socket.get_ref().set_read_timeout(Some(Duration::from_secs(60)));
            timeout.map_err(|error| self.lost(&error))?;
            let message = self.socket.read().map_err(|error| self.lost(&error))?;
            if let Message::Text(_) | Message::Close(_) = message {
                return self.heard(message);
            }
        }
    }

    fn heard(&mut self, message: Message) -> Result<Value, ClientError> {
        match message {
            Message::Text(text) => {
                let unknown = |error: serde_json::Error| ClientError::Unknown(error.to_string());
                let text: Value = serde_json::from_str(&text).map_err(unknown)?;
                if text.get("version").is_some() {
                    self.description.clone_from(&text);
                }
                Ok(text)
            }
            Message::Close(Some(frame)) => Err(ClientError::Refused(frame.reason.to_string())),
            _ => Ok(Value::Null),
        }
    }

    fn say(&mut self, message: &Value) -> Result<(), ClientError> {
        self.send(Message::text(message.to_string()))
    }

    fn send(&mut self, message: Message) -> Result<(), ClientError> {
        self.socket.send(message).map_err(|error| self.lost(&error))
    }

    fn lost(&self, why: &dyn std::fmt::Display) -> ClientError {
        ClientError::Connection { address: self.address.clone(), why: why.to_string() }
    }
}

fn is_late(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

fn decoded(bytes: &Bytes) -> Result<Received, ClientError> {
    let at = Instant::now();
    let header = Header::read(bytes)?;
    if header.mode != Mode::Rixel {
        return Err(ClientError::Unknown(format!("a frame of mode {}", header.mode.number())));
    }
    let [first, second, third] = header.parts.map(|part| part as usize);
    let (places, rest) = bytes[ribbonmesh_stream::HEADER..].split_at(first);
    let (values, depths) = rest.split_at(second);
    let depth = match (header.linear, header.depth_bits) {
        (true, 16) => Depth::Linear16,
        (true, 32) => Depth::Linear32,
        _ => return Err(ClientError::Unknown("depths of another kind".into())),
    };
    let of = RixelHeader {
        width: header.width.into(),
        height: header.height.into(),
        count: header.count,
        minimum: header.minimum,
        maximum: header.maximum,
        nearest: 0.0,
        farthest: 0.0,
        depth,
        sparse: header.sparse,
    };
    let rixels = Rixels::from_parts(of, [places, values, &depths[..third]])?;
    Ok(Received { header, rixels, bytes: bytes.len(), decoding: at.elapsed(), at })
}

//! Messages that clients send.

use crate::{DepthBits, Limits, Refusal, Slice, View};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A message from a client.
#[derive(Clone, PartialEq, Debug)]
pub enum Message {
    /// The first message.
    Hello {
        /// The version of the protocol.
        version: u32,
        /// Credits to begin with, where the client wants another number than the usual one.
        credits: Option<u32>,
    },
    /// An expression, under a number.
    Query {
        /// Its number.
        number: u32,
        /// The expression.
        text: String,
    },
    /// A camera, under a number.
    View {
        /// Its number.
        number: u32,
        /// The camera.
        view: Box<View>,
    },
    /// Frames of a query and a view.
    Request(Request),
    /// Play, pause, step.
    Control(Control),
    /// The exact value at a pixel.
    Probe(Probe),
    /// Anything, to be sent back: measures the network, and shows that the client is there.
    Ping(u32),
}

/// A request of frames: 12 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Request {
    /// The kind of frames: 2, points; 3, triangles; 0, whichever suits the network.
    pub mode: u8,
    /// Credits to add.
    pub credits: u16,
    /// The number of the query.
    pub query: u32,
    /// The number of the view.
    pub view: u32,
}

impl Request {
    /// Bytes of a request.
    pub const BYTES: usize = 12;

    /// The bytes.
    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[0] = 1;
        bytes[1] = self.mode;
        bytes[2..4].copy_from_slice(&self.credits.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.query.to_le_bytes());
        bytes[8..].copy_from_slice(&self.view.to_le_bytes());
        bytes
    }

    fn of(bytes: &[u8]) -> Option<Self> {
        let [1, mode, c0, c1, q0, q1, q2, q3, v0, v1, v2, v3] = *bytes else { return None };
        Some(Self {
            mode,
            credits: u16::from_le_bytes([c0, c1]),
            query: u32::from_le_bytes([q0, q1, q2, q3]),
            view: u32::from_le_bytes([v0, v1, v2, v3]),
        })
    }
}

/// A request to a source that moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Control {
    /// Goes on.
    Play,
    /// Stops after the present step.
    Pause,
    /// Makes one step.
    Step,
}

/// A question for the exact value at a pixel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// The number of the question, which the answer has, too.
    pub probe: u32,
    /// The number of the query.
    pub query: u32,
    /// The number of the view.
    pub view: u32,
    /// The pixel: from the left, from below.
    pub pixel: [u32; 2],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HelloText {
    hello: u32,
    credits: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct QueryText {
    query: u32,
    expr: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case)]
struct ViewText {
    view: u32,
    size: [u32; 2],
    V: [f64; 16],
    P: [f64; 16],
    depth: u8,
    slice: Option<SliceText>,
}

/// A plane across an axis, or any plane.
#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum SliceText {
    Across { axis: Axis, at: f64 },
    Plane { normal: [f64; 3], offset: f64 },
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Axis {
    X,
    Y,
    Z,
}

impl From<SliceText> for Slice {
    fn from(text: SliceText) -> Self {
        match text {
            SliceText::Across { axis, at } => {
                let normal = match axis {
                    Axis::X => [1.0, 0.0, 0.0],
                    Axis::Y => [0.0, 1.0, 0.0],
                    Axis::Z => [0.0, 0.0, 1.0],
                };
                Self { normal, offset: at }
            }
            SliceText::Plane { normal, offset } => Self { normal, offset },
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ControlText {
    control: Control,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PingText {
    ping: u32,
}

impl Message {
    /// Reads a message: a request of 12 bytes that begins with 1, or a JSON object.
    /// # Errors
    /// [`Refusal::TooLong`], [`Refusal::Unknown`].
    pub fn read(bytes: &[u8], limits: &Limits) -> Result<Self, Refusal> {
        if bytes.len() > limits.message {
            return Err(Refusal::TooLong { bytes: bytes.len(), most: limits.message });
        }
        if let Some(request) = Request::of(bytes) {
            return Ok(Self::Request(request));
        }
        let value: Value = serde_json::from_slice(bytes).map_err(unknown)?;
        // a probe names a query and a view, too
        const KINDS: [&str; 6] = ["hello", "probe", "control", "ping", "query", "view"];
        let kind = KINDS.into_iter().find(|kind| value.get(kind).is_some());
        match kind {
            Some("hello") => {
                parsed(value).map(|HelloText { hello, credits }| Self::Hello { version: hello, credits })
            }
            Some("probe") => parsed(value).map(Self::Probe),
            Some("control") => parsed(value).map(|ControlText { control }| Self::Control(control)),
            Some("ping") => parsed(value).map(|PingText { ping }| Self::Ping(ping)),
            Some("query") => {
                parsed(value).map(|QueryText { query, expr }| Self::Query { number: query, text: expr })
            }
            Some("view") => parsed(value).and_then(Self::of_view),
            _ => Err(Refusal::Unknown(format!("it has none of the keys {}", KINDS.join(", ")))),
        }
    }

    fn of_view(text: ViewText) -> Result<Self, Refusal> {
        let depth = match text.depth {
            16 => DepthBits::Bits16,
            32 => DepthBits::Bits32,
            other => return Err(unknown(format!("depth is 16 or 32, and not {other}"))),
        };
        let slice = text.slice.map(Slice::from);
        let view = View { size: text.size, view: text.V, projection: text.P, depth, slice };
        Ok(Self::View { number: text.view, view: Box::new(view) })
    }
}

fn unknown(why: impl ToString) -> Refusal {
    Refusal::Unknown(why.to_string())
}

fn parsed<T: DeserializeOwned>(value: Value) -> Result<T, Refusal> {
    serde_json::from_value(value).map_err(unknown)
}

//! A protocol that streams what a machine far away computes to viewers (Mueller-Roemer 2020, 6.3.3 and
//! 6.3.5), without sockets: bytes in, actions out.
//!
//! | to | see |
//! |---|---|
//! | say what is served | [`Source`], [`Frames`], [`Description`] |
//! | serve it to clients | [`Hub`]: [`Hub::connect`], [`Hub::receive`], [`Hub::serve`] |
//! | know what one client may do | [`Session`], [`Limits`], [`Refusal`] |
//! | read and write frames | [`Header`], [`Encoded`], [`Triangles`] |
//! | read what clients send | [`Message`] |
//! | compute how a network behaves | [`Link`] |
//!
//! A client says hello and gets a description of the fields. It sends queries (expressions) and views
//! (cameras), each with a number, and requests, which name a query and a view and add credits. Each frame
//! costs a credit, so that no more frames are on their way than the client has asked for. There is no queue:
//! a frame shows the newest step at the moment when it is encoded, and clients with the same query and view
//! share it. `docs/streaming.md` has all messages byte by byte.
//!
//! ```
//! use ribbonmesh_expression::{Field, Type};
//! use ribbonmesh_stream::{Action, Description, Encoded, Frames, Hub, Limits, Query, Served, Source, Step, View};
//! use std::time::Duration;
//!
//! struct Nothing;
//! impl Source for Nothing {
//!     fn describe(&self) -> Description {
//!         let height = Served::new(Field::new("height", Type::Scalar, "vertices"), 3);
//!         Description { title: "nothing".into(), fields: vec![height], ..Description::default() }
//!     }
//!     fn step(&self) -> Step {
//!         Step { number: 0, time: 0.0 }
//!     }
//!     fn frames(&mut self) -> &mut dyn Frames {
//!         self
//!     }
//! }
//! impl Frames for Nothing {
//!     fn prepare(&mut self, _: &Query) -> Result<String, String> {
//!         Ok("cpu".into())
//!     }
//!     fn encode(&mut self, _: &Query, view: &View) -> Result<Encoded, String> {
//!         Ok(Encoded::empty(view))
//!     }
//! }
//!
//! let mut hub = Hub::new(Limits::default());
//! let client = hub.connect(Duration::ZERO).expect("there is room");
//! let answers = hub.receive(client, br#"{"hello":1}"#, Duration::ZERO, &mut Nothing);
//! assert!(matches!(&answers[..], [Action::Text(_, text)] if text.contains("height")));
//! let answers = hub.receive(client, br#"{"query":1,"expr":"heigth"}"#, Duration::ZERO, &mut Nothing);
//! assert!(matches!(&answers[..], [Action::Text(_, text)] if text.contains(r#""at":0"#)));
//! ```
//!
//! **Does not know** meshes, devices, files or sockets. Nothing here panics because of what a client sends.
#![forbid(unsafe_code)]

mod answer;
mod choice;
mod frame;
mod hub;
mod limits;
mod link;
mod message;
mod refusal;
mod session;
mod source;
mod triangles;
mod view;

pub use choice::Choice;
pub use frame::{Encoded, Frame, HEADER, Header, HeaderError, Mode};
pub use hub::{Action, Client, Hub};
pub use limits::Limits;
pub use link::Link;
pub use message::{Control, Message, Probe, Request};
pub use refusal::Refusal;
pub use session::{Due, Reply, Session};
pub use source::{Description, Found, Frames, Query, Served, Source, Step};
pub use triangles::{Extent, Lacking, NO_VALUE, Places, Triangles};
pub use view::{DepthBits, Slice, View};

/// The version of the protocol.
pub const VERSION: u32 = 1;

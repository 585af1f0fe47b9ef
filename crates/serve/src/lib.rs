//! Meshes and simulations in a browser far away: a page, and frames over a WebSocket.
//!
//! | to | see |
//! |---|---|
//! | serve a mesh on a device | [`MeshSource`] |
//! | serve a volume on a device, and slices of it | [`VolumeSource`] |
//! | serve a mesh that changes, of a simulation | [`Live`], [`Moment`] |
//! | serve a grid of cells in space, with a surface in it | [`Live::of`], [`Grid`], [`GridMoment`] |
//! | serve a map of heights, such as water over a terrain | [`Live::of`], [`HeightMap`], [`HeightMoment`] |
//! | compute fields from others | [`Formula`] |
//! | serve a source | [`Server::bind`], then [`Server::poll`] again and again |
//! | serve while the program does something else | [`Background`] |
//! | receive frames without a browser | [`Client`], [`Received`] |
//! | have a slow network on one machine | [`Limiter`] |
//! | say where and for whom | [`Options`], [`Token`] |
//! | know why a connection is refused | [`Refused`] |
//!
//! The server gets frames from a [`Source`], which the thread that polls owns; each client has two threads,
//! one that reads and one that writes, so that a client that stalls, lies or vanishes holds up nobody else. A
//! simulation polls after each step, without waiting; a mesh polls and waits.
//!
//! **Security.** The server is bound to the machine itself unless told otherwise. Whoever does not know the
//! token, which is random, reads nothing. Pages of other sites are refused by the headers `Origin` and
//! `Host`. There is no encryption: a tunnel or a proxy does that. `docs/streaming.md` has the details.
#![forbid(unsafe_code)]

mod background;
mod client;
mod connection;
mod error;
mod evaluations;
mod fields;
mod formula;
mod grid;
mod guard;
mod head;
mod heights;
mod limiter;
mod live;
mod look;
mod mesh;
mod moment;
mod page;
mod seen;
mod server;
mod surface;
mod token;
mod volume;

pub use background::Background;
pub use client::{Client, ClientError, Received};
pub use error::{LiveError, ServeError};
pub use fields::Row;
pub use formula::Formula;
pub use grid::{Grid, GridMoment};
pub use guard::Refused;
pub use heights::{HeightMap, HeightMoment};
pub use limiter::Limiter;
pub use live::Live;
pub use mesh::MeshSource;
pub use moment::Moment;
pub use ribbonmesh_rixels::CellGrid;
pub use ribbonmesh_stream as stream;
pub use ribbonmesh_stream::Source;
pub use seen::Seen;
pub use server::{Options, Server};
pub use surface::Surface;
pub use token::Token;
pub use volume::VolumeSource;

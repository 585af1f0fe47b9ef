//! Errors of the server.

use ribbonmesh_mesh::{Class, Classified, Phrase, Resource};
use std::io;
use std::net::SocketAddr;
use thiserror::Error;

/// The server cannot begin.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address cannot be bound.
    #[error("{address} cannot be bound: {error}")]
    Bind {
        /// The address.
        address: SocketAddr,
        /// The reason.
        error: io::Error,
    },
    /// The system has no random numbers for a token.
    #[error("the system has no random numbers: {0}")]
    Random(String),
    /// A thread cannot begin.
    #[error("no thread for connections: {0}")]
    Thread(io::Error),
}

const ANY_PORT: &[Phrase] = &[Phrase::Option("port"), Phrase::Text(" 0 takes any port that is free")];

impl Classified for ServeError {
    fn class(&self) -> Class {
        let failed = Class::device(Resource::Driver);
        match self {
            Self::Bind { .. } => failed.helped(ANY_PORT),
            Self::Random(_) | Self::Thread(_) => failed,
        }
    }
}

//! Errors of the server.

use ribbonmesh_mesh::{Class, Classified, Phrase, Resource};
use ribbonmesh_rixels::RixelError;
use ribbonmesh_volume::VolumeError;
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
    /// The thread that serves has ended, by a panic.
    #[error("the thread that serves has ended")]
    Ended,
}

const ANY_PORT: &[Phrase] = &[Phrase::Option("port"), Phrase::Text(" 0 takes any port that is free")];

impl Classified for ServeError {
    fn class(&self) -> Class {
        let failed = Class::device(Resource::Driver);
        match self {
            Self::Bind { .. } => failed.helped(ANY_PORT),
            Self::Random(_) | Self::Thread(_) => failed,
            Self::Ended => Class::bug(),
        }
    }
}

/// A moment that cannot be shown.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LiveError {
    /// Faces do not have three vertices each.
    #[error("the faces have {0} numbers, which is not a multiple of three")]
    Faces(usize),
    /// A field of another length.
    #[error("the field {field:?} has {numbers} numbers: {width} for each of {elements} {of} are needed")]
    Rows {
        /// Its name.
        field: String,
        /// `vertices` or `faces`.
        of: &'static str,
        /// The numbers that it has.
        numbers: usize,
        /// The numbers of an element.
        width: usize,
        /// The elements.
        elements: usize,
    },
    /// A buffer on another device than that of the source.
    #[error("{what} are on another device")]
    OtherDevice {
        /// The buffer.
        what: String,
    },
    /// The point that positions are relative to is not finite.
    #[error("the point that positions are relative to is not finite")]
    Origin,
    /// A formula of fields that is not valid.
    #[error("the formula {formula:?}: {why}")]
    Formula {
        /// The formula.
        formula: String,
        /// The fault.
        why: String,
    },
    /// The places of the world cannot be computed.
    #[error(transparent)]
    Evaluate(RixelError),
    /// A volume without cells.
    #[error("the volume has no cells: there is nothing to show")]
    NoCells,
    /// Cells that are not valid.
    #[error(transparent)]
    Volume(#[from] VolumeError),
    /// The server has ended.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// Memory, the driver.
    #[error(transparent)]
    Library(#[from] ribbonmesh::Error),
}

impl Classified for LiveError {
    fn class(&self) -> Class {
        match self {
            Self::Evaluate(error) => error.class(),
            Self::Library(error) => error.class(),
            Self::Volume(error) => error.class(),
            Self::Serve(error) => error.class(),
            _ => Class::data(),
        }
    }
}

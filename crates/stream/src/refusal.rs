//! Refusals of clients' messages.

use thiserror::Error;

/// A message that is refused, and why.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// A message with more bytes than the limit.
    #[error("the message has {bytes} bytes; {most} are allowed")]
    TooLong {
        /// Its bytes.
        bytes: usize,
        /// The limit.
        most: usize,
    },
    /// Bytes that are no message.
    #[error("the message is not understood: {0}")]
    Unknown(String),
    /// The first message is not a hello, or a second hello comes.
    #[error("a session begins with one hello")]
    Greeting,
    /// A hello with a version that is not served.
    #[error("version {0} of the protocol is not served; version {version} is", version = crate::VERSION)]
    Version(u32),
    /// More messages than the limit.
    #[error("more than {0} messages per second")]
    Flood(u32),
    /// More clients than the limit.
    #[error("{0} clients are connected; no more are served")]
    Clients(usize),
    /// More queries than the limit.
    #[error("more than {0} queries per second")]
    Queries(u32),
    /// More probes than the limit.
    #[error("more than {0} probes per second")]
    Probes(u32),
    /// A number of a query or view that is not above those before.
    #[error("numbers of {what} ascend: {number} is not above {last}")]
    Number {
        /// `queries` or `views`.
        what: &'static str,
        /// The number.
        number: u32,
        /// The last number.
        last: u32,
    },
    /// A request for a query or view that was never sent, was refused or is forgotten.
    #[error("there is no {what} {number}")]
    Missing {
        /// `query` or `view`.
        what: &'static str,
        /// The number.
        number: u32,
    },
    /// A view that nothing can be drawn with.
    #[error("the view is refused: {0}")]
    View(String),
    /// A kind of frame that the source does not have.
    #[error("frames of mode {0} are not served; modes 2 and 3 are, and 0 for either")]
    Mode(u8),
    /// Play, pause or step of a source that does not move.
    #[error("the source does not move")]
    Still,
    /// The source cannot do what is asked.
    #[error("{0}")]
    Source(String),
}

impl Refusal {
    /// A word for programs, part of the protocol.
    pub fn code(&self) -> &'static str {
        match self {
            Self::TooLong { .. } => "too-long",
            Self::Unknown(_) => "unknown",
            Self::Greeting => "greeting",
            Self::Version(_) => "version",
            Self::Flood(_) => "flood",
            Self::Clients(_) => "clients",
            Self::Queries(_) => "queries",
            Self::Probes(_) => "probes",
            Self::Number { .. } => "number",
            Self::Missing { .. } => "missing",
            Self::View(_) => "view",
            Self::Mode(_) => "mode",
            Self::Still => "still",
            Self::Source(_) => "source",
        }
    }

    /// Whether the session ends: the client does not speak the protocol. After other refusals it goes on.
    pub fn is_fatal(&self) -> bool {
        matches!(
            self,
            Self::TooLong { .. }
                | Self::Unknown(_)
                | Self::Greeting
                | Self::Version(_)
                | Self::Flood(_)
                | Self::Clients(_)
        )
    }
}

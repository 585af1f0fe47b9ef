//! Heads of HTTP requests. The parser is tungstenite's, which is httparse.

use crate::guard::Refused;
use std::io::{self, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tungstenite::Error;
use tungstenite::error::ProtocolError;
use tungstenite::handshake::machine::TryParse;
use tungstenite::handshake::server::Request;

/// Most bytes of a head.
const MOST: usize = 8 << 10;
/// The time in which a head must be complete.
const PATIENCE: Duration = Duration::from_secs(5);

/// Reads the head of a request.
/// # Errors
/// [`Refused::Slow`], [`Refused::TooLong`], [`Refused::Method`], [`Refused::Head`]; [`Refused::Gone`] where
/// the client leaves.
pub(crate) fn read(stream: &mut TcpStream) -> Result<Request, Refused> {
    let end = Instant::now() + PATIENCE;
    let mut bytes = Vec::new();
    let mut part = [0; 1024];
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(Refused::Slow);
        }
        stream.set_read_timeout(Some(left)).map_err(|_| Refused::Gone)?;
        let read = match stream.read(&mut part) {
            Ok(0) => return Err(Refused::Gone),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                return Err(Refused::Slow);
            }
            Err(_) => return Err(Refused::Gone),
        };
        bytes.extend_from_slice(&part[..read]);
        if bytes.len() > MOST {
            return Err(Refused::TooLong);
        }
        match Request::try_parse(&bytes) {
            Ok(Some((length, request))) if length == bytes.len() => return Ok(request),
            // neither a page's request nor a handshake has a body
            Ok(Some(_)) => return Err(Refused::Head("it has a body".into())),
            Ok(None) => {}
            Err(Error::Protocol(ProtocolError::WrongHttpMethod)) => return Err(Refused::Method),
            Err(error) => return Err(Refused::Head(error.to_string())),
        }
    }
}

//! Connections: one request each, which gets a page, a refusal, or becomes a WebSocket.

use crate::guard::{Guard, Refused, Wish};
use crate::{head, page};
use ribbonmesh_stream::{Client, Frame, Refusal};
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};
use tungstenite::handshake::server::{create_response, write_response};
use tungstenite::protocol::frame::CloseFrame;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Bytes, Message, WebSocket};

/// A client from which nothing comes for this long, not even a ping of the page, is gone.
const IDLE: Duration = Duration::from_secs(100);
/// A client that takes nothing for this long is gone.
const STALLED: Duration = Duration::from_secs(30);
/// The time that a client has to read why its session ends.
const LINGER: Duration = Duration::from_secs(2);
/// Messages that may wait for a client: its frames, and answers. A client that takes no answers is gone.
const WAITING: usize = 64;

/// Bounds of a connection.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    /// Bytes of a message from the client.
    pub message: usize,
    /// Frames that may wait for the client, beside the one that is being written: as many as a session has
    /// credits. A client that adds credits for frames that it has not read is gone.
    pub frames: usize,
}

/// Events that come from clients.
pub(crate) enum Event {
    /// A client is there. Its number is sent back, unless it is refused.
    Open { outbox: Outbox, admitted: SyncSender<Client> },
    /// A message.
    Message(Client, Bytes),
    /// A client has left.
    Gone(Client),
    /// Another thread wants the one that polls.
    Wake,
}

/// Messages that go to a client.
pub(crate) enum Parcel {
    Text(String),
    Frame(Frame),
    Pong(Bytes),
    Close(Option<Refusal>),
}

/// The way to a client.
pub(crate) struct Outbox {
    parcels: SyncSender<Parcel>,
    /// Frames that the writer has not taken yet, and most of them.
    frames: Arc<AtomicUsize>,
    most: usize,
    /// Whether all is written.
    closing: Arc<AtomicBool>,
    stream: TcpStream,
}

impl Outbox {
    /// Hands something on without waiting; false if the client takes nothing any more.
    pub fn send(&self, parcel: Parcel) -> bool {
        let is_frame = matches!(parcel, Parcel::Frame(_));
        if is_frame && self.frames.fetch_add(1, Ordering::Relaxed) >= self.most {
            return false;
        }
        self.parcels.try_send(parcel).is_ok()
    }

    /// Whether the last message is written, or the client takes none any more.
    pub fn is_empty(&self) -> bool {
        self.closing.load(Ordering::Relaxed)
    }

    /// Cuts the connection; messages that are not written are lost.
    pub fn cut(&self) {
        // it may be cut already
        _ = self.stream.shutdown(Shutdown::Both);
    }
}

/// Serves a connection to its end.
pub(crate) fn serve(mut stream: TcpStream, guard: &Guard, bounds: Bounds, events: &SyncSender<Event>) {
    // without these the worst is a delay; a stream that refuses them refuses the next write, too
    _ = stream.set_nodelay(true);
    _ = stream.set_write_timeout(Some(STALLED));
    let outcome = head::read(&mut stream).and_then(|request| match guard.admit(&request)? {
        Wish::Page => {
            // the client may leave
            _ = page::send(&mut stream, guard.embed);
            Ok(())
        }
        Wish::Frames => {
            let response =
                create_response(&request).map_err(|error| Refused::Handshake(error.to_string()))?;
            if write_response(&mut stream, &response).is_ok() {
                converse(&stream, bounds, events);
            }
            Ok(())
        }
    });
    if let Err(refused) = outcome {
        _ = page::refuse(&mut stream, &refused);
    }
    _ = stream.shutdown(Shutdown::Both);
}

/// Reads a client's messages until it leaves. Another thread writes.
fn converse(stream: &TcpStream, bounds: Bounds, events: &SyncSender<Event>) {
    let Ok((reader, writer, cutter)) = halves(stream) else { return };
    let (parcels, received) = sync_channel(WAITING);
    let (closing, frames) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let (said, waiting) = (closing.clone(), frames.clone());
    let spawned = std::thread::Builder::new()
        .name("ribbonmesh-writer".into())
        .spawn(move || write_parcels(writer, &received, &waiting, &said));
    let Ok(writing) = spawned else { return };
    let (admitted, admission) = sync_channel(1);
    let pongs = parcels.clone();
    let outbox = Outbox { parcels, frames, most: bounds.frames, closing: closing.clone(), stream: cutter };
    if events.send(Event::Open { outbox, admitted }).is_err() {
        return;
    }
    if let Ok(client) = admission.recv() {
        read_messages(reader, client, bounds.message, events, &pongs, &closing);
        _ = events.send(Event::Gone(client));
    }
    // a client that is not admitted is told why
    drop(pongs);
    _ = writing.join();
}

/// A half that is read, one that is written, and one to cut both.
fn halves(stream: &TcpStream) -> io::Result<(TcpStream, TcpStream, TcpStream)> {
    stream.set_read_timeout(Some(IDLE))?;
    Ok((stream.try_clone()?, stream.try_clone()?, stream.try_clone()?))
}

fn read_messages(
    stream: TcpStream,
    client: Client,
    most: usize,
    events: &SyncSender<Event>,
    pongs: &SyncSender<Parcel>,
    closing: &AtomicBool,
) {
    let config = WebSocketConfig::default()
        .read_buffer_size(16 << 10)
        .max_message_size(Some(most))
        .max_frame_size(Some(most));
    let mut socket = WebSocket::from_raw_socket(ReadOnly(stream), Role::Server, Some(config));
    while let Ok(message) = socket.read() {
        // after the end the client is read, but not heard, until it leaves or the writer cuts it off: bytes
        // that nobody reads would destroy what is on its way to it
        if closing.load(Ordering::Relaxed) {
            continue;
        }
        let heard = match message {
            // where the server is gone, it has told the writer to end
            Message::Text(text) => {
                _ = events.send(Event::Message(client, text.into()));
                true
            }
            Message::Binary(bytes) => {
                _ = events.send(Event::Message(client, bytes));
                true
            }
            Message::Ping(payload) => pongs.try_send(Parcel::Pong(payload)).is_ok(),
            Message::Pong(_) | Message::Frame(_) => true,
            Message::Close(_) => pongs.try_send(Parcel::Close(None)).is_ok(),
        };
        if !heard {
            return;
        }
    }
}

/// Writes until the last sender is gone, the client is gone, or the end is said.
fn write_parcels(stream: TcpStream, parcels: &Receiver<Parcel>, frames: &AtomicUsize, closing: &AtomicBool) {
    let config = WebSocketConfig::default().read_buffer_size(1 << 10).write_buffer_size(64 << 10);
    let mut socket = WebSocket::from_raw_socket(stream, Role::Server, Some(config));
    while let Ok(parcel) = parcels.recv() {
        let last = matches!(parcel, Parcel::Close(_));
        // before it is written: a client may have its frame, and the server its next credit, before this
        // thread goes on
        if matches!(parcel, Parcel::Frame(_)) {
            frames.fetch_sub(1, Ordering::Relaxed);
        }
        if socket.send(message(parcel)).is_err() || last {
            break;
        }
    }
    _ = socket.get_ref().shutdown(Shutdown::Write);
    closing.store(true, Ordering::Relaxed);
    // the client reads the end, then closes its side, for which the reader waits; bytes that arrive at a
    // closed socket would destroy what is still on its way
    let end = Instant::now() + LINGER;
    while parcels.recv_timeout(end.saturating_duration_since(Instant::now())).is_ok() {}
    // a reader that still waits for the client waits no longer
    _ = socket.get_ref().shutdown(Shutdown::Both);
}

fn message(parcel: Parcel) -> Message {
    match parcel {
        Parcel::Text(text) => Message::text(text),
        Parcel::Frame(frame) => Message::binary(frame.to_bytes()),
        Parcel::Pong(payload) => Message::Pong(payload),
        Parcel::Close(refusal) => Message::Close(refusal.map(|refusal| {
            // a reason has at most 123 bytes
            let mut reason = refusal.to_string();
            while reason.len() > 123 {
                reason.pop();
            }
            CloseFrame { code: CloseCode::Policy, reason: reason.into() }
        })),
    }
}

/// A stream of which the reading half is used. What a reader of WebSockets would answer by itself is sent by
/// the writer instead, since two that write would mix their bytes.
struct ReadOnly(TcpStream);

impl Read for ReadOnly {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into)
    }
}

impl Write for ReadOnly {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ribbonmesh_stream::{Header, Mode};
    use std::net::{Ipv4Addr, TcpListener};

    /// A frame without points.
    fn frame() -> Frame {
        let header = Header {
            mode: Mode::Rixel,
            value_bits: 16,
            depth_bits: 16,
            linear: true,
            sparse: false,
            of_faces: false,
            complete: true,
            query: 1,
            view: 1,
            step: 0,
            time: 0.0,
            minimum: 0.0,
            maximum: 0.0,
            width: 0,
            height: 0,
            count: 0,
            parts: [0; 3],
            age: 0,
        };
        Frame { header, body: Arc::new(vec![]) }
    }

    /// A client that keeps to its credits is not cut off: when it has read a frame, none waits.
    #[test]
    fn a_frame_that_has_come_does_not_wait() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let client = TcpStream::connect(listener.local_addr().expect("an address")).expect("a connection");
        let (stream, _) = listener.accept().expect("a connection");
        let (cutter, (parcels, received)) = (stream.try_clone().expect("a half"), sync_channel(WAITING));
        let (closing, frames) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let (said, waiting) = (closing.clone(), frames.clone());
        let writing = std::thread::spawn(move || write_parcels(stream, &received, &waiting, &said));
        let outbox = Outbox { parcels, frames, most: 1, closing, stream: cutter };
        let mut socket = WebSocket::from_raw_socket(client, Role::Client, None);
        for k in 0..3000 {
            assert!(outbox.send(Parcel::Frame(frame())), "frame {k} is refused");
            assert!(socket.read().expect("a frame").is_binary());
        }
        drop(outbox);
        writing.join().expect("an end");
    }
}

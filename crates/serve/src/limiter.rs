//! A network between a server and its clients, on this machine.

use ribbonmesh_stream::Link;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes that are handed on together.
const PART: usize = 8 << 10;
/// Parts that are on their way, at most: 16 MiB. Who sends more waits, as with a network.
const PARTS: usize = 2048;

/// A port of this machine behind which a server is far away: bytes take their time by a bandwidth, and a
/// delay, in each direction. For tests and measurements; the connections share the bandwidth.
pub struct Limiter {
    address: SocketAddr,
    ends: Arc<AtomicBool>,
}

impl Limiter {
    /// A network to a server: bytes a second in each direction, and the time that they are on their way. It
    /// ends when this is dropped; connections that there are go on.
    /// # Errors
    /// No port is free, or no thread can be started.
    pub fn start(server: SocketAddr, bandwidth: f64, delay: Duration) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let (address, ends) = (listener.local_addr()?, Arc::new(AtomicBool::new(false)));
        let told = ends.clone();
        let ways = [0; 2]
            .map(|_| Way { link: Arc::new(Mutex::new(Link::new(bandwidth, delay))), begin: Instant::now() });
        thread::Builder::new().name("ribbonmesh-limiter".into()).spawn(move || {
            for near in listener.incoming() {
                if told.load(Ordering::Relaxed) {
                    return;
                }
                // a client that is not handed on sees that its connection ends
                _ = near.and_then(|near| connect(near, server, &ways));
            }
        })?;
        Ok(Self { address, ends })
    }

    /// The address for clients.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Limiter {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
        // wakes the thread that waits for connections; if this cannot reach it, nobody does
        _ = TcpStream::connect_timeout(&self.address, Duration::from_secs(1));
    }
}

/// A direction, which all connections share.
#[derive(Clone)]
struct Way {
    link: Arc<Mutex<Link>>,
    begin: Instant,
}

impl Way {
    /// When bytes that are sent now arrive.
    fn send(&self, bytes: usize) -> Instant {
        let mut link = self.link.lock().unwrap_or_else(PoisonError::into_inner);
        self.begin + link.send(bytes, self.begin.elapsed())
    }
}

fn connect(near: TcpStream, server: SocketAddr, ways: &[Way; 2]) -> io::Result<()> {
    let far = TcpStream::connect(server)?;
    for stream in [&near, &far] {
        stream.set_nodelay(true)?;
    }
    hand_on(near.try_clone()?, far.try_clone()?, ways[0].clone())?;
    hand_on(far, near, ways[1].clone())
}

/// Hands on what comes from one side to the other, until either ends.
fn hand_on(from: TcpStream, to: TcpStream, way: Way) -> io::Result<()> {
    let (parts, waiting) = sync_channel(PARTS);
    let spawn = || thread::Builder::new().name("ribbonmesh-way".into());
    spawn().spawn(move || deliver(to, &waiting))?;
    spawn().spawn(move || {
        let (mut from, mut bytes) = (from, vec![0; PART]);
        while let Ok(read @ 1..) = from.read(&mut bytes) {
            if parts.send((way.send(read), bytes[..read].to_vec())).is_err() {
                return;
            }
        }
    })?;
    Ok(())
}

/// Writes parts when they are due.
fn deliver(mut to: TcpStream, parts: &Receiver<(Instant, Vec<u8>)>) {
    while let Ok((due, bytes)) = parts.recv() {
        thread::sleep(due.saturating_duration_since(Instant::now()));
        if to.write_all(&bytes).is_err() {
            break;
        }
    }
    // who reads there sees the end; it may be gone already
    _ = to.shutdown(Shutdown::Write);
}

//! A server on a thread of its own.

use crate::{Live, LiveError, Moment, ServeError, Server, Source};
use std::net::SocketAddr;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long the thread waits for clients, if nobody wakes it.
const WAIT: Duration = Duration::from_secs(1);
/// How often a program that waits for its turn asks.
const ASK: Duration = Duration::from_millis(5);

/// Work for the thread.
type Work<S> = Box<dyn FnOnce(&mut S, &Server) + Send>;

/// A server and its source on a thread, which answers clients while the program does something else: a long
/// computation without steps, or a program in another language. It ends when this is dropped.
///
/// On a GPU a thread of its own should have a device of its own, as [`Device::cuda`](ribbonmesh::Device)
/// opens again: a device reports the errors of its kernels to whoever waits next. Otherwise the source must
/// take turns with the program.
pub struct Background<S> {
    work: Option<Sender<Work<S>>>,
    wake: Box<dyn Fn() + Send + Sync>,
    thread: Option<JoinHandle<()>>,
    address: SocketAddr,
    url: String,
}

impl<S: Source + Send + 'static> Background<S> {
    /// Serves a source from now on.
    /// # Errors
    /// [`ServeError::Thread`].
    pub fn start(server: Server, source: S) -> Result<Self, ServeError> {
        let (work, received) = channel();
        let (wake, address, url) = (Box::new(server.waker()), server.address(), server.url());
        let thread = std::thread::Builder::new()
            .name("ribbonmesh-server".into())
            .spawn(move || run(server, source, &received))
            .map_err(ServeError::Thread)?;
        Ok(Self { work: Some(work), wake, thread: Some(thread), address, url })
    }

    /// The address that it is bound to.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address of the page, with the token.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Works on the source, on its thread, between two frames; waits for the result.
    /// # Errors
    /// [`ServeError::Ended`].
    pub fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut S, &Server) -> T + Send + 'static,
    ) -> Result<T, ServeError> {
        let (done, result) = sync_channel(1);
        // who asked waits below
        let work = Box::new(move |source: &mut S, server: &Server| _ = done.send(work(source, server)));
        let sender = self.work.as_ref().ok_or(ServeError::Ended)?;
        sender.send(work).map_err(|_| ServeError::Ended)?;
        (self.wake)();
        result.recv().map_err(|_| ServeError::Ended)
    }
}

impl Background<Live> {
    /// As [`Live::update`].
    /// # Errors
    /// [`LiveError`]; a thread that has ended.
    pub fn update(&self, moment: Moment) -> Result<(), LiveError> {
        self.with(|live, _| live.update(moment))?
    }

    /// Waits while a client has paused it.
    /// # Errors
    /// [`ServeError::Ended`].
    pub fn wait_for_turn(&self) -> Result<(), ServeError> {
        while !self.with(|live, _| live.take_turn())? {
            std::thread::sleep(ASK);
        }
        Ok(())
    }
}

impl<S> Drop for Background<S> {
    fn drop(&mut self) {
        drop(self.work.take());
        (self.wake)();
        if let Some(thread) = self.thread.take() {
            // a panic has been printed
            _ = thread.join();
        }
    }
}

fn run<S: Source>(mut server: Server, mut source: S, work: &Receiver<Work<S>>) {
    loop {
        match work.try_recv() {
            Ok(work) => work(&mut source, &server),
            Err(TryRecvError::Empty) => server.poll(&mut source, WAIT),
            Err(TryRecvError::Disconnected) => return,
        }
    }
}

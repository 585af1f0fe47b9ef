//! Work without the interpreter's lock, which Ctrl-C ends.
use crate::device::Session;
use crate::failure::Failure;
use pyo3::prelude::*;
use ribbonmesh::Watch;
use ribbonmesh_mesh::{Class, Resource};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// The interval at which a caller looks for signals, and reports progress.
const LOOK: Duration = Duration::from_millis(50);
/// The time for which an interrupted caller waits for work to stop.
const GRACE: Duration = Duration::from_secs(1);
/// Work on fewer faces is done on the thread of the caller.
const FEW: usize = 4096;
/// Quick work on fewer elements is done there, too.
const QUICK: usize = 1 << 24;
/// The size of the stack of a process's main thread.
const STACK: usize = 8 << 20;

/// The amount of work.
pub enum Size {
    /// Linear in the number of faces.
    Faces(usize),
    /// A few kernels of a GPU, linear in the number of elements.
    Quick(usize),
    /// Long, whatever the number of faces.
    Long,
}

/// Does `work` without the interpreter's lock. Long work is done on another thread, while this one looks for
/// signals: after Ctrl-C, this raises `KeyboardInterrupt`, and the work stops at its next kernel. Work of the
/// host that launches none continues, and no thread waits for it. `progress` is called with the number of
/// kernels since the last call. Work takes its turns on a device by the session that it gets.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    size: Size,
    progress: Option<Bound<'_, PyAny>>,
    work: impl FnOnce(&mut Session) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    same_process()?;
    let few = match size {
        Size::Faces(faces) => faces < FEW,
        Size::Quick(elements) => elements < QUICK,
        Size::Long => false,
    };
    if few && progress.is_none() {
        return Ok(py.detach(|| caught(work))?);
    }
    let watch = Watch::default();
    let (sender, receiver) = sync_channel(1);
    let watched = watch.clone();
    let spawned = thread::Builder::new().name("ribbonmesh".into()).stack_size(STACK).spawn(move || {
        // it is possible that no thread is waiting any more
        _ = sender.send(watched.during(|| caught(work)));
    });
    spawned.map_err(|error| {
        Failure::new(Class::device(Resource::Memory), format!("no thread for the work: {error}"))
    })?;
    let mut told = 0;
    let mut tell = |py: Python<'_>| -> PyResult<()> {
        let (Some(progress), now) = (&progress, watch.launches()) else { return Ok(()) };
        py.check_signals()?;
        let more = now - std::mem::replace(&mut told, now);
        progress.call1((more,)).map(drop)
    };
    // the receiver is moved into each wait and back, since two threads must not use it
    let mut receiver = receiver;
    loop {
        let (found, back) = py.detach(move || (receiver.recv_timeout(LOOK), receiver));
        receiver = back;
        match found {
            Ok(done) => {
                let done = done?;
                tell(py)?;
                return Ok(done);
            }
            Err(RecvTimeoutError::Disconnected) => return Err(panicked().into()),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Err(interrupt) = py.check_signals().and_then(|()| tell(py)) {
            watch.stop();
            py.detach(move || drop(receiver.recv_timeout(GRACE)));
            return Err(interrupt);
        }
    }
}

fn caught<T>(work: impl FnOnce(&mut Session) -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(|| work(&mut Session::of_work()))).unwrap_or_else(|_| Err(panicked()))
}
fn panicked() -> Failure {
    Failure::bug("ribbonmesh has made a mistake; standard error says where")
}

/// Refuses work in a process that was forked from one that had worked: threads and GPUs do not come along.
fn same_process() -> Result<(), Failure> {
    static PROCESS: OnceLock<u32> = OnceLock::new();
    let now = std::process::id();
    if *PROCESS.get_or_init(|| now) == now {
        return Ok(());
    }
    let how = "multiprocessing.get_context(\"spawn\")";
    let message = format!(
        "this process was forked from one that has used ribbonmesh, whose threads are not here; start processes by {how}"
    );
    Err(Failure::new(Class::device(Resource::Driver), message))
}

//! Stopping work from another thread, and seeing that it continues.
use crate::{Error, Result};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Lets another thread stop work, and count the kernels that it has launched: for interfaces with a button,
/// or with Ctrl-C.
///
/// Applications launch kernels all the time, and return the error of a launch. So work stops at its next
/// launch, with [`Error::Stopped`]. A launch that is under way ends as usual. Work of the host between
/// launches is not interrupted, and launches that a thread of rayon's pool makes are not seen. A
/// [`Surface`](crate::Surface) whose change was stopped may be lost, and says so; everything else can be used
/// as after any other error.
///
/// ```
/// use ribbonmesh::{Device, Error, Watch, array};
///
/// # fn main() -> ribbonmesh::Result<()> {
/// let watch = Watch::default();
/// let mut values = Device::cpu().zeros::<u32>(3)?;
/// watch.during(|| array::fill(&mut values, 7))?;
/// assert_eq!(watch.launches(), 1);
///
/// watch.stop(); // from any thread
/// assert!(matches!(watch.during(|| array::fill(&mut values, 8)), Err(Error::Stopped)));
/// assert_eq!(values.read()?, [7, 7, 7]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Watch(Arc<Watched>);

#[derive(Debug, Default)]
struct Watched {
    stop: AtomicBool,
    launches: AtomicU64,
}

thread_local! {
    /// The watch of this thread.
    static WATCH: RefCell<Option<Watch>> = const { RefCell::new(None) };
}

impl Watch {
    /// Stops the work that this watches at its next launch, and all work that it is to watch later.
    pub fn stop(&self) {
        self.0.stop.store(true, Ordering::Relaxed);
    }
    /// The watch of this thread, if it works under one: for long work of the host, which asks it now and
    /// then.
    pub fn of_this_thread() -> Option<Self> {
        WATCH.with_borrow(Clone::clone)
    }
    /// Whether it was told to stop.
    pub fn is_stopped(&self) -> bool {
        self.0.stop.load(Ordering::Relaxed)
    }
    /// Launches of the watched work so far.
    pub fn launches(&self) -> u64 {
        self.0.launches.load(Ordering::Relaxed)
    }
    /// Does `work` on this thread, watched. Within, another one may watch a part of it instead.
    pub fn during<R>(&self, work: impl FnOnce() -> R) -> R {
        /// Restores the watch before, also after a panic.
        struct Before(Option<Watch>);
        impl Drop for Before {
            fn drop(&mut self) {
                WATCH.set(self.0.take());
            }
        }
        let _before = Before(WATCH.replace(Some(self.clone())));
        work()
    }
}

/// Counts a launch of this thread, unless it is to stop.
pub(super) fn pass() -> Result<()> {
    WATCH.with_borrow(|watch| match watch {
        None => Ok(()),
        Some(watch) if watch.is_stopped() => Err(Error::Stopped),
        Some(watch) => {
            watch.0.launches.fetch_add(1, Ordering::Relaxed);
            Ok(())
        }
    })
}

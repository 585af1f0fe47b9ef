//! The machines that this process has opened.
use crate::failure::Failure;
use pyo3::prelude::*;
use ribbonmesh::{Cards, Device, DeviceChoice, DeviceKind, Error};
use std::cell::RefCell;
use std::marker::PhantomData;
use std::ops::Deref;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The device that the argument `device` selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice(DeviceChoice);

impl FromStr for Choice {
    type Err = Failure;
    fn from_str(text: &str) -> Result<Self, Failure> {
        Ok(Self(text.parse()?))
    }
}

/// The devices opened so far, with the choices for which they were opened.
static OPENED: Mutex<Vec<(Choice, Device)>> = Mutex::new(vec![]);
/// Whose turn it is on the GPUs: a device has one stream and one record of errors. Taken by [`Held`] alone.
static TURN: Mutex<()> = Mutex::new(());

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // the state inside is valid at any time
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Choice {
    /// Opens that machine, once. The driver is loaded here.
    pub fn open(self) -> Result<Device, Error> {
        let mut opened = lock(&OPENED);
        let known = |opened: &[(Self, Device)], choice| {
            opened.iter().find(|(of, _)| *of == choice).map(|(_, device)| device.clone())
        };
        if let Some(device) = known(&opened, self) {
            return Ok(device);
        }
        let first = Self(DeviceChoice::Cuda(Cards::first()));
        let device = match self.0 {
            DeviceChoice::Auto => known(&opened, first).unwrap_or_else(Device::auto),
            choice => choice.open()?,
        };
        if self.0 == DeviceChoice::Auto {
            let same = match device.kind() {
                DeviceKind::Cuda => first,
                DeviceKind::Cpu => Self(DeviceChoice::Cpu),
            };
            // one stream for both names; the CPU that replaces a GPU keeps the reason
            if known(&opened, same).is_none() {
                opened.push((same, device.clone()));
            }
        }
        opened.push((self, device.clone()));
        Ok(device)
    }
}

/// Whether the CPU has turns, too: for tests, which have no GPU.
static CPU_HAS_TURNS: AtomicBool = AtomicBool::new(false);

/// Has work on the CPU take turns as work on a GPU does, or not; not for users.
#[pyfunction]
pub fn take_turns_on_cpu(take: bool) {
    CPU_HAS_TURNS.store(take, Ordering::Relaxed);
}

/// The right of a thread to take turns, one at a time. `watch::run` gives one to each piece of work, which
/// does not have the interpreter's lock: a thread that waits for a turn never holds up the thread that has
/// it.
pub struct Session(PhantomData<*const ()>);

impl Session {
    /// For `watch::run`, and for the thread of a server, whose requests are pieces of work: one for each
    /// piece, and none for work within it. Never on a thread that has the interpreter's lock: work in a turn
    /// may need that, to give arrays back to their owners.
    pub(crate) fn of_work() -> Self {
        Self(PhantomData)
    }
    /// Works on a device, which no other thread uses until the work is done. Any number of threads work on
    /// the CPU, which has no turns.
    ///
    /// Errors of the kernels that were launched belong to this work: it ends only when they have.
    pub fn turn<T>(
        &mut self,
        device: &Device,
        work: impl FnOnce(&Turn) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let turn = Turn { device: device.clone(), held: RefCell::new(Held::take(device)) };
        let done = work(&turn);
        // also after work that failed: the next turn is not to find its errors
        let left = device.synchronize();
        let done = done?;
        left?;
        Ok(done)
    }
}

/// A turn on a device. The session is borrowed as long as it lasts, so that a thread that has one cannot take
/// another: code that works in a turn gets the turn, and code that takes one gets the session.
pub struct Turn {
    device: Device,
    held: RefCell<Option<Held>>,
}

impl Turn {
    /// Lets others have their turns during `work`, which may use the package itself.
    pub fn pause<T>(&self, work: impl FnOnce() -> T) -> Result<T, Error> {
        // earlier errors do not belong to other work
        self.device.synchronize()?;
        /// Takes the turn again, also after a panic.
        struct Again<'t>(&'t Turn);
        impl Drop for Again<'_> {
            fn drop(&mut self) {
                *self.0.held.borrow_mut() = Held::take(&self.0.device);
            }
        }
        drop(self.held.take());
        let _again = Again(self);
        Ok(work())
    }
}
impl Deref for Turn {
    type Target = Device;
    fn deref(&self) -> &Device {
        &self.device
    }
}

/// A turn on a device; other threads wait until it is dropped.
struct Held {
    device: Device,
    _turn: MutexGuard<'static, ()>,
}
impl Held {
    /// Nothing on the CPU.
    fn take(device: &Device) -> Option<Self> {
        let has_turns = device.kind() == DeviceKind::Cuda || CPU_HAS_TURNS.load(Ordering::Relaxed);
        has_turns.then(|| Self { device: device.clone(), _turn: lock(&TURN) })
    }
}
impl Drop for Held {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // errors that are not to be reported later. A failure here also occurs at the next call
            let _ = self.device.synchronize();
        }
    }
}

/// Name and kind (`cpu`, `cuda`) of a device, and why `auto` took the CPU.
#[pyfunction]
pub fn device_name(device: &str) -> PyResult<(String, &'static str, Option<String>)> {
    let opened = device.parse::<Choice>()?.open().map_err(Failure::from)?;
    Ok((opened.name(), opened.kind().name(), opened.why_not_cuda().map(str::to_owned)))
}

/// Sets the number of threads of the CPU, before any work.
#[pyfunction]
pub fn set_threads(threads: usize) -> PyResult<()> {
    if threads == 0 {
        return Err(Failure::argument("threads is 0: at least 1").into());
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    Ok(pool.map_err(|error| Failure::from(Error::Threads { threads, message: error.to_string() }))?)
}

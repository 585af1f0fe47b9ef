//! State that the runs of a batch share: the machine, and turns on it.
use ribbonmesh::{Device, DeviceChoice, Error};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The machine, and whose turn it is.
#[derive(Default)]
pub struct Shared {
    device: Mutex<Option<(DeviceChoice, Device)>>,
    busy: Mutex<bool>,
    free: Condvar,
}

impl Shared {
    /// The machine, opened once.
    pub fn device(&self, choice: DeviceChoice) -> Result<Device, Error> {
        let mut device = lock(&self.device);
        if let Some((_, device)) = device.as_ref().filter(|(opened, _)| *opened == choice) {
            return Ok(device.clone());
        }
        let opened = choice.open()?;
        *device = Some((choice, opened.clone()));
        Ok(opened)
    }
    /// Waits until no other run works.
    pub fn turn(self: &Arc<Self>) -> Turn {
        let mut busy = lock(&self.busy);
        while *busy {
            busy = self.free.wait(busy).unwrap_or_else(PoisonError::into_inner);
        }
        *busy = true;
        Turn(Arc::clone(self))
    }
}

/// A run's turn to work, which ends when dropped.
pub struct Turn(Arc<Shared>);

impl Drop for Turn {
    fn drop(&mut self) {
        *lock(&self.0.busy) = false;
        self.0.free.notify_one();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // the state inside is valid at any time
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

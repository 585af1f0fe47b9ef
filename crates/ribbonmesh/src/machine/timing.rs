//! Timing: device events on the GPU, the clock on the CPU.
use super::{Buffer, Device, Machine};
use crate::Result;
use std::time::Instant;

/// Time of repeated work, in seconds for one repetition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// Mean over a batch that the device works off without waiting for the host.
    pub mean: f64,
    /// Median of repetitions timed one by one.
    pub median: f64,
    /// The fastest.
    pub min: f64,
}

impl Device {
    /// Seconds that `work` takes on this device; waits for it.
    /// # Errors
    /// Errors of `work`; errors of kernels or of the driver.
    pub fn time(&self, work: impl FnOnce() -> Result<()>) -> Result<f64> {
        self.synchronize()?;
        match &self.0.machine {
            Machine::Cpu(_) => {
                let start = Instant::now();
                work()?;
                Ok(start.elapsed().as_secs_f64())
            }
            Machine::Cuda(m) => {
                let a = m.event()?;
                work()?;
                let b = m.event()?;
                let seconds = m.seconds_between(&a, &b)?;
                self.synchronize()?;
                Ok(seconds)
            }
        }
    }
    /// Time of `work`, repeated: five times to warm up, then `repetitions` (at least 1) one by one and, on
    /// the GPU, as many in a batch, behind a long copy so that no launch waits for the host.
    /// # Errors
    /// As [`Device::time`].
    pub fn time_repeated(&self, repetitions: usize, work: impl Fn() -> Result<()>) -> Result<Timing> {
        let n = repetitions.max(1);
        for _ in 0..5.min(n) {
            work()?;
        }
        self.synchronize()?;
        let (mut each, mean) = match &self.0.machine {
            Machine::Cpu(_) => {
                let each = (0..n).map(|_| self.time(&work)).collect::<Result<Vec<f64>>>()?;
                let mean = each.iter().sum::<f64>() / n as f64;
                (each, mean)
            }
            Machine::Cuda(m) => {
                let mut blocker = Blocker::new(self)?;
                blocker.block()?;
                let mut events = Vec::new();
                for _ in 0..n {
                    let a = m.event()?;
                    work()?;
                    events.push((a, m.event()?));
                }
                let each: Result<Vec<f64>> = events.iter().map(|(a, b)| m.seconds_between(a, b)).collect();
                blocker.block()?;
                let a = m.event()?;
                for _ in 0..n {
                    work()?;
                }
                let b = m.event()?;
                (each?, m.seconds_between(&a, &b)? / n as f64)
            }
        };
        self.synchronize()?;
        each.sort_by(f64::total_cmp);
        Ok(Timing { mean, median: each[n / 2], min: each[0] })
    }
    /// Bytes per second of a copy within the device's memory, read and written bytes counted: the bandwidth
    /// behind every floor. `bytes` is the size of the copied buffer.
    /// # Errors
    /// As [`Device::time`].
    pub fn copy_bandwidth(&self, bytes: usize) -> Result<f64> {
        let mut from = self.zeros::<u32>(bytes / 4)?;
        // memory of the host is there once it has been written
        from.clear()?;
        let to = std::cell::RefCell::new(self.zeros::<u32>(bytes / 4)?);
        let timing = self.time_repeated(20, || to.borrow_mut().copy_from(&from))?;
        Ok(2.0 * bytes as f64 / timing.mean)
    }
}

/// Keeps the device busy while the host fills the queue.
struct Blocker(Buffer<u32>);
impl Blocker {
    fn new(device: &Device) -> Result<Self> {
        Ok(Self(device.zeros(1 << 30)?))
    }
    fn block(&mut self) -> Result<()> {
        for _ in 0..2 {
            self.0.clear()?;
        }
        Ok(())
    }
}

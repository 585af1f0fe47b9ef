//! A network in numbers.

use std::time::Duration;

/// A connection with a bandwidth and a delay, which tells when what is sent arrives. It has no clock: a test
/// computes with times, or sleeps until them.
///
/// Each message waits until all before it have been sent; it takes its bytes divided by the bandwidth, and
/// arrives a delay later.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// Bytes per second; infinite for a network without limit.
    pub bandwidth: f64,
    /// The time on the way.
    pub delay: Duration,
    free: Duration,
}

impl Link {
    /// A connection that is free.
    pub fn new(bandwidth: f64, delay: Duration) -> Self {
        Self { bandwidth, delay, free: Duration::ZERO }
    }

    /// Sends bytes now; returns when the last one arrives.
    pub fn send(&mut self, bytes: usize, now: Duration) -> Duration {
        let takes = Duration::from_secs_f64(bytes as f64 / self.bandwidth);
        self.free = self.free.max(now) + takes;
        self.free + self.delay
    }

    /// When all that was sent has left.
    pub fn free(&self) -> Duration {
        self.free
    }

    /// The part of the bandwidth that frames of so many bytes use, when a client has so many credits, and
    /// asks for the next frame `turnaround` after one has arrived: `n s / (s + B r)`, and at most 1.
    pub fn utilisation(&self, credits: u32, bytes: usize, turnaround: Duration) -> f64 {
        let bytes = bytes as f64;
        (f64::from(credits) * bytes / (bytes + self.bandwidth * turnaround.as_secs_f64())).min(1.0)
    }
}

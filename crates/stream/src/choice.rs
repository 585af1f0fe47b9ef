//! Whether a client gets points or triangles.

use crate::{Extent, Lacking, Limits, Mode};
use std::collections::VecDeque;
use std::time::Duration;

/// Bytes of a frame that measures the network; smaller ones measure its delay.
const ENOUGH: usize = 16 << 10;

/// The kind of frames that a client asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Whatever suits its network.
    Automatic,
    /// Points.
    Points,
    /// Triangles.
    Triangles,
}

impl Choice {
    /// The choice that a request names.
    pub(crate) fn of(mode: u8) -> Option<Self> {
        match mode {
            0 => Some(Self::Automatic),
            2 => Some(Self::Points),
            3 => Some(Self::Triangles),
            _ => None,
        }
    }
}

/// How fast frames arrive, by when their credits come back.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    /// When frames were sent, and their bytes.
    sent: VecDeque<(Duration, usize)>,
    /// When the last one had arrived.
    arrived: Duration,
    /// Bytes a second.
    rate: Option<f64>,
    /// Bytes of the last frame of points.
    points: Option<u64>,
}

impl Meter {
    pub fn sent(&mut self, bytes: usize, mode: Mode, now: Duration) {
        self.sent.push_back((now, bytes));
        if mode == Mode::Rixel {
            self.points = Some(bytes as u64);
        }
    }
    /// Notes that so many frames have arrived. A frame begins to arrive when the one before it has.
    pub fn arrived(&mut self, frames: u16, now: Duration) {
        for _ in 0..frames {
            let Some((sent, bytes)) = self.sent.pop_front() else { return };
            let passed = now.saturating_sub(sent.max(self.arrived)).as_secs_f64();
            self.arrived = now;
            if bytes < ENOUGH || passed <= 0.0 {
                continue;
            }
            // a frame that was held up says less than one that was not
            let found = bytes as f64 / passed;
            self.rate = Some(self.rate.map_or(found, |rate| found.max(0.8 * rate + 0.2 * found)));
        }
    }
    /// Bytes a second; none before a frame of 16 KiB has arrived.
    pub fn rate(&self) -> Option<f64> {
        self.rate
    }
    /// Whether a client should get triangles, and why.
    pub fn suits(&self, extent: &Extent, lacking: Lacking, moves: bool, limits: &Limits) -> (bool, String) {
        let (faces, bytes) = (extent.faces, extent.bytes(lacking));
        let all = extent.bytes(Lacking { faces: true, places: true });
        if faces > limits.faces {
            return (false, format!("{faces} triangles are more than {}", limits.faces));
        }
        if moves && self.points.is_some_and(|points| bytes > points) {
            let points = self.points.unwrap_or_default();
            return (false, format!("a step has {bytes} bytes as triangles, {points} as points"));
        }
        let Some(rate) = self.rate else {
            let fits = all <= limits.unmeasured;
            let than = if fits { "at most" } else { "more than" };
            let most = limits.unmeasured;
            return (fits, format!("{all} bytes are {than} {most}, and the network is not measured yet"));
        };
        let seconds = all as f64 / rate;
        let fits = seconds <= limits.patience.as_secs_f64();
        (fits, format!("{faces} triangles take {seconds:.2} s at {:.1} Mbit/s", 8e-6 * rate))
    }
}

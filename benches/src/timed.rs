//! One timed piece of work, with its floor and its peer.
use crate::subject::Order;
use anyhow::Result;
use ribbonmesh::{Device, StaticMesh};
use serde::Serialize;
use std::time::Instant;

/// The origin of a mesh.
#[derive(Clone, Copy)]
pub struct Origin {
    /// The input's order.
    pub order: Order,
    /// Most faces of a patch.
    pub patch_size: u32,
}

/// One piece of work on one mesh.
#[derive(Clone, Debug, Serialize)]
pub struct Timed {
    /// Name of the work.
    pub name: String,
    /// Faces of the mesh.
    pub faces: usize,
    /// The input's order.
    pub order: Order,
    /// Most faces of a patch.
    pub patch_size: u32,
    /// Number of patches.
    pub patches: usize,
    /// Median of repetitions timed one by one, milliseconds.
    pub median_ms: f64,
    /// Mean over a batch, milliseconds.
    pub mean_ms: f64,
    /// The fastest, milliseconds.
    pub min_ms: f64,
    /// Number of runs.
    pub repetitions: usize,
    /// Bytes that it must move.
    pub floor_bytes: u64,
    /// Time of a copy of the same number of bytes, milliseconds.
    pub floor_ms: f64,
    /// RXMesh's time on an H100, milliseconds.
    pub rxmesh_ms: Option<f64>,
}
impl Timed {
    /// The ratio of the time to the floor.
    pub fn ratio(&self) -> f64 {
        self.median_ms / self.floor_ms
    }
}

/// Seconds for which all threads of this process have had a processor, where Linux tells: to within a few
/// milliseconds for each thread.
pub fn processor_seconds() -> Option<f64> {
    let mut nanoseconds = 0;
    for thread in std::fs::read_dir("/proc/self/task").ok()? {
        let words = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        nanoseconds += words.split(' ').next()?.parse::<u64>().ok()?;
    }
    Some(1e-9 * nanoseconds as f64)
}

/// The milliseconds that `work` takes, the device's work and the host's waits included; and its result.
pub fn milliseconds<T, E: Into<anyhow::Error>>(
    device: &Device,
    work: impl FnOnce() -> Result<T, E>,
) -> Result<(f64, T)> {
    device.synchronize()?;
    let start = Instant::now();
    let made = work().map_err(Into::into)?;
    device.synchronize()?;
    Ok((1e3 * start.elapsed().as_secs_f64(), made))
}

/// The median of the milliseconds of `runs` times `work`, after a run that does not count; and the last
/// result.
pub fn median<T, E: Into<anyhow::Error>>(
    device: &Device,
    runs: usize,
    mut work: impl FnMut() -> Result<T, E>,
) -> Result<(f64, T)> {
    let mut last = work().map_err(Into::into)?;
    let mut times = vec![];
    for _ in 0..runs.max(1) {
        drop(last);
        let (time, made) = milliseconds(device, &mut work)?;
        times.push(time);
        last = made;
    }
    Ok((middle(times), last))
}
/// The median of some times, of which there is one at least.
pub fn middle(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Settings of timing.
#[derive(Clone, Copy)]
pub struct Clock {
    /// Number of repetitions.
    pub repetitions: usize,
    /// Bytes per second, for floors.
    pub bandwidth: f64,
}
impl Clock {
    /// Times `work` on `mesh`, which must move `floor_bytes`.
    pub fn time(
        self,
        mesh: &StaticMesh,
        from: Origin,
        name: String,
        floor_bytes: u64,
        rxmesh_ms: Option<f64>,
        work: impl Fn() -> ribbonmesh::Result<()>,
    ) -> Result<Timed> {
        let timing = mesh.device().time_repeated(self.repetitions, work)?;
        Ok(Timed {
            name,
            faces: mesh.faces(),
            order: from.order,
            patch_size: from.patch_size,
            patches: mesh.patches(),
            median_ms: 1e3 * timing.median,
            mean_ms: 1e3 * timing.mean,
            min_ms: 1e3 * timing.min,
            repetitions: self.repetitions,
            floor_bytes,
            floor_ms: 1e3 * floor_bytes as f64 / self.bandwidth,
            rxmesh_ms,
        })
    }
}

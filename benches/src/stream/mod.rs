//! Streaming: tables 6.1 to 6.4 and figures 6.8 to 6.10 of Mueller-Roemer's thesis (2020), a large mesh that
//! is served, and a soak of the server.
mod expressions;
mod frames;
mod large;
mod lives;
mod network;
mod page;
mod rixels;
mod served;
mod soak;
mod table;
mod thesis;

pub use soak::run as soak;

use crate::options::Options;
use crate::report::Report;
use anyhow::Result;
use ribbonmesh::{Device, Timing};
use ribbonmesh_rixels::RixelError;
use serde::Serialize;
use std::cell::RefCell;
use std::path::PathBuf;

/// All measurements.
#[derive(Serialize)]
struct All {
    /// Whether the driver keeps what it has compiled from one process to the next.
    driver_cache: bool,
    frames: Vec<frames::Frames>,
    expressions: Vec<expressions::Tier>,
    rixels: Vec<rixels::Rixels>,
    networks: Vec<network::Streamed>,
    /// The page's own numbers in Chromium.
    page: Vec<page::Watched>,
    large: large::Large,
}

/// Prints table 6.1 and the page's own numbers in Chromium.
pub fn in_browser(device: &Device) -> Result<()> {
    let mut text = String::new();
    table::frames(&mut text, &frames::measure(device)?)?;
    table::page(&mut text, &page::measure(device)?)?;
    println!("{text}");
    Ok(())
}

/// Measures and writes `stream.json` and `stream.md`; returns these.
pub fn run(device: &Device, options: &Options, mut report: Report) -> Result<[PathBuf; 2]> {
    let expressions = expressions::measure(device)?;
    let rixels = rixels::measure(device, options)?;
    // a frame as a user sees it: half of the picture
    let half = rixels.iter().find(|frame| frame.depth_bits == 16 && 2 * frame.count <= frame.pixels);
    let networks = network::measure(half.map_or(0, |frame| frame.bytes))?;
    let all = All {
        driver_cache: std::env::var_os("CUDA_CACHE_DISABLE").is_none_or(|value| value != "1"),
        frames: frames::measure(device)?,
        expressions,
        rixels,
        networks,
        page: page::measure(device)?,
        large: large::measure(device, options)?,
    };
    report.machine.jit_seconds = device.loading().seconds;
    let text = table::write(&report, &all)?;
    report.write_work(&options.output, "stream", &[all], &text)
}

/// Times work on a device, as [`Device::time_repeated`] does. After an error nothing more is done.
fn time_on(
    device: &Device,
    repetitions: usize,
    work: impl FnMut() -> Result<(), RixelError>,
) -> Result<Timing> {
    let both = RefCell::new((work, None));
    let timing = device.time_repeated(repetitions, || {
        let (work, failed) = &mut *both.borrow_mut();
        match if failed.is_none() { work() } else { Ok(()) } {
            Ok(()) => Ok(()),
            Err(RixelError::Library(error)) => Err(error),
            Err(error) => {
                *failed = Some(error);
                Ok(())
            }
        }
    })?;
    match both.into_inner().1 {
        None => Ok(timing),
        Some(error) => Err(error.into()),
    }
}

/// The median of some numbers, and the number below which 95 % are.
fn percentiles(mut all: Vec<f64>) -> [f64; 2] {
    all.sort_by(f64::total_cmp);
    [0.5, 0.95].map(|share| {
        let at = (share * all.len() as f64) as usize;
        all.get(at.min(all.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
    })
}

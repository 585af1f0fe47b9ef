//! Energies with derivatives beside the copy of their bytes, the parts of a step of Newton's method, and a
//! deformation by handles.
mod deformed;
mod derived;
mod stepped;
mod subjects;
mod table;

use crate::options::Options;
use crate::report::Report;
use crate::timed;
use anyhow::Result;
use ribbonmesh::{Device, DeviceKind, Timing};
use serde::Serialize;
use std::cell::RefCell;
use std::path::PathBuf;

/// All that is measured on a machine.
#[derive(Serialize)]
pub struct Measured {
    /// Derivatives of energies.
    pub derived: Vec<derived::Derived>,
    /// Steps of Newton's method.
    pub steps: Vec<stepped::Step>,
    /// Deformations by handles.
    pub deformed: Vec<deformed::Deformed>,
}

/// A device with settings of timing.
#[derive(Clone, Copy)]
pub struct Clock<'a> {
    /// The device.
    pub device: &'a Device,
    /// Repetitions.
    pub runs: usize,
    /// Bytes per second of a copy.
    pub bandwidth: f64,
}
impl Clock<'_> {
    /// The median of the milliseconds of launches.
    pub fn launches(&self, work: impl Fn() -> ribbonmesh_energies::Result<()>) -> Result<f64> {
        let failed = RefCell::new(None);
        let Timing { median, .. } = self.device.time_repeated(self.runs, || {
            if let Err(error) = work() {
                failed.replace(Some(error));
            }
            Ok(())
        })?;
        if let Some(error) = failed.take() {
            return Err(error.into());
        }
        Ok(1e3 * median)
    }
    /// The median of the milliseconds of work, with the host's waits.
    pub fn waits(&self, work: impl FnMut() -> Result<()>) -> Result<f64> {
        Ok(timed::median(self.device, self.runs.min(10), work)?.0)
    }
    /// Milliseconds of a copy of so many bytes, read and written bytes counted.
    pub fn floor(&self, bytes: usize) -> f64 {
        1e3 * bytes as f64 / self.bandwidth
    }
}

/// Measures everything.
pub fn measure(clock: Clock<'_>) -> Result<Measured> {
    let on_cpu = clock.device.kind() == DeviceKind::Cpu;
    let mut all = Measured { derived: vec![], steps: vec![], deformed: vec![] };
    for size in if on_cpu { 0..2 } else { 0..4 } {
        for derived in derived::measure(clock, size)? {
            let hessian = derived.part("Hessians").map_or(0.0, |part| part.ms);
            let derived::Derived { energy, bits, elements, .. } = derived;
            eprintln!("{elements} elements, {energy}, f{bits}: Hessians in {hessian:.4} ms");
            all.derived.push(derived);
        }
        let step = stepped::measure(clock, size)?;
        eprintln!("{} unknowns, {} steps: {:.1} ms", step.unknowns, step.steps, step.all_ms);
        all.steps.push(step);
    }
    for size in if on_cpu { 0..1 } else { 1..3 } {
        let deformed = deformed::measure(clock, size)?;
        eprintln!("{} faces deformed in {:.1} ms", deformed.faces, deformed.ms);
        all.deformed.push(deformed);
    }
    Ok(all)
}

/// Measures and writes `energies.json` and `energies.md`; returns these.
pub fn run(device: &Device, options: &Options, mut report: Report) -> Result<[PathBuf; 2]> {
    let usual = if device.kind() == DeviceKind::Cpu { 3 } else { 50 };
    let runs = options.repeat.unwrap_or(usual).max(1);
    let all = measure(Clock { device, runs, bandwidth: report.machine.copy_bandwidth })?;
    report.machine.jit_seconds = device.loading().seconds;
    let head = format!(
        "# Energies with derivatives: {}\n\n{}, version {}. Copies run at {:.0} GB/s.\n\n",
        report.machine.name,
        report.date,
        env!("CARGO_PKG_VERSION"),
        report.machine.copy_bandwidth / 1e9,
    );
    report.write_work(&options.output, "energies", &[&all], &(head + &table::of(&all)?))
}

//! The tables and figures of the thesis's chapter 4 on this machine: `ribbonmesh-bench static`.
//!
//! | | here |
//! |---|---|
//! | Table 4.1, Figure 4.8 | [`queries`]: compared with Parallel Directed Edges |
//! | Figure 4.6a | [`patching`]: time of construction |
//! | Figure 4.6b | [`sizes`]: patch sizes |
//! | Figure 4.10 | [`applications`] |
//! | memory, 4.4.1 | [`memory`] |
//!
//! OpenMesh, CGAL and METIS are measured by programs of their own, in `benches/peers`.

mod applications;
mod markdown;
mod memory;
mod patching;
mod queries;
mod sizes;
mod subjects;
pub use subjects::dragon;

use crate::hardware::Machine;
use crate::options::Options;
use crate::report::{Report, replace};
use crate::subject::{Order, Subject};
use crate::timed::Clock;
use anyhow::Result;
use ribbonmesh::{Device, MeshOptions};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Instant;

/// All that was measured.
#[derive(Default, Serialize)]
struct Measurements {
    queries: Vec<queries::Pair>,
    patching: Vec<patching::Patching>,
    patch_sizes: Vec<sizes::Sized>,
    applications: Vec<applications::Application>,
    memory: Vec<memory::Memory>,
    /// Meshes that directed edges cannot hold, and why.
    refused: Vec<(String, String)>,
    /// Time of this program, including reading and ordering of meshes.
    seconds: f64,
}

#[derive(Serialize)]
struct Raw<'a> {
    version: &'static str,
    date: &'a str,
    machine: &'a Machine,
    #[serde(flatten)]
    measurements: &'a Measurements,
}

/// Measures and writes `static.json` and `static.md`; returns these.
pub fn run(device: &Device, options: &Options, mut report: Report) -> Result<[PathBuf; 2]> {
    let start = Instant::now();
    let clock = Clock { repetitions: options.repetitions(device), bandwidth: report.machine.copy_bandwidth };
    let mut all = Measurements::default();
    // the driver compiles the kernels
    measure(
        device,
        "warm-up",
        &Subject::sphere(1280)?,
        &[Order::Default],
        clock,
        &mut Measurements::default(),
    )?;
    let meshes = subjects::meshes(device, options)?;
    let largest = meshes.iter().map(|mesh| mesh.faces()).max().unwrap_or(0);
    for mesh in &meshes {
        let subject = mesh.load()?;
        eprintln!(
            "{}: {} faces, at {:.0} s",
            mesh.name(),
            subject.faces.len(),
            start.elapsed().as_secs_f64()
        );
        measure(device, &mesh.name(), &subject, options.orders(), clock, &mut all)?;
        if mesh.faces() == largest {
            all.patch_sizes = sizes::measure(device, &mesh.name(), &subject, clock)?;
        }
    }
    all.seconds = start.elapsed().as_secs_f64();
    report.machine.jit_seconds = device.loading().seconds;
    let folder = report.machine.make_folder(&options.output)?;
    let files = [folder.join("static.json"), folder.join("static.md")];
    let raw = Raw {
        version: env!("CARGO_PKG_VERSION"),
        date: &report.date,
        machine: &report.machine,
        measurements: &all,
    };
    replace(&files[0], &(serde_json::to_string_pretty(&raw)? + "\n"))?;
    replace(&files[1], &markdown::write(&report.machine, &report.date, &all)?)?;
    Ok(files)
}

/// All tables' rows of one mesh, except for the rows of patch sizes.
fn measure(
    device: &Device,
    name: &str,
    subject: &Subject,
    orders: &[Order],
    clock: Clock,
    all: &mut Measurements,
) -> Result<()> {
    for &order in orders {
        let subject = subject.in_order(order, device)?;
        let (row, mesh) = patching::measure(device, name, &subject, order, &MeshOptions::default())?;
        all.patching.push(row);
        let pde = ribbonmesh_baselines::Pde::new(device, subject.positions.len(), &subject.faces);
        let pde = match pde {
            Ok(pde) => pde,
            Err(ribbonmesh_baselines::PdeError::Library(error)) => return Err(error.into()),
            Err(why) => {
                all.refused.push((name.to_owned(), why.to_string()));
                return Ok(());
            }
        };
        all.queries.extend(queries::measure(name, order, &mesh, &pde, clock)?);
        // as in thesis 4.5
        if order == Order::Sorted {
            all.applications.extend(applications::measure(name, &subject, &mesh, &pde, clock)?);
        }
        if order == orders[0] {
            all.memory.push(memory::of(name, &mesh, &pde));
        }
    }
    Ok(())
}

//! Solvers: multigrid on matrices of several kinds and sizes, and what a Laplacian serves for on surfaces,
//! with all that is made before.
mod matrices;
mod meshes;
mod table;

use crate::options::Options;
use crate::paper::dragon;
use crate::report::Report;
use crate::timed;
use anyhow::{Context, Result};
use ribbonmesh::{Device, DeviceKind};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes::bumpy_sphere;
use serde::Serialize;
use std::path::PathBuf;

/// Milliseconds from which on work is not repeated.
const LONG: f64 = 2000.0;

/// All that is measured on a machine.
#[derive(Serialize)]
struct Measured {
    matrices: Vec<matrices::Solved>,
    meshes: Vec<meshes::Job>,
}

/// A device, and how often work is repeated.
#[derive(Clone, Copy)]
struct Clock<'a> {
    device: &'a Device,
    runs: usize,
}
impl Clock<'_> {
    /// The median of the milliseconds of work, the host's waits included, after runs that do not
    /// count; and the last result. Work that takes longer than [`LONG`] is done once, and that run counts.
    fn median<T>(&self, mut work: impl FnMut() -> Result<T>) -> Result<(f64, T)> {
        let first = timed::milliseconds(self.device, &mut work)?;
        if first.0 > LONG {
            return Ok(first);
        }
        drop(first);
        timed::median(self.device, self.runs, work)
    }
    /// The number of times that [`Clock::median`] does its work, at most.
    fn times(&self) -> usize {
        self.runs + 2
    }
}

/// Measures and writes `solve.json` and `solve.md`; returns these.
pub fn run(device: &Device, options: &Options, mut report: Report) -> Result<[PathBuf; 2]> {
    let on_cpu = device.kind() == DeviceKind::Cpu;
    let clock = Clock { device, runs: options.repeat.unwrap_or(if on_cpu { 1 } else { 5 }).max(1) };
    let mut all = Measured { matrices: vec![], meshes: vec![] };
    for case in matrices::cases(on_cpu) {
        let solved = matrices::measure(clock, &case)?;
        eprintln!("{}, {} unknowns: {} iterations", solved.matrix, solved.unknowns, solved.iterations);
        all.matrices.push(solved);
        write(device, options, &mut report, &all)?;
    }
    let dragon = dragon(options.dragon.as_deref())?;
    if dragon.is_none() {
        eprintln!("no dragon: `cargo xtask meshes` gets it");
    }
    let levels = if on_cpu { 6..=6 } else { 7..=9 };
    let subjects = dragon.map(Subject::File).into_iter().chain(levels.map(Subject::Sphere));
    for subject in subjects {
        let (name, mesh) = subject.mesh()?;
        for job in meshes::jobs(mesh.faces.len()) {
            let job = meshes::measure(clock, name, &mesh, job)?;
            eprintln!("{}, {name}, {} faces: {:.1} ms", job.job, job.faces, job.prepare_ms + job.solve_ms);
            all.meshes.push(job);
            write(device, options, &mut report, &all)?;
        }
    }
    write(device, options, &mut report, &all)
}

/// A mesh that is measured.
enum Subject {
    /// A file.
    File(PathBuf),
    /// A sphere with bumps, by its subdivisions.
    Sphere(u32),
}
impl Subject {
    fn mesh(self) -> Result<(&'static str, TriangleMesh)> {
        Ok(match self {
            Self::File(path) => {
                let read = ribbonmesh_io::read(&path).with_context(|| path.display().to_string())?;
                ("dragon", read.mesh)
            }
            Self::Sphere(level) => ("bumpy sphere", bumpy_sphere(level, 1)?),
        })
    }
}

/// Writes what has been measured so far, so that a run that is cut leaves a table.
fn write(device: &Device, options: &Options, report: &mut Report, all: &Measured) -> Result<[PathBuf; 2]> {
    report.machine.jit_seconds = device.loading().seconds;
    let head = format!(
        "# Solvers: {}\n\n{}, version {}. Milliseconds, medians, the host's waits included; of what takes \
         longer than two seconds, a single run.\n\n",
        report.machine.name,
        report.date,
        env!("CARGO_PKG_VERSION"),
    );
    report.write_work(&options.output, "solve", &[all], &(head + &table::of(&all.matrices, &all.meshes)?))
}

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
    /// The median of the milliseconds of work, the host's waits included, after a run that does not count;
    /// and the last result.
    fn median<T>(&self, work: impl FnMut() -> Result<T>) -> Result<(f64, T)> {
        timed::median(self.device, self.runs, work)
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
    }
    let mut subjects: Vec<(String, TriangleMesh)> = vec![];
    for level in if on_cpu { 6..=6 } else { 7..=9 } {
        subjects.push(("bumpy sphere".to_owned(), bumpy_sphere(level, 1)?));
    }
    match dragon(options.dragon.as_deref())? {
        Some(path) => {
            let mesh = ribbonmesh_io::read(&path).with_context(|| path.display().to_string())?.mesh;
            subjects.push(("dragon".to_owned(), mesh));
        }
        None => eprintln!("no dragon: `cargo xtask meshes` gets it"),
    }
    for (name, mesh) in &subjects {
        for job in meshes::measure(clock, name, mesh)? {
            eprintln!("{}, {name}, {} faces: {:.1} ms", job.job, job.faces, job.prepare_ms + job.solve_ms);
            all.meshes.push(job);
        }
    }
    report.machine.jit_seconds = device.loading().seconds;
    let head = format!(
        "# Solvers: {}\n\n{}, version {}. Milliseconds, medians, the host's waits included.\n\n",
        report.machine.name,
        report.date,
        env!("CARGO_PKG_VERSION"),
    );
    report.write_work(&options.output, "solve", &[&all], &(head + &table::of(&all.matrices, &all.meshes)?))
}

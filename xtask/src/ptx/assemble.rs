//! ptxas: where it comes from, and what it says about the committed PTX.

use super::Task;
use crate::process::{self, say};
use crate::workspace::{KernelPackage, Workspace};
use anyhow::{Context, Result, ensure};
use ribbonmesh_ptx::{FunctionUsage, Ptxas};
use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The chips for which the PTX must assemble: the oldest that is supported, and the one that is measured.
const CHIPS: [&str; 2] = ["sm_80", "sm_90"];

/// Packages whose kernels must keep everything in registers.
const NO_SPILLS: [&str; 1] = ["ribbonmesh"];

/// The Python package that holds ptxas for Linux. Drivers from CUDA 12.0 on take its machine code; what
/// version 13 makes is of another form, which older drivers do not know.
const PACKAGE: &str = "nvidia-cuda-nvcc-cu12==12.9.86";

/// Assembles each chosen PTX file for each chip, on every core, shows what its kernels need, and refuses
/// spills.
pub fn check(task: &Task, ptxas: &Ptxas) -> Result<()> {
    let mut jobs: Vec<(&KernelPackage, PathBuf, &str)> = Vec::new();
    for package in task.chosen() {
        // kernels of tests, which no user runs, and many: for the oldest chip alone
        let chips = if package.committed { &CHIPS } else { &CHIPS[..1] };
        for path in package.ptx_files()? {
            jobs.extend(chips.iter().map(|&chip| (package, path.clone(), chip)));
        }
    }
    // the longest first, so that no core is left with it at the end
    jobs.sort_by_key(|(_, path, _)| std::cmp::Reverse(std::fs::metadata(path).map_or(0, |file| file.len())));
    let next = AtomicUsize::new(0);
    let results: Vec<OnceLock<_>> = jobs.iter().map(|_| OnceLock::new()).collect();
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get).min(jobs.len());
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Relaxed);
                    let (Some((_, path, chip)), Some(result)) = (jobs.get(i), results.get(i)) else { return };
                    _ = result.set(ptxas.check(path, chip));
                }
            });
        }
    });
    let mut tables: BTreeMap<(&str, &str), Vec<FunctionUsage>> = BTreeMap::new();
    for ((package, _, chip), result) in jobs.iter().zip(results) {
        let rows = result.into_inner().context("assembled by no thread")??;
        tables.entry((&package.name, chip)).or_default().extend(rows);
    }
    let mut spills = Vec::new();
    for ((package, chip), mut rows) in tables {
        rows.sort_by(|a, b| a.name.cmp(&b.name));
        show(package, chip, &rows)?;
        let spilling = rows.iter().filter(|row| row.spills() && NO_SPILLS.contains(&package));
        spills.extend(spilling.map(|row| format!("{} in {package} for {chip}", row.name)));
    }
    ensure!(spills.is_empty(), "kernels that must not spill do: {}", spills.join(", "));
    Ok(())
}

fn show(package: &str, chip: &str, rows: &[FunctionUsage]) -> Result<()> {
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0).max(30);
    say!("\n{:<width$} registers    stack   stores    loads   shared", format!("{package} for {chip}"))?;
    for row in rows {
        let registers = row.registers.map_or("-".to_owned(), |count| count.to_string());
        say!(
            "{:<width$} {registers:>9} {:>8} {:>8} {:>8} {:>8}",
            row.name,
            row.stack,
            row.spill_stores,
            row.spill_loads,
            row.shared
        )?;
    }
    Ok(())
}

/// The machine's ptxas, or one installed under the target folder.
pub fn find(workspace: &Workspace) -> Result<Ptxas> {
    Ptxas::find().map_or_else(|| installed(workspace), Ok)
}

/// The ptxas that makes machine code: the one that is named, or one of a known version.
pub fn of_releases(workspace: &Workspace) -> Result<Ptxas> {
    Ptxas::named().map_or_else(|| installed(workspace), Ok)
}

/// The one installed under the target folder.
fn installed(workspace: &Workspace) -> Result<Ptxas> {
    let tools = workspace.target().join("tools/nvcc");
    let ptxas = tools.join("nvidia/cuda_nvcc/bin/ptxas");
    if !ptxas.is_file() {
        say!("installing {PACKAGE} into {}", tools.display())?;
        let pip =
            ["-m", "pip", "install", "--quiet", "--no-deps", "--upgrade", "--disable-pip-version-check"];
        let mut command = Command::new("python3");
        process::run(
            command.env("PIP_ROOT_USER_ACTION", "ignore").args(pip).arg("--target").arg(&tools).arg(PACKAGE),
        )
        .context(
            "there is no ptxas: name one in RIBBONMESH_PTXAS, or pass --no-ptxas or --no-machine-code",
        )?;
    }
    ensure!(ptxas.is_file(), "{PACKAGE} holds no {}", ptxas.display());
    Ok(Ptxas::at(ptxas))
}

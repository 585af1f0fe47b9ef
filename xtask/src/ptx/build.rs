//! Compiling what is not current.

use super::Task;
use crate::process::say;
use crate::workspace::KernelPackage;
use anyhow::{Context, Result, ensure};
use ribbonmesh_ptx::{BuildError, Builder, Folder, Ptx, source_hash};
use std::io::IsTerminal;
use std::time::Instant;

/// Brings the chosen packages' PTX up to date, and removes that of packages that have no kernels.
pub fn run(task: &Task, force: bool) -> Result<()> {
    for folder in task.orphans()? {
        std::fs::remove_dir_all(&folder)?;
        say!("removed {}", folder.display())?;
    }
    compile(task, force)
}

/// Brings the chosen packages' PTX up to date.
pub fn compile(task: &Task, force: bool) -> Result<()> {
    let mut failures = Vec::new();
    for package in task.chosen() {
        let builder = task.builder(package).colour(std::io::stderr().is_terminal());
        if !force && is_current(package, &builder)? {
            say!("{}: current", package.name)?;
            continue;
        }
        let start = Instant::now();
        match task.workspace.with_core(builder).build() {
            Ok(ptx) => save(&ptx, start)?,
            // These are the same for every crate.
            Err(error @ (BuildError::NoNightly { .. } | BuildError::NoCore { .. })) => {
                return Err(error.into());
            }
            Err(error) => {
                eprintln!("{}: {:#}", package.name, anyhow::Error::from(error));
                failures.push(package.name.as_str());
            }
        }
    }
    ensure!(failures.is_empty(), "no PTX of {}", failures.join(", "));
    Ok(())
}

fn is_current(package: &KernelPackage, builder: &Builder) -> Result<bool> {
    let Some(folder) = Folder::read(package.ptx())? else { return Ok(false) };
    let made_of = (&folder.index.sources, &folder.index.flags);
    Ok(made_of == (&source_hash(&package.dir)?, &builder.flags()) && folder.damage().is_none())
}

fn save(ptx: &Ptx, start: Instant) -> Result<()> {
    if !ptx.log.is_empty() {
        eprintln!("{}", ptx.log);
    }
    let changed = ptx.write().with_context(|| format!("could not write the PTX of {}", ptx.package))?;
    let changed = changed.iter().filter(|path| path.extension().is_some_and(|e| e == "ptx")).count();
    let size: usize = ptx.files.iter().map(|file| file.text.len()).sum();
    let (size, time) = (size.div_ceil(1024), start.elapsed().as_secs_f32());
    let (kernels, files) = (ptx.kernels().len(), ptx.files.len());
    say!(
        "{}: {kernels} kernels in {files} files, {changed} of them changed, {size} KiB, {time:.1} s",
        ptx.package
    )?;
    Ok(())
}

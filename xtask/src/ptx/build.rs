//! Compiling what is not current.

use super::Task;
use crate::process::say;
use crate::workspace::KernelPackage;
use anyhow::{Context, Result, ensure};
use ribbonmesh_ptx::{BuildError, Builder, Header, Ptx, source_hash, text_hash};
use std::io::IsTerminal;
use std::path::Path;
use std::time::Instant;

/// Brings the chosen packages' PTX up to date.
pub fn run(task: &Task, force: bool) -> Result<()> {
    let mut failures = Vec::new();
    for package in task.chosen() {
        let builder = task.builder(package).colour(std::io::stderr().is_terminal());
        if !force && is_current(package, &builder)? {
            say!("{}: current", package.name)?;
            continue;
        }
        let start = Instant::now();
        match task.workspace.with_core(builder).build() {
            Ok(ptx) => save(&package.ptx(), &ptx, start)?,
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
    for path in task.orphans()? {
        std::fs::remove_file(&path)?;
        say!("removed {}", path.display())?;
    }
    ensure!(failures.is_empty(), "no PTX of {}", failures.join(", "));
    Ok(())
}

fn is_current(package: &KernelPackage, builder: &Builder) -> Result<bool> {
    let file = std::fs::read_to_string(package.ptx()).unwrap_or_default();
    let Some((header, text)) = Header::split(&file) else { return Ok(false) };
    let made_of = (&header.sources, &header.text, &header.flags);
    Ok(made_of == (&source_hash(&package.dir)?, &text_hash(text), &builder.flags()))
}

fn save(file: &Path, ptx: &Ptx, start: Instant) -> Result<()> {
    if !ptx.log.is_empty() {
        eprintln!("{}", ptx.log);
    }
    let write = || {
        std::fs::create_dir_all(file.parent().unwrap_or(Path::new(".")))?;
        std::fs::write(file, ptx.file().map_err(std::io::Error::other)?)
    };
    write().with_context(|| format!("could not write {}", file.display()))?;
    let (size, time) = (ptx.text.len().div_ceil(1024), start.elapsed().as_secs_f32());
    say!("{}: {} kernels, {size} KiB, {time:.1} s", ptx.package, ptx.entries.len())?;
    Ok(())
}

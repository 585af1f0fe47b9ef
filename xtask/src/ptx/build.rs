//! Compiling what is not current.

use super::manifest::{Entry, Manifest};
use super::{Task, file_in};
use crate::process::say;
use crate::workspace::KernelPackage;
use anyhow::{Context, Result, ensure};
use ribbonmesh_ptx::{BuildError, Builder, Ptx, source_hash, text_hash};
use std::time::Instant;

/// Brings assets/ptx up to date.
pub fn run(task: &Task, force: bool) -> Result<()> {
    std::fs::create_dir_all(task.assets())?;
    let mut manifest = Manifest::read(&task.assets())?;
    manifest.packages.retain(|name, _| task.packages.iter().any(|package| package.name == *name));
    let mut failures = Vec::new();
    for package in task.chosen() {
        let hash = source_hash(&package.dir)?;
        let builder = Builder::new(&package.dir);
        let current = manifest.packages.get(&package.name).is_some_and(|entry| {
            let text = std::fs::read_to_string(task.ptx_file(&package.name)).unwrap_or_default();
            (&entry.source_hash, &entry.text_hash, &entry.flags)
                == (&hash, &text_hash(&text), &builder.flags())
        });
        if current && !force {
            say!("{}: current", package.name)?;
            continue;
        }
        let start = Instant::now();
        match task.workspace.with_core(builder).build() {
            Ok(ptx) => {
                save(task, package, &ptx, start)?;
                manifest.packages.insert(package.name.clone(), Entry::new(hash, &ptx));
                manifest.write(&task.assets())?;
            }
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
    manifest.write(&task.assets())?;
    remove_orphans(task)?;
    ensure!(failures.is_empty(), "no PTX of {}", failures.join(", "));
    Ok(())
}

fn save(task: &Task, package: &KernelPackage, ptx: &Ptx, start: Instant) -> Result<()> {
    if !ptx.log.is_empty() {
        eprintln!("{}", ptx.log);
    }
    let file = file_in(&task.assets(), &package.name);
    std::fs::write(&file, &ptx.text).with_context(|| format!("could not write {}", file.display()))?;
    let (size, time) = (ptx.text.len().div_ceil(1024), start.elapsed().as_secs_f32());
    say!("{}: {} kernels, {size} KiB, {time:.1} s", package.name, ptx.entries.len())?;
    Ok(())
}

/// Removes PTX that belongs to no package any more.
fn remove_orphans(task: &Task) -> Result<()> {
    for file in std::fs::read_dir(task.assets())? {
        let path = file?.path();
        let is_ptx = path.extension().is_some_and(|extension| extension == "ptx");
        if is_ptx && !task.packages.iter().any(|package| path == task.ptx_file(&package.name)) {
            std::fs::remove_file(&path)?;
            say!("removed {}", path.display())?;
        }
    }
    Ok(())
}

//! Compiling what is not current.

use super::manifest::{Entry, Manifest};
use super::{Task, file_in};
use crate::workspace::{KernelPackage, Workspace};
use anyhow::{Context, Result};
use ribbonmesh_ptx::{BuildError, Builder, DEVICE_CORE, Toolchain, source_hash};
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

/// Brings assets/ptx up to date.
pub fn run(task: &Task, force: bool) -> Result<()> {
    std::fs::create_dir_all(task.assets())?;
    let mut manifest = Manifest::read(&task.manifest_file())?;
    manifest.packages.retain(|name, _| task.packages.iter().any(|package| package.name == *name));
    for package in task.chosen() {
        let hash = source_hash(&package.dir)?;
        let builder = Builder::new(&package.dir);
        let current = manifest.packages.get(&package.name).is_some_and(|entry| {
            entry.source_hash == hash
                && entry.flags == builder.flags()
                && task.ptx_file(&package.name).is_file()
        });
        if current && !force {
            println!("{}: current", package.name);
            continue;
        }
        let start = Instant::now();
        let ptx = with_core(&task.workspace, builder).build()?;
        show_warnings(package, &ptx.log);
        let file = file_in(&task.assets(), &package.name);
        std::fs::write(&file, &ptx.text).with_context(|| format!("could not write {}", file.display()))?;
        println!(
            "{}: {} kernels, {} KiB, {:.1} s",
            package.name,
            ptx.entries.len(),
            ptx.text.len().div_ceil(1024),
            start.elapsed().as_secs_f32()
        );
        manifest.packages.insert(package.name.clone(), Entry::new(hash, &ptx));
        manifest.write(&task.manifest_file())?;
    }
    manifest.write(&task.manifest_file())?;
    remove_orphans(task)
}

/// Gives the builder a source of `core` where the nightly has none and a script beside the checkout can fetch it.
pub fn with_core(workspace: &Workspace, builder: Builder) -> Builder {
    let missing =
        || Toolchain::find().is_ok_and(|t| matches!(t.core_source(None), Err(BuildError::NoCore { .. })));
    let script = workspace.root().join("../shared/toolchain/device-core");
    if std::env::var_os(DEVICE_CORE).is_some() || !script.is_file() || !missing() {
        return builder;
    }
    match crate::process::output(&mut Command::new(script)) {
        Ok(library) => builder.device_core(PathBuf::from(library.trim())),
        Err(error) => {
            eprintln!("warning: {error:#}");
            builder
        }
    }
}

/// Shows what the compiler had to say, without the progress of cargo and the warning about its own flags.
fn show_warnings(package: &KernelPackage, log: &str) {
    let paragraphs = log.split("\n\n").map(|paragraph| {
        let is_progress =
            |line: &&str| !line.starts_with("   ") || line.trim_start().starts_with(['|', '=', '-']);
        paragraph.lines().filter(is_progress).collect::<Vec<_>>().join("\n")
    });
    for warning in
        paragraphs.filter(|text| text.starts_with("warning") && !text.contains("`-Ctarget-feature`"))
    {
        if !warning.contains(") generated ") {
            eprintln!("{}: {warning}\n", package.name);
        }
    }
}

/// Removes PTX that belongs to no package any more.
fn remove_orphans(task: &Task) -> Result<()> {
    for file in std::fs::read_dir(task.assets())? {
        let path = file?.path();
        let is_ptx = path.extension().is_some_and(|extension| extension == "ptx");
        if is_ptx && !task.packages.iter().any(|package| path == task.ptx_file(&package.name)) {
            std::fs::remove_file(&path)?;
            println!("removed {}", path.display());
        }
    }
    Ok(())
}

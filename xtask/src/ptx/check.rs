//! Whether assets/ptx is what the sources give, and whether ptxas accepts it.

use super::manifest::{Entry, Manifest};
use super::{Assembling, Task, assemble};
use crate::process::say;
use crate::workspace::KernelPackage;
use anyhow::{Context, Result, bail, ensure};
use ribbonmesh_ptx::{BuildError, Builder, Ptx, source_hash, text_hash};

/// Checks every chosen package; returns what this machine cannot check, and why.
pub fn run(task: &Task, assembling: Assembling) -> Result<Vec<String>> {
    let manifest = Manifest::read(&task.assets())?;
    for package in task.chosen() {
        let entry = current_entry(task, &manifest, package)?;
        say!("{}: {} kernels, current", package.name, entry.entries.len())?;
    }
    let orphans: Vec<_> = manifest
        .packages
        .keys()
        .filter(|name| !task.packages.iter().any(|p| p.name == **name))
        .cloned()
        .collect();
    ensure!(
        orphans.is_empty(),
        "assets/ptx has what is no kernel crate: {}; run `cargo xtask ptx`",
        orphans.join(", ")
    );
    let mut left_out = Vec::from_iter(rebuild(task, &manifest)?);
    match assembling {
        Assembling::No => (),
        Assembling::Yes => assemble::check(task, &assemble::find(&task.workspace)?)?,
        Assembling::IfPossible => match assemble::find(&task.workspace) {
            Ok(ptxas) => assemble::check(task, &ptxas)?,
            Err(reason) => left_out.push(format!("PTX is not assembled: {reason:#}")),
        },
    }
    Ok(left_out)
}

/// The manifest's entry of a package, if it and the PTX file match the sources.
fn current_entry<'a>(task: &Task, manifest: &'a Manifest, package: &KernelPackage) -> Result<&'a Entry> {
    let name = &package.name;
    let remedy = format!("run `cargo xtask ptx --crate {name}` and commit assets/ptx");
    let file = task.ptx_file(name);
    let Some(entry) = manifest.packages.get(name) else {
        bail!("assets/ptx has no PTX of {name}; {remedy}");
    };
    ensure!(file.is_file(), "{} is missing; {remedy}", file.display());
    ensure!(
        entry.source_hash == source_hash(&package.dir)?,
        "the PTX of {name} is older than its sources; {remedy}"
    );
    ensure!(
        entry.flags == Builder::new(&package.dir).flags(),
        "the PTX of {name} was compiled with other flags; {remedy}"
    );
    ensure!(
        entry.text_hash == text_hash(&read(task, name)?),
        "{} is not what the manifest describes; {remedy}",
        file.display()
    );
    Ok(entry)
}

/// Compiles everything again where the machine can, and compares; returns why it cannot.
fn rebuild(task: &Task, manifest: &Manifest) -> Result<Option<String>> {
    for package in task.chosen() {
        let builder = task.workspace.with_core(Builder::new(&package.dir));
        let ptx = match builder.build() {
            Err(reason @ (BuildError::NoNightly { .. } | BuildError::NoCore { .. })) => {
                let reason = format!("PTX is not compiled again: {reason}");
                say!("{reason}")?;
                return Ok(Some(reason));
            }
            result => result?,
        };
        if let Some(entry) = manifest.packages.get(&package.name) {
            compare(entry, &ptx)?;
        }
    }
    Ok(None)
}

fn compare(entry: &Entry, ptx: &Ptx) -> Result<()> {
    let name = &ptx.package;
    let remedy = format!("run `cargo xtask ptx --crate {name} --force` and commit assets/ptx");
    ensure!(
        entry.entries == ptx.entries,
        "the sources of {name} give other kernels than its PTX has; {remedy}"
    );
    if (&entry.compiler, &entry.core) != (&ptx.compiler, &ptx.core) {
        say!("{name}: compiled again, same kernels (by {}, committed by {})", ptx.compiler, entry.compiler)?;
        return Ok(());
    }
    ensure!(
        entry.text_hash == text_hash(&ptx.text),
        "the sources of {name} give other PTX than the committed; {remedy}"
    );
    say!("{name}: compiled again, same PTX")?;
    Ok(())
}

fn read(task: &Task, package: &str) -> Result<String> {
    let file = task.ptx_file(package);
    std::fs::read_to_string(&file).with_context(|| format!("could not read {}", file.display()))
}

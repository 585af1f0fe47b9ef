//! Whether PTX is what the sources give, and whether ptxas accepts it.

use super::{Assembling, Task, assemble};
use crate::process::say;
use crate::workspace::KernelPackage;
use anyhow::{Result, bail, ensure};
use ribbonmesh_ptx::{
    BuildError, Builder, Header, Ptx, own_source_hash, software_routines, source_hash, text_hash,
};

/// Checks that the PTX of every chosen package is what was compiled from its sources.
pub fn current(task: &Task) -> Result<Vec<(&KernelPackage, Header)>> {
    let mut headers = Vec::new();
    for package in task.chosen() {
        let header = current_header(package)?;
        say!("{}: {} kernels, current", package.name, header.kernels.len())?;
        headers.push((package, header));
    }
    let orphans: Vec<_> = task.orphans()?.iter().map(|path| path.display().to_string()).collect();
    ensure!(
        orphans.is_empty(),
        "this PTX belongs to no kernel crate: {}; run `cargo xtask ptx`",
        orphans.join(", ")
    );
    Ok(headers)
}

/// Compiles every chosen package again, and assembles it; returns what this machine cannot check, and why.
pub fn again(
    task: &Task,
    headers: &[(&KernelPackage, Header)],
    assembling: Assembling,
) -> Result<Vec<String>> {
    let mut left_out = Vec::from_iter(rebuild(task, headers)?);
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

/// The header of a package's PTX, if it and the text match the sources.
fn current_header(package: &KernelPackage) -> Result<Header> {
    let (name, file) = (&package.name, package.ptx());
    let remedy = format!("run `cargo xtask ptx --crate {name}` and commit {}", file.display());
    let Ok(contents) = std::fs::read_to_string(&file) else {
        bail!("{} is missing; {remedy}", file.display());
    };
    let Some((header, text)) = Header::split(&contents) else {
        bail!("{} has no header; {remedy}", file.display());
    };
    ensure!(
        (&header.sources, &header.own_sources)
            == (&source_hash(&package.dir)?, &own_source_hash(&package.dir)?),
        "the PTX of {name} is older than its sources; {remedy}"
    );
    ensure!(
        header.flags == Builder::new(&package.dir).unchecked(package.unchecked).flags(),
        "the PTX of {name} was compiled with other flags; {remedy}"
    );
    ensure!(header.package == *name, "{} is the PTX of {}; {remedy}", file.display(), header.package);
    ensure!(header.text == text_hash(text), "{} was changed after it was compiled; {remedy}", file.display());
    let software: Vec<_> = software_routines(text).iter().map(|found| format!("\n{found}")).collect();
    ensure!(software.is_empty(), "the PTX of {name} is slower than it need be:{}", software.concat());
    Ok(header)
}

/// Compiles everything again where the machine can, and compares; returns why it cannot.
fn rebuild(task: &Task, headers: &[(&KernelPackage, Header)]) -> Result<Option<String>> {
    for (package, header) in headers {
        let builder = task.workspace.with_core(task.builder(package));
        let ptx = match builder.build() {
            Err(reason @ (BuildError::NoNightly { .. } | BuildError::NoCore { .. })) => {
                let reason = format!("PTX is not compiled again: {reason}");
                say!("{reason}")?;
                return Ok(Some(reason));
            }
            result => result?,
        };
        compare(header, &ptx, package.outside)?;
    }
    Ok(None)
}

fn compare(header: &Header, ptx: &Ptx, outside: bool) -> Result<()> {
    let name = &ptx.package;
    let remedy = format!("run `cargo xtask ptx --crate {name} --force` and commit its PTX");
    ensure!(
        header.kernels == ptx.entries,
        "the sources of {name} give other kernels than its PTX has; {remedy}"
    );
    if outside {
        say!("{name}: compiled again, same kernels")?;
        return Ok(());
    }
    if (&header.compiler, &header.core) != (&ptx.compiler, &ptx.core) {
        say!("{name}: compiled again, same kernels (by {}, committed by {})", ptx.compiler, header.compiler)?;
        return Ok(());
    }
    ensure!(
        header.text == text_hash(&ptx.text),
        "the sources of {name} give other PTX than the committed; {remedy}"
    );
    say!("{name}: compiled again, same PTX")?;
    Ok(())
}

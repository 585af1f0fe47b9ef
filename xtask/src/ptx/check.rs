//! Whether PTX is what the sources give, and whether ptxas accepts it.

use super::{Assembling, Task, assemble};
use crate::process::say;
use crate::workspace::KernelPackage;
use anyhow::{Result, bail, ensure};
use ribbonmesh_ptx::{BuildError, Builder, Folder, Ptx, own_source_hash, software_routines, source_hash};

/// A package and its PTX; `None` if it is not in the repository.
pub type Checked<'a> = (&'a KernelPackage, Option<Folder>);

/// Checks that the PTX of every chosen package is what was compiled from its sources.
pub fn current(task: &Task) -> Result<Vec<Checked<'_>>> {
    let mut checked = Vec::new();
    for package in task.chosen() {
        if !package.committed {
            say!("{}: its PTX is not in the repository", package.name)?;
            checked.push((package, None));
            continue;
        }
        let folder = current_folder(package)?;
        say!(
            "{}: {} kernels in {} files, current",
            package.name,
            folder.kernels().len(),
            folder.files.len()
        )?;
        checked.push((package, Some(folder)));
    }
    let orphans: Vec<_> = task.orphans()?.iter().map(|path| path.display().to_string()).collect();
    ensure!(
        orphans.is_empty(),
        "this PTX belongs to no kernel crate: {}; run `cargo xtask ptx`",
        orphans.join(", ")
    );
    Ok(checked)
}

/// Compiles every chosen package again, and assembles it; returns what this machine cannot check, and why.
pub fn again(task: &Task, checked: &[Checked<'_>], assembling: Assembling) -> Result<Vec<String>> {
    let mut left_out = Vec::from_iter(rebuild(task, checked)?);
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

/// The PTX of a package, if it matches the sources.
fn current_folder(package: &KernelPackage) -> Result<Folder> {
    let (name, folder) = (&package.name, package.ptx());
    let remedy = format!("run `cargo xtask ptx --crate {name}` and commit {}", folder.display());
    let Some(found) = Folder::read(&folder)? else { bail!("the PTX of {name} is missing; {remedy}") };
    let index = &found.index;
    ensure!(
        (&index.sources, &index.own_sources)
            == (&source_hash(&package.dir)?, &own_source_hash(&package.dir)?),
        "the PTX of {name} is older than its sources; {remedy}"
    );
    ensure!(
        index.flags == Builder::new(&package.dir).unchecked(package.unchecked).flags(),
        "the PTX of {name} was compiled with other flags; {remedy}"
    );
    ensure!(index.package == *name, "{} is the PTX of {}; {remedy}", folder.display(), index.package);
    if let Some(damage) = found.damage() {
        bail!("the PTX of {name} is damaged: {damage}; {remedy}");
    }
    let software: Vec<_> = found.files.values().flat_map(|text| software_routines(text)).collect();
    let software: String = software.iter().map(|found| format!("\n{found}")).collect();
    ensure!(software.is_empty(), "the PTX of {name} is slower than it need be:{software}");
    Ok(found)
}

/// Compiles everything again where the machine can, and compares; returns why it cannot.
fn rebuild(task: &Task, checked: &[Checked<'_>]) -> Result<Option<String>> {
    for (package, committed) in checked {
        let builder = task.workspace.with_core(task.builder(package));
        let ptx = match builder.build() {
            Err(reason @ (BuildError::NoNightly { .. } | BuildError::NoCore { .. })) => {
                let reason = format!("PTX is not compiled again: {reason}");
                say!("{reason}")?;
                return Ok(Some(reason));
            }
            result => result?,
        };
        match committed {
            Some(committed) => compare(committed, &ptx, package.outside)?,
            None => {
                ptx.write()?;
                say!("{}: compiled, {} kernels", package.name, ptx.kernels().len())?;
            }
        }
    }
    Ok(None)
}

fn compare(committed: &Folder, ptx: &Ptx, outside: bool) -> Result<()> {
    let name = &ptx.package;
    let remedy = format!("run `cargo xtask ptx --crate {name} --force` and commit its PTX");
    let kernels = committed.kernels();
    ensure!(
        kernels.iter().map(|kernel| kernel.name.as_str()).eq(ptx.kernels()),
        "the sources of {name} give other kernels than its PTX has; {remedy}"
    );
    if outside {
        say!("{name}: compiled again, same kernels")?;
        return Ok(());
    }
    let index = &committed.index;
    if (&index.compiler, &index.core) != (&ptx.compiler, &ptx.core) {
        say!("{name}: compiled again, same kernels (by {}, committed by {})", ptx.compiler, index.compiler)?;
        return Ok(());
    }
    let again = ptx.contents();
    let other: Vec<_> =
        again.iter().filter(|(name, text)| committed.files.get(*name) != Some(text)).collect();
    ensure!(
        other.is_empty() && again.len() == committed.files.len(),
        "the sources of {name} give other PTX than the committed in {}; {remedy}",
        other.iter().map(|(file, _)| file.as_str()).collect::<Vec<_>>().join(", ")
    );
    say!("{name}: compiled again, same PTX")?;
    Ok(())
}

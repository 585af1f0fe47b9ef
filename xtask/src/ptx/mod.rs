//! `cargo xtask ptx`: the PTX in assets/ptx.

mod assemble;
mod build;
mod check;
mod manifest;

use crate::example::Example;
use crate::workspace::{KernelPackage, Workspace};
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Options {
    /// Change nothing; fail when assets/ptx is not what the sources give.
    #[arg(long, conflicts_with = "force")]
    check: bool,
    /// Only this package.
    #[arg(long = "crate", value_name = "NAME")]
    package: Option<String>,
    /// Compile even what is current.
    #[arg(long)]
    force: bool,
    /// With --check: do without ptxas.
    #[arg(long, requires = "check")]
    no_ptxas: bool,
}

/// Whether a check has ptxas accept the PTX.
#[derive(Clone, Copy, PartialEq)]
enum Assembling {
    Yes,
    /// Where there is a ptxas.
    IfPossible,
    No,
}

/// Everything that both modes need.
struct Task {
    workspace: Workspace,
    /// All kernel packages of the workspace.
    packages: Vec<KernelPackage>,
    /// The package that was asked for, if not all.
    wanted: Option<String>,
}

impl Task {
    fn assets(&self) -> PathBuf {
        self.workspace.root().join("assets/ptx")
    }

    fn ptx_file(&self, package: &str) -> PathBuf {
        file_in(&self.assets(), package)
    }

    /// The packages that were asked for.
    fn chosen(&self) -> impl Iterator<Item = &KernelPackage> {
        let wanted = self.wanted.as_deref();
        self.packages.iter().filter(move |package| wanted.is_none_or(|name| name == package.name))
    }
}

fn file_in(dir: &Path, package: &str) -> PathBuf {
    dir.join(format!("{package}.ptx"))
}

/// Runs the task.
pub fn run(options: &Options) -> Result<()> {
    let workspace = Workspace::read()?;
    let packages = workspace.kernel_packages();
    let task = Task { workspace, packages, wanted: options.package.clone() };
    if let Some(name) = &options.package
        && task.chosen().next().is_none()
    {
        let known: Vec<_> = task.packages.iter().map(|package| package.name.as_str()).collect();
        bail!("{name} is not a kernel crate; there are: {}", known.join(", "));
    }
    match options.check {
        true => drop(check::run(&task, if options.no_ptxas { Assembling::No } else { Assembling::Yes })?),
        false => build::run(&task, options.force)?,
    }
    let all = options.package.is_none();
    for example in Example::all(&task.workspace)?.iter().filter(|_| all) {
        match options.check {
            true => example.check_ptx()?,
            false => example.renew_ptx(&task.workspace, options.force)?,
        }
    }
    Ok(())
}

/// Checks all PTX, as `cargo xtask ptx --check` does, as far as this machine can; returns why it cannot do the rest.
pub fn check() -> Result<Vec<String>> {
    let workspace = Workspace::read()?;
    let packages = workspace.kernel_packages();
    let task = Task { workspace, packages, wanted: None };
    let left_out = check::run(&task, Assembling::IfPossible)?;
    Example::all(&task.workspace)?.iter().try_for_each(Example::check_ptx)?;
    Ok(left_out)
}

//! `cargo xtask ptx`: the PTX of kernel crates, in the folder `ptx` of each.

mod assemble;
mod build;
mod check;

use crate::example::Example;
use crate::workspace::{KernelPackage, Workspace};
use anyhow::{Result, bail};
use ribbonmesh_ptx::Builder;
use std::path::PathBuf;

pub use assemble::of_releases as ptxas_of_releases;

#[derive(clap::Args)]
pub struct Options {
    /// Change nothing; fail when PTX is not what the sources give.
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
    /// If ptxas is installed.
    IfPossible,
    No,
}

/// Everything that both modes need.
struct Task {
    workspace: Workspace,
    /// All kernel packages: those of the workspace, and the examples.
    packages: Vec<KernelPackage>,
    /// The package that was asked for, if not all.
    wanted: Option<String>,
}

impl Task {
    fn new(wanted: Option<String>) -> Result<Self> {
        let workspace = Workspace::read()?;
        let mut packages = workspace.kernel_packages();
        for example in Example::with_kernels(&workspace)? {
            packages.push(example.kernels(&workspace)?);
        }
        Ok(Self { workspace, packages, wanted })
    }

    /// The builder of a package's PTX.
    fn builder(&self, package: &KernelPackage) -> Builder {
        let target = self.workspace.target().join("ptx");
        Builder::new(&package.dir).target_dir(target).unchecked(package.unchecked)
    }

    /// The packages that were asked for.
    fn chosen(&self) -> impl Iterator<Item = &KernelPackage> {
        let wanted = self.wanted.as_deref();
        self.packages.iter().filter(move |package| wanted.is_none_or(|name| name == package.name))
    }

    /// Folders `ptx` of packages without kernels.
    fn orphans(&self) -> Result<Vec<PathBuf>> {
        let folders = self.workspace.folders().map(|dir| dir.join("ptx"));
        let mut found: Vec<_> = folders
            .filter(|folder| folder.join("index").is_file())
            .filter(|folder| !self.packages.iter().any(|package| package.ptx() == *folder))
            .collect();
        found.sort();
        Ok(found)
    }
}

/// Runs the task.
pub fn run(options: &Options) -> Result<()> {
    let task = Task::new(options.package.clone())?;
    if let Some(name) = &options.package
        && task.chosen().next().is_none()
    {
        let known: Vec<_> = task.packages.iter().map(|package| package.name.as_str()).collect();
        bail!("{name} is not a kernel crate; there are: {}", known.join(", "));
    }
    match options.check {
        true => {
            let assembling = if options.no_ptxas { Assembling::No } else { Assembling::Yes };
            check::again(&task, &check::current(&task)?, assembling)?;
        }
        false => build::run(&task, options.force)?,
    }
    Ok(())
}

/// Compiles the kernels of tests, whose PTX is not in the repository, if it is not current.
pub fn make_uncommitted() -> Result<()> {
    let mut task = Task::new(None)?;
    task.packages.retain(|package| !package.committed);
    build::compile(&task, false)
}

/// Checks that all PTX is that of its sources, by their hashes; with `again`, also as
/// `cargo xtask ptx --check` does, as far as this machine can. Returns why it cannot do the rest.
pub fn check(again: bool) -> Result<Vec<String>> {
    let task = Task::new(None)?;
    let headers = check::current(&task)?;
    if again { check::again(&task, &headers, Assembling::IfPossible) } else { Ok(vec![]) }
}

//! Crates outside the workspace, most of them with kernels: the folders in `examples`.

use crate::process;
use crate::workspace::{KernelPackage, Workspace};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::Command;

/// One of them. If it has kernels, its own `cargo run --example ptx` makes its PTX, as `cargo xtask ptx`
/// does.
pub struct Example {
    /// The name of the folder, which is that of the package.
    pub name: String,
    dir: PathBuf,
}

impl Example {
    /// All of them, sorted by name.
    pub fn all(workspace: &Workspace) -> Result<Vec<Self>> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(workspace.root().join("examples"))? {
            let entry = entry?;
            if entry.path().join("Cargo.toml").is_file() {
                found
                    .push(Self { name: entry.file_name().to_string_lossy().into_owned(), dir: entry.path() });
            }
        }
        found.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(found)
    }

    /// The examples that have kernels of their own.
    pub fn with_kernels(workspace: &Workspace) -> Result<Vec<Self>> {
        let mut all = Self::all(workspace)?;
        all.retain(|example| example.dir.join("examples/ptx.rs").is_file());
        Ok(all)
    }

    /// A cargo that runs in its folder, with the versions and the target folder of the workspace, so that
    /// nothing is compiled twice that both need.
    pub fn cargo(&self, workspace: &Workspace) -> Result<Command> {
        self.lock(workspace)?;
        let mut cargo = workspace.cargo();
        cargo.current_dir(&self.dir).env("CARGO_TARGET_DIR", workspace.target());
        Ok(cargo)
    }

    /// The folder of its `Cargo.toml`.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    fn lock(&self, workspace: &Workspace) -> Result<()> {
        let lock = self.dir.join("Cargo.lock");
        std::fs::copy(workspace.root().join("Cargo.lock"), &lock)
            .with_context(|| format!("could not write {}", lock.display()))?;
        Ok(())
    }

    /// The example as a package of kernels. Its libraries have the versions of the workspace.
    pub fn kernels(&self, workspace: &Workspace) -> Result<KernelPackage> {
        self.lock(workspace)?;
        let (name, dir) = (self.name.clone(), self.dir.clone());
        Ok(KernelPackage { name, dir, outside: true, unchecked: false, committed: true })
    }

    /// Formatting and lints.
    pub fn lint(&self, workspace: &Workspace) -> Result<()> {
        process::run(self.cargo(workspace)?.args(["fmt", "--check"]))?;
        process::run(self.cargo(workspace)?.args(["clippy", "--all-targets", "--", "-D", "warnings"]))
    }
}

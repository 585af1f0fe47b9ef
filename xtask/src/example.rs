//! Kernel crates outside the workspace: the folders in `examples`.

use crate::process::{self, say};
use crate::workspace::Workspace;
use anyhow::{Context, Result, ensure};
use ribbonmesh_ptx::{DEVICE_CORE, source_hash};
use std::path::PathBuf;
use std::process::Command;

/// One of them. Its PTX, `<name>.ptx`, is made by its own `cargo run --example ptx`, and begins with a line
/// `// sources <hash>`.
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

    /// A cargo that runs in its folder, with the versions and the target folder of the workspace, so that nothing is
    /// compiled twice that both need.
    pub fn cargo(&self, workspace: &Workspace) -> Result<Command> {
        let lock = self.dir.join("Cargo.lock");
        std::fs::copy(workspace.root().join("Cargo.lock"), &lock)
            .with_context(|| format!("could not write {}", lock.display()))?;
        let mut cargo = workspace.cargo();
        cargo.current_dir(&self.dir).env("CARGO_TARGET_DIR", workspace.target());
        Ok(cargo)
    }

    fn ptx(&self) -> PathBuf {
        self.dir.join(format!("{}.ptx", self.name))
    }

    fn ptx_is_current(&self) -> Result<bool> {
        let text = std::fs::read_to_string(self.ptx()).unwrap_or_default();
        let hash = text.lines().next().and_then(|line| line.strip_prefix("// sources "));
        Ok(hash == Some(source_hash(&self.dir)?.as_str()))
    }

    /// Compiles its PTX unless that is current.
    pub fn renew_ptx(&self, workspace: &Workspace, force: bool) -> Result<()> {
        if !force && self.ptx_is_current()? {
            return Ok(say!("example {}: current", self.name)?);
        }
        if !self.ptx().exists() {
            // its library embeds the file
            std::fs::write(self.ptx(), "")?;
        }
        let mut cargo = self.cargo(workspace)?;
        if let Some(library) = workspace.device_core() {
            cargo.env(DEVICE_CORE, library);
        }
        process::run(cargo.args(["run", "--quiet", "--example", "ptx"]))?;
        Ok(say!("example {}: compiled", self.name)?)
    }

    /// Fails unless its PTX is that of its sources.
    pub fn check_ptx(&self) -> Result<()> {
        let current = self.ptx_is_current()?;
        ensure!(current, "{} is older than its sources; run `cargo xtask ptx`", self.ptx().display());
        Ok(say!("example {}: current", self.name)?)
    }

    /// Formatting and lints.
    pub fn lint(&self, workspace: &Workspace) -> Result<()> {
        process::run(self.cargo(workspace)?.args(["fmt", "--check"]))?;
        process::run(self.cargo(workspace)?.args(["clippy", "--all-targets", "--", "-D", "warnings"]))
    }
}

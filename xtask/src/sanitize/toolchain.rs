//! Compilers that can sanitize.

use crate::workspace::Workspace;
use anyhow::{Context, Result, ensure};
use ribbonmesh_ptx::{DEVICE_CORE, Toolchain};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The target of the compiler in use.
pub fn host() -> Option<String> {
    let said = ask(Command::new("rustc").arg("-vV"))?;
    said.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned)
}

/// Whether the compiler in use carries the runtime of a sanitizer.
pub fn has_runtime(host: &str, name: &str) -> bool {
    let sysroot = ask(Command::new("rustc").args(["--print", "sysroot"]));
    sysroot.is_some_and(|sysroot| runtime(Path::new(sysroot.trim_end()), host, name))
}

fn runtime(sysroot: &Path, host: &str, name: &str) -> bool {
    let library = sysroot.join("lib/rustlib").join(host).join("lib");
    let files = std::fs::read_dir(library).into_iter().flatten().flatten();
    let end = format!("_rt.{name}.a");
    files.map(|file| file.file_name()).any(|file| file.to_string_lossy().ends_with(&end))
}

fn ask(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()
}

/// The name of the nightly: the one that compiles kernels.
pub fn nightly() -> String {
    std::env::var("RIBBONMESH_NIGHTLY").unwrap_or_else(|_| "nightly".to_owned())
}

/// The nightly's cargo, free of what the cargo that runs this has put into the environment.
pub fn of_nightly(workspace: &Workspace) -> Command {
    let mut cargo = Command::new("rustup");
    cargo.current_dir(workspace.root()).args(["run", &nightly(), "cargo"]);
    for name in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN", "LD_LIBRARY_PATH"] {
        cargo.env_remove(name);
    }
    cargo
}

/// A nightly that can compile the standard library.
pub struct Std {
    /// The sources, where they are not the toolchain's.
    library: Option<PathBuf>,
}

impl Std {
    /// Looks for the nightly, its runtime, and sources of the standard library.
    pub fn find(workspace: &Workspace, host: &str) -> Result<Self> {
        let toolchain = Toolchain::find()?;
        let sysroot =
            ask(Command::new("rustup").args(["run", toolchain.name(), "rustc", "--print", "sysroot"]));
        let sysroot = PathBuf::from(sysroot.context("the nightly does not run")?.trim_end());
        ensure!(runtime(&sysroot, host, "tsan"), "toolchain {} has no runtime of it", toolchain.name());
        if sysroot.join("lib/rustlib/src/rust/library/std").is_dir() {
            return Ok(Self { library: None });
        }
        let folder = workspace.device_core().or_else(|| std::env::var_os(DEVICE_CORE).map(PathBuf::from));
        let library = folder.filter(|folder| folder.join("std/src/lib.rs").is_file());
        let name = toolchain.name();
        ensure!(
            library.is_some(),
            "no sources of the standard library (`rustup +{name} component add rust-src`)"
        );
        Ok(Self { library })
    }

    /// The nightly's cargo, told where the sources are.
    pub fn cargo(&self, workspace: &Workspace) -> Command {
        let mut cargo = of_nightly(workspace);
        if let Some(library) = &self.library {
            cargo.env("__CARGO_TESTS_ONLY_SRC_ROOT", library);
        }
        cargo
    }
}

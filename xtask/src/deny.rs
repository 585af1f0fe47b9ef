//! `cargo xtask deny`: licences, sources and known weaknesses of dependencies.

use crate::process::{self, say};
use crate::workspace::Workspace;
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::process::Command;

/// The release that is installed where there is none.
const VERSION: &str = "0.20.2";

/// The checks that need no network.
const OFFLINE: [&str; 3] = ["bans", "licenses", "sources"];

/// Checks everything; returns what this machine cannot check, and why.
pub fn run() -> Result<Option<String>> {
    let workspace = Workspace::read()?;
    let program = match find(&workspace) {
        Ok(program) => program,
        Err(reason) => return Ok(Some(format!("dependencies are not checked: {reason:#}"))),
    };
    let check = |what: &[&str]| {
        let mut deny = Command::new(&program);
        deny.current_dir(workspace.root()).args(["--workspace", "check", "--hide-inclusion-graph"]);
        process::run(deny.args(what))
    };
    check(&OFFLINE)?;
    if let Err(reason) = fetch(&workspace, &program) {
        let reason = format!("dependencies are not compared with the list of weaknesses: {reason:#}");
        say!("{reason}")?;
        return Ok(Some(reason));
    }
    check(&["advisories"])?;
    Ok(None)
}

/// Brings the list of weaknesses here.
fn fetch(workspace: &Workspace, program: &PathBuf) -> Result<()> {
    let mut deny = Command::new(program);
    process::run(deny.current_dir(workspace.root()).args(["fetch", "db"]))
}

/// The machine's cargo-deny, or one installed under the target folder.
fn find(workspace: &Workspace) -> Result<PathBuf> {
    let on_path = Command::new("cargo-deny").arg("--version").output();
    if on_path.is_ok_and(|output| output.status.success()) {
        return Ok("cargo-deny".into());
    }
    let root = workspace.target().join("tools/cargo-deny");
    let program = root.join("bin").join(format!("cargo-deny{}", std::env::consts::EXE_SUFFIX));
    if !program.is_file() {
        say!("installing cargo-deny {VERSION} into {}", root.display())?;
        let mut cargo = workspace.cargo();
        cargo
            .args(["install", "--quiet", "--locked", "cargo-deny", "--version", VERSION, "--root"])
            .arg(&root);
        process::run(&mut cargo).context("there is no cargo-deny, and it cannot be installed")?;
    }
    Ok(program)
}

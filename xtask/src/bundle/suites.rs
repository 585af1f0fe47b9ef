//! The compiled test programs of packages.

use crate::process;
use crate::workspace::Workspace;
use anyhow::{Result, ensure};
use cargo_metadata::{Artifact, Message};
use std::path::PathBuf;

/// One test program.
pub struct Suite {
    /// Package and target, such as `ribbonmesh.queries`.
    pub name: String,
    /// Where cargo put it.
    pub executable: PathBuf,
}

/// Compiles the tests of these packages, optimized, without running them.
pub fn compile(workspace: &Workspace, packages: &[&str]) -> Result<Vec<Suite>> {
    let mut cargo = workspace.cargo();
    cargo.args([
        "test",
        "--release",
        "--no-run",
        "--lib",
        "--tests",
        "--message-format=json-render-diagnostics",
    ]);
    for package in packages {
        cargo.args(["--package", package]);
    }
    let messages = process::output(&mut cargo)?;
    let mut suites = Vec::new();
    for message in Message::parse_stream(messages.as_bytes()) {
        if let Message::CompilerArtifact(artifact) = message? {
            suites.extend(suite(workspace, &artifact));
        }
    }
    suites.sort_by(|a, b| a.name.cmp(&b.name));
    for package in packages {
        let prefix = format!("{package}.");
        ensure!(suites.iter().any(|suite| suite.name.starts_with(&prefix)), "{package} has no tests");
    }
    Ok(suites)
}

fn suite(workspace: &Workspace, artifact: &Artifact) -> Option<Suite> {
    let executable = artifact.executable.as_ref().filter(|_| artifact.profile.test)?;
    let package = workspace.package_name(&artifact.package_id)?;
    let target = if artifact.target.is_lib() { "lib" } else { &artifact.target.name };
    Some(Suite { name: format!("{package}.{target}"), executable: executable.into() })
}

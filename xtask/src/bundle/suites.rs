//! The compiled test programs of packages.

use crate::example::Example;
use crate::process;
use crate::workspace::Workspace;
use anyhow::{Result, ensure};
use cargo_metadata::{Artifact, Message, PackageId};
use std::path::PathBuf;
use std::process::Command;

/// One test program.
pub struct Suite {
    /// Package and target, such as `ribbonmesh.queries`.
    pub name: String,
    /// Where cargo put it.
    pub executable: PathBuf,
}

const TEST: [&str; 6] =
    ["test", "--release", "--no-run", "--lib", "--tests", "--message-format=json-render-diagnostics"];

/// Compiles the tests of these packages, optimized, without running them.
pub fn compile(workspace: &Workspace, packages: &[&str]) -> Result<Vec<Suite>> {
    let mut cargo = workspace.cargo();
    cargo.args(TEST);
    for package in packages {
        cargo.args(["--package", package]);
    }
    let suites = run(&mut cargo, |id| workspace.package_name(id))?;
    for package in packages {
        let prefix = format!("{package}.");
        ensure!(suites.iter().any(|suite| suite.name.starts_with(&prefix)), "{package} has no tests");
    }
    Ok(suites)
}

/// The same for a crate outside the workspace.
pub fn compile_example(workspace: &Workspace, example: &Example) -> Result<Vec<Suite>> {
    let name = format!("example-{}", example.name);
    let suites = run(example.cargo(workspace)?.args(TEST), |_| Some(&name))?;
    ensure!(!suites.is_empty(), "example {} has no tests", example.name);
    Ok(suites)
}

fn run<'a>(cargo: &mut Command, package: impl Fn(&PackageId) -> Option<&'a str>) -> Result<Vec<Suite>> {
    let messages = process::output(cargo)?;
    let mut suites = Vec::new();
    for message in Message::parse_stream(messages.as_bytes()) {
        if let Message::CompilerArtifact(artifact) = message? {
            suites.extend(suite(package(&artifact.package_id), &artifact));
        }
    }
    suites.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(suites)
}

fn suite(package: Option<&str>, artifact: &Artifact) -> Option<Suite> {
    let executable = artifact.executable.as_ref().filter(|_| artifact.profile.test)?;
    let target = if artifact.target.is_lib() { "lib" } else { &artifact.target.name };
    Some(Suite { name: format!("{}.{target}", package?), executable: executable.into() })
}

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
    /// The path to which cargo wrote it.
    pub executable: PathBuf,
}

const TEST: [&str; 4] = ["test", "--release", "--no-run", "--message-format=json-render-diagnostics"];
const ALL: [&str; 2] = ["--lib", "--tests"];

/// Compiles the tests of packages, or the one that is named, optimized, without running them.
pub fn compile(workspace: &Workspace, packages: &[&str], test: Option<&str>) -> Result<Vec<Suite>> {
    let mut cargo = workspace.cargo();
    cargo.args(TEST);
    match test {
        Some(test) => cargo.args(["--test", test]),
        None => cargo.args(ALL),
    };
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
    let suites = run(example.cargo(workspace)?.args(TEST).args(ALL), |_| Some(&name))?;
    ensure!(!suites.is_empty(), "example {} has no tests", example.name);
    Ok(suites)
}

fn run<'a>(cargo: &mut Command, package: impl Fn(&PackageId) -> Option<&'a str>) -> Result<Vec<Suite>> {
    // on the machine that these are for, tests of the GPU are not to be ignored
    let messages = process::output(cargo.env("RIBBONMESH_REQUIRE_CUDA", "1"))?;
    let mut suites = Vec::new();
    for message in Message::parse_stream(messages.as_bytes()) {
        if let Message::CompilerArtifact(artifact) = message?
            && let Some(suite) = suite(package(&artifact.package_id), &artifact)
            && suite.has_tests()?
        {
            suites.push(suite);
        }
    }
    suites.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(suites)
}

fn suite(package: Option<&str>, artifact: &Artifact) -> Option<Suite> {
    let executable = artifact.executable.as_ref().filter(|_| artifact.profile.test)?;
    let (package, target) = (package?, &artifact.target);
    let name = match () {
        () if target.is_lib() => format!("{package}.lib"),
        () if target.is_bin() => format!("{package}.bin-{}", target.name),
        () => format!("{package}.{}", target.name),
    };
    Some(Suite { name, executable: executable.into() })
}

impl Suite {
    fn has_tests(&self) -> Result<bool> {
        let listed = process::output(Command::new(&self.executable).args(["--list", "--format=terse"]))?;
        Ok(listed.lines().any(|line| line.ends_with(": test")))
    }
}

//! `cargo xtask gpu-bundle`: what a GPU machine without Rust needs to test and benchmark.

mod meshes;
mod suites;

use crate::example::Example;
use crate::process::{self, say};
use crate::workspace::Workspace;
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;
use suites::Selection;

/// The test programs that go along: all of the packages that run kernels through the public API, and of the command
/// line the one that compares machines.
const SUITES: [Selection; 2] = [
    Selection { packages: &["ribbonmesh", "ribbonmesh-bvh", "ribbonmesh-normals"], test: None },
    Selection { packages: &["ribbonmesh-cli"], test: Some("machines") },
];

/// The package and the name of each program: the command line and the benchmarks.
const PROGRAMS: [[&str; 2]; 2] = [["ribbonmesh-cli", "ribbonmesh"], ["ribbonmesh-bench", "ribbonmesh-bench"]];

/// The size at which a bundle is a nuisance to copy.
const LIMIT: u64 = 40 << 20;

const RUN: &str = include_str!("run.sh");

#[derive(clap::Args)]
pub struct Options {
    /// Take the small meshes of this folder along.
    #[arg(long, value_name = "DIR")]
    meshes: Option<PathBuf>,
}

/// Builds the bundle anew.
pub fn run(options: &Options) -> Result<()> {
    let workspace = Workspace::read()?;
    let bundle = workspace.root().join("target/gpu-bundle");
    if bundle.exists() {
        std::fs::remove_dir_all(&bundle).with_context(|| format!("could not empty {}", bundle.display()))?;
    }
    std::fs::create_dir_all(bundle.join("tests"))?;

    for [package, program] in PROGRAMS {
        process::run(workspace.cargo().args(["build", "--release", "--package", package, "--bin", program]))?;
        let file = format!("{program}{}", std::env::consts::EXE_SUFFIX);
        strip(&workspace.target().join("release").join(&file), &bundle.join(&file))?;
    }
    let mut compiled = Vec::new();
    for selection in &SUITES {
        compiled.extend(suites::compile(&workspace, selection)?);
    }
    for example in Example::all(&workspace)? {
        compiled.extend(suites::compile_example(&workspace, &example)?);
    }
    for suite in compiled {
        let packed = bundle.join("tests").join(&suite.name);
        strip(&suite.executable, &packed)?;
        process::run(Command::new("gzip").args(["--best", "--no-name"]).arg(&packed))?;
    }
    if let Some(dir) = &options.meshes {
        meshes::copy(dir, &bundle.join("meshes"))?;
    }
    write_script(&bundle.join("run.sh"))?;

    let size = size(&bundle)?;
    let megabytes = size as f64 / f64::from(1 << 20);
    ensure!(size <= LIMIT, "the bundle has {megabytes:.1} MiB, more than {} MiB", LIMIT >> 20);
    say!("{}: {megabytes:.1} MiB; copy it to a GPU machine and run run.sh there", bundle.display())?;
    Ok(())
}

/// Copies a program without its symbols.
fn strip(from: &Path, to: &Path) -> Result<()> {
    process::run(Command::new("strip").arg("-o").arg(to).arg(from))
}

fn write_script(path: &Path) -> Result<()> {
    std::fs::write(path, RUN)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

/// The bytes of all files in a folder.
fn size(dir: &Path) -> Result<u64> {
    let mut sum = 0;
    for entry in std::fs::read_dir(dir)? {
        let entry = entry?;
        let kind = entry.metadata()?;
        sum += if kind.is_dir() { size(&entry.path())? } else { kind.len() };
    }
    Ok(sum)
}

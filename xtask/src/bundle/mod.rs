//! `cargo xtask gpu-bundle`: what a GPU machine without Rust needs to test and benchmark.
//!
//! Three files: `run.sh`, `bundle.tar.xz` and the program that unpacks it. The programs have most of their
//! code and all of their kernels in common, which one archive with a large window holds once.

mod meshes;
mod suites;

use crate::example::Example;
use crate::process::{self, say};
use crate::workspace::Workspace;
use crate::{machine_code, ptx, python};
use anyhow::{Context, Result, ensure};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The one test of the command line in the bundle: it compares machines.
const COMMAND_LINE: (&str, &str) = ("ribbonmesh-cli", "machines");

/// The package of the program that packs on this machine and unpacks on the other one.
const XZ: &str = "ribbonmesh-xz";

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
    /// Put machine code for these chips into the programs and the Python package: 90 is sm_90.
    #[arg(long, value_delimiter = ',', value_name = "CHIP")]
    machine_code: Vec<u32>,
}

/// Builds the bundle anew.
pub fn run(options: &Options) -> Result<()> {
    let workspace = Workspace::read()?;
    let bundle = workspace.root().join("target/gpu-bundle");
    if bundle.exists() {
        std::fs::remove_dir_all(&bundle).with_context(|| format!("could not empty {}", bundle.display()))?;
    }
    std::fs::create_dir_all(&bundle)?;
    let scratch = tempfile::tempdir_in(workspace.target())?;
    let contents = scratch.path().join("bundle");
    std::fs::create_dir_all(contents.join("tests"))?;

    let archive = match options.machine_code.as_slice() {
        [] => None,
        chips => Some(machine_code::archive(&workspace, chips)?),
    };
    let archive = archive.as_deref();
    for [package, program] in PROGRAMS {
        program_of(&workspace, package, program, archive, &contents)?;
    }
    ptx::make_uncommitted()?;
    let packages = workspace.kernel_packages_with_tests();
    let mut compiled = suites::compile(&workspace, &packages, None)?;
    let (package, test) = COMMAND_LINE;
    compiled.extend(suites::compile(&workspace, &[package], Some(test))?);
    for example in Example::with_kernels(&workspace)? {
        compiled.extend(suites::compile_example(&workspace, &example)?);
    }
    for suite in compiled {
        strip(&suite.executable, &contents.join("tests").join(&suite.name))?;
    }
    python_of(&workspace, archive, &contents.join("python"))?;
    let meshes = contents.join("meshes");
    if let Some(dir) = &options.meshes {
        meshes::copy(dir, &meshes)?;
    }
    meshes::copy_dragon(&workspace, &meshes)?;
    let xz = program_of(&workspace, XZ, XZ, None, &bundle)?;
    pack(&xz, &contents, &bundle.join("bundle.tar.xz"))?;
    write_script(&bundle.join("run.sh"))?;

    let size = size(&bundle)?;
    let megabytes = size as f64 / f64::from(1 << 20);
    ensure!(size <= LIMIT, "the bundle has {megabytes:.1} MiB, more than {} MiB", LIMIT >> 20);
    say!("{}: {megabytes:.1} MiB; copy it to a GPU machine and run run.sh there", bundle.display())?;
    Ok(())
}

/// Builds a program, optimized, and puts it into a folder; returns where.
fn program_of(
    workspace: &Workspace,
    package: &str,
    program: &str,
    archive: Option<&Path>,
    to: &Path,
) -> Result<PathBuf> {
    let mut cargo = workspace.cargo();
    cargo.envs(archive.map(|archive| (machine_code::VARIABLE, archive)));
    process::run(cargo.args(["build", "--release", "--package", package, "--bin", program]))?;
    let file = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    let packed = to.join(&file);
    strip(&workspace.target().join("release").join(&file), &packed)?;
    Ok(packed)
}

/// Puts the Python package into a folder, for any Python from 3.10 on, and its test of the GPU next to it.
fn python_of(workspace: &Workspace, archive: Option<&Path>, to: &Path) -> Result<()> {
    let mut cargo = workspace.cargo();
    cargo.envs(archive.map(|archive| (machine_code::VARIABLE, archive)));
    process::run(cargo.args(["build", "--release", "--package", "ribbonmesh-python", "--lib"]))?;
    let sources = python::package(workspace);
    let package = to.join("ribbonmesh");
    python::copy(&sources.join("python/ribbonmesh"), &package)?;
    strip(&workspace.target().join("release/lib_native.so"), &package.join(python::NATIVE))?;
    let test = sources.join("tests/gpu.py");
    std::fs::copy(&test, to.join("gpu.py")).with_context(|| format!("could not copy {}", test.display()))?;
    Ok(())
}

/// Makes an archive of what a folder holds.
fn pack(xz: &Path, folder: &Path, to: &Path) -> Result<()> {
    let mut tar = Command::new("tar");
    tar.args(["-c", "--sort=name", "-C"]).arg(folder).arg(".").stdout(Stdio::piped());
    let mut archived = tar.spawn().with_context(|| format!("could not run {}", process::show(&tar)))?;
    let contents = archived.stdout.take().context("tar has no output")?;
    process::run(Command::new(xz).arg("pack").stdin(contents).stdout(File::create(to)?))?;
    ensure!(archived.wait()?.success(), "{} failed", process::show(&tar));
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

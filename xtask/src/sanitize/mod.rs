//! `cargo xtask sanitize`: the CPU's suites under AddressSanitizer, ThreadSanitizer and Miri.

mod toolchain;

use crate::process::{self, say};
use crate::workspace::Workspace;
use anyhow::{Result, ensure};
use std::process::Command;
use toolchain::{Std, host};

/// The packages whose suites run.
const PACKAGES: [&str; 1] = ["ribbonmesh"];

/// Packages without threads and without a driver, for Miri, which takes hundreds of times as long.
const SMALL_PACKAGES: [&str; 1] = ["ribbonmesh-device"];

/// Reports of ThreadSanitizer about others' code, each with its reason.
const SUPPRESSIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/sanitize/thread.txt");

#[derive(clap::Args)]
pub struct Options {
    /// The sanitizers; all of them, if none is named.
    #[arg(value_enum)]
    which: Vec<Sanitizer>,
}

/// The tool that watches the tests.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
pub enum Sanitizer {
    /// Out-of-bounds accesses, use after free, leaks.
    Address,
    /// Data races.
    Thread,
    /// Undefined behaviour of every kind, in small tests.
    Miri,
}

const ALL: [Sanitizer; 3] = [Sanitizer::Address, Sanitizer::Thread, Sanitizer::Miri];

/// Runs what was asked for. A sanitizer that the toolchain lacks is named, and is not a failure.
pub fn run(options: &Options) -> Result<()> {
    let which = if options.which.is_empty() { ALL.as_slice() } else { &options.which };
    for reason in check(which)? {
        say!("not done: {reason}")?;
    }
    Ok(())
}

/// Runs all of them as far as this machine can; returns why it cannot do the rest.
pub fn run_all() -> Result<Vec<String>> {
    check(&ALL)
}

fn check(which: &[Sanitizer]) -> Result<Vec<String>> {
    let workspace = Workspace::read()?;
    let mut left_out = Vec::new();
    for sanitizer in which {
        let reason = match sanitizer {
            Sanitizer::Address => address(&workspace)?,
            Sanitizer::Thread => thread(&workspace)?,
            Sanitizer::Miri => miri(&workspace)?,
        };
        left_out.extend(reason);
    }
    Ok(left_out)
}

/// The compiler in use, with the runtime that it carries; the standard library is not instrumented, which
/// hides no access of ours.
fn address(workspace: &Workspace) -> Result<Option<String>> {
    let Some(host) = host().filter(|host| toolchain::has_runtime(host, "asan")) else {
        return Ok(Some("AddressSanitizer: the toolchain has no runtime of it".to_owned()));
    };
    let cargo = || {
        let mut cargo = workspace.cargo();
        // the flag is one of nightlies, but is the same in a stable compiler
        cargo.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", "-Zsanitizer=address");
        cargo.env("ASAN_OPTIONS", "detect_stack_use_after_return=1:detect_leaks=1");
        cargo.args(["test", "--target", &host]);
        cargo
    };
    suites(workspace, cargo, "address", "AddressSanitizer: heap-buffer-overflow")?;
    Ok(None)
}

/// A nightly with the sources of the standard library, which must be instrumented too: its locks are what
/// orders accesses.
fn thread(workspace: &Workspace) -> Result<Option<String>> {
    let Some(host) = host() else { return Ok(Some("ThreadSanitizer: no compiler".to_owned())) };
    let std = match Std::find(workspace, &host) {
        Ok(std) => std,
        Err(reason) => return Ok(Some(format!("ThreadSanitizer: {reason:#}"))),
    };
    let cargo = || {
        let mut cargo = std.cargo(workspace);
        // ThreadSanitizer does not support fences. With the second flag, crossbeam, on which rayon is built,
        // does not use them
        cargo.env("RUSTFLAGS", "-Zsanitizer=thread --cfg crossbeam_sanitize_thread");
        cargo.env("TSAN_OPTIONS", format!("suppressions={SUPPRESSIONS}"));
        cargo.args(["test", "--target", &host, "-Zbuild-std"]);
        cargo
    };
    suites(workspace, cargo, "thread", "ThreadSanitizer: data race")?;
    Ok(None)
}

/// Has the sanitizer find a planted fault, and then runs the suites of the CPU, a part of each.
fn suites(workspace: &Workspace, new: impl Fn() -> Command, name: &str, report: &str) -> Result<()> {
    let cargo = || {
        let mut cargo = new();
        cargo.env("CARGO_TARGET_DIR", workspace.target().join(format!("sanitize-{name}")));
        cargo.env("RIBBONMESH_SANITIZED", "1").env("CARGO_PROFILE_TEST_DEBUG", "line-tables-only");
        cargo
    };
    let mut planted = cargo();
    planted.args([
        "--package",
        "ribbonmesh-testing",
        "--test",
        "planted",
        "--",
        "--ignored",
        "--nocapture",
        name,
    ]);
    let output = planted.output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(
        !output.status.success() && said.contains(report),
        "the planted fault was not reported by {}:\n{said}",
        process::show(&planted)
    );
    let mut real = cargo();
    for package in PACKAGES {
        real.args(["--package", package]);
    }
    process::run(real.args(["--lib", "--tests", "--", "--skip", "cuda::"]))
}

fn miri(workspace: &Workspace) -> Result<Option<String>> {
    let found =
        Command::new("rustup").args(["run", &toolchain::nightly(), "cargo", "miri", "--version"]).output();
    if !found.is_ok_and(|output| output.status.success()) {
        let name = toolchain::nightly();
        return Ok(Some(format!(
            "Miri: toolchain {name} has none (`rustup +{name} component add miri rust-src`)"
        )));
    }
    let mut cargo = toolchain::of_nightly(workspace);
    cargo.env("CARGO_TARGET_DIR", workspace.target().join("sanitize-miri"));
    cargo.env("RIBBONMESH_SANITIZED", "1").args(["miri", "test", "--lib", "--tests"]);
    for package in SMALL_PACKAGES {
        cargo.args(["--package", package]);
    }
    process::run(&mut cargo)?;
    Ok(None)
}

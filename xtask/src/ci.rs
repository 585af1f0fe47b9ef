//! `cargo xtask ci`: every check, in order, up to the first that fails.

use crate::example::Example;
use crate::process::{self, say};
use crate::workspace::Workspace;
use crate::{conformance, deny, package, ptx, python, sanitize};
use anyhow::{Context, Result, ensure};
use ribbonmesh_ptx::DEVICE_CORE;
use std::cell::RefCell;
use std::time::Instant;

/// A check: what it is called, and what it runs.
type Step<'a> = (&'a str, Box<dyn Fn() -> Result<()> + 'a>);

#[derive(clap::Args)]
pub struct Options {
    /// Also the checks that take long and change rarely: PTX compiled again and assembled, tests of examples
    /// and templates, large libraries of Python, dependencies, packages, sanitizers.
    #[arg(long)]
    all: bool,
    /// Only the check of this name, such as `tests` or `Python`.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
}

/// Runs the checks and says how long each took.
pub fn run(options: &Options) -> Result<()> {
    let workspace = Workspace::read()?;
    let left_out = RefCell::new(Vec::new());
    let leave_out = |reasons: Vec<String>| -> Result<()> {
        left_out.borrow_mut().extend(reasons);
        Ok(())
    };
    let mut steps: Vec<Step> = vec![
        ("format", Box::new(|| process::run(workspace.cargo().args(["fmt", "--all", "--check"])))),
        ("PTX", Box::new(|| leave_out(ptx::check(options.all)?))),
        ("lints", Box::new(|| lints(&workspace))),
        ("documentation", Box::new(|| documentation(&workspace))),
        ("examples", Box::new(|| examples(&workspace))),
        ("tests", Box::new(|| tests(&workspace))),
        ("Python", Box::new(|| leave_out(python::check(&workspace, options.all)?))),
        ("glTF validator", Box::new(|| leave_out(conformance::check(&workspace)?))),
        ("races", Box::new(|| races(&workspace))),
    ];
    if options.all {
        steps.push(("crates outside", Box::new(|| crates_outside(&workspace))));
        steps.push(("dependencies", Box::new(|| leave_out(Vec::from_iter(deny::run()?)))));
        steps.push(("packages", Box::new(package::run)));
        steps.push(("sanitizers", Box::new(|| leave_out(sanitize::run_all()?))));
    }
    if let Some(only) = &options.only {
        let names: Vec<_> = steps.iter().map(|(name, _)| *name).collect();
        steps.retain(|(name, _)| name.eq_ignore_ascii_case(only));
        ensure!(!steps.is_empty(), "there is no check {only:?}; there are {}", names.join(", "));
    }
    let start = Instant::now();
    let mut times = Vec::new();
    for (name, step) in steps {
        say!("\n== {name}, after {:.0} s", start.elapsed().as_secs_f32())?;
        let start = Instant::now();
        step().with_context(|| name.to_owned())?;
        times.push(format!("{name} {:.0} s", start.elapsed().as_secs_f32()));
    }
    say!("\nall checks passed in {:.0} s: {}", start.elapsed().as_secs_f32(), times.join(", "))?;
    for reason in left_out.borrow().iter() {
        say!("except what this machine cannot do: {reason}")?;
    }
    Ok(())
}

/// Features that are not defaults, and are tested: expressions as machine code, whose compiler is large, and
/// patches that own their storage, whose kernels are.
const FEATURES: &str = "ribbonmesh-expression/cranelift,ribbonmesh-cli/patches";

/// Everything with its default features and these, and the library without CUDA.
fn lints(workspace: &Workspace) -> Result<()> {
    for of in [
        ["--workspace", "--all-targets", "--features", FEATURES].as_slice(),
        &["--package", "ribbonmesh", "--no-default-features"],
    ] {
        process::run(workspace.cargo().arg("clippy").args(of).args(["--", "-D", "warnings"]))?;
    }
    Ok(())
}

fn examples(workspace: &Workspace) -> Result<()> {
    Example::all(workspace)?.iter().try_for_each(|example| example.lint(workspace))
}

fn tests(workspace: &Workspace) -> Result<()> {
    let mut cargo = workspace.cargo();
    if let Some(library) = workspace.device_core() {
        cargo.env(DEVICE_CORE, library);
    }
    process::run(cargo.args(["test", "--workspace", "--features", FEATURES]))
}

/// The examples and what the templates make, each a crate of its own, for which the library is compiled
/// again.
fn crates_outside(workspace: &Workspace) -> Result<()> {
    let mut cargo = workspace.cargo();
    let tests = ["test", "--package", "xtask", "--test", "example_crate", "--test", "template"];
    process::run(cargo.args(tests).args(["--", "--ignored"]))
}

/// The kernels under the race checker, with each of their barriers left out in turn. The whole workspace is
/// named, so that other packages are compiled with the features that they have in the tests, which is not
/// again.
fn races(workspace: &Workspace) -> Result<()> {
    let features: Vec<_> =
        workspace.packages_with_feature(RACE_CHECK).map(|name| format!("{name}/{RACE_CHECK}")).collect();
    let mut cargo = workspace.cargo();
    process::run(cargo.args(["test", "--workspace", "--features", &features.join(","), "--test", "*race"]))
}

/// The feature of a package whose suites of races, `tests/*race.rs`, are to run.
const RACE_CHECK: &str = "race-check";

fn documentation(workspace: &Workspace) -> Result<()> {
    let mut cargo = workspace.cargo();
    process::run(cargo.args(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))
}

//! `cargo xtask bench`: measurements on this machine, into benches/results.

use crate::process;
use crate::workspace::Workspace;
use anyhow::Result;
use std::ffi::OsString;

#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Options {
    /// Arguments of `ribbonmesh-bench`, such as `queries --machine cpu --faces 1310720`; `--help` tells.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    arguments: Vec<OsString>,
}

/// Builds the program, optimized, and runs it.
pub fn run(options: &Options) -> Result<()> {
    let workspace = Workspace::read()?;
    let mut cargo = workspace.cargo();
    cargo.args(["run", "--release", "--quiet", "--package", "ribbonmesh-bench", "--"]);
    process::run(cargo.args(&options.arguments))
}

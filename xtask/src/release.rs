//! `cargo xtask release`: the command with machine code of all its kernels.

use crate::machine_code::{self, VARIABLE};
use crate::process::{self, say};
use crate::workspace::Workspace;
use anyhow::Result;

/// The package whose program is released.
const PROGRAM: [&str; 2] = ["ribbonmesh-cli", "ribbonmesh"];

/// Makes the archive, and builds the program with it.
pub fn run(options: &machine_code::Options) -> Result<()> {
    let workspace = Workspace::read()?;
    let mut cargo = workspace.cargo();
    cargo.env(VARIABLE, machine_code::archive(&workspace, &options.chips)?);
    process::run(cargo.args(["build", "--release", "--package", PROGRAM[0]]))?;
    let program = format!("release/{}{}", PROGRAM[1], std::env::consts::EXE_SUFFIX);
    say!("{}", workspace.target().join(program).display()).map_err(Into::into)
}

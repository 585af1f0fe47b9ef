//! `cargo xtask figures`: the pictures of the documentation.

use crate::workspace::Workspace;
use crate::{meshes, process};
use anyhow::Result;

/// Obtains the dragon, builds the program that draws, optimized, and runs it.
pub fn run() -> Result<()> {
    meshes::run()?;
    let workspace = Workspace::read()?;
    let folder = workspace.root().join("docs/figures");
    std::fs::create_dir_all(&folder)?;
    let mut cargo = workspace.cargo();
    cargo.args([
        "run",
        "--release",
        "--quiet",
        "--package",
        "ribbonmesh-render",
        "--example",
        "figures",
        "--",
    ]);
    process::run(cargo.arg(workspace.root().join("assets/meshes/dragon.ply")).arg(folder))
}

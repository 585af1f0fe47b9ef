//! Test data that are part of the bundle.

use crate::meshes::DRAGON;
use crate::process::say;
use crate::workspace::Workspace;
use anyhow::{Context, Result};
use std::path::Path;

/// The size from which a mesh stays behind.
const LARGE: u64 = 4 << 20;

/// The greatest size of all meshes together, in bytes.
const TOTAL: u64 = 16 << 20;

/// Copies meshes from a folder, the smallest first, as far as there is room.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    let mut found = Vec::new();
    for entry in std::fs::read_dir(from).with_context(|| format!("could not read {}", from.display()))? {
        let path = entry?.path();
        let size = std::fs::metadata(&path)?.len();
        if path.extension().is_some_and(is_mesh) && size < LARGE {
            found.push((size, path));
        }
    }
    found.sort();
    let mut room = TOTAL;
    for (size, path) in found {
        let (Some(rest), Some(name)) = (room.checked_sub(size), path.file_name()) else { break };
        room = rest;
        std::fs::write(to.join(name), std::fs::read(&path)?)?;
        say!("took {}", path.display())?;
    }
    Ok(())
}

/// Copies the dragon, which benchmarks and tests look for, if `cargo xtask meshes` has fetched it.
pub fn copy_dragon(workspace: &Workspace, to: &Path) -> Result<()> {
    let dragon = workspace.root().join(DRAGON);
    if dragon.is_file() {
        std::fs::create_dir_all(to)?;
        std::fs::copy(&dragon, to.join("dragon.ply"))?;
        say!("took {}", dragon.display())?;
    }
    Ok(())
}

fn is_mesh(extension: &std::ffi::OsStr) -> bool {
    ["obj", "off", "ply", "stl"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}

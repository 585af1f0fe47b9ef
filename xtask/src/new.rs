//! `cargo xtask new`: a kernel crate from the template in `templates/kernel`.

use crate::process::say;
use crate::workspace::Workspace;
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};

/// The file that `cargo generate` reads beside those of the crate.
const SETTINGS: &str = "cargo-generate.toml";

/// Where a crate of the repository goes, in the repository.
const HOME: &str = "crates/apps";

#[derive(clap::Args)]
pub struct Options {
    /// The name of the crate, such as my-kernels: lower-case letters, digits and hyphens.
    name: String,
    /// The folder to make the crate's folder in; by default crates/apps, where it is a member of the workspace.
    #[arg(long = "in", value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Makes the crate, which depends on the libraries of this checkout.
pub fn run(options: &Options) -> Result<()> {
    let name = &options.name;
    ensure!(
        is_name(name),
        "{name:?} is no name of a crate: lower-case letters, digits and hyphens, a letter first"
    );
    let workspace = Workspace::read()?;
    let parent = options.folder.clone().unwrap_or_else(|| workspace.root().join(HOME));
    let folder = std::path::absolute(parent)?.join(name);
    ensure!(!folder.exists(), "{} exists", folder.display());
    let inside = folder.starts_with(workspace.root());
    let library = |path: &str| match inside {
        true => "workspace = true".to_owned(),
        false => format!("path = {:?}", workspace.root().join(path)),
    };
    let words = [
        ("{{project-name}}", name.clone()),
        ("{{crate_name}}", name.replace('-', "_")),
        ("{{ribbonmesh}}", library("crates/ribbonmesh")),
        ("{{ribbonmesh_ptx}}", library("crates/ptx")),
    ];
    fill_in(&workspace.root().join("templates/kernel"), &folder, &words)?;
    if inside {
        drop_profiles(&folder.join("Cargo.toml"))?;
    }
    say!(
        "{}: `cargo test` runs its kernel on the CPU, `cargo run --example ptx` compiles it for GPUs",
        folder.display()
    )?;
    Ok(())
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

/// Copies a folder, with the words put in, in texts and in names of files.
fn fill_in(from: &Path, to: &Path, words: &[(&str, String)]) -> Result<()> {
    let put_in =
        |text: &str| words.iter().fold(text.to_owned(), |text, (word, value)| text.replace(word, value));
    std::fs::create_dir_all(to).with_context(|| format!("could not make {}", to.display()))?;
    for entry in std::fs::read_dir(from).with_context(|| format!("could not read {}", from.display()))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let copy = to.join(put_in(&name));
        if entry.file_type()?.is_dir() {
            fill_in(&entry.path(), &copy, words)?;
        } else if name != SETTINGS {
            std::fs::write(copy, put_in(&std::fs::read_to_string(entry.path())?))?;
        }
    }
    Ok(())
}

/// Takes the profiles out of a manifest, which cargo reads of a workspace's root alone. They are at the end, under a
/// comment.
fn drop_profiles(manifest: &Path) -> Result<()> {
    let text = std::fs::read_to_string(manifest)?;
    let (kept, _) =
        text.split_once("\n# Kernels run on the CPU in tests").context("the template has no profiles")?;
    Ok(std::fs::write(manifest, kept)?)
}

#[cfg(test)]
mod tests {
    use super::is_name;

    #[test]
    fn names_are_those_of_crates() {
        assert!(["a", "my-kernels", "k2"].iter().all(|name| is_name(name)));
        assert!(!["", "2k", "My", "a_b", "../a", "a b"].iter().any(|name| is_name(name)));
    }
}

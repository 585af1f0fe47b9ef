//! `cargo xtask new`: a kernel crate from the template in `templates/kernel`, or one with an operator from
//! the example `thinning`.

use crate::process::say;
use crate::workspace::Workspace;
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};

/// Files that do not belong to the crate: input of `cargo generate`, files that cargo wrote, and the PTX of
/// kernels with other names.
const LEFT_OUT: [&str; 4] = ["cargo-generate.toml", "Cargo.lock", "target", "ptx"];

/// The folder of the repository that contains the crates.
const HOME: &str = "crates";

#[derive(clap::Args)]
pub struct Options {
    /// The name of the crate, such as my-kernels: lower-case letters, digits and hyphens.
    name: String,
    /// The folder to make the crate's folder in; by default crates. In the repository it becomes a member of
    /// the workspace.
    #[arg(long = "in", value_name = "DIR")]
    folder: Option<PathBuf>,
    /// With an operator that changes the mesh, in place of a kernel over a mesh that does not change.
    #[arg(long)]
    operator: bool,
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
    let root = workspace.root();
    // how the new crate names the folder of the repository
    let repository = match folder.strip_prefix(root) {
        Ok(place) => "../".repeat(place.components().count()),
        Err(_) => format!("{}/", root.display()),
    };
    match options.operator {
        false => fill_in(&root.join("templates/kernel"), &folder, &words_of_template(&repository, name))?,
        true => fill_in(&root.join("examples/thinning"), &folder, &words_of_example(&repository, name))?,
    }
    if inside {
        drop_profiles(&folder.join("Cargo.toml"))?;
        add_member(&root.join("Cargo.toml"), folder.strip_prefix(root)?)?;
    }
    say!(
        "{}: `cargo test` runs its kernel on the CPU, `cargo run --example ptx` compiles it for GPUs",
        folder.display()
    )?;
    Ok(())
}

/// Texts of the template, each with its replacement.
fn words_of_template(repository: &str, name: &str) -> Vec<(&'static str, String)> {
    vec![
        ("{{project-name}}", name.to_owned()),
        ("{{crate_name}}", name.replace('-', "_")),
        ("{{ribbonmesh}}", format!("path = \"{repository}crates/ribbonmesh\"")),
        ("{{ribbonmesh_ptx}}", format!("path = \"{repository}crates/ptx\"")),
    ]
}

/// The same in the example, which is a crate that compiles as it is.
fn words_of_example(repository: &str, name: &str) -> Vec<(&'static str, String)> {
    let krate = name.replace('-', "_");
    vec![
        ("\n[workspace]\n", String::new()),
        ("\"../../crates/", format!("\"{repository}crates/")),
        ("thinning::", format!("{krate}::")),
        ("\"thinning\"", format!("\"{name}\"")),
        ("thinning.rs", format!("{krate}.rs")),
    ]
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
        if LEFT_OUT.contains(&name.as_str()) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            fill_in(&entry.path(), &copy, words)?;
        } else {
            std::fs::write(copy, put_in(&std::fs::read_to_string(entry.path())?))?;
        }
    }
    Ok(())
}

/// Takes the profiles out of a manifest, which cargo reads of a workspace's root alone. They are at the end,
/// under a comment.
fn drop_profiles(manifest: &Path) -> Result<()> {
    let text = std::fs::read_to_string(manifest)?;
    let (kept, _) =
        text.split_once("\n# Kernels run on the CPU in tests").context("the template has no profiles")?;
    Ok(std::fs::write(manifest, kept)?)
}

/// Adds the crate of this folder to the members of the workspace.
fn add_member(manifest: &Path, folder: &Path) -> Result<()> {
    let text = std::fs::read_to_string(manifest)?;
    Ok(std::fs::write(manifest, with_member(&text, &folder.to_string_lossy())?)?)
}

/// The manifest with one more member, in alphabetical order.
fn with_member(manifest: &str, member: &str) -> Result<String> {
    let list = manifest.split_once("members = [\n").and_then(|(head, rest)| {
        let (members, tail) = rest.split_once(']')?;
        Some((head, members, tail))
    });
    let (head, members, tail) = list.context("the workspace has no list of members")?;
    let line = format!("    \"{member}\",");
    let mut members: Vec<_> = members.lines().chain([line.as_str()]).collect();
    members.sort_unstable();
    Ok(format!("{head}members = [\n{}\n]{tail}", members.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::{is_name, with_member};

    #[test]
    fn members_are_in_alphabetical_order() {
        let manifest = "[workspace]\nmembers = [\n    \"a\",\n    \"c\",\n]\nexclude = [\"d\"]\n";
        let more = "[workspace]\nmembers = [\n    \"a\",\n    \"b\",\n    \"c\",\n]\nexclude = [\"d\"]\n";
        assert_eq!(with_member(manifest, "b").expect("a list"), more);
        assert!(with_member("[package]\n", "b").is_err());
    }

    #[test]
    fn names_are_those_of_crates() {
        assert!(["a", "my-kernels", "k2"].iter().all(|name| is_name(name)));
        assert!(!["", "2k", "My", "a_b", "../a", "a b"].iter().any(|name| is_name(name)));
    }
}

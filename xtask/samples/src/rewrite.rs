//! Reads all meshes in folders, and writes each in other formats.

use anyhow::{Context, Result};
use ribbonmesh_io::{Format, Notes, WriteOptions, read, write};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The outcome of a sample, a line of JSON on the standard output.
#[derive(Serialize)]
struct Outcome<'a> {
    path: &'a Path,
    format: &'static str,
    /// Whether the reader has noted something.
    noted: bool,
    /// The reason why it was not read.
    refused: Option<String>,
    /// The files that were written of it.
    written: Vec<PathBuf>,
    /// The reasons why it was not written.
    failed: Vec<String>,
}

/// Writes each sample to a folder, in each of the formats.
pub fn run(to: &Path, formats: &[&str], folders: &[&str]) -> Result<()> {
    let mut samples = vec![];
    folders.iter().try_for_each(|folder| walk(folder.as_ref(), &mut samples))?;
    samples.sort_by(|(a, _), (b, _)| a.cmp(b));
    for (number, (path, format)) in samples.iter().enumerate() {
        let mut outcome = Outcome {
            path,
            format: format.extension(),
            noted: false,
            refused: None,
            written: vec![],
            failed: vec![],
        };
        match read(path) {
            Err(error) => outcome.refused = Some(error.to_string()),
            Ok(loaded) => {
                outcome.noted = loaded.notes != Notes::default();
                for format in formats {
                    let target = to.join(format!("{number}.{format}"));
                    match write(&target, &loaded.mesh, &WriteOptions::default()) {
                        Ok(_) => outcome.written.push(target),
                        Err(error) => outcome.failed.push(error.to_string()),
                    }
                }
            }
        }
        writeln!(std::io::stdout().lock(), "{}", serde_json::to_string(&outcome)?)?;
    }
    Ok(())
}

/// The files in a folder whose names say a format.
fn walk(folder: &Path, samples: &mut Vec<(PathBuf, Format)>) -> Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| format!("could not read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, samples)?;
        } else if let Ok(format) = Format::from_path(&path) {
            samples.push((path, format));
        }
    }
    Ok(())
}

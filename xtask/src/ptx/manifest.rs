//! What each PTX file was made from: assets/ptx/PACKAGE.json beside assets/ptx/PACKAGE.ptx.

use anyhow::{Context, Result};
use ribbonmesh_ptx::{Ptx, text_hash};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// One entry per kernel package, each in a file of its own.
#[derive(Debug, Default, PartialEq)]
pub struct Manifest {
    pub packages: BTreeMap<String, Entry>,
}

/// What one PTX file was made from, and what is in it. An entry that lacks something is one that is not current.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Entry {
    pub source_hash: String,
    pub text_hash: String,
    pub compiler: String,
    pub core: String,
    pub flags: Vec<String>,
    pub entries: Vec<String>,
}

impl Entry {
    /// The entry of freshly compiled PTX.
    pub fn new(source_hash: String, ptx: &Ptx) -> Self {
        let Ptx { compiler, core, flags, entries, .. } = ptx.clone();
        Self { source_hash, text_hash: text_hash(&ptx.text), compiler, core, flags, entries }
    }
}

impl Manifest {
    /// Reads all entries of the folder; none, if it is missing.
    pub fn read(dir: &Path) -> Result<Self> {
        let mut packages = BTreeMap::new();
        for (name, file) in files(dir)? {
            let text = std::fs::read_to_string(&file)
                .with_context(|| format!("could not read {}", file.display()))?;
            let entry =
                serde_json::from_str(&text).with_context(|| format!("{} is damaged", file.display()))?;
            packages.insert(name, entry);
        }
        Ok(Self { packages })
    }

    /// Writes the entries, and removes the files of others.
    pub fn write(&self, dir: &Path) -> Result<()> {
        for (name, entry) in &self.packages {
            let (file, text) =
                (dir.join(format!("{name}.json")), serde_json::to_string_pretty(entry)? + "\n");
            std::fs::write(&file, text).with_context(|| format!("could not write {}", file.display()))?;
        }
        for (name, file) in files(dir)? {
            if !self.packages.contains_key(&name) {
                std::fs::remove_file(&file)
                    .with_context(|| format!("could not remove {}", file.display()))?;
            }
        }
        Ok(())
    }
}

/// Names and paths of the entries in a folder.
fn files(dir: &Path) -> Result<Vec<(String, PathBuf)>> {
    if !dir.exists() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for file in std::fs::read_dir(dir)? {
        let path = file?.path();
        if path.extension().is_some_and(|extension| extension == "json")
            && let Some(name) = path.file_stem()
        {
            files.push((name.to_string_lossy().into_owned(), path.clone()));
        }
    }
    Ok(files)
}

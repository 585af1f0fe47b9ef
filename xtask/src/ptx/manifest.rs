//! assets/ptx/manifest.json: what each PTX file was made from.

use anyhow::{Context, Result};
use ribbonmesh_ptx::{Ptx, text_hash};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// One entry per kernel package.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
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
    /// Reads the file; a missing one is empty.
    pub fn read(path: &Path) -> Result<Self> {
        if !path.exists() {
            return Ok(Self::default());
        }
        let text =
            std::fs::read_to_string(path).with_context(|| format!("could not read {}", path.display()))?;
        serde_json::from_str(&text).with_context(|| format!("{} is damaged", path.display()))
    }

    /// Writes the file.
    pub fn write(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        std::fs::write(path, text).with_context(|| format!("could not write {}", path.display()))
    }
}

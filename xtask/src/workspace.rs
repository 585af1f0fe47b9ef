//! The repository's folders and packages.

use anyhow::{Context, Result};
use cargo_metadata::{Metadata, MetadataCommand, Package};
use std::path::{Path, PathBuf};

/// The repository, as cargo describes it.
pub struct Workspace {
    metadata: Metadata,
}

/// A package whose library holds kernels.
pub struct KernelPackage {
    /// Its name, which is also that of its PTX file.
    pub name: String,
    /// The folder of its `Cargo.toml`.
    pub dir: PathBuf,
}

impl Workspace {
    /// Reads the workspace that this program was built from.
    pub fn read() -> Result<Self> {
        let dir = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let manifest = Path::new(&dir).join("Cargo.toml");
        let metadata = MetadataCommand::new().manifest_path(manifest).no_deps().exec();
        Ok(Self { metadata: metadata.context("could not read the workspace")? })
    }

    /// The root of the checkout.
    pub fn root(&self) -> &Path {
        self.metadata.workspace_root.as_std_path()
    }

    /// Cargo's target folder.
    pub fn target(&self) -> &Path {
        self.metadata.target_directory.as_std_path()
    }

    /// The packages with `kernels = true` under `[package.metadata.ribbonmesh]`, sorted by name.
    pub fn kernel_packages(&self) -> Vec<KernelPackage> {
        let mut found: Vec<_> = self
            .metadata
            .packages
            .iter()
            .filter(|package| package.metadata["ribbonmesh"]["kernels"] == true)
            .map(|package| KernelPackage { name: package.name.to_string(), dir: dir(package) })
            .collect();
        found.sort_by(|a, b| a.name.cmp(&b.name));
        found
    }
}

fn dir(package: &Package) -> PathBuf {
    package.manifest_path.parent().map_or(PathBuf::new(), |dir| dir.into())
}

//! Metadata of a kernel crate, as cargo prints them.

use crate::TARGET;
use crate::error::SourceError;
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package, PackageId, TargetKind};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A kernel crate and everything that is compiled with it.
pub(crate) struct KernelCrate {
    metadata: Metadata,
    root: PackageId,
}

/// A package whose kernels are compiled to PTX.
pub(crate) struct Part<'a> {
    pub package: &'a Package,
    /// Whether it is compiled for the GPU, rather than run at compile time (a macro, a build script's
    /// helper).
    pub on_device: bool,
}

impl KernelCrate {
    /// Reads the package whose manifest is in this folder.
    pub fn read(dir: &Path) -> Result<Self, SourceError> {
        let manifest = std::path::absolute(dir.join("Cargo.toml")).map_err(crate::error::io(dir))?;
        let metadata = MetadataCommand::new()
            .manifest_path(&manifest)
            .other_options(vec!["--filter-platform".to_owned(), TARGET.to_owned()])
            .exec()
            .map_err(|source| SourceError::Metadata { dir: dir.to_owned(), source: Box::new(source) })?;
        let same = |path: &Path| path.canonicalize().ok() == manifest.canonicalize().ok();
        let root = metadata
            .packages
            .iter()
            .find(|package| same(package.manifest_path.as_std_path()))
            .filter(|package| library_name(package).is_some())
            .map(|package| package.id.clone())
            .ok_or_else(|| SourceError::NotALibrary { dir: dir.to_owned() })?;
        Ok(Self { metadata, root })
    }

    /// The kernel crate's own package.
    pub fn package(&self) -> &Package {
        &self.metadata[&self.root]
    }

    /// The name the compiler gives to the files of the library.
    pub fn library_name(&self) -> String {
        library_name(self.package()).unwrap_or_default().replace('-', "_")
    }

    /// The root of the workspace.
    pub fn workspace_root(&self) -> &Path {
        self.metadata.workspace_root.as_std_path()
    }

    /// A target folder of its own inside the workspace's, so that no outer cargo holds its lock.
    pub fn target_dir(&self) -> PathBuf {
        self.metadata.target_directory.as_std_path().join("ptx")
    }

    /// The features that cargo enables for a package.
    pub fn features(&self, package: &Package) -> Vec<String> {
        let nodes = self.metadata.resolve.iter().flat_map(|resolve| &resolve.nodes);
        let mut features: Vec<_> = nodes
            .filter(|node| node.id == package.id)
            .flat_map(|node| &node.features)
            .map(|f| f.to_string())
            .collect();
        features.sort();
        features
    }

    /// The package and all of its dependencies except dependencies for tests, sorted by name and version.
    /// This crate is left out: a build script that calls it to compare PTX adds nothing to the kernels.
    pub fn parts(&self) -> Vec<Part<'_>> {
        let nodes: BTreeMap<_, _> = self
            .metadata
            .resolve
            .iter()
            .flat_map(|resolve| &resolve.nodes)
            .map(|node| (&node.id, node))
            .collect();
        let mut on_device: BTreeMap<&PackageId, bool> = BTreeMap::new();
        let mut open = vec![(&self.root, true)];
        while let Some((id, device)) = open.pop() {
            let package = &self.metadata[id];
            let device = device && !package.targets.iter().any(|t| t.kind.contains(&TargetKind::ProcMacro));
            match on_device.get(id) {
                Some(&known) if known || !device => continue,
                _ => on_device.insert(id, device),
            };
            for dependency in nodes.get(id).iter().flat_map(|node| &node.deps) {
                let is = |kind| dependency.dep_kinds.iter().any(|k| k.kind == kind);
                if dependency.name == env!("CARGO_CRATE_NAME") {
                    continue;
                }
                if is(DependencyKind::Normal) || is(DependencyKind::Build) {
                    open.push((&dependency.pkg, device && is(DependencyKind::Normal)));
                }
            }
        }
        let mut parts: Vec<_> = on_device
            .into_iter()
            .map(|(id, on_device)| Part { package: &self.metadata[id], on_device })
            .collect();
        parts.sort_by(|a, b| {
            (&a.package.name, &a.package.version).cmp(&(&b.package.name, &b.package.version))
        });
        parts
    }
}

fn library_name(package: &Package) -> Option<&str> {
    let libraries = [TargetKind::Lib, TargetKind::RLib, TargetKind::CDyLib];
    package
        .targets
        .iter()
        .find(|t| t.kind.iter().any(|kind| libraries.contains(kind)))
        .map(|t| t.name.as_str())
}

//! The repository's folders and packages.

use anyhow::{Context, Result};
use cargo_metadata::{Metadata, MetadataCommand, Package, PackageId};
use ribbonmesh_ptx::{BuildError, Builder, DEVICE_CORE, Folder, Toolchain};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The repository, as cargo describes it.
pub struct Workspace {
    metadata: Metadata,
}

/// A package whose library holds kernels.
pub struct KernelPackage {
    /// Its name.
    pub name: String,
    /// The folder of its `Cargo.toml`.
    pub dir: PathBuf,
    /// Whether it is outside of the workspace, where names of functions in PTX depend on the checkout's
    /// place.
    pub outside: bool,
    /// Whether its kernels do without comparisons of indices with lengths: `unchecked = true` under
    /// `[package.metadata.ribbonmesh]`, a promise that docs/decisions/0014-soundness.md explains.
    pub unchecked: bool,
    /// Whether its PTX is in the repository. `committed = false` is for kernels of tests, whose PTX is made
    /// where they run.
    pub committed: bool,
}

impl KernelPackage {
    /// The folder of its PTX.
    pub fn ptx(&self) -> PathBuf {
        self.dir.join("ptx")
    }

    /// The files of its PTX.
    pub fn ptx_files(&self) -> Result<Vec<PathBuf>> {
        let folder = self.ptx();
        let names = Folder::read(&folder)?.map(|found| found.files.into_keys());
        Ok(names.into_iter().flatten().map(|name| folder.join(name)).collect())
    }
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

    /// A cargo that runs in the checkout.
    pub fn cargo(&self) -> Command {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.current_dir(self.root());
        cargo
    }

    /// The program that reads and writes meshes, which this one does not, so that it is compiled soon.
    pub fn samples(&self) -> Command {
        let mut cargo = self.cargo();
        cargo.args(["run", "--quiet", "--package", "ribbonmesh-samples", "--"]);
        cargo
    }

    /// The name of a package of the workspace.
    pub fn package_name(&self, id: &PackageId) -> Option<&str> {
        self.metadata.packages.iter().find(|package| package.id == *id).map(|package| package.name.as_str())
    }

    /// The names of the packages that have this feature.
    pub fn packages_with_feature(&self, feature: &str) -> impl Iterator<Item = &str> {
        let packages = self.metadata.packages.iter();
        packages.filter(move |package| package.features.contains_key(feature)).map(|package| &**package.name)
    }

    /// The packages with `kernels = true` under `[package.metadata.ribbonmesh]`, sorted by name.
    pub fn kernel_packages(&self) -> Vec<KernelPackage> {
        let mut found: Vec<_> = self
            .metadata
            .packages
            .iter()
            .filter(|package| package.metadata["ribbonmesh"]["kernels"] == true)
            .map(|package| KernelPackage {
                name: package.name.to_string(),
                dir: dir(package),
                outside: false,
                unchecked: package.metadata["ribbonmesh"]["unchecked"] == true,
                committed: package.metadata["ribbonmesh"]["committed"] != false,
            })
            .collect();
        found.sort_by(|a, b| a.name.cmp(&b.name));
        found
    }

    /// All packages.
    pub fn packages(&self) -> &[Package] {
        &self.metadata.packages
    }

    /// The folders of all packages.
    pub fn folders(&self) -> impl Iterator<Item = PathBuf> {
        self.metadata.packages.iter().map(dir)
    }

    /// The names of the packages with kernels, or with `gpu-tests = true` beside `kernels`, that have tests
    /// of their own, in `tests`; sorted.
    pub fn kernel_packages_with_tests(&self) -> Vec<&str> {
        let packages = self.metadata.packages.iter();
        let tested = packages.filter(|package| {
            let own = &package.metadata["ribbonmesh"];
            (own["kernels"] == true || own["gpu-tests"] == true)
                && package.targets.iter().any(|target| target.is_test())
        });
        let mut names: Vec<_> = tested.map(|package| &**package.name).collect();
        names.sort_unstable();
        names
    }

    /// A source of `core` for the GPU, where the nightly has none and a script beside the checkout fetches
    /// it.
    pub fn device_core(&self) -> Option<PathBuf> {
        let script = self.root().join("../shared/toolchain/device-core");
        let missing = |toolchain: Toolchain| {
            matches!(toolchain.core_source(None), Err(BuildError::NoCore { .. })).then_some(toolchain)
        };
        if std::env::var_os(DEVICE_CORE).is_some() || !script.is_file() {
            return None;
        }
        let toolchain = Toolchain::find().ok().and_then(missing)?;
        match crate::process::output(Command::new(script).arg(toolchain.name())) {
            Ok(library) => Some(PathBuf::from(library.trim())),
            Err(error) => {
                eprintln!("warning: {error:#}");
                None
            }
        }
    }

    /// Gives a builder what [`Workspace::device_core`] finds.
    pub fn with_core(&self, builder: Builder) -> Builder {
        match self.device_core() {
            Some(library) => builder.device_core(library),
            None => builder,
        }
    }
}

fn dir(package: &Package) -> PathBuf {
    package.manifest_path.parent().map_or(PathBuf::new(), |dir| dir.into())
}

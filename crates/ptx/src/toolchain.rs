//! The nightly compiler and its source of `core`.

use crate::source::folder_hash;
use crate::{BuildError, SourceError, TARGET, program};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The environment variable that names a `library` folder of Rust sources for toolchains that carry none.
pub const DEVICE_CORE: &str = "RIBBONMESH_DEVICE_CORE";

/// The first release whose functions for the GPU are convergent; earlier ones miscompile barriers.
const MINIMUM_MINOR: u32 = 97;

/// The source of `core` for the GPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoreSource {
    /// Compiled, with the toolchain (`rustup target add nvptx64-nvidia-cuda`).
    Installed,
    /// The toolchain's `rust-src` component.
    RustSrc,
    /// A `library` folder given from outside (`RIBBONMESH_DEVICE_CORE` or [`crate::Builder::device_core`]).
    Folder(PathBuf),
}

impl CoreSource {
    /// A text that distinguishes it from other sources, in addition to the compiler's version: a word, and
    /// for a folder, whose release may differ from the compiler's, a hash of its sources. It names no folder.
    pub fn fingerprint(&self) -> Result<String, SourceError> {
        Ok(match self {
            CoreSource::Installed => "installed".to_owned(),
            CoreSource::RustSrc => "rust-src".to_owned(),
            CoreSource::Folder(library) => {
                let hash = folder_hash(library, &["core/src", "compiler-builtins"])?;
                format!("folder {}", &hash[..16])
            }
        })
    }
}

/// A nightly compiler that can make PTX.
#[derive(Clone, Debug)]
pub struct Toolchain {
    name: String,
    version: String,
    host: String,
    sysroot: PathBuf,
}

impl Toolchain {
    /// The toolchain named by `RIBBONMESH_NIGHTLY`, or `nightly`; refused when it is too old or no nightly.
    pub fn find() -> Result<Self, BuildError> {
        let name = std::env::var("RIBBONMESH_NIGHTLY").unwrap_or_else(|_| "nightly".to_owned());
        let refuse =
            |found: String| BuildError::NoNightly { toolchain: name.clone(), minimum: MINIMUM_MINOR, found };
        let ask = |arguments: &[&str]| {
            let output = command(&name, "rustc").args(arguments).output().ok().filter(|o| o.status.success());
            output.map(|o| String::from_utf8_lossy(&o.stdout).into_owned())
        };
        let verbose = ask(&["-vV"]).ok_or_else(|| refuse("not installed".to_owned()))?;
        let version = verbose.lines().next().unwrap_or_default().to_owned();
        if !is_new_enough(&verbose) {
            return Err(refuse(version));
        }
        let host =
            verbose.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default().to_owned();
        let sysroot = ask(&["--print", "sysroot"]).ok_or_else(|| refuse("broken".to_owned()))?;
        Ok(Self { version, host, sysroot: PathBuf::from(sysroot.trim_end()), name })
    }

    /// The compiler's own version line, such as `rustc 1.97.0-nightly (e50aa6fba 2026-05-19)`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The name rustup knows the toolchain by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The compiler's name for the machine that it runs on.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    /// The source of `core`: the installed target, else `rust-src`, else the folder given here, else the one
    /// in `RIBBONMESH_DEVICE_CORE`.
    pub fn core_source(&self, folder: Option<&Path>) -> Result<CoreSource, BuildError> {
        let rustlib = self.sysroot.join("lib/rustlib");
        if rustlib.join(TARGET).join("lib").is_dir() {
            return Ok(CoreSource::Installed);
        }
        if is_library(&rustlib.join("src/rust/library")) {
            return Ok(CoreSource::RustSrc);
        }
        folder
            .map(Path::to_owned)
            .or_else(|| std::env::var_os(DEVICE_CORE).map(PathBuf::from))
            .filter(|folder| is_library(folder))
            .map(CoreSource::Folder)
            .ok_or_else(|| BuildError::NoCore { toolchain: self.name.clone() })
    }

    /// The toolchain's cargo, without the variables that an outer cargo or rustup has put into the
    /// environment.
    pub(crate) fn cargo(&self) -> Command {
        command(&self.name, "cargo")
    }

    /// The folder of the compiler's own sources and libraries.
    pub(crate) fn sysroot(&self) -> &Path {
        &self.sysroot
    }
}

fn command(toolchain: &str, program: &str) -> Command {
    let mut command =
        Command::new(program::on_path("rustup").as_deref().map_or(OsStr::new("rustup"), Path::as_os_str));
    command.args(["run", toolchain, program]);
    for name in ["CARGO", "RUSTC", "RUSTDOC", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTFLAGS"] {
        command.env_remove(name);
    }
    for name in
        ["CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_TARGET", "CARGO_TARGET_DIR", "TARGET", "LD_LIBRARY_PATH"]
    {
        command.env_remove(name);
    }
    command
}

fn is_library(folder: &Path) -> bool {
    ["Cargo.toml", "core/Cargo.toml", "core/src/lib.rs"].iter().all(|file| folder.join(file).is_file())
}

/// Whether the output of `rustc -vV` is that of a nightly from the first good release on.
fn is_new_enough(verbose: &str) -> bool {
    let Some(release) = verbose.lines().find_map(|line| line.strip_prefix("release: ")) else { return false };
    let mut numbers = release.split(['.', '-']).map(str::parse::<u32>);
    let (Some(Ok(major)), Some(Ok(minor))) = (numbers.next(), numbers.next()) else { return false };
    (major, minor) >= (1, MINIMUM_MINOR) && (release.ends_with("-nightly") || release.ends_with("-dev"))
}

#[cfg(test)]
mod tests {
    use super::is_new_enough;

    #[test]
    fn only_a_late_nightly_is_good() {
        assert!(is_new_enough("rustc 1.97.0-nightly\nrelease: 1.97.0-nightly\n"));
        assert!(is_new_enough("release: 2.0.0-nightly"));
        assert!(!is_new_enough("release: 1.96.0-nightly"));
        assert!(!is_new_enough("release: 1.97.1"));
        assert!(!is_new_enough("release: nonsense"));
        assert!(!is_new_enough(""));
    }
}
